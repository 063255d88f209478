import { readOptions } from "../../../provider/api/client";
import type { Interceptor } from "../../../emulator";
import { ProjectNotFoundError } from "../../../provider/api/errors";
import { lifecycles } from "../../../provider/resources";
import type { StateMetadata } from "../../../provider/lifecycle/resource";
import type { OperationContext } from "../../../provider/lifecycle/operation";
import { failureOf } from "../../support/client";
import { failure, network, peering, projectId, replicaSet, service } from "../../support/fixtures";
import { closeSimulations, simulate, type Simulation } from "../../support/simulation";

afterEach(closeSimulations);

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

/** A resource of any kind, as the host sees it. */
interface Managed {
    readonly id: string;
    readonly state: StateMetadata;
    readonly read: (
        context: OperationContext,
        state?: StateMetadata,
    ) => Promise<{ readonly state: StateMetadata } | undefined>;
    readonly update: (context: OperationContext, state?: StateMetadata) => Promise<unknown>;
    readonly remove: (context: OperationContext, state?: StateMetadata) => Promise<void>;
    readonly exists: () => boolean;
}

type Kind = "VPC" | "peering" | "service" | "read replica set";

/** The calls that read, list and delete a resource of each kind. */
const kinds: readonly { kind: Kind; reads: string; lists: string; deletes: string }[] = [
    { kind: "VPC", reads: "getVpc", lists: "listVpcs", deletes: "deleteVpc" },
    { kind: "peering", reads: "getPeering", lists: "listPeerings", deletes: "deletePeering" },
    { kind: "service", reads: "getService", lists: "listServices", deletes: "deleteService" },
    { kind: "read replica set", reads: "listReplicaSets", lists: "listReplicaSets", deletes: "deleteReplicaSet" },
];

const notFound = { status: 404, headers: {}, body: '{"code":"NOT_FOUND","message":"There is no such thing."}' };

/** An API that can return 404 on request. */
async function start() {
    let hits: ((operationId: string) => boolean) | undefined;
    const intercept: Interceptor = (exchange, carryOut) =>
        hits?.(exchange.operationId) ? Promise.resolve(notFound) : carryOut();
    const world = await simulate({ intercept });
    return {
        world,
        /** Returns 404 for these operations, or for all, this number of times. */
        return404: (operations: readonly string[] | "all", times = Infinity) => {
            let left = times;
            hits = (operationId) => (operations === "all" || operations.includes(operationId)) && left-- > 0;
        },
    };
}

async function manage(kind: Kind, { emulator, run }: Simulation): Promise<Managed> {
    switch (kind) {
        case "VPC": {
            const { id, state } = await Vpc.create(network, run());
            return {
                id,
                state,
                read: (using, known = state) => Vpc.read(id, known, using),
                update: (using, known = state) =>
                    Vpc.update(id, { ...state, ...known }, { ...network, name: "new" }, using),
                remove: (using, known = state) => Vpc.remove(id, { ...state, ...known }, using),
                exists: () => emulator.snapshot().vpcs.length > 0,
            };
        }
        case "peering": {
            const net = await Vpc.create(network, run());
            const { id, state } = await Peering.create(peering(net.id), run());
            return {
                id,
                state,
                read: (using, known = state) => Peering.read(id, known, using),
                update: (using, known = state) => Peering.update(id, { ...state, ...known }, peering(net.id), using),
                remove: (using, known = state) => Peering.remove(id, { ...state, ...known }, using),
                exists: () => emulator.snapshot().peerings.length > 0,
            };
        }
        case "service": {
            const { id, state } = await Service.create(service(), run());
            return {
                id,
                state,
                read: (using, known = state) => Service.read(id, known, using),
                update: (using, known = state) =>
                    Service.update(id, { ...state, ...known }, service({ environment: "PROD" }), using),
                remove: (using, known = state) => Service.remove(id, { ...state, ...known }, using),
                exists: () => emulator.snapshot().services.length > 0,
            };
        }
        case "read replica set": {
            const db = await Service.create(service(), run());
            const declared = replicaSet(db.id);
            const { id, state } = await ReadReplicaSet.create(declared, run());
            return {
                id,
                state,
                read: (using, known = state) => ReadReplicaSet.read(id, known, using),
                update: (using, known = state) =>
                    ReadReplicaSet.update(id, { ...state, ...known }, { ...declared, nodes: 2 }, using),
                remove: (using, known = state) => ReadReplicaSet.remove(id, { ...state, ...known }, using),
                exists: () => (emulator.snapshot().services[0]?.read_replica_sets?.length ?? 0) > 0,
            };
        }
    }
}

describe.each(kinds)("a missing $kind", ({ kind, reads, lists, deletes }) => {
    it(`a ${kind} stays in the state when a refresh gets a single 404`, async () => {
        const { world, return404 } = await start();
        const { state, read } = await manage(kind, world);
        return404([reads], 1);
        expect((await read(world.run()))?.state).toEqual(state);
    });

    it(`a ${kind} is updated although the first read gets a 404`, async () => {
        const { world, return404 } = await start();
        const { update } = await manage(kind, world);
        return404([reads], 1);
        await expect(update(world.run())).resolves.toBeDefined();
    });

    it(`a deleted ${kind} is removed from the state by a refresh and by a deletion`, async () => {
        const { world } = await start();
        const { remove, read, exists } = await manage(kind, world);
        await remove(world.run());
        expect(exists()).toBe(false);
        expect(await read(world.run())).toBeUndefined();
        await remove(world.run());
    });

    it(`a ${kind} stays in the state if the API returns 404 for everything, with an error that names base URL and project`, async () => {
        const { world, return404 } = await start();
        const { read, update, remove, exists, id } = await manage(kind, world);
        return404("all");
        for (const work of [read(world.run()), remove(world.run())]) {
            const { message } = await failureOf(work, ProjectNotFoundError);
            expect(message).toContain(`project ${projectId} does not exist at ${world.emulator.url}`);
            expect(message).toContain("The state is kept.");
        }
        const failed = await failure(update(world.run()));
        expect(failed).toMatchObject({ id, cause: expect.any(ProjectNotFoundError) as unknown });
        expect(exists()).toBe(true);
    });

    it(`a ${kind} stays in the state if its project no longer exists`, async () => {
        const { world } = await start();
        const { read, remove, state } = await manage(kind, world);
        const elsewhere = { ...state, projectId: "nowhere000" };
        await failureOf(read(world.run(), elsewhere), ProjectNotFoundError);
        await failureOf(remove(world.run(), elsewhere), ProjectNotFoundError);
    });

    it(`a ${kind} is deleted although the deletion fails with 404 once`, async () => {
        const { world, return404 } = await start();
        const { remove, exists } = await manage(kind, world);
        return404([deletes], 1);
        await remove(world.run());
        expect(exists()).toBe(false);
    });

    it(`a ${kind} stays in the state if its project disappears during its deletion`, async () => {
        const { world, return404 } = await start();
        const { remove } = await manage(kind, world);
        return404([reads, lists, "listVpcs", "listServices"]);
        await failureOf(remove(world.run()), ProjectNotFoundError);
    });
});

describe("refreshes", () => {
    it("a refresh keeps a service that the list contains, although a read returns 404", async () => {
        const { world, return404 } = await start();
        const { state, read } = await manage("service", world);
        return404(["getService"]);
        expect((await read(world.run()))?.state).toEqual(state);
    });

    it("a refresh keeps a replica set whose list is not found although its service exists", async () => {
        const { world, return404 } = await start();
        const { read } = await manage("read replica set", world);
        return404(["listReplicaSets"]);
        await expect(read(world.run())).rejects.toThrow("listReplicaSets returned an invalid response (404 from ");
    });

    it("a refresh removes a peering with its VPC", async () => {
        const { world } = await start();
        const { read, remove, state } = await manage("peering", world);
        await remove(world.run());
        const { vpcId } = state as StateMetadata & { vpcId: string };
        await world.client.call("deleteVpc", { path: { project_id: projectId, vpc_id: vpcId } }, readOptions);
        expect(await read(world.run())).toBeUndefined();
    });

    it("a refresh of a hundred existing services sends a hundred requests", async () => {
        const { world } = await start();
        const { read } = await manage("service", world);
        world.emulator.clearJournal();
        await Promise.all(Array.from({ length: 100 }, () => read(world.run())));
        expect(world.emulator.journal()).toHaveLength(100);
    });
});
