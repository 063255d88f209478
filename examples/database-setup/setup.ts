/** Sets up a database. Each part can run again at any time. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

const folder = join(__dirname, "migrations");

/** The migrations in their order. */
export const migrationNames = (): string[] => readdirSync(folder).sort();

/** Creates the role of the application or sets its password, and applies the new migrations. */
export async function setUp(connectionString: string, password: string): Promise<void> {
    const client = new Client({ connectionString });
    await client.connect();
    try {
        const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = 'application'");
        const action = rowCount === 0 ? "CREATE" : "ALTER";
        await client.query(`${action} ROLE application LOGIN PASSWORD ${client.escapeLiteral(password)}`);
        const { runner } = await import("node-pg-migrate");
        await runner({ dbClient: client, dir: folder, direction: "up", migrationsTable: "migrations" });
    } finally {
        await client.end();
    }
}
