import { sessionsOn } from "../../support/hosts";
import { EngineCalls, lifecycles, untypedLifecycles } from "../../support/lifecycles";
import type { Context } from "../../../provider/model/context";
import type { Row } from "../../../provider/model/registry";
import { emptyRecord } from "../../../provider/model/state";
import {
    activation,
    call,
    network,
    operations,
    peering,
    projectId,
    replicaSet,
    service,
    failure,
    labelsOf,
    timed,
    withWay,
} from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } = lifecycles;
const fork = (serviceId: string) => service({ name: "copy", fork: { serviceId, strategy: "NOW" } });

/** Another resource of the program, which an earlier run created. */
const inState = (type: string, id: string): Row => ({
    urn: "urn::other",
    before: { record: emptyRecord },
    manages: { type, projectId, id },
});

/** Each input that refers to another resource. */
const references: readonly {
    readonly property: string;
    readonly id: string;
    readonly noun: string;
    readonly type: string;
    readonly create: (context: Context) => Promise<unknown>;
}[] = [
    {
        property: "serviceId",
        id: "mistyped01",
        noun: "service",
        type: "Service",
        create: (context) => ReadReplicaSet.create(replicaSet("mistyped01"), context),
    },
    {
        property: "fork.serviceId",
        id: "mistyped01",
        noun: "service",
        type: "Service",
        create: (context) => Service.create(fork("mistyped01"), context),
    },
    {
        property: "vpcId",
        id: "4711",
        noun: "VPC",
        type: "Vpc",
        create: (context) => Service.create(service({ vpcId: "4711" }), context),
    },
    {
        property: "vpcId",
        id: "4711",
        noun: "VPC",
        type: "Vpc",
        create: (context) => Peering.create(peering("4711"), context),
    },
    {
        property: "vpcId",
        id: "4711",
        noun: "VPC",
        type: "Vpc",
        create: (context) => PeeringActivation.create(activation("4711", "p-1"), context),
    },
];

describe("an input with the id of a resource that does not exist", () => {
    it.each(references)(
        "$property of a $noun fails within seconds, before anything is created",
        async ({ property, id, create }) => {
            const world = await simulate();
            const { error, tookMs } = await timed(world, () => create(world.run()));
            expect(error).toMatchObject(withWay("Correct", expect.stringContaining(property)));
            expect(error?.message).toContain(JSON.stringify(id));
            expect(tookMs).toBeLessThan(8_000);
            expect(operations(world)).toEqual([]);
        },
    );

    it.each(references)(
        "$property of a $noun that the state of this program still has fails as well, and a refresh is the way out",
        async ({ id, type, create }) => {
            const world = await simulate();
            const { error, tookMs } = await timed(world, () => create(world.run({ others: [inState(type, id)] })));
            expect(labelsOf(error)).toEqual(["Create it again"]);
            expect(error?.message).toContain(`"other" (${id})`);
            expect(tookMs).toBeLessThan(8_000);
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
            const registered = (paused: boolean) => {
                const session = sessionsOn(world).startSession();
                session.registry.update("urn::orders", {
                    declared: { type: "Service", inputs: { paused }, identity: undefined },
                    manages: { type: "Service", projectId, id },
                });
                return new EngineCalls(untypedLifecycles[type], session);
            };
            const inputs = { __urn: "urn::other", projectId, cpuMillis: 500, memoryGbs: 2, ...of(id) };
            expect(registered(true).check(inputs, {}).problems).toEqual([
                `${input}: service "orders" (${id}) must run for it: declare paused: false until it exists`,
            ]);
            expect(registered(true).check(inputs, inputs).problems).toEqual([]);
            expect(registered(false).check(inputs, {}).problems).toEqual([]);
        },
    );

    it("an update to a mistyped vpcId fails before the service is detached from its VPC", async () => {
        const world = await simulate();
        const { id: vpcId } = await Vpc.create(network, world.run());
        const { id, state } = await Service.create(service({ vpcId }), world.run());
        world.changes();
        const error = await failure(Service.update(id, state, service({ vpcId: "4711" }), world.run()));
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
    const { before, ...created } = inState("Vpc", id);
    expect(await readsOf("first", created)).toEqual([]);
    expect(await readsOf("second", { ...created, before })).toEqual(["getVpc"]);
});

describe("an input with the id of a new resource", () => {
    const slowReads = { durations: { notFoundAfterCreate: 20_000, notListedAfterCreate: 20_000 } };

    it("a replica set of a service that reads show 20 s later is created, if the program manages the service", async () => {
        const world = await simulate(slowReads);
        const { service_id: id } = await call(world, "createService", {}, { name: "orders" });
        const run = world.run({
            others: [{ urn: "urn::orders", manages: { type: "Service", projectId, id } }],
        });
        await expect(ReadReplicaSet.create(replicaSet(id), run)).resolves.toMatchObject({
            id: expect.any(String) as string,
        });
    });

    it("a replica set of a service that another run created a moment ago is created", async () => {
        const world = await simulate({ durations: { notFoundAfterCreate: 4_000, notListedAfterCreate: 4_000 } });
        const { service_id: id } = await call(world, "createService", {}, { name: "orders" });
        await expect(ReadReplicaSet.create(replicaSet(id), world.run())).resolves.toMatchObject({
            id: expect.any(String) as string,
        });
    });

    it("a service that the program manages and somebody deleted is reported as deleted", async () => {
        const { world, id } = await withService();
        await call(world, "deleteService", { service_id: id });
        world.clock.advance(60_000);
        const set = ReadReplicaSet.create(
            replicaSet(id),
            world.run({ others: [{ urn: "urn::orders", manages: { type: "Service", projectId, id } }] }),
        );
        await expect(set).rejects.toMatchObject(withWay("Create it again"));
    });
});
