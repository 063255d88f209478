/** Every service has this role and this database. */
const [role, database] = ["tsdbadmin", "tsdb"];

/** The `postgres://` URL of an endpoint, without a password if it is unknown. Undefined if there is no endpoint. */
export function connectionString(
    host: string | null | undefined,
    port: number | null | undefined,
    password: string | null | undefined,
): string | undefined {
    if (host === undefined || host === null) {
        return undefined;
    }
    const user = typeof password === "string" ? `${role}:${encodeURIComponent(password)}` : role;
    return `postgres://${user}@${host}${port === undefined || port === null ? "" : `:${port}`}/${database}?sslmode=require`;
}
