import { lastCopyName } from "../../../provider/resources/service/lastCopyName";
import { dynamicHostIn, nativeHostIn } from "../../support/hosts";
import { closeSimulations, simulate } from "../../support/simulation";

afterEach(closeSimulations);

const hosts = [
    ["the plugin", nativeHostIn],
    ["the dynamic provider", dynamicHostIn],
] as const;

const orders = { name: "orders", regionCode: "us-east-1", allowReplace: true };
const moved = { ...orders, regionCode: "eu-west-1" };

describe.each(hosts)("finalFork on %s", (_, hostIn) => {
    it("a replacement makes a last copy, which may take hours, and its preview says so", async () => {
        const world = await simulate({ durations: { fork: 5 * 3_600_000 } });
        const host = hostIn(world);
        const { entry } = await host.up("Service", { ...orders, finalFork: true });
        const { lines, operation } = await host.preview("Service", moved, entry);
        expect(operation).toBe("replace");
        expect(lines).toContain(
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${entry.id} is deleted and its data remains in a last copy`,
        );
        const replaced = await host.up("Service", moved, entry);
        expect(world.emulator.snapshot().services).toMatchObject([
            { service_id: replaced.entry.id },
            { status: "PAUSED", forked_from: { service_id: entry.id } },
        ]);
    });

    it("a replacement makes a last copy if only the new program has finalFork, and its preview says so", async () => {
        const world = await simulate({ durations: { fork: 5 * 3_600_000 } });
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        const { lines } = await host.preview("Service", { ...moved, finalFork: true }, entry);
        expect(lines).toContain(
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${entry.id} is deleted and its data remains in a last copy`,
        );
        const replaced = await host.up("Service", { ...moved, finalFork: true }, entry);
        expect(world.emulator.snapshot().services).toMatchObject([
            { service_id: replaced.entry.id },
            { status: "PAUSED", forked_from: { service_id: entry.id } },
        ]);
    });

    it("a replacement loses the data if neither the state nor the program has finalFork, and its preview says so", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        const { lines } = await host.preview("Service", moved, entry);
        expect(lines).toContain(
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${entry.id} is deleted and its data is lost`,
        );
        await host.up("Service", moved, entry);
        expect(world.emulator.snapshot().services).toHaveLength(1);
    });

    it("a replacement that is not allowed fails in the preview, and the message says what remains", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", { ...orders, finalFork: true });
        await expect(
            host.preview("Service", { ...moved, finalFork: true, allowReplace: false }, entry),
        ).rejects.toThrow(
            "and its data would remain in a last copy. Undo the change, or set allowReplace: true to accept this.",
        );
    });

    it("a change updates only the state, and a name of a copy is rejected", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        world.changes();
        const { operation, steps } = await host.preview("Service", { ...orders, finalFork: true }, entry);
        expect({ operation, steps }).toEqual({ operation: "update", steps: [] });
        await host.up("Service", { ...orders, finalFork: true }, entry);
        expect(world.changes()).toEqual([]);
        const name = lastCopyName.format({ name: "orders", serviceId: entry.id, requestedAt: world.clock.now() });
        await expect(host.up("Service", { name })).rejects.toThrow(
            `name "${name}" is reserved for a copy that finalFork makes; choose another name`,
        );
        await expect(host.up("Service", { finalFork: "yes" })).rejects.toThrow(/finalFork/);
    });
});
