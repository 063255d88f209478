/** The application: `node orders.js [ITEM]` adds an order and prints all of them. */
const { Client } = require("pg");

async function main([item]) {
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    await client.query("CREATE TABLE IF NOT EXISTS orders (id serial, item text)");
    if (item !== undefined) {
        await client.query("INSERT INTO orders (item) VALUES ($1)", [item]);
    }
    const { rows } = await client.query("SELECT item FROM orders ORDER BY id");
    console.log(`orders: ${rows.map((row) => row.item).join(", ")}`);
    await client.end();
}

main(process.argv.slice(2)).catch((error) => {
    const isUnknown = error.code === "DEPTH_ZERO_SELF_SIGNED_CERT";
    const remedy = ": run the line `export NODE_EXTRA_CA_CERTS=…` that the emulator prints";
    console.error(`${error.message}${isUnknown ? remedy : ""}`);
    process.exitCode = 1;
});
