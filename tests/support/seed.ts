import { readOptions } from "../../provider/api/client";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "pg";
import type { Emulator } from "../../emulator";
import { clientOf, existingService } from "./existing";
import type { TestProject } from "./project";

const root = join(__dirname, "..", "..");
const password = "password-of-the-tests";

/** Installs node-postgres next to the project, with the certificate of the emulator. */
export function useDatabases({ folder, emulator, env }: TestProject): void {
    symlinkSync(join(root, "node_modules", "pg"), join(dirname(folder), "node_modules", "pg"));
    env({ NODE_EXTRA_CA_CERTS: emulator.certificate?.file ?? "" });
}

/** Creates a service without Pulumi, with a table `orders` of two rows. */
export async function seededService(emulator: Emulator): Promise<string> {
    const id = await existingService(emulator);
    await clientOf(emulator).call(
        "updatePassword",
        { path: { project_id: emulator.projectId, service_id: id }, body: { password } },
        readOptions,
    );
    const { endpoint } = emulator.snapshot().services.find(({ service_id }) => service_id === id) ?? {};
    const ssl = { ca: emulator.certificate?.pem };
    const client = new Client({ ...endpoint, user: "tsdbadmin", password, database: "tsdb", ssl });
    await client.connect();
    await client.query("CREATE TABLE orders AS SELECT generate_series(1, 2) AS id");
    await client.end();
    emulator.takeSnapshot(id);
    return id;
}
