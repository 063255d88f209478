/** The application: `node orders.js ITEM` adds an order as the role `application`, and prints all orders. */
const { Client } = require("pg");

async function main([item]) {
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    if (item !== undefined) {
        await client.query("INSERT INTO orders (item) VALUES ($1)", [item]);
    }
    console.log((await client.query("SELECT * FROM orders ORDER BY id")).rows);
    await client.end();
}

main(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
});
