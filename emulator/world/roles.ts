/** The role of every service. */
export const roleName = "tsdbadmin";
/** The database of every service. */
export const databaseName = "tsdb";

/** How to connect, as a URL. Without the file of a certificate, the address belongs to no server. */
export function connectionString(
    { host, port }: { host: string; port: number },
    password: string,
    certificateFile: string | undefined,
): string {
    const tls =
        certificateFile === undefined
            ? "sslmode=require"
            : `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificateFile)}`;
    return `postgres://${roleName}:${encodeURIComponent(password)}@${host}:${port}/${databaseName}?${tls}`;
}
