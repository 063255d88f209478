import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fetchServices, send, settings, startCommand } from "../support/emulatorCommand";
import type { Wire } from "../../emulator/wire";
import { newFolder } from "../support/folder";

const scratch = newFolder();
/** A private file system of this size, in a folder that other processes see empty. */
const smallDisk = ["unshare", "--mount", "--map-root-user", "sh", "-c"];
const mount = 'mount -t tmpfs -o size=64k none "$0" && exec "$@"';
const canMount = spawnSync("unshare", [...smallDisk.slice(1), mount, scratch, "true"]).status === 0;

describe("an emulator with little memory or disk", () => {
    test.each(["unknown", "test-token"])(
        "72 requests of 1 MB with the token %s do not end an emulator with a heap of 64 MB",
        async (token) => {
            const emulator = startCommand(settings, { program: [process.execPath, "--max-old-space-size=64"] });
            const { url } = await emulator.started;
            const name = "x".repeat(1_000_000);
            for (let posts = 0; posts < 72; posts++) {
                const { status } = await fetchServices(url, "POST", "", { name }, token);
                expect(status).toBe(token === "unknown" ? 401 : 400);
            }
            expect(await send(url, "GET", "")).toEqual([]);
        },
    );

    (canMount ? test : test.skip)(
        "a change on a full disk fails with 507, names the disk, has no effect, and is reported",
        async () => {
            const program = [...smallDisk, mount, scratch, process.execPath];
            const file = join(scratch, "state.json");
            const emulator = startCommand([...settings, "--state", file], { program });
            const { url } = await emulator.started;
            const made: string[] = [];
            let response: Response;
            while ((response = await fetchServices(url, "POST", "", { name: "orders" })).ok) {
                made.push(((await response.json()) as Wire["Service"]).service_id);
            }
            const message = `The disk with the state file ${file} is full. Nothing was changed.`;
            expect([response.status, await response.text()]).toEqual([507, expect.stringContaining(message)]);
            expect((await send<Wire["Service"][]>(url, "GET", "")).map((one) => one.service_id)).toEqual(made);
            expect(made).not.toEqual([]);
            emulator.process.kill("SIGTERM");
            expect((await emulator.ended).stderr).toContain(message);
        },
    );
});
