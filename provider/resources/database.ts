import type { Service } from "../api/contract";
import { flag, oneOf, optional, text, type Fields } from "../inputs/fields";
import { unknown, type Planned } from "../inputs/unknown";
import { wanted } from "../lifecycle/metadata";
import { constant, maybeAbsent, present, type OutputFields } from "../contract/outputs";
import type { StateRecord } from "../contract/state";
import type { Call, Step } from "../contract/step";

// What services and read replica sets have in common.

export interface PoolerInputs {
    /**
     * Whether there is a connection pooler. A change is made in place (`enablePooler`, `disablePooler`).
     * @default false
     */
    connectionPooler?: boolean;
}

export const poolerFields: Fields<PoolerInputs> = { connectionPooler: optional("update", flag) };

export const verificationFields: Fields<Verification> = {
    sslMode: optional("stateOnly", oneOf(["require", "verify-ca", "verify-full"])),
    sslRootCert: optional("stateOnly", text()),
};

/** The state of a database without a connection pooler, as after its creation. */
export const withoutPooler = { connectionPooler: false } as const;

/** The endpoints of a database. */
export interface Endpoints {
    /** Whether there is a connection pooler. */
    readonly connectionPooler: boolean;
    /** The host of the direct endpoint. Undefined until the API has assigned it. */
    readonly host: string | undefined;
    /** The port of the direct endpoint. Undefined until the API has assigned it. */
    readonly port: number | undefined;
    /** The host of the connection pooler. Undefined if there is no pooler. */
    readonly poolerHost: string | undefined;
    /** The port of the connection pooler. Undefined if there is no pooler. */
    readonly poolerPort: number | undefined;
}

/** The direct endpoint, as programs receive it. */
export interface DirectEndpoint {
    /**
     * The host of the direct endpoint. Undefined only after a `.get`, an import or a refresh of a database to which the API
     * has not assigned an endpoint yet.
     */
    readonly host: string;
    /** The port of the direct endpoint. Undefined in the same cases as `host`. */
    readonly port: number;
}

/** The outputs of a database that are the same for each. */
export interface Login {
    /** The default role, which the connection strings contain. */
    readonly username: string;
    /** The default database, which the connection strings contain. */
    readonly databaseName: string;
}

export const loginOutputs: OutputFields<Login> = { username: constant, databaseName: constant };

export const endpointOutputs: OutputFields<Endpoints> = {
    connectionPooler: present,
    host: maybeAbsent,
    port: maybeAbsent,
    poolerHost: maybeAbsent,
    poolerPort: maybeAbsent,
};

export function observeEndpoints(item: Pick<Service, "endpoint" | "connection_pooler">): Endpoints {
    const pooler = item.connection_pooler?.endpoint;
    return {
        connectionPooler: pooler !== undefined,
        host: item.endpoint?.host,
        port: item.endpoint?.port,
        poolerHost: pooler?.host,
        poolerPort: pooler?.port,
    };
}

/** The endpoints after the service is attached to a VPC or detached from it, which may move them. */
export function movedEndpoints({ connectionPooler }: Endpoints): Partial<Record<keyof Endpoints, typeof unknown>> {
    return { host: unknown, port: unknown, ...(connectionPooler ? { poolerHost: unknown, poolerPort: unknown } : {}) };
}

/** The default role and database, and the URLs of the endpoints, which contain the password if it is known. */
export function connectionOutputs(
    { host, port, poolerHost, poolerPort, ...verification }: Endpoints & Verification,
    password: string | undefined,
): Login & Readonly<Record<"connectionString" | "poolerConnectionString", string | undefined>> {
    return {
        ...login,
        connectionString: connectionString(host, port, password, verification),
        poolerConnectionString: connectionString(poolerHost, poolerPort, password, verification),
    };
}

/** Enables or disables the connection pooler. */
export function poolerChange(
    state: Endpoints & { readonly record: StateRecord<PoolerInputs> },
    declared: Planned<PoolerInputs>,
    { enable, disable }: Readonly<Record<"enable" | "disable", Call>>,
): Step<Endpoints>[] {
    const on = wanted(state, declared, "connectionPooler", false);
    if (on === state.connectionPooler) {
        return [];
    }
    const endpoint = on === false ? undefined : unknown;
    return [
        {
            call: on === false ? disable : enable,
            title: `connection pooler ${on === unknown ? "-> (known after apply)" : on ? "on" : "off"}`,
            sets: { connectionPooler: on },
            affects: { poolerHost: endpoint, poolerPort: endpoint },
        },
    ];
}

/** Every database has this role and this database. */
export const login = { username: "tsdbadmin", databaseName: "tsdb" } as const;

/** How an application verifies the certificate of a server. */
export interface Verification {
    /**
     * The `sslmode` of the connection strings. All modes encrypt. `verify-ca` also makes the driver verify the certificate of
     * the server, and `verify-full` its host name. A change updates only the state.
     * @default "require"
     */
    sslMode?: "require" | "verify-ca" | "verify-full";
    /**
     * The `sslrootcert` of the connection strings: the file with the trusted certificates, as the application finds it. The
     * provider does not read it. A change updates only the state.
     * @default none: the driver decides
     */
    sslRootCert?: string;
}

type Maybe<Value> = Value | null | undefined;

/**
 * The `postgres://` URL of an endpoint, without a password if it is unknown. Undefined if there is no endpoint. In the
 * preview of an adoption, all values may be unknown.
 */
export function connectionString(
    host: Maybe<string>,
    port: Maybe<number>,
    password: Maybe<string>,
    { sslMode, sslRootCert }: { readonly [Key in keyof Verification]?: Maybe<string> },
): string | undefined {
    if (host === undefined || host === null) {
        return undefined;
    }
    const { username, databaseName } = login;
    const user = typeof password === "string" ? `${username}:${encodeURIComponent(password)}` : username;
    const certificate = typeof sslRootCert === "string" ? `&sslrootcert=${encodeURIComponent(sslRootCert)}` : "";
    const address = `${host}${port === undefined || port === null ? "" : `:${port}`}`;
    const mode = typeof sslMode === "string" ? sslMode : "require";
    return `postgres://${user}@${address}/${databaseName}?sslmode=${mode}${certificate}`;
}
