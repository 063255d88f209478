import { hosts } from "../../support/hosts";
import { simulate } from "../../support/simulation";

const orders = { name: "orders", regionCode: "us-east-1", deletionProtection: false };
const moved = { ...orders, regionCode: "eu-west-1" };
const change = 'regionCode "us-east-1" -> "eu-west-1"';

describe.each(hosts)("a replacement on %s", (_, hostIn) => {
    it("loses the data, and its preview says so", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        const { lines, operation } = await host.preview("Service", moved, entry);
        expect(operation).toBe("replace");
        expect(lines).toContain(
            `is replaced (${change}): the old service ${entry.id} is deleted, and its data will be lost`,
        );
        const replaced = await host.up("Service", moved, entry);
        expect(world.emulator.snapshot().services).toMatchObject([{ service_id: replaced.entry.id }]);
    });

    it("of a protected service fails in the preview, until one update has permitted it", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", { ...orders, deletionProtection: true });
        world.changes();
        await expect(host.preview("Service", moved, entry)).rejects.toThrow(
            `(${entry.id}) is protected, and this run would replace it (${change}): its data would be lost.`,
        );
        const { operation } = await host.preview("Service", orders, entry);
        expect(operation).toBe("update");
        const permitted = await host.up("Service", orders, entry);
        expect(world.changes()).toEqual([]);
        const { entry: next } = await host.up("Service", moved, permitted.entry);
        expect(world.emulator.snapshot().services).toMatchObject([{ service_id: next.id }]);
    });
});
