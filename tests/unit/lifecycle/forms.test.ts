import type { EmulatorOptions } from "../../../emulator";
import { CloudDbError } from "../../../provider/api/callErrors";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { failureOf } from "../../support/client";
import { call, linesOf, loseResponse, network, operations, projectId, service } from "../../support/fixtures";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { simulate, simulateConcurrently } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, Service, Vpc } = lifecycles;

/** Trimmed, in small letters and composed. */
const dialect = "names-trimmed,names-lowered,names-composed,regions-upper";
const [declared, shown] = [" Orde\u0301rs", "ord\u00e9rs"];
const line = `the API keeps name ${JSON.stringify(shown)} for ${JSON.stringify(declared)}`;

describe("an API that keeps names and regions in another form", () => {
    it("a resource of each kind is created once, is told about once, and its program shows no change", async () => {
        const world = await simulate({ dialect, peerings: "immediate" });
        const made: Partial<Record<ResourceType, string>> = {};
        for (const type of resourceTypes) {
            const { [type]: lifecycle } = untypedLifecycles;
            const protection = Object.hasOwn(lifecycle.resource.fields, "deletionProtection");
            const inputs = {
                ...untypedKinds[type].inputs(refsTo(made), 0),
                ...(protection && { deletionProtection: false }),
                projectId,
                __urn: `urn::${type}`,
            };
            const { id, state } = await lifecycle.create(inputs, world.run());
            made[type] = id;
            expect(lifecycle.plan(state, inputs)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
            const found = await lifecycle.read(id, state, world.run());
            expect(found?.state).toEqual(state);
            expect(found?.inputs).toMatchObject(inputs);
        }
        const { counts } = world.emulator.snapshot();
        expect(new Set(Object.values(counts).map((one) => one.made))).toEqual(new Set([1]));
        const told = world.infos.filter((one) => one.startsWith("the API keeps"));
        expect(new Set(told).size).toBe(told.length);
        expect(told).toContain('the API keeps regionCode "US-EAST-1" for "us-east-1"');
    });

    it("a service keeps its declared name through updates, which do not tell of it again", async () => {
        const inputs = service({ name: declared, regionCode: "us-east-1" });
        const { world, id, state, update } = await withService(inputs, { dialect });
        expect(state).toMatchObject({ name: shown, record: { forms: { name: { declared, shown } } } });
        const next = { ...inputs, replicaCount: 1 };
        const updated = await update(next);
        expect(operations(world)).toEqual(["setHA"]);
        expect(world.infos).toEqual([]);
        expect(Service.plan(updated, next)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
        await Service.delete(id, updated, world.run());
    });

    it.each([
        { from: "older", to: declared, seconds: 5 },
        // The name shows only by time that the API keeps the old one.
        { from: shown, to: declared, seconds: 60 },
    ])("a rename from $from to $to is complete with another form of the new name", async ({ from, to, seconds }) => {
        const { world, update } = await withService(service({ name: from }), { dialect });
        const beganAt = world.clock.now();
        const renamed = await update(service({ name: to }));
        expect(operations(world)).toEqual(["renameService"]);
        expect(world.clock.now() - beganAt).toBeLessThan(seconds * 1_000);
        expect(world.infos).toEqual([line]);
        expect(linesOf(Service.plan(renamed, service({ name: to })))).toEqual([]);
        expect(linesOf(Service.plan(renamed, service({ name: "another" })))).toHaveLength(1);
        expect(linesOf(Service.plan({ ...renamed, name: "drifted" }, service({ name: to })))).toHaveLength(1);
    });

    it("a rename that shows neither the old name nor a form of the new one fails", async () => {
        const { world, fails } = await withService(service({ name: "older" }));
        world.fault.at("getService", async (_, carryOut) => {
            const response = await carryOut();
            return { ...response, body: response.body.replace(/"name":"[^"]*"/, '"name":"invented"') };
        });
        const { message } = await fails(service({ name: "newer" }));
        expect(message).toContain('name is "invented", declared "newer"');
    });

    it.each<[string, EmulatorOptions]>([
        ["that keeps it as it is", {}],
        ["that keeps it in small letters", { dialect: "names-lowered" }],
    ])("an adoption renames to another form, on an API %s", async (_, options) => {
        const world = await simulate(options);
        const { service_id: existingId } = await call(world, "createService", {}, { name: "orders" });
        world.clock.advance(600_000);
        world.changes();
        const inputs = service({ name: "Orders", existingId });
        const { state } = await Service.create(inputs, world.run());
        expect(operations(world)).toEqual(["renameService"]);
        expect(world.emulator.snapshot().services[0]?.name).toBe("Orders");
        expect(linesOf(Service.plan(state, inputs))).toEqual([]);
    });

    it("an adoption takes a region in another form", async () => {
        const world = await simulate({ dialect });
        const { id: existingId } = await Vpc.create(network, world.run());
        const { state } = await Vpc.create({ ...network, existingId }, world.run());
        expect(Vpc.plan(state, network).replace).toEqual([]);
    });

    it("a creation whose response is lost finds its resource, under the name that the API gave it", async () => {
        const world = await simulate({ dialect });
        world.fault.at("createService", loseResponse);
        const { id } = await Service.create(service({ name: declared }), world.run());
        expect(world.emulator.snapshot().services.map(({ service_id }) => service_id)).toEqual([id]);
    });

    it("a second resource can have a name that is another form of an existing one, which a warning names", async () => {
        const { world, id } = await withService(service({ name: "orders" }));
        const second = await Service.create({ ...service({ name: "Orders" }), __urn: "urn::second" }, world.run());
        expect(second.id).not.toBe(id);
        expect(world.warnings).toEqual([expect.stringContaining(id)]);
    });

    it("a VPC with another form of the name and the same network is the one that a killed run has created", async () => {
        const world = await simulate({ dialect });
        const { id } = await Vpc.create({ ...network, name: "Net" }, world.run());
        const again = Vpc.create({ ...network, name: "Net", __urn: "urn::again" }, world.run());
        await expect(again).rejects.toThrow(`adopt it with existingId: "${id}"`);
    });

    it("a lost peering is found by its region in another form, and a second one is refused", async () => {
        const world = await simulate({ dialect, peerings: "immediate" });
        const { id: vpcId } = await Vpc.create(network, world.run());
        const inputs = { ...untypedKinds.Peering.inputs(refsTo({ Vpc: vpcId }), 0), vpcId, projectId, __urn: "urn::p" };
        world.fault.at("createPeering", loseResponse);
        const { id } = await Peering.create(inputs as never, world.run());
        world.fault.over();
        const again = Peering.create({ ...inputs, __urn: "urn::again" } as never, world.run());
        await expect(again).rejects.toThrow(`already exists: ${id}`);
    });
});

it("two creations with swapped responses each manage their own service", async () => {
    const held: (() => void)[] = [];
    const answers: { body: string }[] = [];
    const { provider, emulator } = await simulateConcurrently({
        intercept: async ({ operationId }, carryOut) => {
            const response = await carryOut();
            if (operationId !== "createService") {
                return response;
            }
            const mine = answers.push(response) - 1;
            await new Promise<void>((resolve) => {
                held.push(resolve);
                if (held.length === 2) {
                    held.forEach((release) => release());
                }
            });
            return { ...response, body: answers[1 - mine]?.body ?? "" };
        },
    });
    const names = ["one", "two"];
    const made = await Promise.all(
        names.map((name) => Service.create({ ...service({ name }), __urn: `urn::${name}` }, provider.run())),
    );
    expect(emulator.changes().map(({ operationId }) => operationId)).not.toContain("renameService");
    const { services } = emulator.snapshot();
    expect(made.map(({ id }) => services.find(({ service_id }) => service_id === id)?.name)).toEqual(names);
});

it("an answer about a service with another name is in the error, beside those that the list has", async () => {
    const world = await simulate();
    world.fault.at("createService", async (_, carryOut) => {
        world.fault.over();
        const response = await carryOut();
        await call(world, "createService", {}, { name: "orders" });
        return { ...response, body: response.body.replaceAll('"orders"', '"invented"') };
    });
    const error = await failureOf(Service.create(service({ name: "orders" }), world.run()), CloudDbError);
    for (const { service_id: id } of world.emulator.snapshot().services) {
        expect(error.message).toContain(id);
    }
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
