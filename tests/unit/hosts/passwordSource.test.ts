import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "../../support/hosts";
import { simulate } from "../../support/simulation";
import { newFolder } from "../../support/folder";

const folder = newFolder();
const [passwordFile, otherFile] = [join(folder, "orders.txt"), join(folder, "other.txt")];

test.each(hosts)(
    "on %s, the preview says that another password source with the same version is not read",
    async (_, hostIn) => {
        writeFileSync(passwordFile, "the-first-password");
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", { name: "orders", passwordFile, passwordVersion: 1 });
        const moved = { name: "orders", passwordFile: otherFile, passwordVersion: 1 };
        const { lines, operation } = await host.preview("Service", moved, entry);
        expect(operation).toBe("update");
        expect(lines).toEqual([
            `passwordFile ${JSON.stringify(otherFile)} is not read, because passwordVersion 1 is already in force; ` +
                "if it contains another password, raise passwordVersion",
        ]);
        world.changes();
        const { entry: next } = await host.up("Service", moved, entry);
        expect(world.changes()).toEqual([]);
        expect((await host.preview("Service", moved, next)).lines).toEqual([]);
        const raised = { name: "orders", passwordVariable: "ORDERS_PASSWORD", passwordVersion: 2 };
        expect((await host.preview("Service", raised, next)).lines).toEqual([
            expect.stringContaining('change the password (version 1 -> 2 of variable "ORDERS_PASSWORD")'),
        ]);
    },
);
