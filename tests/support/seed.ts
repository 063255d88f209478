import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import type { Emulator } from "../../emulator";
import { root } from "./documents";
import type { TestProject } from "./project";

/** Installs node-postgres next to the project, with the certificate of the emulator. */
export function useDatabases({ folder, emulator, env }: TestProject): void {
    symlinkSync(join(root, "node_modules", "pg"), join(dirname(folder), "node_modules", "pg"));
    env({ NODE_EXTRA_CA_CERTS: emulator.certificate?.file ?? "" });
}

/** Creates a service without Pulumi, with a table `orders` of two rows. */
export async function seededService(emulator: Emulator): Promise<string> {
    const database = await emulator.createService({ name: "by hand", cpu_millis: "1000", memory_gbs: "4" });
    const client = new Client(database);
    await client.connect();
    await client.query("CREATE TABLE orders AS SELECT generate_series(1, 2) AS id");
    await client.end();
    emulator.takeSnapshot(database.id);
    return database.id;
}
