/** Writes a row to the database and reads it from its replica set. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import pg from "pg";

const REPLICATION_LIMIT_MS = 10_000;
const POLL_MS = 2;
const OUTPUT = "connectionString";
const CREATE =
    "CREATE TABLE IF NOT EXISTS quickstart (id int GENERATED ALWAYS AS IDENTITY, written_at timestamptz DEFAULT now())";

/** Returns what happened, in two lines; none when the program has no such output or no replica set. */
export async function writeAndRead({ root }, env, { certificate }, world) {
    const args = ["stack", "output", "--json", "--show-secrets"];
    const { stdout } = await execa("pulumi", args, { cwd: root, env, extendEnv: false });
    const { [OUTPUT]: connectionString } = JSON.parse(stdout);
    const [set] = world.services.flatMap(({ read_replica_sets: sets }) => sets ?? []);
    if (connectionString === undefined || !set?.endpoint) return [];
    const { hostname: host, port, username: user, password, pathname } = new URL(connectionString);
    const ssl = { ca: readFileSync(certificate, "utf8") };
    const access = { host, port, user, password: decodeURIComponent(password), database: pathname.slice(1), ssl };
    try {
        const id = await withClient(access, async (client) => {
            await client.query(CREATE);
            return (await client.query("INSERT INTO quickstart DEFAULT VALUES RETURNING id")).rows[0].id;
        });
        const began = performance.now();
        await withClient({ ...access, ...set.endpoint }, (client) => untilThere(client, id));
        return [
            `Row ${id} is written through ${OUTPUT}, in PostgreSQL on port ${port},`,
            `and read from the replica set ${set.name} on port ${set.endpoint.port} within ${Math.ceil(performance.now() - began)} ms.`,
        ];
    } catch ({ message }) {
        return [
            `PostgreSQL failed: ${message}.`,
            "If the databases were created with --no-postgres: npm run quickstart -- destroy, and run again.",
        ];
    }
}

async function withClient(access, work) {
    const client = new pg.Client(access);
    await client.connect();
    try {
        return await work(client);
    } finally {
        await client.end();
    }
}

async function untilThere(client, id) {
    for (const deadline = Date.now() + REPLICATION_LIMIT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
        // The table itself is replicated, too.
        const { rows } = await client
            .query("SELECT id FROM quickstart WHERE id = $1", [id])
            .catch(() => ({ rows: [] }));
        if (rows.length > 0) return;
    }
    throw new Error(`the replica did not receive the row within ${REPLICATION_LIMIT_MS} ms`);
}
