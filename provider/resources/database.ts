import type { OperationId, Schemas } from "../api/contract";
import { awaited } from "../api/operations.gen";
import { environmentTagValues } from "../api/wire.gen";
import { flag, isSameText, oneOf, optional, plain, text, type Fields, computed } from "../base/fields";
import { constant, derivedSecret, outputsIn, partOf, type OutputField } from "../model/outputs";

// What services and read replica sets have in common.

export interface PoolerInputs {
    /**
     * Whether there is a connection pooler. A change is made in place.
     * @default false
     */
    connectionPooler?: boolean;
}

/** The inputs that services and read replica sets share. */
export const databaseFields: Fields<PoolerInputs & Verification> = {
    connectionPooler: optional("update", flag),
    sslMode: optional("stateOnly", oneOf(["require", "verify-ca", "verify-full"])),
    sslRootCert: optional("stateOnly", text()),
};

const { shown, maybeShown, withDefault } = outputsIn<
    Pick<Schemas["Service"], "endpoint" | "connection_pooler" | "metadata"> & Attachable
>();

/** What a service in a VPC shows in addition. */
type Attachable = Partial<Pick<Schemas["Service"], "status" | "vpc_endpoint">>;

type PoolerCall<Verb extends string> = Extract<OperationId, `${Verb}${string}Pooler`>;

/** The outputs with the endpoints of a database, whose connection pooler these operations enable and disable. */
export const endpointsWith = (enable: PoolerCall<"enable">, disable: PoolerCall<"disable">) => ({
    /** Whether there is a connection pooler. */
    connectionPooler: withDefault<boolean>(false, (item) => poolerOf(item) !== undefined, {
        set: (on) => ({ operation: on ? enable : disable }),
        title: (_, on) => `connection pooler ${on === computed ? "-> (known after apply)" : on ? "on" : "off"}`,
        affects: (on) => ({
            poolerHost: on === false ? undefined : computed,
            poolerPort: on === false ? undefined : computed,
        }),
    }),
    /** The host of the direct endpoint. Undefined until the API has assigned it, and if only a VPC reaches the database. */
    host: { ...maybeShown((item) => (isOnlyInVpc(item) ? null : item.endpoint?.host)), awaited: awaited.Endpoint.host },
    /** The port of the direct endpoint. Undefined in the same cases as `host`. */
    port: maybeShown((item) => (isOnlyInVpc(item) ? null : portOf(item.endpoint))),
    /** The host of the connection pooler. Undefined without a pooler. */
    poolerHost: maybeShown((item) => partOf(poolerOf(item), ({ host }) => host)),
    /** The port of the connection pooler. Undefined without a pooler. */
    poolerPort: maybeShown((item) => partOf(poolerOf(item), portOf)),
});

/** The endpoint. One without any value is none. */
export const endpointIn = <Endpoint extends Schemas["Endpoint"]>(
    endpoint: Endpoint | undefined,
): Endpoint | undefined => (Object.values(endpoint ?? {}).some((value) => value !== 0) ? endpoint : undefined);

/** Whether the answer says that a service has no direct endpoint. Any other answer without one says nothing of it. */
const isOnlyInVpc = ({ endpoint, status, vpc_endpoint: inVpc }: Pick<Schemas["Service"], "endpoint"> & Attachable) =>
    status === "READY" && endpointIn(inVpc) !== undefined && endpointIn(endpoint) === undefined;

const poolerOf = (item: Pick<Schemas["Service"], "connection_pooler">) => endpointIn(item.connection_pooler?.endpoint);

/** The port of an endpoint. One without a host has the port 0. */
export const portOf = ({ host, port }: Schemas["Endpoint"] = {}): number | undefined =>
    host === undefined ? undefined : port;

/** The environment tag, which an API can show in other letters. One that nobody knows stays as it is. */
const tagIn = ({ metadata: { environment } = {} }: Pick<Schemas["Service"], "metadata">): string | undefined =>
    environmentTagValues.find((tag) => isSameText(tag, environment)) ?? environment;

/** The output with the environment tag, which this operation sets. */
export const environmentSetBy = (operation: "setEnvironment" | "setReplicaSetEnvironment") =>
    shown(tagIn, {
        set: (tag) => ({ operation, body: { environment: tag as Schemas["EnvironmentTag"] } }),
        // Only the response to the creation of a set shows its first tag.
        title: (from, to) =>
            from === undefined
                ? `if the API has chosen another tag: environment ${plain(to)}`
                : `environment ${plain(from)} -> ${plain(to)}`,
    });

/** The direct endpoint, as programs receive it. */
export interface DirectEndpoint {
    /**
     * The host of the direct endpoint. Undefined only for a service that the API reaches only within its VPC, and if a
     * `.get`, an import or a refresh finds a database without an endpoint.
     */
    readonly host: string;
    /** The port of the direct endpoint. Undefined in the same cases as `host`. */
    readonly port: number;
}

/** Every database has this role and this database. */
const login = { username: "tsdbadmin", databaseName: "tsdb" } as const;

/** The outputs of a database that are the same for each. */
export const loginOutputs = {
    /** The default role, `tsdbadmin`. */
    username: constant(login.username),
    /** The default database, `tsdb`. */
    databaseName: constant(login.databaseName),
};

export type Login = { readonly [Name in keyof typeof loginOutputs]: string };

/** The URL of an endpoint, with the password in the property of this name. */
export const urlOf = (host: string, port: string, password: string): OutputField<true> =>
    derivedSecret([host, port, password, "sslMode", "sslRootCert"], connectionString);

/** How an application verifies the certificate of a server. */
export interface Verification {
    /**
     * The `sslmode` of the connection strings. All modes encrypt. `verify-ca` also makes the driver verify the certificate of
     * the server, and `verify-full` its host name. A change updates only the state.
     * @default "require"
     */
    sslMode?: "require" | "verify-ca" | "verify-full";
    /**
     * The `sslrootcert` of the connection strings: the file with the trusted certificates, as the application finds it.
     * Without it, the driver decides. A change updates only the state.
     * @default none
     */
    sslRootCert?: string;
}

/**
 * The `postgres://` URL of an endpoint, without a password if there is none. Undefined if there is no endpoint, and unknown if
 * one of the values is.
 */
function connectionString(...values: readonly unknown[]): unknown {
    const [host, port, password, sslMode, sslRootCert] = values;
    if (typeof host !== "string") {
        return host;
    }
    if (values.includes(computed)) {
        return computed;
    }
    const { username, databaseName } = login;
    const user =
        typeof password === "string" && password !== "" ? `${username}:${encodeURIComponent(password)}` : username;
    const certificate = typeof sslRootCert === "string" ? `&sslrootcert=${encodeURIComponent(sslRootCert)}` : "";
    const address = `${host}${typeof port === "number" ? `:${port}` : ""}`;
    const mode = typeof sslMode === "string" ? sslMode : "require";
    return `postgres://${user}@${address}/${databaseName}?sslmode=${mode}${certificate}`;
}
