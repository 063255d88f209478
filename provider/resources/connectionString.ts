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
