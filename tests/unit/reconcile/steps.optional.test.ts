import { lifecycles } from "../../support/lifecycles";
import {
    failure,
    labelsOf,
    linesOf,
    operations,
    refuse,
    replicaSet,
    respond,
    service,
    timed,
    withWay,
} from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;

/** A replica set with one node. */
async function replicas(world: Simulation) {
    const { id: serviceId } = await Service.create(service({ name: "orders" }), world.run());
    const declared = { ...replicaSet(serviceId), name: "reports" };
    const { id, state } = await ReadReplicaSet.create(declared, world.run());
    world.changes();
    const update = (change: object, from: object = state) =>
        ReadReplicaSet.update(id, from as typeof state, { ...declared, ...change }, world.run());
    const plan = (change: object, from: object = state) =>
        ReadReplicaSet.plan(from as typeof state, { ...declared, ...change });
    return { state, update, plan, lines: (change: object) => linesOf(plan(change)) };
}

/** A response that accepts a request without an effect. */
const ignored = respond(202, "{}");

describe("the number of nodes of a replica set", () => {
    it("the preview says that the API may not support a change, but not if only the size changes", async () => {
        const { lines } = await replicas(await simulate());
        expect(lines({ nodes: 2 })).toEqual(["resize 1 x 500m/2GB -> 2 x 500m/2GB (the API may not support this)"]);
        expect(lines({ cpuMillis: 1000, memoryGbs: 4 })).toEqual(["resize 1 x 500m/2GB -> 1 x 1000m/4GB"]);
    });

    it.each([
        ["rejects", refuse],
        ["ignores", ignored],
    ])(
        "if the API %s a change, it fails within a minute and names the choice, and the next run sends it again",
        async (_, act) => {
            const world = await simulate();
            const { state, update, plan } = await replicas(world);
            const larger = { nodes: 2 };
            world.fault.at("resizeReplicaSet", act);
            const beganAt = world.clock.now();
            const error = await failure(update(larger));
            expect(world.clock.now() - beganAt).toBeLessThan(60_000);
            expect(labelsOf(error)).toEqual(["Continue"]);
            expect(error.message).toContain(`--replace '${state.record.urn ?? ""}'`);
            expect(plan(larger, error.state)).toMatchObject({ replace: [], steps: [{}] });

            world.changes();
            await update({}, error.state);
            expect(operations(world)).toEqual([]);
            world.fault.over();
            expect(await update(larger, error.state)).toMatchObject({ nodes: 2 });
        },
    );

    it.each([
        ["rejects a size", { nodes: 2, cpuMillis: 700, memoryGbs: 3 }, refuse],
        ["rejects a number of nodes that no set can have", { nodes: 11 }, refuse],
        ["ignores a change of the size", { nodes: 2, cpuMillis: 1000, memoryGbs: 4 }, ignored],
    ])("if the API %s, the message does not propose a replacement", async (_, change, act) => {
        const world = await simulate();
        const { update } = await replicas(world);
        world.fault.at("resizeReplicaSet", act);
        expect((await failure(update(change))).message).not.toContain("replace");
    });

    it("with another size as well, the size changes in place first, and only the number of nodes is rejected", async () => {
        const { lines, update } = await replicas(await simulate({ dialect: "strict" }));
        const larger = { nodes: 2, cpuMillis: 1000, memoryGbs: 4 };
        expect(lines(larger)).toEqual([
            "resize 1 x 500m/2GB -> 1 x 1000m/4GB",
            "resize 1 x 1000m/4GB -> 2 x 1000m/4GB (the API may not support this)",
        ]);
        const error = await failure(update(larger));
        expect(error).toMatchObject(withWay("Continue"));
        expect(error.state).toMatchObject({ nodes: 1, cpuMillis: 1000 });
    });
});

const dedicated = { name: "orders", cpuMillis: 500, memoryGbs: 2 } as const;
const shared = service({ name: "orders", cpuMillis: "shared", memoryGbs: "shared" });

it.each(["rejects", "ignores"])(
    "if the API %s a resize to shared, the change fails and names the choice, and never replaces the service",
    async (does) => {
        const { world, fails, lines } = await withService(service(dedicated), { dialect: "strict" });
        if (does === "ignores") {
            world.fault.at("resizeService", respond(202, JSON.stringify(world.emulator.snapshot().services[0])));
        }
        expect(lines(shared)).toEqual([
            "resize 500m/2GB -> shared (the API may not support this), restarts the service",
        ]);
        const beganAt = world.clock.now();
        const error = await fails(shared);
        expect(world.clock.now() - beganAt).toBeLessThan(60_000);
        expect(labelsOf(error)).toEqual(["Continue"]);
        expect(Service.plan(error.state as never, shared).replace).toEqual([]);
        expect(lines(service(dedicated), error.state)).toEqual([]);
    },
);

describe("APIs without the operation that renames a service", () => {
    const old = service({ name: "old" });
    const renamed = service({ name: "new", environment: "PROD" });

    it.each([
        ["404", respond(404, '{"code":"NOT_FOUND","message":"no such path"}')],
        ["405", respond(405, '{"code":"METHOD_NOT_ALLOWED","message":"no"}')],
        ["404 of a web server", respond(404, "404 page not found")],
        ["405 without a body", respond(405, "")],
    ])(
        "are recognized by %s while the service can be read, within a minute and before any other step",
        async (_, act) => {
            const { world, update } = await withService(old);
            world.fault.at("renameService", act);
            const { error, tookMs } = await timed(world, () => update(renamed));
            expect(labelsOf(error)).toEqual(["Continue"]);
            expect(tookMs).toBeLessThan(60_000);
            expect(operations(world)).toEqual([]);
        },
    );

    it("a few 404s do not mean that the API cannot rename a service", async () => {
        const { world, update } = await withService(old);
        world.fault.at("renameService", respond(404, "<html>not found</html>"), 3);
        expect((await update(renamed)).name).toBe("new");
    });

    it("a deleted service does not mean that the API cannot rename a service", async () => {
        const { world, id, update } = await withService(old);
        world.fault.at("renameService", (_, carryOut) => {
            world.emulator.deleteService(id);
            return carryOut();
        });
        await expect(update(renamed)).rejects.toMatchObject(withWay("Create it again"));
    });

    it("an adopted service that the API cannot rename stays in the state under its present name", async () => {
        const { world, id } = await withService(old, { dialect: "strict" });
        const failed = await failure(Service.create(service({ existingId: id, name: "new" }), world.run()));
        expect(labelsOf(failed)).toEqual(["Continue"]);
        expect([failed.id, failed.state]).toMatchObject([id, { name: "old" }]);
    });
});
