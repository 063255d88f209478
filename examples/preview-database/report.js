/** Prints the number of rows in each table of the preview database. */
const { Client } = require("pg");

async function main() {
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    await client.query("ANALYZE");
    const { rows } = await client.query(
        "SELECT relname AS name, reltuples AS count FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public' AND relkind = 'r' ORDER BY relname",
    );
    for (const { name, count } of rows) {
        console.log(`${name}: ${count}`);
    }
    await client.end();
}

main().catch((error) => {
    const isUnknown = error.code === "DEPTH_ZERO_SELF_SIGNED_CERT";
    const remedy = ": run the line `export NODE_EXTRA_CA_CERTS=…` that the emulator prints";
    console.error(`${error.message}${isUnknown ? remedy : ""}`);
    process.exitCode = 1;
});
