import { computed } from "../../../provider/base/fields";
import { replacementLine } from "../../../provider/lifecycle/plan";
import { emptyRecord } from "../../../provider/model/state";
import { untypedResources } from "../../../provider/resources";
import { hosts, recordOf, sessionsOn } from "../../support/hosts";
import { call, network, operations, projectId, service } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulate, type Simulation } from "../../support/simulation";

const { Peering, Service, Vpc } = lifecycles;

const protectionOff = "deletion protection off: a later run can delete this database";

const on = { name: "orders", regionCode: "us-east-1", deletionProtection: true };
const off = { ...on, deletionProtection: false };

describe.each(hosts)("the protection in previews on %s", (_, hostIn) => {
    it("has one line for each change, before the steps, and none without a change", async () => {
        const host = hostIn(await simulate());
        const { entry } = await host.up("Service", on);
        expect((await host.preview("Service", on, entry)).lines).toEqual([]);
        expect((await host.preview("Service", { ...off, environment: "PROD" }, entry)).lines).toEqual([
            protectionOff,
            "1 environment DEV -> PROD",
        ]);
        const permitted = await host.up("Service", off, entry);
        expect((await host.preview("Service", off, permitted.entry)).lines).toEqual([]);
        expect((await host.preview("Service", on, permitted.entry)).lines).toEqual(["deletion protection on"]);

        const vpc = { cidr: "10.0.0.0/16", regionCode: "us-east-1" };
        const { entry: net } = await host.up("Vpc", { ...vpc, deletionProtection: true });
        const withoutData = "deletion protection off: a later run can delete this VPC";
        expect((await host.preview("Vpc", vpc, net)).lines).toEqual([withoutData]);
    });

    it("is mentioned for an unprotected replacement, and not for another creation", async () => {
        const host = hostIn(await simulate());
        const remark = "the new service is not protected: a later run can delete it";
        expect((await host.preview("Service", off)).lines).not.toContain(remark);
        const { entry } = await host.up("Service", off);
        const { lines } = await host.preview("Service", { ...off, regionCode: "eu-west-1" }, entry);
        expect(lines.slice(-2)).toEqual([expect.stringMatching(/^1/), remark]);
    });
});

it("an update prints the line of its change of the protection, also for a service whose state has no value", async () => {
    const world = await simulate();
    const { lines, startSession } = sessionsOn(world);
    const services = () => lifecycles.Service.in(startSession());
    const inputs = { ...on, __urn: network.__urn };
    const { id, state } = await services().create(services().check(inputs, {}).inputs);
    const permitting = { ...inputs, deletionProtection: false };
    for (const before of [state, { ...state, deletionProtection: undefined }]) {
        lines.length = 0;
        const permitted = await services().update(id, before, services().check(permitting, { ...before }).inputs);
        expect(lines).toEqual([protectionOff]);
        await services().update(id, permitted, services().check(inputs, { ...permitted }).inputs);
        expect(lines).toEqual([protectionOff, "deletion protection on"]);
    }
});

it("a preview that does not know the new value says that the protection may change", async () => {
    const { startSession } = sessionsOn(await simulate());
    const services = lifecycles.Service.in(startSession());
    const inputs = services.check({ ...on, __urn: network.__urn }, {}).inputs;
    const { id, state } = await services.create(inputs);
    const changed = services.check({ ...on, __urn: network.__urn, deletionProtection: computed }, { ...state }).inputs;
    const { notices } = services.diff(id, state, changed);
    expect(notices).toEqual([{ severity: "warn", text: "deletion protection may change (known after apply)" }]);
});

const minute = 60_000;
const small = { cpuMillis: 500, memoryGbs: 2 };
const large = { cpuMillis: 4000, memoryGbs: 16 };

// After a failed run, an update makes no change that its preview does not show.
describe.each(hosts)("after a failed run on %s", (_, hostIn) => {
    const start = async (durations = {}) => {
        const world = await simulate({ durations });
        return { world, host: hostIn(world) };
    };

    /** The changes of a person. */
    const changeByHand = async (world: Simulation, service_id: string) => {
        await call(world, "resizeService", { service_id }, { cpu_millis: "4000", memory_gbs: "16" });
        world.clock.advance(60 * minute);
        await call(world, "setHA", { service_id }, { replica_count: 2, sync_replica_count: 0 });
        world.clock.advance(60 * minute);
        world.changes();
    };

    it.each(["update", "creation"])(
        "only the steps of the preview are carried out if a person has changed the service after a failed %s",
        async (operation) => {
            const { world, host } = await start();
            const before = operation === "update" ? (await host.up("Service", small)).entry : undefined;
            world.emulator.addFaults(["enablePooler:400"]);
            const wanted = { ...small, connectionPooler: true };
            const { entry, error } = await host.up("Service", wanted, before);
            expect(error).toBeDefined();
            world.emulator.clearFaults();
            await changeByHand(world, entry.id);

            expect((await host.preview("Service", wanted, entry)).steps).toEqual(["connection pooler on"]);
            const updated = await host.up("Service", wanted, entry);
            expect(world.changes()).toEqual(["enablePooler"]);
            const { steps } = await host.preview("Service", wanted, updated.entry);
            expect(steps).toEqual([
                "resize 4000m/16GB -> 500m/2GB, restarts the service, done in minutes",
                "HA replicas 2 async -> none, done in minutes",
            ]);
        },
    );

    it("the preview shows the steps that are only necessary if the interrupted change takes effect", async () => {
        const { world, host } = await start({ resize: 10 * minute });
        const { entry } = await host.up("Service", small);
        world.emulator.addFaults(["GET#2+:400"]);
        const failed = await host.up("Service", large, entry);
        world.emulator.clearFaults();
        expect(failed.error).toBeDefined();
        world.changes();

        const { operation, steps } = await host.preview("Service", small, failed.entry);
        expect(operation).toBe("update");
        const back = "resize 4000m/16GB -> 500m/2GB, restarts the service, done in minutes";
        expect(steps).toEqual([`if they take effect: ${back}`]);
        const updated = await host.up("Service", small, failed.entry);
        expect(operations(world)).toEqual(["resizeService"]);
        expect(updated.outputs).toMatchObject(small);
        expect(recordOf(updated.entry)).not.toHaveProperty("unconfirmed");
    });

    it("a change by a person that looks unlike the interrupted one is only reported", async () => {
        const { world, host } = await start();
        const { entry } = await host.up("Service", small);
        world.emulator.addFaults(["renameService#1+:reset-before"]);
        const failed = await host.up("Service", { ...small, name: "renamed" }, entry);
        expect(failed.error).toBeDefined();
        expect(recordOf(failed.entry)).toMatchObject({ unconfirmed: [{ property: "name", value: "renamed" }] });
        world.emulator.clearFaults();
        await call(world, "renameService", { service_id: entry.id }, { name: "by-hand" });
        world.changes();
        const updated = await host.up("Service", { ...small, name: String(entry.outputs.name) }, failed.entry);
        expect(world.changes()).toEqual([]);
        expect(updated.outputs.name).toBe("by-hand");
    });
});

it("the line of a replacement names the id, if it is known", () => {
    const lineOf = (id?: string) => replacementLine(untypedResources.Vpc, emptyRecord, "cidr", id);
    expect([lineOf("41"), lineOf()]).toEqual([
        "is replaced (cidr): the old VPC 41 is deleted, unless retainOnDelete keeps it",
        "is replaced (cidr): the old VPC is deleted, unless retainOnDelete keeps it",
    ]);
});

describe("another form of a declared value is no change:", () => {
    it("the point in time of a fork", async () => {
        const world = await simulate();
        const parent = await Service.create(service({ name: "parent" }), world.run());
        world.clock.advance(3_600_000);
        const targetTime = new Date(world.clock.now() - 60_000).toISOString();
        const at = (time: string) =>
            service({ name: "copy", fork: { serviceId: parent.id, strategy: "PITR", targetTime: time } });
        const { state } = await Service.create({ ...at(targetTime), __urn: "urn::copy" }, world.run());
        const inOtherZone = new Date(Date.parse(targetTime) + 3_600_000).toISOString().replace("Z", "+01:00");
        expect(Service.plan(state, { ...at(inOtherZone), __urn: "urn::copy" }).replace).toEqual([]);
        const later = new Date(Date.parse(targetTime) + 1).toISOString();
        expect(Service.plan(state, { ...at(later), __urn: "urn::copy" }).replace).toHaveLength(1);
    });

    it("a region in other letters, and a network", async () => {
        const world = await simulate();
        const { state } = await Vpc.create(network, world.run());
        expect(Vpc.plan({ ...state, cidr: "10.0.3.0/16" }, network).replace).toEqual([]);
        expect(Vpc.plan(state, { ...network, regionCode: "US-East-1" }).replace).toEqual([]);
        expect(Vpc.plan(state, { ...network, regionCode: "us-east-2" }).replace).toHaveLength(1);
    });

    it("but ids and accounts are exact", async () => {
        const world = await simulate({ peerings: "immediate" });
        const { id: vpcId } = await Vpc.create(network, world.run());
        const inputs = { projectId, vpcId, peerAccountId: "abc", peerRegionCode: "us-east-1", peerVpcId: "vpc-a" };
        const { state } = await Peering.create({ ...inputs, __urn: "urn::p" }, world.run());
        for (const change of [{ peerVpcId: "VPC-A" }, { peerAccountId: "ABC" }]) {
            expect(Peering.plan(state, { ...inputs, ...change }).replace).toHaveLength(1);
        }
    });
});
