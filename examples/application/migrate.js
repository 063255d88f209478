/** Applies the new files of migrations/ to the database, in order, each in a transaction. */
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Client } = require("pg");

const folder = join(__dirname, "migrations");

async function migrate(config) {
    const client = new Client(config);
    await client.connect();
    try {
        // Only one of several concurrent pipelines applies migrations at a time.
        await client.query("SELECT pg_advisory_lock(1)");
        await client.query("CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY)");
        const { rows } = await client.query("SELECT name FROM migrations");
        const known = new Set(rows.map(({ name }) => name));
        const due = readdirSync(folder)
            .sort()
            .filter((name) => !known.has(name));
        for (const name of due) {
            await client.query("BEGIN");
            await client.query(readFileSync(join(folder, name), "utf8"));
            await client.query("INSERT INTO migrations VALUES ($1)", [name]);
            await client.query("COMMIT");
        }
        return due;
    } finally {
        await client.end();
    }
}

module.exports = { migrate };

if (require.main === module) {
    migrate({ connectionString: process.env.DATABASE_URL }).then(
        (names) => console.log(names.length > 0 ? `Applied ${names.join(", ")}.` : "Nothing to apply."),
        (error) => {
            const isUnknown = error.code === "DEPTH_ZERO_SELF_SIGNED_CERT";
            const remedy = ": run the line `export NODE_EXTRA_CA_CERTS=…` that the emulator prints";
            console.error(`${error.message}${isUnknown ? remedy : ""}`);
            process.exitCode = 1;
        },
    );
}
