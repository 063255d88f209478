import type { Client } from "pg";
import { loadPg } from "./binaries";
import { superuserName } from "./installation";
import { host } from "./ports";

type Row = Record<string, unknown>;

/** Runs one statement and returns its rows. */
export type Query = (statement: string) => Promise<Row[]>;

const connectLimitMs = 10_000;

/** Connects to a server as its superuser. */
export async function withSession<T>(
    { port, password }: { port: number; password: string },
    work: (query: Query) => Promise<T>,
): Promise<T> {
    const { Client: PgClient } = loadPg();
    const client: Client = new PgClient({
        host,
        port,
        user: superuserName,
        password,
        database: superuserName,
        connectionTimeoutMillis: connectLimitMs,
        application_name: "clouddb-emulator",
    });
    // An idle connection may break. The next statement then fails.
    client.on("error", () => undefined);
    await client.connect();
    try {
        // Otherwise the server would log failed statements, which may contain the password verifier.
        await client.query("SET log_min_error_statement = panic");
        return await work(async (statement) => (await client.query<Row>(statement)).rows);
    } finally {
        await client.end().catch(() => undefined);
    }
}
