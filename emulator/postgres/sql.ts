import type { Client } from "pg";
import { loadPg } from "./binaries";
import { SUPERUSER } from "./installation";
import { HOST } from "./ports";

type Row = Record<string, unknown>;

/** Runs one statement; returns its rows. */
export type Query = (statement: string) => Promise<Row[]>;

const CONNECT_LIMIT_MS = 10_000;

/** Connects to a server as its superuser. */
export async function withSession<T>(
    { port, password }: { port: number; password: string },
    work: (query: Query) => Promise<T>,
): Promise<T> {
    const { Client: PgClient } = loadPg();
    const client: Client = new PgClient({
        host: HOST,
        port,
        user: SUPERUSER,
        password,
        database: SUPERUSER,
        connectionTimeoutMillis: CONNECT_LIMIT_MS,
        application_name: "clouddb-emulator",
    });
    // A connection that breaks while it is idle; the next statement fails.
    client.on("error", () => undefined);
    await client.connect();
    try {
        // A statement that fails would be written to the log, with the stored password in it.
        await client.query("SET log_min_error_statement = panic");
        return await work(async (statement) => (await client.query<Row>(statement)).rows);
    } finally {
        await client.end().catch(() => undefined);
    }
}
