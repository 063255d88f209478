/** Writes a row to the database and reads it from its replica set. */
import { readFileSync } from "node:fs";
import { execa } from "execa";
import pRetry from "p-retry";
import pg from "pg";
import { worldOf } from "./emulator.mjs";

const replicationLimitMs = 10_000;
const pollMs = 2;
const output = "connectionString";
const create =
    "CREATE TABLE IF NOT EXISTS quickstart (id int GENERATED ALWAYS AS IDENTITY, written_at timestamptz DEFAULT now())";

/** Returns two lines about the result, or none if the program has no such output or no replica set. */
export async function writeAndRead(folder, env, emulator) {
    const args = ["stack", "output", "--json", "--show-secrets"];
    const { stdout } = await execa("pulumi", args, { cwd: folder.root, env, extendEnv: false });
    const { [output]: connectionString } = JSON.parse(stdout);
    const { services } = await worldOf(folder, emulator);
    const [set] = services.flatMap(({ read_replica_sets: sets }) => sets ?? []);
    if (connectionString === undefined || !set?.endpoint) {
        return [];
    }
    const { hostname: host, port, username: user, password, pathname } = new URL(connectionString);
    const ssl = { ca: readFileSync(emulator.certificate, "utf8") };
    const access = { host, port, user, password: decodeURIComponent(password), database: pathname.slice(1), ssl };
    try {
        const id = await withClient(access, async (client) => {
            await client.query(create);
            return (await client.query("INSERT INTO quickstart DEFAULT VALUES RETURNING id")).rows[0].id;
        });
        const began = performance.now();
        await withClient({ ...access, ...set.endpoint }, (client) => waitForRow(client, id));
        return [
            `Wrote row ${id} with ${output} to PostgreSQL on port ${port},`,
            `and read it from the replica set ${set.name} on port ${set.endpoint.port} after ${Math.ceil(performance.now() - began)} ms.`,
        ];
    } catch ({ message }) {
        return [
            `PostgreSQL failed: ${message}.`,
            "If you created the databases with --no-postgres, run npm run quickstart -- destroy, and start again.",
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

/** The query fails until the table is replicated, too. */
const waitForRow = (client, id) =>
    pRetry(
        async () => {
            const { rowCount } = await client.query("SELECT FROM quickstart WHERE id = $1", [id]);
            if (rowCount === 0) {
                throw new Error("the replica did not receive the row");
            }
        },
        { retries: Infinity, factor: 1, minTimeout: pollMs, maxRetryTime: replicationLimitMs },
    );
