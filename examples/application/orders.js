/** The application: `node orders.js ITEM` adds an order and prints all of them. */
const { Client } = require("pg");

const addOrder = async (client, item) => client.query("INSERT INTO orders (item) VALUES ($1)", [item]);

const listOrders = async (client) => (await client.query("SELECT item, quantity FROM orders ORDER BY id")).rows;

module.exports = { addOrder, listOrders };

async function main([item]) {
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    if (item !== undefined) {
        await addOrder(client, item);
    }
    for (const { item: name, quantity } of await listOrders(client)) {
        console.log(`${quantity} ${name}`);
    }
    await client.end();
}

if (require.main === module) {
    void main(process.argv.slice(2));
}
