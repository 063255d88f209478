import type { PeeringFate } from "../../../emulator";
import { hosts, sessionsOn, type Entry } from "../../support/hosts";
import { EngineCalls, lifecycles } from "../../support/lifecycles";
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

    it("that --replace or a taint forces finds the old service under its name", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        await expect(host.up("Service", orders)).rejects.toThrow(
            /already exists: [^]*\nOther cases: [^]*protection.md/,
        );
        expect(world.emulator.snapshot().services).toMatchObject([{ service_id: entry.id }]);
    });
});

describe("a replacement that an option requires", () => {
    const urn = "urn:pulumi:dev::shop::clouddb:index:Service::orders";
    const conflict =
        "conflicts with the old service, unless that is deleted first: set its option deleteBeforeReplace: true";
    /** The warnings of the two checks of the engine: one with the old inputs, and one without them. */
    const warningsOf = async (before: object, after: object) => {
        const { startSession } = sessionsOn(await simulate());
        const services = new EngineCalls(lifecycles.Service, startSession());
        const { inputs } = services.check({ __urn: urn, deletionProtection: false, ...before }, {});
        const next = { __urn: urn, deletionProtection: false, ...after };
        services.check(next, { ...inputs });
        return services.check(next, {}).notices.map(({ text }) => text);
    };

    it.each([
        ["a declared name", { name: "orders" }, { name: "orders" }],
        ["a generated name", {}, {}],
    ])("warns that the old service keeps %s", async (_, before, after) => {
        expect(await warningsOf(before, after)).toEqual([expect.stringMatching(/^is replaced/), conflict]);
    });

    it("does not warn if the new service has another name", async () => {
        expect(await warningsOf({ name: "orders" }, { name: "new" })).toEqual([expect.stringMatching(/^is replaced/)]);
    });
});

describe.each(hosts)("a peering that never becomes active, on %s", (_, hostIn) => {
    const net = { cidr: "10.0.0.0/16", regionCode: "us-east-1" };
    const office = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
    const start = async (peerings: PeeringFate) => {
        const world = await simulate({ peerings });
        const host = hostIn(world);
        const { outputs } = await host.up("Vpc", net);
        const declared = { ...office, vpcId: outputs.vpcId };
        return { world, host, declared, created: await host.up("Peering", declared) };
    };
    const isReplaced = async ({ world, host, declared }: Awaited<ReturnType<typeof start>>, entry: Entry) => {
        world.emulator.setPeeringFate("immediate");
        world.changes();
        const { lines, operation } = await host.preview("Peering", declared, entry);
        expect(operation).toBe("replace");
        expect(lines).toEqual([
            `is replaced (status "failed" -> "active"): the old peering ${entry.id} is deleted`,
            "is deleted before its replacement is created: no route. It cannot become active.",
            expect.stringMatching(/^1 create peering of VPC/),
        ]);
        expect(world.changes()).toEqual([]);
        const replaced = await host.up("Peering", declared, entry);
        expect(world.changes().map((line) => line.split(" ")[0])).toEqual(["deletePeering", "createPeering"]);
        expect(replaced.outputs).toMatchObject({ status: "active" });
        expect(world.emulator.snapshot().peerings).toHaveLength(1);
    };

    it("is replaced after its creation has failed, and its preview says why", async () => {
        const parts = await start({ fail: "no route" });
        expect(parts.created.error).toBeDefined();
        await isReplaced(parts, parts.created.entry);
    });

    it("is replaced once a refresh has found that it has failed", async () => {
        const parts = await start("immediate");
        const { world, host, declared, created } = parts;
        world.emulator.failPeering(String(created.outputs.peeringId), "no route");
        expect((await host.preview("Peering", declared, created.entry)).operation).toBe("same");
        await isReplaced(parts, await host.refresh("Peering", created.entry));
    });

    it("is not replaced while its entry is protected", async () => {
        const { host, declared, created } = await start({ fail: "no route" });
        const entry = { ...created.entry, outputs: { ...created.entry.outputs, deletionProtection: true } };
        await expect(host.preview("Peering", declared, entry)).rejects.toThrow(
            'is protected, and this run would replace it (status "failed" -> "active").',
        );
    });

    it("says in the preview of its activation what to do", async () => {
        const { world, host, declared, created } = await start("acceptance");
        const provisioned = { vpcId: declared.vpcId, peeringId: created.outputs.peeringId };
        world.emulator.failPeering(String(created.outputs.peeringId), "no route");
        const { entry, error } = await host.up("PeeringActivation", provisioned);
        const remedy = "Create a new one: `pulumi up --refresh`, which replaces the peering";
        expect((error as Error).message).toContain(remedy);
        const { lines } = await host.preview("PeeringActivation", provisioned, entry);
        const peering = `peering ${String(created.outputs.peeringId)} ("failed")`;
        expect(lines).toContain(`${peering}: It cannot become active. ${remedy}`);
    });
});
