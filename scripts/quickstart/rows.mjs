/** Writes a row to the database and reads it from its replica set. */
import { execa } from "execa";
import pRetry from "p-retry";
import pg from "pg";
import { worldOf } from "./emulator.mjs";

const replicationLimitMs = 10_000;
const pollMs = 10;
const output = "connectionString";
const create =
    "CREATE TABLE IF NOT EXISTS quickstart (id int GENERATED ALWAYS AS IDENTITY, written_at timestamptz DEFAULT now())";
const insert = "INSERT INTO quickstart DEFAULT VALUES RETURNING id";

/** Returns lines about the result, or none if the program has no such output or no replica set. */
export async function writeAndRead(folder, env, emulator) {
    const args = ["stack", "output", "--json", "--show-secrets"];
    const { stdout } = await execa("pulumi", args, { cwd: folder.root, env, extendEnv: false });
    const { [output]: connectionString } = JSON.parse(stdout);
    const { services } = await worldOf(folder, emulator);
    const [set] = services.flatMap(({ read_replica_sets: sets }) => sets ?? []);
    if (connectionString === undefined || !set?.endpoint) {
        return [];
    }
    const primary = new URL(connectionString);
    primary.search = new URLSearchParams({ sslmode: "verify-full", sslrootcert: emulator.certificate });
    const replica = new URL(primary);
    replica.host = `${set.endpoint.host}:${set.endpoint.port}`;
    try {
        await query(primary, create);
        const { id } = await query(primary, insert);
        const began = performance.now();
        const options = { retries: Infinity, factor: 1, minTimeout: pollMs, maxRetryTime: replicationLimitMs };
        await pRetry(() => expectRow(replica, id), options);
        const tookMs = Math.ceil(performance.now() - began);
        return [
            `Wrote row ${id} with ${output} to PostgreSQL on port ${primary.port},`,
            `and read it from the replica set ${set.name} on port ${replica.port} after ${tookMs} ms.`,
            "",
        ];
    } catch ({ message }) {
        return [
            `PostgreSQL failed: ${message}.`,
            "If you created the databases with --no-postgres, run npm run quickstart -- destroy, and start again.",
            "",
        ];
    }
}

/** The query fails until the table is replicated, too. */
async function expectRow(replica, id) {
    if ((await query(replica, `SELECT id FROM quickstart WHERE id = ${id}`)) === undefined) {
        throw new Error("the replica did not receive the row");
    }
}

/** Returns the first row. */
async function query({ href }, text) {
    const client = new pg.Client(href);
    await client.connect();
    try {
        return (await client.query(text)).rows[0];
    } finally {
        await client.end();
    }
}
