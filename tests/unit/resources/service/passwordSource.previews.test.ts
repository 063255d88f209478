import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { computed } from "../../../../provider/base/fields";
import { hosts } from "../../../support/hosts";
import { simulate } from "../../../support/simulation";
import { newFolder } from "../../../support/folder";

const folder = newFolder();
const [passwordFile, otherFile] = [join(folder, "orders.txt"), join(folder, "other.txt")];

test.each(hosts)(
    "on %s, another path with the same version is no change, as on a laptop and on a runner, and each run can read its own",
    async (_, hostIn) => {
        writeFileSync(passwordFile, "the-first-password");
        writeFileSync(otherFile, "the-second-password");
        const world = await simulate();
        const host = hostIn(world);
        const declared = (passwordVersion: number) => ({ name: "orders", passwordFile, passwordVersion });
        const { entry } = await host.up("Service", declared(1));
        const elsewhere = { ...declared(1), passwordFile: otherFile };
        expect(await host.preview("Service", elsewhere, entry)).toMatchObject({ lines: [], operation: "same" });
        const raised = await host.up("Service", { ...elsewhere, passwordVersion: 2 }, entry);
        expect(world.emulator.passwordMatches(entry.id, "the-second-password")).toBe(true);
        const { lines, operation } = await host.preview("Service", declared(2), raised.entry);
        expect({ lines, operation }).toEqual({ lines: [], operation: "same" });
    },
);

test.each(hosts)(
    "on %s, the preview says that a variable instead of the file is not read with the same version",
    async (_, hostIn) => {
        writeFileSync(passwordFile, "the-first-password");
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", { name: "orders", passwordFile, passwordVersion: 1 });
        const moved = { name: "orders", passwordVariable: "ORDERS_PASSWORD", passwordVersion: 1 };
        const { lines, operation } = await host.preview("Service", moved, entry);
        expect(operation).toBe("update");
        expect(lines).toEqual([
            'passwordVariable "ORDERS_PASSWORD" is not read, because passwordVersion 1 is already in force; ' +
                "if it contains another password, raise passwordVersion",
        ]);
        world.changes();
        const { entry: next } = await host.up("Service", moved, entry);
        expect(world.changes()).toEqual([]);
        expect((await host.preview("Service", moved, next)).lines).toEqual([]);
        const raised = { ...moved, passwordVersion: 2 };
        expect((await host.preview("Service", raised, next)).steps).toEqual([
            expect.stringContaining("ORDERS_PASSWORD"),
        ]);
    },
);

describe.each(hosts)("a password source that a preview cannot read, on %s", (_, hostIn) => {
    const orders = { name: "orders", passwordVersion: 1 };
    const missing = join(folder, "missing.txt");
    const sources = [
        [
            { passwordVariable: "CLOUDDB_TEST_MISSING" },
            "The environment variable CLOUDDB_TEST_MISSING (passwordVariable) is not set; set it to the password.",
        ],
        [{ passwordFile: missing }, `The file ${missing} (passwordFile) does not exist; correct the path.`],
    ] as const;

    it.each(sources)("is a warning before each change that needs it: %j", async (source, what) => {
        const world = await simulate();
        const host = hostIn(world);
        const warning = `${what} Unless that changes, the update fails.`;
        const created = await host.preview("Service", { ...orders, ...source });
        expect(created.lines).toEqual([warning, expect.stringMatching(/^1/), expect.stringMatching(/^2/)]);
        await expect(host.up("Service", { ...orders, ...source })).rejects.toThrow(what);
        expect(world.emulator.snapshot().services).toEqual([]);

        const { entry } = await host.up("Service", { name: "orders" });
        const adopted = await host.preview("Service", { ...orders, ...source, existingId: entry.id });
        expect(adopted.lines[0]).toBe(warning);
        const changed = { ...orders, ...source, regionCode: "us-east-1" };
        expect((await host.preview("Service", changed, entry)).lines).toEqual([warning, expect.stringMatching(/^1/)]);
        const moved = { ...changed, regionCode: "eu-west-1" };
        expect((await host.preview("Service", moved, entry)).lines).toContain(warning);
    });

    it("is no warning if the password is not needed, or its place is not known yet", async () => {
        writeFileSync(passwordFile, "the-first-password");
        const host = hostIn(await simulate());
        const { entry } = await host.up("Service", { ...orders, passwordFile });
        rmSync(passwordFile);
        expect((await host.preview("Service", { ...orders, passwordFile }, entry)).lines).toEqual([]);
        const { lines } = await host.preview("Service", { ...orders, passwordFile: computed });
        expect(lines).toEqual([expect.stringMatching(/^1/), expect.stringMatching(/^2/)]);
    });
});
