import { computed } from "../../../provider/base/fields";
import { lifecycles } from "../../support/lifecycles";
import { AdoptionError } from "../../../provider/lifecycle/errors";
import type { ServiceInputs } from "../../../provider/resources/service/inputs";
import {
    call,
    failure,
    linesOf,
    network,
    operations,
    peering,
    replicaSet,
    respond,
    service,
} from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

it("an adoption keeps values that the program does not declare, even after existingId is removed", async () => {
    const kept = { name: "wild", environment: "PROD", replicaCount: 1, connectionPooler: true } as const;
    const declared = { ...service(kept), __generatedName: "proposed" };
    const { world, ...wild } = await withService(declared);
    const size = { cpuMillis: 1000, memoryGbs: 4 };
    const preview = await Service.previewCreation(service({ existingId: wild.id, password: "chosen" }), world.run());
    expect(preview).toMatchObject([{ text: [`1 adopt service "${wild.id}"`, "2 set the password"] }]);
    const { id, state } = await Service.create(service({ existingId: wild.id, ...size }), world.run());
    expect(id).toBe(wild.id);
    expect(operations(world)).toEqual(["resizeService"]);
    // Others may use its password.
    const { initialPassword = "" } = wild.state as { initialPassword?: string };
    expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
    expect(state).toMatchObject(kept);
    expect(Service.plan(state, service(size))).toMatchObject({ replace: [], steps: [], stateChanges: [] });
});

it("the preview of an adoption says what the declaration lacks, and without a response why it has no steps", async () => {
    const { world, id } = await withService();
    const lines = async () => (await Service.previewCreation(service({ existingId: id }), world.run()))[0]?.text;
    const remark = "its connection strings have no password, because the program declares none";
    expect(await lines()).toEqual([`1 adopt service "${id}"; ${remark}`]);
    const net = await Vpc.create(network, world.run());
    const ofVpc = await Vpc.previewCreation({ ...network, existingId: net.id }, world.run());
    expect(ofVpc).toMatchObject([{ text: [`1 adopt VPC "${net.id}"`] }]);
    world.fault.at("getService", respond(503));
    const unread = "the steps of the update are not known yet: getService failed with 503";
    expect(await lines()).toEqual([
        `1 adopt service "${id}" and update it to the declared state`,
        expect.stringContaining(unread),
    ]);
});

it.each([true, false])(
    "what an adoption found is the default until a program declares the property, also with the value that was found (%s)",
    async (paused) => {
        const { world, ...wild } = await withService(service({ paused: true, environment: "PROD" }));
        const declared = service({ existingId: wild.id });
        const { id, state } = await Service.create(declared, world.run());
        const refreshed = async (seen: typeof state) => (await Service.read(id, seen, world.run()))?.state ?? seen;
        let latest = await refreshed(state);
        expect(Service.plan(latest, declared)).toMatchObject({ steps: [], stateChanges: [] });
        latest = await refreshed(await Service.update(id, latest, { ...declared, paused }, world.run()));
        expect(latest).toMatchObject({ paused });
        latest = await Service.update(id, latest, declared, world.run());
        expect(latest).toMatchObject({ paused: false, environment: "PROD" });
        expect(Service.plan(latest, declared)).toMatchObject({ steps: [], stateChanges: [] });
    },
);

it("a service that another client changes during its adoption keeps that change, also if the adoption is interrupted", async () => {
    for (const timeMs of [600_000, 500]) {
        const { world, id } = await withService();
        const declared = service({ existingId: id });
        await call(world, "setHA", { service_id: id }, { replica_count: 1 });
        world.clock.advance(1_000);
        world.changes();
        expect(await Service.previewCreation(declared, world.run())).toMatchObject([{ text: [expect.any(String)] }]);
        const adoption = Service.create(declared, world.run({ timeMs }));
        const { state } = await (timeMs < 10_000 ? failure(adoption) : adoption);
        expect(Service.plan(state as never, declared).steps).toEqual([]);
        const updated = await Service.update(id, state as never, declared, world.run());
        expect(updated).toMatchObject({ replicaCount: 1, record: { defaults: { replicaCount: 1 } } });
        expect(operations(world)).toEqual([]);
        // A change that shows only later is drift.
        world.emulator.updateService(id, { replicaCount: 0 });
        const seen = await Service.read(id, updated, world.run());
        expect(linesOf(Service.plan(seen?.state ?? updated, declared))).toEqual(["HA replicas none -> 1 async"]);
    }
});

it.each([
    ["an id that does not exist", "zzzzzzzzzz", {}, "zzzzzzzzzz"],
    ["another type", undefined, { addons: ["ai"] }, "POSTGRES"],
    ["no fork", undefined, { fork: { serviceId: "abc", strategy: "NOW" } }, "it is not a fork"],
] as [string, string | undefined, ServiceInputs, string][])(
    "an adoption rejects %s",
    async (_, existingId, change, text) => {
        const { world, id } = await withService();
        const adoption = Service.create(service({ existingId: existingId ?? id, ...change }), world.run());
        await expect(adoption).rejects.toThrow(AdoptionError);
        await expect(adoption).rejects.toThrow(text);
    },
);

it("an adoption accepts a service whose type nobody knows, with any addons", async () => {
    const { world, id } = await withService();
    world.fault.at("getService", async (_, carryOut) => {
        const response = await carryOut();
        return { ...response, body: response.body.replace('"POSTGRES"', '"OF_THE_FUTURE"') };
    });
    const { state } = await Service.create(service({ existingId: id, addons: ["ai"] }), world.run());
    expect(state).toMatchObject({ serviceType: "OF_THE_FUTURE", addons: ["ai"] });
});

it("an adoption rejects a service that is being deleted, and a replica set as a service", async () => {
    const { world, id } = await withService();
    const set = await ReadReplicaSet.create(replicaSet(id), world.run());
    const setId = set.state.replicaSetId;
    await expect(Service.create(service({ existingId: setId }), world.run())).rejects.toThrow(AdoptionError);
    const planned = { ...service({ existingId: setId }), vpcId: computed } as never;
    await expect(Service.previewCreation(planned, world.run())).rejects.toThrow(AdoptionError);
    await ReadReplicaSet.delete(set.id, set.state, world.run());
    await call(world, "deleteService", { service_id: id });
    const refused = new AdoptionError(id, "it is being deleted");
    await expect(Service.create(service({ existingId: id }), world.run())).rejects.toThrow(refused);
});

it("an adoption accepts a peering by its id alone or with its VPC, and rejects one in another VPC", async () => {
    const world = await simulate();
    const net = await Vpc.create(network, world.run());
    const peer = peering(net.id);
    const { id, state } = await Peering.create(peer, world.run());
    expect((await Peering.create({ ...peer, existingId: id }, world.run())).id).toBe(id);
    expect((await Peering.create({ ...peer, existingId: state.peeringId }, world.run())).id).toBe(id);
    await expect(Peering.create({ ...peer, vpcId: "99", existingId: id }, world.run())).rejects.toThrow(
        `it is in VPC ${net.id}, and the program declares VPC 99`,
    );
});

it("an adoption takes a region in another form, and rejects another region or network", async () => {
    const world = await simulate({ dialect: "regions-upper" });
    const { id: existingId } = await Vpc.create(network, world.run());
    const { state } = await Vpc.create({ ...network, existingId }, world.run());
    expect(Vpc.plan(state, network).replace).toEqual([]);
    const adopting = (change: object) => Vpc.create({ ...network, existingId, ...change }, world.run());
    const others = 'its regionCode is "US-EAST-1", and the program declares "eu-west-1"';
    await expect(adopting({ regionCode: "eu-west-1" })).rejects.toThrow(new AdoptionError(existingId, others));
    await expect(adopting({ cidr: "10.1.0.0/16" })).rejects.toThrow('its cidr is "10.0.0.0/16"');
});
