/** The role of every service. */
export const roleName = "tsdbadmin";
/** The database of every service. */
export const databaseName = "tsdb";

/** The parameters of a connection. Without the file of a certificate, the address belongs to no server. */
export const tlsOf = (certificateFile: string | undefined): Record<string, string> =>
    certificateFile === undefined ? { sslmode: "require" } : { sslmode: "verify-full", sslrootcert: certificateFile };

/** How to connect, as a URL. */
export function connectionString(
    { host, port }: { host: string; port: number },
    password: string,
    certificateFile: string | undefined,
): string {
    const tls = Object.entries(tlsOf(certificateFile)).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `postgres://${roleName}:${encodeURIComponent(password)}@${host}:${port}/${databaseName}?${tls.join("&")}`;
}
