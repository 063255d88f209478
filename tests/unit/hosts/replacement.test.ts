import { lastCopyName } from "../../../provider/resources/service/lastCopyName";
import { hosts } from "../../support/hosts";
import { simulate } from "../../support/simulation";

const orders = { name: "orders", regionCode: "us-east-1", deletionProtection: false };
const moved = { ...orders, regionCode: "eu-west-1" };
const copied = { finalFork: true };
const change = 'regionCode "us-east-1" -> "eu-west-1"';

describe.each(hosts)("a replacement on %s", (_, hostIn) => {
    it.each([
        [
            "makes a last copy, which may take longer than a deletion, if the state has finalFork",
            copied,
            {},
            "remain in a last copy",
        ],
        ["loses the data if only the new program has finalFork", {}, copied, "be lost"],
    ])("%s, and its preview says so", async (_reason, before, after, fate) => {
        const world = await simulate({ durations: { fork: 3_600_000 } });
        const host = hostIn(world);
        const { entry } = await host.up("Service", { ...orders, ...before });
        const { lines, operation } = await host.preview("Service", { ...moved, ...after }, entry);
        expect(operation).toBe("replace");
        expect(lines).toContain(
            `is replaced (${change}): the old service ${entry.id} is deleted, and its data will ${fate}`,
        );
        const replaced = await host.up("Service", { ...moved, ...after }, entry);
        expect(world.emulator.snapshot().services).toMatchObject([
            { service_id: replaced.entry.id },
            ...("finalFork" in before ? [{ status: "PAUSED", forked_from: { service_id: entry.id } }] : []),
        ]);
    });

    it("of a protected service fails in the preview, until one update has permitted it, with or without a last copy", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", { ...orders, deletionProtection: true });
        world.changes();
        await expect(host.preview("Service", { ...moved, ...copied }, entry)).rejects.toThrow(
            `(${entry.id}) is protected, and this run would replace it (${change}): its data would be lost.`,
        );
        const permitting = { ...orders, ...copied };
        const { operation, steps } = await host.preview("Service", permitting, entry);
        expect({ operation, steps }).toEqual({ operation: "update", steps: [] });
        const permitted = await host.up("Service", permitting, entry);
        expect(world.changes()).toEqual([]);
        await host.up("Service", { ...moved, ...copied }, permitted.entry);
        expect(world.emulator.snapshot().services).toMatchObject([{}, { forked_from: { service_id: entry.id } }]);
    });

    it("that --replace or a taint forces finds the old service under its name, and names deleteBeforeReplace", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        await expect(host.up("Service", orders)).rejects.toThrow(
            /already exists: [^]*\nReplaced \(--replace, taint, replaceWith\): set its option deleteBeforeReplace: true\n/,
        );
        expect(world.emulator.snapshot().services).toMatchObject([{ service_id: entry.id }]);
    });

    it("has a last copy only with a valid finalFork, and its name is reserved", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const name = lastCopyName.format({ name: "orders", serviceId: "abc", requestedAt: world.clock.now() });
        await expect(host.up("Service", { name })).rejects.toThrow(
            `name "${name}" is reserved for a copy that finalFork makes; choose another name`,
        );
        await expect(host.up("Service", { finalFork: "yes" })).rejects.toThrow(/finalFork/);
    });
});
