import { computed } from "../../../provider/base/fields";
import { sessionsOn } from "../../support/hosts";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import type { Context } from "../../../provider/model/context";
import type { Row } from "../../../provider/model/ledger";
import { failed } from "../../../provider/model/outcome";
import { lockOf, unlessChanging } from "../../../provider/reconcile/references";
import {
    activation,
    call,
    labelsOf,
    network,
    operations,
    peering,
    projectId,
    replicaSet,
    service,
    timed,
    withWay,
} from "../../support/fixtures";
import { managing } from "../../support/provider";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } = lifecycles;
const fork = (serviceId: string) => service({ name: "copy", fork: { serviceId, strategy: "NOW" } });

/** Another resource of the program, which this run created. */
const inProgram = (type: string, id: string): Row => ({ urn: "urn::other", ...managing({ type, projectId, id }) });

/** Another resource of the program, which an earlier run created. */
const inState = (type: string, id: string): Row => ({
    urn: "urn::other",
    ...managing({ type, projectId, id }, false),
});

/** A session whose program declares a service of an earlier run. */
function sessionIn(world: Simulation, id: string, paused: boolean) {
    const session = sessionsOn(world).startSession();
    session.ledger.note("urn::orders", {
        ...managing({ type: "Service", projectId, id }, false),
        declared: { type: "Service", inputs: { paused }, identity: undefined },
    });
    return session;
}

/** Each input that refers to another resource, with the id of one that does not exist. */
const references: readonly [
    property: string,
    type: string,
    id: string,
    create: (id: string, context: Context) => Promise<unknown>,
][] = [
    ["serviceId", "Service", "mistyped01", (id, context) => ReadReplicaSet.create(replicaSet(id), context)],
    ["fork.serviceId", "Service", "mistyped01", (id, context) => Service.create(fork(id), context)],
    ["vpcId", "Vpc", "4711", (id, context) => Service.create(service({ vpcId: id }), context)],
    ["vpcId", "Vpc", "4711", (id, context) => Peering.create(peering(id), context)],
    ["vpcId", "Vpc", "4711", (id, context) => PeeringActivation.create(activation(id, "p-1"), context)],
];

describe("an input with the id of a resource that does not exist", () => {
    it.each(references)(
        "%s of a %s fails within seconds, before anything is created",
        async (property, type, id, create) => {
            const world = await simulate();
            const { error, tookMs } = await timed(world, () => create(id, world.run()));
            expect(error).toMatchObject(withWay("Correct", expect.stringContaining(property)));
            expect(error?.message).toContain(JSON.stringify(id));
            expect(tookMs).toBeLessThan(12_000);

            // If the state of this program still has it, a refresh is the way out.
            const known = await timed(world, () => create(id, world.run({ others: [inState(type, id)] })));
            expect(labelsOf(known.error)).toEqual(["Create it again"]);
            expect(known.error?.message).toContain(`"other" (${id})`);
            expect(known.tookMs).toBeLessThan(12_000);
            expect(operations(world)).toEqual([]);
        },
    );

    it.each([
        ["a fork", "Service", "fork.serviceId", (id: string) => ({ fork: { serviceId: id, strategy: "NOW" } })],
        ["a read replica set", "ReadReplicaSet", "serviceId", (id: string) => ({ serviceId: id })],
    ] as const)(
        "%s of a service that the program pauses is refused by the check, unless it exists",
        async (_what, type, input, of) => {
            const { world, id } = await withService(service());
            const registered = (paused: boolean) => untypedLifecycles[type].in(sessionIn(world, id, paused));
            const inputs = { __urn: "urn::other", projectId, cpuMillis: 500, memoryGbs: 2, ...of(id) };
            expect(registered(true).check(inputs, {}).problems).toEqual([
                `${input}: service "orders" (${id}) must run for it: declare paused: false for this run`,
            ]);
            expect(registered(true).check(inputs, inputs).problems).toEqual([]);
            expect(registered(false).check(inputs, {}).problems).toEqual([]);
        },
    );

    it("a preview refuses steps of a read replica set whose service the program pauses, also those of an adoption", async () => {
        const { world, id } = await withService(service());
        const declared = { ...replicaSet(id), __urn: "urn::set" };
        const set = await ReadReplicaSet.create(declared, world.run());
        const resized = { ...declared, cpuMillis: 1000, memoryGbs: 4 };
        const preview = (paused: boolean, inputs: object) => {
            const calls = ReadReplicaSet.in(sessionIn(world, id, paused));
            const { inputs: checked, problems } = calls.check({ ...declared, ...inputs }, declared);
            expect(problems).toEqual([]);
            return () => calls.diff(set.id, set.state, checked).plan;
        };
        const refusal = `serviceId: service "orders" (${id}) must run for it: declare paused: false for this run`;
        expect(preview(true, resized)).toThrow(refusal);
        expect(preview(false, resized)()).toMatchObject({ steps: [{}] });
        // The service may have had the size before.
        expect(preview(true, { cpuMillis: computed, memoryGbs: computed })()).toMatchObject({ steps: [{}] });
        expect(preview(true, { sslMode: "verify-ca" })()).toMatchObject({ isStateOnly: true });
        const adoption = { ...resized, existingId: set.id };
        const adopting = (paused: boolean) => ReadReplicaSet.in(sessionIn(world, id, paused)).previewCreation(adoption);
        await expect(adopting(true)).rejects.toThrow(refusal);
        expect(await adopting(false)).toMatchObject([{ text: [expect.stringContaining("adopt"), expect.any(String)] }]);
    });

    it("an update to a mistyped vpcId fails before the service is detached from its VPC", async () => {
        const { world, update, fails } = await withService();
        const { id: vpcId } = await Vpc.create(network, world.run());
        const from = await update(service({ vpcId }));
        world.changes();
        const error = await fails(service({ vpcId: "4711" }), { from });
        expect(error).toMatchObject(withWay("Correct", expect.stringContaining("vpcId")));
        expect(error.state).toMatchObject({ vpcId });
        expect(operations(world)).toEqual([]);
    });
});

it("a creation reads what an earlier run created, once, and not what this run created", async () => {
    const world = await simulate();
    const { id } = await Vpc.create(network, world.run());
    const readsOf = async (name: string, vpc: Row) => {
        world.emulator.clearJournal();
        const declared = service({ name, vpcId: id, regionCode: network.regionCode });
        await Service.create(declared, world.run({ others: [vpc] }));
        const calls = world.emulator.journal().map(({ operationId }) => operationId);
        return calls.filter((operation) => operation === "getVpc" || operation === "listVpcs");
    };
    expect(await readsOf("first", inProgram("Vpc", id))).toEqual([]);
    expect(await readsOf("second", inState("Vpc", id))).toEqual(["getVpc"]);
});

it.each([
    { by: "this program", ms: 20_000, others: (id: string) => [inProgram("Service", id)] },
    { by: "another run", ms: 4_000, others: () => [] },
])("a replica set of a service of $by that reads show $ms ms later is created", async ({ ms, others }) => {
    const world = await simulate({ durations: { notFoundAfterCreate: ms, notListedAfterCreate: ms } });
    const { service_id: id } = await call(world, "createService", {}, { name: "orders" });
    await ReadReplicaSet.create(replicaSet(id), world.run({ others: others(id) }));
});

it("a service that the program manages and somebody deleted is reported as deleted", async () => {
    const { world, id } = await withService();
    world.emulator.deleteService(id);
    const run = world.run({ others: [inProgram("Service", id)] });
    await expect(ReadReplicaSet.create(replicaSet(id), run)).rejects.toMatchObject(withWay("Create it again"));
});

test.each([
    ["fails", false, "failed"],
    ["is awaited while this program changes it, because the change may mend it", true, "pending"],
])("a resource that has failed %s", (_what, isBusy, phase) => {
    const context = { locks: { isBusy: () => isBusy } } as unknown as Context;
    expect(unlessChanging(failed("UNSTABLE", "the disk is full"), "orders0001", context)).toMatchObject({ phase });
});

it("a change locks the parent only if that rejects changes, too; without it, `accepts` is about the creation", () => {
    const { resource } = ReadReplicaSet;
    const { rejectsChanges, ...parent } = resource.parent ?? {};
    const locked = (changed: object) => lockOf({ resource: changed, id: "s/r", inputs: { serviceId: "s" } } as never);
    expect(locked(resource)).toEqual({ id: "s", until: "response" });
    expect(locked({ ...resource, parent })).toEqual({ id: "s/r", until: "effect" });
    expect(rejectsChanges).toBe(true);
});
