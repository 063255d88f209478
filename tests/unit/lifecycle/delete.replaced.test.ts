import { unknown } from "../../../provider/base/fields";
import type { ResourceType } from "../../../provider/resources";
import { call, network, operations, pause, peering, replicaSet, service, withWay } from "../../support/fixtures";
import { newPeering } from "../../support/emulator";
import { sessionsOn } from "../../support/hosts";
import { EngineCalls, untypedLifecycles } from "../../support/lifecycles";
import { simulate, type Simulation } from "../../support/simulation";

// A deletion that comes before a creation is not sent if that creation cannot succeed.

type Values = Readonly<Record<string, unknown>>;

interface Existing {
    readonly type: ResourceType;
    readonly inputs: Values;
    readonly id: string;
    readonly state: Values;
}

/** What is in the way of a replacement. */
type Obstacle = (world: Simulation, old: Existing) => unknown;
const none: Obstacle = () => undefined;

const other = "project002";
const missing = "qqqqqqqqqq";

/** A simulation whose token has no access to a second project. */
const start = () => simulate({ peerings: "immediate", projects: [{ id: other, name: "Other" }] });

async function existing(world: Simulation, type: ResourceType, inputs: Values): Promise<Existing> {
    const { id, state } = await untypedLifecycles[type].create(inputs as never, world.run());
    return { type, inputs, id, state: state as unknown as Values };
}

const vpc = (world: Simulation) => existing(world, "Vpc", network);

/** One resource of each kind that can be replaced, in a VPC or a service if it needs one. */
const olds: Readonly<Partial<Record<ResourceType, (world: Simulation) => Promise<Existing>>>> = {
    Vpc: vpc,
    Peering: async (world) => existing(world, "Peering", peering((await vpc(world)).id)),
    Service: (world) => existing(world, "Service", service({ name: "orders" })),
    ReadReplicaSet: async (world) => {
        const { id } = await existing(world, "Service", service({ name: "orders" }));
        return existing(world, "ReadReplicaSet", replicaSet(id));
    },
};

const create = (world: Simulation, operation: "createVpc" | "createService", body: object) =>
    call(world, operation, {}, body);
/** Another stack attaches a service to the VPC, and waits this long. */
const attach =
    (waitMs: number): Obstacle =>
    async (world, { id }) => {
        const { service_id } = await create(world, "createService", { name: "theirs" });
        world.clock.advance(600_000);
        await call(world, "attachToVPC", { service_id }, { vpc_id: id });
        world.clock.advance(waitMs);
    };
const addPeering: Obstacle = (world, { id }) =>
    call(world, "createPeering", { vpc_id: id }, { ...newPeering, peer_vpc_id: "vpc-2" });
const addVpc = (world: Simulation, name: string, cidr: string) =>
    create(world, "createVpc", { name, cidr, region_code: "us-east-1" });

/** A run of the engine. */
function startRun(world: Simulation) {
    const { lines, startSession } = sessionsOn(world);
    const session = startSession();
    const callsOf = (type: ResourceType) => new EngineCalls(untypedLifecycles[type], session);
    return {
        lines,
        /** What shows that this resource is replaced: its diff, or only a check. */
        replace: ({ type, id, inputs, state }: Existing, change: Values, isShown: boolean) => {
            const calls = callsOf(type);
            const declared = { ...inputs, ...change };
            if (isShown) {
                const checked = calls.check(declared, inputs);
                calls.diff(id, state as never, checked.inputs);
            }
            return calls.check(declared, {});
        },
        /** The diff of a resource that uses one that is deleted first, before the program declares it. */
        use: ({ type, id, inputs, state }: Existing, input: string) =>
            callsOf(type).diff(id, state as never, { ...inputs, [input]: unknown }),
        check: ({ type }: Existing, inputs: Values) => callsOf(type).check(inputs, {}),
        remove: ({ type, id, state }: Existing) => callsOf(type).delete(id, state as never),
    };
}

const listFails = (name: string, operation: string) => ({ cause: { name, operation } });
const names = (input: string) => ({ cause: withWay("Correct", expect.stringContaining(input)) });
const exists = { cause: { name: "AlreadyExistsError" } };

/** With the error of the deletion, whose cause is that of the creation. */
type Case = readonly [ResourceType, reason: string, change: Values, obstacle: Obstacle, error: object];
const noProject = listFails("ProjectNotFoundError", "listVpcs");
const forbidden = listFails("ApiError", "listVpcs");
const mayNotList: Obstacle = ({ emulator }) => emulator.addFaults(["listVpcs#1+:403"]);
const takenVpc: Obstacle = (world) => addVpc(world, "taken", "10.9.0.0/16");
const takenService: Obstacle = (world) => create(world, "createService", { name: "taken" });
const paused: Obstacle = (world, { inputs }) => pause(world, String(inputs.serviceId));
const isPaused = { message: expect.stringContaining("PAUSED") as string };
const noFork = { fork: { serviceId: "abcdefghij", strategy: "NOW" } };
const notAdopted = { existingId: "abcdefghij", regionCode: "eu-west-1" };

const cases: readonly Case[] = [
    ["Vpc", "its project does not exist", { projectId: missing }, none, noProject],
    ["Vpc", "its project is that of another token", { projectId: other }, none, forbidden],
    ["Vpc", "the token may not list", {}, mayNotList, forbidden],
    ["Vpc", "its network overlaps a third one", { cidr: "10.0.0.0/8" }, takenVpc, withWay("Another network")],
    ["Vpc", "another one has its name", { name: "taken" }, takenVpc, exists],
    ["Peering", "its VPC does not exist", { vpcId: "999" }, none, names("vpcId")],
    ["ReadReplicaSet", "its service does not exist", { serviceId: "abcdefghij" }, none, names("serviceId")],
    ["ReadReplicaSet", "its service is paused", {}, paused, isPaused],
    ["Service", "its VPC does not exist", { vpcId: "999" }, none, names("vpcId")],
    ["Service", "the source of its fork does not exist", noFork, none, names("fork.serviceId")],
    ["Service", "another one has its name", { name: "taken" }, takenService, exists],
    ["Service", "what it adopts does not exist", notAdopted, none, { cause: { name: "AdoptionError" } }],
];

/** How a run shows a replacement. */
const shown = [
    ["a diff shows", true],
    ["only a check shows, as with --replace", false],
] as const;

describe.each(shown)("the deletion of a resource whose replacement %s", (_, isShown) => {
    it.each(cases)("is not sent for a %s if %s", async (type, _reason, change, prepare, reason) => {
        const world = await start();
        const old = await (olds[type] ?? vpc)(world);
        await prepare(world, old);
        world.changes();
        const run = startRun(world);
        run.replace(old, change, isShown);
        await expect(run.remove(old)).rejects.toMatchObject(reason);
        expect(operations(world)).toEqual([]);
    });

    it.each(Object.entries(olds))("is sent for a %s if nothing is in the way", async (type, make) => {
        const world = await start();
        const old = await make(world);
        world.changes();
        const run = startRun(world);
        run.replace(old, type === "Vpc" ? { cidr: "10.0.0.0/15" } : {}, isShown);
        await run.remove(old);
        expect(operations(world)).toEqual([expect.stringMatching(/^delete/)]);
    });
});

describe.each(shown)("the deletion of a peering whose VPC is deleted first, as %s", (_, isShown) => {
    const wide = { cidr: "10.0.0.0/8" };

    async function prepare() {
        const world = await start();
        const net = await vpc(world);
        const peer = await existing(world, "Peering", peering(net.id));
        const active = { ...peering(net.id), peeringId: peer.state.peeringId };
        return { world, net, peer, activation: { ...peer, type: "PeeringActivation" as const, inputs: active } };
    }

    it.each<[string, Values, Obstacle, string]>([
        ["its project does not exist", { projectId: missing }, none, missing],
        ["its new network overlaps a third one", wide, (world) => addVpc(world, "third", "10.9.0.0/16"), "10.9.0.0/16"],
        ["it has a service of another stack", wide, attach(600_000), '"theirs"'],
        ["a service of another stack is just attached to it", wide, attach(2_000), '"theirs"'],
        ["it has a peering of another stack", wide, addPeering, "vpc-2"],
    ])("is not sent if %s", async (_reason, change, obstruct, reason) => {
        const { world, net, peer, activation } = await prepare();
        await obstruct(world, net);
        world.changes();
        const run = startRun(world);
        run.replace(net, change, isShown);
        run.use(peer, "vpcId");
        run.use(activation, "vpcId");
        for (const one of [activation, peer]) {
            const error = await run.remove(one).catch((caught: unknown) => caught);
            expect([peer.id, `"net" (${net.id})`, reason].filter((part) => !String(error).includes(part))).toEqual([]);
        }
        expect(operations(world)).toEqual([]);
    });

    it("is sent if nothing is in the way, and what the replacement needs is read once", async () => {
        const { world, net, peer } = await prepare();
        const another = { ...peering(net.id), peerVpcId: "vpc-2", __urn: "urn::second" };
        const second = await existing(world, "Peering", another);
        world.changes();
        const run = startRun(world);
        const { inputs } = run.replace(net, wide, isShown);
        run.use(peer, "vpcId");
        run.use(second, "vpcId");
        for (const one of [second, peer, net]) {
            await run.remove(one);
        }
        const lists = world.emulator.journal().filter(({ operationId }) => operationId === "listVpcs");
        expect(operations(world)).toEqual(["deletePeering", "deletePeering", "deleteVpc"]);
        expect(lists.length).toBeLessThanOrEqual(4);
        await untypedLifecycles.Vpc.create(inputs as never, world.run());
        expect(world.emulator.snapshot().vpcs).toMatchObject([wide]);
    });
});

it("a read replica set of a fork is not deleted if the source of the fork cannot be replaced", async () => {
    const world = await start();
    const orders = await existing(world, "Service", service({ name: "orders" }));
    const fork = { serviceId: orders.id, strategy: "NOW" };
    const copy = await existing(world, "Service", { ...service({ name: "copy" }), __urn: "urn::copy", fork });
    world.clock.advance(86_400_000);
    const readers = await existing(world, "ReadReplicaSet", replicaSet(copy.id));
    world.changes();
    const run = startRun(world);
    run.replace(orders, { vpcId: "999", regionCode: "eu-west-1" }, true);
    run.use({ ...copy, inputs: { ...copy.inputs, fork: { ...fork, serviceId: unknown } } }, "__none");
    run.use(readers, "serviceId");
    await expect(run.remove(readers)).rejects.toThrow(orders.id);
    expect(operations(world)).toEqual([]);
});

describe("what is deleted before its replacement is created", () => {
    it.each(["Vpc", "Peering"] as const)("a %s within its project, and not if its project changes", async (type) => {
        const world = await start();
        const { id, inputs, state } = await (olds[type] ?? vpc)(world);
        // A VPC whose network is wider, and a peering that can never become active.
        const [change, before] =
            type === "Vpc" ? [{ cidr: "10.0.0.0/8" }, state] : [{}, { ...state, status: "failed" }];
        const diffWith = (project: Values) => {
            const calls = new EngineCalls(untypedLifecycles[type], sessionsOn(world).startSession());
            const declared = calls.check({ ...inputs, ...change, ...project }, inputs).inputs;
            return calls.diff(id, before as never, declared);
        };
        expect(diffWith({}).deleteBeforeReplace).toBe(true);
        expect(diffWith({ projectId: unknown }).deleteBeforeReplace).toBe(false);
        const { deleteBeforeReplace, notices } = diffWith({ projectId: other });
        expect(deleteBeforeReplace).toBe(false);
        expect(notices[0]?.text).toContain(other);
    });

    it("a peering that the engine deletes with its VPC: the check names the cause, and the project if it changes", async () => {
        const world = await start();
        const net = await vpc(world);
        const peer = await existing(world, "Peering", peering(net.id));
        const noticesWith = (change: Values) => {
            const run = startRun(world);
            run.replace(net, { cidr: "10.0.0.0/8", ...change }, true);
            run.use(peer, "vpcId");
            return run.check(peer, { ...peer.inputs, vpcId: unknown, ...change }).notices.map(({ text }) => text);
        };
        const end = `vpcId "${net.id}" -> (known after apply)): the old peering ${peer.id} is deleted`;
        expect(noticesWith({})).toEqual([`is replaced (${end}`]);
        expect(noticesWith({ projectId: other })).toEqual([`is replaced (project "emulator01" -> "${other}", ${end}`]);
    });
});
