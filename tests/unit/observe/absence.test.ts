import type { Interceptor } from "../../../emulator";
import { ProjectNotFoundError } from "../../../provider/api/errors";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import type { StateMetadata } from "../../../provider/contract/resource";
import { failureOf } from "../../support/client";
import { call, failure, network, peering, projectId, replicaSet, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service, Vpc } = lifecycles;

type Kind = "Vpc" | "Peering" | "Service" | "ReadReplicaSet";

/** The calls that read, list and delete a resource of each kind. */
const kinds: readonly { kind: Kind; reads: string; lists: string; deletes: string }[] = [
    { kind: "Vpc", reads: "getVpc", lists: "listVpcs", deletes: "deleteVpc" },
    { kind: "Peering", reads: "getPeering", lists: "listPeerings", deletes: "deletePeering" },
    { kind: "Service", reads: "getService", lists: "listServices", deletes: "deleteService" },
    { kind: "ReadReplicaSet", reads: "listReplicaSets", lists: "listReplicaSets", deletes: "deleteReplicaSet" },
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

/** The inputs of a resource of each kind, in the parent that it needs, and those of an update. */
const inputsOf: Readonly<Record<Kind, (world: Simulation) => Promise<readonly [before: object, after: object]>>> = {
    Vpc: () => Promise.resolve([network, { ...network, name: "new" }]),
    Peering: async ({ run }) => {
        const { id } = await Vpc.create(network, run());
        return [peering(id), peering(id)];
    },
    Service: () => Promise.resolve([service(), service({ environment: "PROD" })]),
    ReadReplicaSet: async ({ run }) => {
        const { id } = await Service.create(service(), run());
        return [replicaSet(id), { ...replicaSet(id), nodes: 2 }];
    },
};

/** A resource of any kind, as the host sees it. */
async function manage(kind: Kind, world: Simulation) {
    const lifecycle = untypedLifecycles[kind];
    const [before, after] = await inputsOf[kind](world);
    const { id, state } = await lifecycle.create(before as never, world.run());
    const { run, emulator } = world;
    const count = () => {
        const { vpcs, peerings, services } = emulator.snapshot();
        const sets = services.flatMap((one) => one.read_replica_sets ?? []);
        return { Vpc: vpcs, Peering: peerings, Service: services, ReadReplicaSet: sets }[kind].length;
    };
    return {
        id,
        state,
        read: (known: StateMetadata = state) => lifecycle.read(id, known, run()),
        update: () => lifecycle.update(id, state, after as never, run()),
        remove: (known: typeof state = state) => lifecycle.delete(id, known, run()),
        exists: () => count() > 0,
    };
}

describe.each(kinds)("a missing $kind", ({ kind, reads, lists, deletes }) => {
    it(`a ${kind} stays in the state when a refresh gets a single 404`, async () => {
        const { world, return404 } = await start();
        const { state, read } = await manage(kind, world);
        return404([reads], 1);
        expect((await read())?.state).toEqual(state);
    });

    it(`a ${kind} is updated although the first read gets a 404`, async () => {
        const { world, return404 } = await start();
        const { update } = await manage(kind, world);
        return404([reads], 1);
        await expect(update()).resolves.toBeDefined();
    });

    it(`a deleted ${kind} is removed from the state by a refresh and by a deletion`, async () => {
        const { world } = await start();
        const { remove, read, exists } = await manage(kind, world);
        await remove();
        expect(exists()).toBe(false);
        expect(await read()).toBeUndefined();
        await remove();
    });

    it(`a ${kind} stays in the state if the API returns 404 for everything, with an error that names base URL and project`, async () => {
        const { world, return404 } = await start();
        const { read, update, remove, exists, id } = await manage(kind, world);
        return404("all");
        for (const work of [read(), remove()]) {
            const { message } = await failureOf(work, ProjectNotFoundError);
            expect(message).toContain(`project ${projectId} does not exist at ${world.emulator.url}`);
            expect(message).toContain("The state is kept.");
        }
        const failed = await failure(update());
        expect(failed).toMatchObject({ id, cause: expect.any(ProjectNotFoundError) as unknown });
        expect(exists()).toBe(true);
    });

    it(`a ${kind} stays in the state if its project no longer exists`, async () => {
        const { world } = await start();
        const { read, remove, state } = await manage(kind, world);
        const elsewhere = { ...state, projectId: "nowhere000" };
        await failureOf(read(elsewhere), ProjectNotFoundError);
        await failureOf(remove(elsewhere), ProjectNotFoundError);
    });

    it(`a ${kind} is deleted although the deletion fails with 404 once`, async () => {
        const { world, return404 } = await start();
        const { remove, exists } = await manage(kind, world);
        return404([deletes], 1);
        await remove();
        expect(exists()).toBe(false);
    });

    it(`a ${kind} stays in the state if its project disappears during its deletion`, async () => {
        const { world, return404 } = await start();
        const { remove } = await manage(kind, world);
        return404([reads, lists, "listVpcs", "listServices"]);
        await failureOf(remove(), ProjectNotFoundError);
    });
});

describe("refreshes and deletions", () => {
    it("a refresh keeps a service that the list contains, although a read returns 404", async () => {
        const { world, return404 } = await start();
        const { state, read } = await manage("Service", world);
        return404(["getService"]);
        expect((await read())?.state).toEqual(state);
    });

    it("a refresh keeps a replica set whose list is not found although its service exists", async () => {
        const { world, return404 } = await start();
        const { read } = await manage("ReadReplicaSet", world);
        return404(["listReplicaSets"]);
        await expect(read()).rejects.toThrow("listReplicaSets returned an invalid response (404 from ");
    });

    it("a refresh removes a peering with its VPC", async () => {
        const { world } = await start();
        const { read, remove, state } = await manage("Peering", world);
        await remove();
        const { vpcId } = state as StateMetadata & { vpcId: string };
        await call(world, "deleteVpc", { vpc_id: vpcId });
        expect(await read()).toBeUndefined();
    });

    it("a refresh of a hundred existing services sends a hundred requests", async () => {
        const { world } = await start();
        const { read } = await manage("Service", world);
        world.emulator.clearJournal();
        await Promise.all(Array.from({ length: 100 }, () => read()));
        expect(world.emulator.journal()).toHaveLength(100);
    });

    it("a deletion resumes an earlier one, and succeeds if the resource is already deleted", async () => {
        const { world, id, state } = await withService();
        await call(world, "deleteService", { service_id: id });
        await Service.delete(id, state, world.run());
        await Service.delete(id, state, world.run());
        expect(world.emulator.snapshot().counts.services).toEqual({ made: 1, removed: 1 });
    });

    it("a 404 of a proxy ends neither a deletion nor a read", async () => {
        const { world, id, state } = await withService();
        const lost = () => Promise.resolve({ status: 404, headers: {}, body: "<html>404</html>" });
        world.fault.at("deleteService", lost);
        await expect(Service.delete(id, state, world.run({ timeMs: 60_000 }))).rejects.toThrow("timed out after 1 min");
        world.fault.at("getService", lost);
        await expect(Service.read(id, state, world.run())).rejects.toThrow(
            "getService returned an invalid response (404 from ",
        );
    });
});
