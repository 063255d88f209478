import { lifecycles } from "../../support/lifecycles";
import { lacking, strictResize } from "../../support/apiVariants";
import {
    failure,
    labelsOf,
    linesOf,
    operations,
    refuse,
    replicaSet,
    respond,
    service,
    withWay,
} from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;

/** A replica set with one node. */
async function replicas(world: Simulation) {
    const { id: serviceId } = await Service.create(service({ name: "orders" }), world.run());
    const declared = { ...replicaSet(serviceId), name: "reports" };
    const created = await ReadReplicaSet.create(declared, world.run());
    world.changes();
    return { ...created, declared };
}

/** A response that accepts a request without an effect. */
const ignored = respond(202, "{}");

describe("the number of nodes of a replica set", () => {
    it("the preview says that the API may not support a change, but not if only the size changes", async () => {
        const world = await simulate();
        const { state, declared } = await replicas(world);
        const lines = (change: object) => linesOf(ReadReplicaSet.plan(state, { ...declared, ...change }));
        expect(lines({ nodes: 2 })).toEqual(["resize 1 x 500m/2GB -> 2 x 500m/2GB (the API may not support this)"]);
        expect(lines({ cpuMillis: 1000, memoryGbs: 4 })).toEqual(["resize 1 x 500m/2GB -> 1 x 1000m/4GB"]);
    });

    it.each(["rejects", "ignores"])(
        "if the API %s a change, it fails within a minute and names the choice, and the next run sends it again",
        async (does) => {
            const world = await simulate();
            const { id, state, declared } = await replicas(world);
            const larger = { ...declared, nodes: 2 };
            world.fault.at("resizeReplicaSet", does === "rejects" ? refuse : ignored);
            const beganAt = world.clock.now();
            const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
            const left = error.state as typeof state;
            expect(world.clock.now() - beganAt).toBeLessThan(60_000);
            expect(labelsOf(error)).toEqual(["Continue"]);
            expect(error.message).toContain(`--replace '${state.record.urn ?? ""}'`);
            expect(ReadReplicaSet.plan(left, larger)).toMatchObject({ replace: [], steps: [{}] });

            world.changes();
            await ReadReplicaSet.update(id, left, declared, world.run());
            expect(operations(world)).toEqual([]);
            world.fault.over();
            expect(await ReadReplicaSet.update(id, left, larger, world.run())).toMatchObject({ nodes: 2 });
        },
    );

    it.each([
        ["rejects a size", { nodes: 2, cpuMillis: 700, memoryGbs: 3 }, refuse],
        ["rejects a number of nodes that no set can have", { nodes: 11 }, refuse],
        ["ignores a change of the size", { nodes: 2, cpuMillis: 1000, memoryGbs: 4 }, ignored],
    ])("if the API %s, the message does not propose a replacement", async (_, change, act) => {
        const world = await simulate();
        const { id, state, declared } = await replicas(world);
        world.fault.at("resizeReplicaSet", act);
        const error = await failure(ReadReplicaSet.update(id, state, { ...declared, ...change }, world.run()));
        expect(error.message).not.toContain("replace");
    });

    it("with another size as well, the size changes in place first, and only the number of nodes is rejected", async () => {
        const world = await simulate({ intercept: strictResize });
        const { id, state, declared } = await replicas(world);
        const larger = { ...declared, nodes: 2, cpuMillis: 1000, memoryGbs: 4 };
        expect(linesOf(ReadReplicaSet.plan(state, larger))).toEqual([
            "resize 1 x 500m/2GB -> 1 x 1000m/4GB",
            "resize 1 x 1000m/4GB -> 2 x 1000m/4GB (the API may not support this)",
        ]);
        const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
        expect(error).toMatchObject(withWay("Continue"));
        expect(error.state).toMatchObject({ nodes: 1, cpuMillis: 1000 });
    });
});

describe("a resize of a service to shared", () => {
    const dedicated = { name: "orders", cpuMillis: 500, memoryGbs: 2 } as const;
    const shared = service({ name: "orders", cpuMillis: "shared", memoryGbs: "shared" });

    it.each(["rejects", "ignores"])(
        "if the API %s it, the change fails and names the choice, and never replaces the service",
        async (does) => {
            const options = does === "rejects" ? { intercept: strictResize } : {};
            const { world, id, state } = await withService(service(dedicated), options);
            if (does === "ignores") {
                const body = JSON.stringify(world.emulator.snapshot().services[0]);
                world.fault.at("resizeService", respond(202, body));
            }
            expect(linesOf(Service.plan(state, shared))).toEqual([
                "resize 500m/2GB -> shared (the API may not support this), restarts the service",
            ]);
            const beganAt = world.clock.now();
            const error = await failure(Service.update(id, state, shared, world.run()));
            const left = error.state as typeof state;
            expect(world.clock.now() - beganAt).toBeLessThan(60_000);
            expect(labelsOf(error)).toEqual(["Continue"]);
            expect(Service.plan(left, shared).replace).toEqual([]);
            expect(Service.plan(left, service(dedicated)).steps).toEqual([]);
        },
    );
});

describe("APIs without the operation that renames a service", () => {
    const old = service({ name: "old" });
    const renamed = service({ name: "new", environment: "PROD" });

    it.each([
        ["404", respond(404, '{"code":"NOT_FOUND","message":"no such path"}')],
        ["405", respond(405, '{"code":"METHOD_NOT_ALLOWED","message":"no"}')],
        ["404 of a web server", respond(404, "404 page not found")],
        ["405 without a body", respond(405, "")],
    ])(
        "an API that cannot rename a service is recognized by %s while the service can be read, within a minute and before any other step",
        async (_, act) => {
            const { world, id, state } = await withService(old);
            world.fault.at("renameService", act);
            const beganAt = world.clock.now();
            const failed = await failure(Service.update(id, state, renamed, world.run()));
            expect(labelsOf(failed)).toEqual(["Continue"]);
            expect(Service.plan(failed.state as typeof state, renamed).replace).toEqual([]);
            expect(world.clock.now() - beganAt).toBeLessThan(60_000);
            expect(operations(world)).toEqual([]);
        },
    );

    it("a few 404s do not mean that the API cannot rename a service", async () => {
        const { world, id, state } = await withService(old);
        world.fault.at("renameService", respond(404, "<html>not found</html>"), 3);
        expect((await Service.update(id, state, renamed, world.run())).name).toBe("new");
    });

    it("a deleted service does not mean that the API cannot rename a service", async () => {
        const { world, id, state } = await withService(old);
        world.fault.at("renameService", (_, carryOut) => {
            world.emulator.deleteService(id);
            return carryOut();
        });
        const update = Service.update(id, state, renamed, world.run());
        await expect(update).rejects.toMatchObject(withWay("Create it again"));
    });

    it("an adopted service that the API cannot rename stays in the state under its present name", async () => {
        const { world, id } = await withService(old, { intercept: lacking("renameService") });
        const failed = await failure(Service.create(service({ existingId: id, name: "new" }), world.run()));
        expect(labelsOf(failed)).toEqual(["Continue"]);
        expect([failed.id, failed.state]).toMatchObject([id, { name: "old" }]);
    });
});
