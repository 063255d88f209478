import type { CloudDbError } from "../../../provider/api/callErrors";
import { computed } from "../../../provider/base/fields";
import type { ResourceType } from "../../../provider/resources";
import { call, network, operations, peering, respond, service } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { untypedLifecycles } from "../../support/lifecycles";
import { simulate, type Simulation } from "../../support/simulation";

// Deletions that come before a creation.

type Values = Readonly<Record<string, unknown>>;

interface Existing {
    readonly type: ResourceType;
    readonly inputs: Values;
    readonly id: string;
    readonly state: Values;
}

const other = "project002";

/** A simulation whose token has no access to a second project. */
const start = () => simulate({ peerings: "immediate", projects: [{ id: other, name: "Other" }] });

async function existing(world: Simulation, type: ResourceType, inputs: Values): Promise<Existing> {
    const { id, state } = await untypedLifecycles[type].create(inputs, world.run());
    return { type, inputs, id, state: state as unknown as Values };
}

/** A simulation of a VPC with a peering and its activation. */
async function startPeered() {
    const world = await start();
    const net = await existing(world, "Vpc", network);
    const peer = await existing(world, "Peering", peering(net.id));
    const active = { ...peering(net.id), peeringId: peer.state.peeringId };
    return { world, net, peer, activation: { ...peer, type: "PeeringActivation" as const, inputs: active } };
}

/** Another stack attaches a service to the VPC, and waits this long. Then, it may delete it. */
async function attach(world: Simulation, { id }: Existing, waitMs: number, isDeleted = false) {
    const { service_id } = await call(world, "createService", {}, { name: "theirs" });
    world.clock.advance(600_000);
    await call(world, "attachToVPC", { service_id }, { vpc_id: id });
    world.clock.advance(waitMs);
    if (isDeleted) {
        await call(world, "deleteService", { service_id });
    }
}

/** A run of the engine. */
function startRun(world: Simulation) {
    const { lines, startSession } = sessionsOn(world);
    const session = startSession();
    const callsOf = (type: ResourceType) => untypedLifecycles[type].in(session);
    return {
        lines,
        /** The calls that show that this resource is replaced. */
        replace: ({ type, id, inputs, state }: Existing, change: Values) => {
            const calls = callsOf(type);
            const declared = { ...inputs, ...change };
            calls.diff(id, state as never, calls.check(declared, inputs).inputs);
            return calls.check(declared, {});
        },
        /** The diff of a resource that uses one that is deleted first, before the program declares it. */
        use: ({ type, id, inputs, state }: Existing, input: string) =>
            callsOf(type).diff(id, state as never, { ...inputs, [input]: computed }),
        check: ({ type }: Existing, inputs: Values) => callsOf(type).check(inputs, {}),
        create: ({ type }: Existing, inputs: object) => callsOf(type).create(inputs),
        remove: ({ type, id, state }: Existing) => callsOf(type).delete(id, state as never),
    };
}

describe("the deletion of a peering whose VPC is deleted first", () => {
    const wide = { cidr: "10.0.0.0/8" };

    it.each([
        ["a service of another stack", 600_000, false],
        ["a service that another stack attaches just now", 2_000, false],
        ["a service that another stack deletes just now", 600_000, true],
    ])("is not sent if the VPC has %s, and the error has a way out", async (_, waitMs, isDeleted) => {
        const { world, net, peer, activation } = await startPeered();
        await attach(world, net, waitMs, isDeleted);
        world.changes();
        const run = startRun(world);
        run.replace(net, wide);
        run.use(peer, "vpcId");
        run.use(activation, "vpcId");
        for (const one of [activation, peer]) {
            const error = await run.remove(one).catch((caught: unknown) => caught);
            const parts = [peer.id, `"net" (${net.id})`, '"theirs"'];
            expect(parts.filter((part) => !String(error).includes(part))).toEqual([]);
            expect((error as CloudDbError).parts.ways).not.toEqual([]);
        }
        expect(operations(world)).toEqual([]);
    });

    it("is not reached if the program has a service in the VPC: the diff of the service fails", async () => {
        const { world, net } = await startPeered();
        const orders = await existing(world, "Service", service({ vpcId: net.id }));
        const run = startRun(world);
        run.replace(net, wide);
        expect(() => run.use(orders, "vpcId")).toThrow(`uses vpcId "${net.id}", which this change deletes before`);
    });

    it("is sent otherwise, with nothing else than the services read before", async () => {
        const { world, net, peer } = await startPeered();
        world.changes();
        const run = startRun(world);
        const { inputs } = run.replace(net, wide);
        run.use(peer, "vpcId");
        await run.remove(peer);
        expect(world.emulator.journal().map(({ operationId }) => operationId)[0]).toBe("listServices");
        await run.remove(net);
        expect(operations(world)).toEqual(["deletePeering", "deleteVpc"]);
        await untypedLifecycles.Vpc.create(inputs, world.run());
        expect(world.emulator.snapshot().vpcs).toMatchObject([wide]);
    });

    it("is not sent if the services cannot be read, and the error names the peering", async () => {
        const { world, net, peer } = await startPeered();
        world.changes();
        const run = startRun(world);
        run.replace(net, wide);
        run.use(peer, "vpcId");
        world.fault.at("listServices", respond(403, JSON.stringify({ code: "FORBIDDEN", message: "read only" })));
        await expect(run.remove(peer)).rejects.toThrow(`(${peer.id}) was not deleted: `);
        expect(operations(world)).toEqual([]);
    });

    it("is sent in a run that does not replace the VPC", async () => {
        const { world, net, peer } = await startPeered();
        await attach(world, net, 600_000);
        world.changes();
        await startRun(world).remove(peer);
        expect(operations(world)).toEqual(["deletePeering"]);
    });
});

describe("a service that is deleted first because an option of the run or of the program says so", () => {
    const permitted = { deletionProtection: false };

    it.each([true, false])(
        "is no duplicate of its replacement while a list still shows it, whether a diff has shown it or not: %s",
        async (isShown) => {
            const world = await start();
            const old = await existing(world, "Service", { ...service({ name: "orders" }), ...permitted });
            const run = startRun(world);
            const { inputs } = isShown ? run.replace(old, { regionCode: "eu-west-1" }) : run.check(old, old.inputs);
            const { services } = world.emulator.snapshot();
            await run.remove(old);
            world.fault.at("listServices", respond(200, JSON.stringify(services)), 2);
            const { id } = await run.create(old, inputs);
            expect(id).not.toBe(old.id);
        },
    );

    it("is deleted although the password of its replacement cannot be read: its creation fails, and the next run repeats it", async () => {
        const world = await start();
        const old = await existing(world, "Service", { ...service({ name: "orders" }), ...permitted });
        world.changes();
        const run = startRun(world);
        const variable = "CLOUDDB_TEST_UNSET";
        const { inputs } = run.check(old, { ...old.inputs, passwordVariable: variable, passwordVersion: 1 });
        await run.remove(old);
        await expect(run.create(old, inputs)).rejects.toThrow(variable);
        expect(operations(world)).toEqual(["deleteService"]);
        jest.replaceProperty(process, "env", { ...process.env, [variable]: "a-long-password" });
        await startRun(world).create(old, inputs);
        expect(operations(world)).toEqual(["createService", "updatePassword"]);
    });
});

describe("what is deleted before its replacement is created", () => {
    it.each(["Vpc", "Peering"] as const)("a %s within its project, and not if its project changes", async (type) => {
        const { world, net, peer } = await startPeered();
        const { id, inputs, state } = type === "Vpc" ? net : peer;
        // A VPC whose network is wider, and a peering that can never become active.
        const [change, before] =
            type === "Vpc" ? [{ cidr: "10.0.0.0/8" }, state] : [{}, { ...state, status: "failed" }];
        const diffWith = (project: Values) => {
            const calls = untypedLifecycles[type].in(sessionsOn(world).startSession());
            const declared = calls.check({ ...inputs, ...change, ...project }, inputs).inputs;
            return calls.diff(id, before as never, declared);
        };
        expect(diffWith({}).deleteBeforeReplace).toBe(true);
        expect(diffWith({ projectId: computed }).deleteBeforeReplace).toBe(false);
        const { deleteBeforeReplace, notices } = diffWith({ projectId: other });
        expect(deleteBeforeReplace).toBe(false);
        expect(notices[0]?.text).toContain(other);
    });
});
