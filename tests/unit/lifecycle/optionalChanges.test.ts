import { lifecycles } from "../../../provider/resources";
import { UnsupportedError } from "../../../provider/lifecycle/errors";
import { failure, faults, operations, refuse, replicaSet, service } from "../../support/fixtures";
import { closeSimulations, simulate, type Simulation } from "../../support/simulation";

afterEach(closeSimulations);

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
const ignored = () => Promise.resolve({ status: 202, headers: {}, body: "{}" });

describe("the number of nodes of a replica set", () => {
    it("the preview says that the API may not support a change, but not if only the size changes", async () => {
        const world = await simulate();
        const { state, declared } = await replicas(world);
        const lines = (change: object) => ReadReplicaSet.describePlan(state, { ...declared, ...change }).lines;
        expect(lines({ nodes: 2 })).toEqual(["resize 1 x 500m/2GB -> 2 x 500m/2GB (the API may not support this)"]);
        expect(lines({ cpuMillis: 1000, memoryGbs: 4 })).toEqual(["resize 1 x 500m/2GB -> 1 x 1000m/4GB"]);
    });

    it.each(["rejects", "ignores"])(
        "if the API %s a change, it fails within a minute, and the next plan is a replacement that allowReplace permits",
        async (does) => {
            const fault = faults();
            const world = await simulate(does === "rejects" ? { strictResize: true } : fault.options);
            const { id, state, declared } = await replicas(world);
            const larger = { ...declared, nodes: 2 };
            if (does === "ignores") {
                fault.at("resizeReplicaSet", ignored);
            }
            const beganAt = world.clock.now();
            const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
            const left = error.state as typeof state;
            expect(world.clock.now() - beganAt).toBeLessThan(60_000);
            expect(error.cause).toBeInstanceOf(UnsupportedError);
            expect(error.message).toContain(
                "Declare nodes: 1 again, or set allowReplace: true. The next `pulumi up` then replaces the set, and its endpoint changes.",
            );

            const replacement = { replace: [{ property: "nodes", from: 1, to: 2 }], steps: [] };
            const allowing = { ...larger, allowReplace: true };
            const allowed = ReadReplicaSet.describePlan(left, allowing).plan;
            expect(allowed).toMatchObject(replacement);
            expect(ReadReplicaSet.refusalOf(id, left, allowing, allowed.replace)).toBeUndefined();
            // A request that was only rejected is sent again, because one rejection is not proof.
            const { plan } = ReadReplicaSet.describePlan(left, larger);
            expect(plan).toMatchObject(does === "ignores" ? replacement : { replace: [], steps: [{}] });
            if (does === "ignores") {
                expect(ReadReplicaSet.refusalOf(id, left, larger, plan.replace)).toContain("set allowReplace: true");
            }

            world.changes();
            const reverted = await ReadReplicaSet.update(id, left, declared, world.run());
            expect(operations(world)).toEqual([]);
            expect(ReadReplicaSet.describePlan(reverted, larger).plan.replace).toEqual([]);
        },
    );

    it("a size that the API rejects is not taken for a number of nodes that it cannot change", async () => {
        const world = await simulate();
        const { id, state, declared } = await replicas(world);
        const wrong = { ...declared, nodes: 2, cpuMillis: 700, memoryGbs: 3, allowReplace: true };
        const error = await failure(ReadReplicaSet.update(id, state, wrong, world.run()));
        const left = error.state as typeof state;
        expect(error.cause).not.toBeInstanceOf(UnsupportedError);
        expect(ReadReplicaSet.describePlan(left, wrong).plan.replace).toEqual([]);
        const right = { ...wrong, cpuMillis: 1000, memoryGbs: 4 };
        expect(ReadReplicaSet.describePlan(left, right).plan.replace).toEqual([]);
        expect(await ReadReplicaSet.update(id, left, right, world.run())).toMatchObject({ nodes: 2, cpuMillis: 1000 });
    });

    it("a number of nodes that no set can have does not replace the set, and a valid one is set in place", async () => {
        const world = await simulate();
        const { id, state, declared } = await replicas(world);
        const tooMany = { ...declared, nodes: 11, allowReplace: true };
        const error = await failure(ReadReplicaSet.update(id, state, tooMany, world.run()));
        const left = error.state as typeof state;
        expect(error.cause).not.toBeInstanceOf(UnsupportedError);
        expect(ReadReplicaSet.describePlan(left, tooMany).plan.replace).toEqual([]);
        const updated = await ReadReplicaSet.update(id, left, { ...tooMany, nodes: 3 }, world.run());
        expect(updated).toMatchObject({ nodes: 3 });
    });

    it.each([404, 405, 501])(
        "a resize that fails with %i is not taken for one that the API does not support",
        async (status) => {
            const fault = faults();
            const world = await simulate(fault.options);
            const { id, state, declared } = await replicas(world);
            fault.at("resizeReplicaSet", () =>
                Promise.resolve({ status, headers: {}, body: '{"code":"NO","message":"maintenance"}' }),
            );
            const larger = { ...declared, nodes: 2, allowReplace: true };
            const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
            const left = error.state as typeof state;
            expect(error.cause).not.toBeInstanceOf(UnsupportedError);
            expect(ReadReplicaSet.describePlan(left, larger).plan.replace).toEqual([]);
            fault.over();
            expect(await ReadReplicaSet.update(id, left, larger, world.run())).toMatchObject({ nodes: 2 });
        },
    );

    it("without allowReplace, the next update sends a rejected change again", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        const { id, state, declared } = await replicas(world);
        fault.at("resizeReplicaSet", refuse, 1);
        const larger = { ...declared, nodes: 2 };
        const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
        const left = error.state as typeof state;
        const updated = await ReadReplicaSet.update(id, left, larger, world.run());
        expect(updated).toMatchObject({ nodes: 2 });
        expect(ReadReplicaSet.describePlan(updated, { ...larger, allowReplace: true }).plan.replace).toEqual([]);
    });

    it("another number than the rejected one is tried in place", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        const { id, state, declared } = await replicas(world);
        fault.at("resizeReplicaSet", refuse, 1);
        const rejected = { ...declared, nodes: 5, allowReplace: true };
        const error = await failure(ReadReplicaSet.update(id, state, rejected, world.run()));
        const left = error.state as typeof state;
        expect(ReadReplicaSet.describePlan(left, rejected).plan.replace).toHaveLength(1);
        expect(ReadReplicaSet.describePlan(left, { ...rejected, nodes: 2 }).plan.replace).toEqual([]);
        expect(await ReadReplicaSet.update(id, left, { ...rejected, nodes: 2 }, world.run())).toMatchObject({
            nodes: 2,
        });
    });

    it("with another size as well, the size changes in place, and only the number of nodes needs a replacement", async () => {
        const world = await simulate({ strictResize: true });
        const { id, state, declared } = await replicas(world);
        const larger = { ...declared, nodes: 2, cpuMillis: 1000, memoryGbs: 4 };
        expect(ReadReplicaSet.describePlan(state, larger).lines).toEqual([
            "resize 1 x 500m/2GB -> 1 x 1000m/4GB",
            "resize 1 x 1000m/4GB -> 2 x 1000m/4GB (the API may not support this)",
        ]);
        const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
        const left = error.state as typeof state;
        expect(error.cause).toBeInstanceOf(UnsupportedError);
        expect(left).toMatchObject({ nodes: 1, cpuMillis: 1000 });
        const allowing = { ...larger, allowReplace: true };
        expect(ReadReplicaSet.describePlan(left, allowing).plan.replace).toMatchObject([{ property: "nodes", to: 2 }]);
    });

    it("a resize without any effect is not taken for one that only the number of nodes prevents", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        const { id, state, declared } = await replicas(world);
        fault.at("resizeReplicaSet", ignored);
        const larger = { ...declared, nodes: 2, cpuMillis: 1000, memoryGbs: 4 };
        const error = await failure(ReadReplicaSet.update(id, state, larger, world.run()));
        const left = error.state as typeof state;
        expect(error.cause).not.toBeInstanceOf(UnsupportedError);
        expect(ReadReplicaSet.describePlan(left, larger).plan.replace).toEqual([]);
    });
});

describe("a resize of a service to shared", () => {
    const dedicated = { name: "orders", cpuMillis: 500, memoryGbs: 2 } as const;
    const shared = service({ name: "orders", cpuMillis: "shared", memoryGbs: "shared", allowReplace: true });

    it.each(["rejects", "ignores"])(
        "if the API %s it, the change fails and names the choice, and never replaces the service",
        async (does) => {
            const fault = faults();
            const world = await simulate(does === "rejects" ? { strictResize: true } : fault.options);
            const { id, state } = await Service.create(service(dedicated), world.run());
            if (does === "ignores") {
                const body = JSON.stringify(world.emulator.snapshot().services[0]);
                fault.at("resizeService", () => Promise.resolve({ status: 202, headers: {}, body }));
            }
            expect(Service.describePlan(state, shared).lines).toEqual([
                "resize 500m/2GB -> shared (the API may not support this), restarts the service",
            ]);
            const beganAt = world.clock.now();
            const error = await failure(Service.update(id, state, shared, world.run()));
            const left = error.state as typeof state;
            expect(world.clock.now() - beganAt).toBeLessThan(60_000);
            expect(error.message).toContain(
                'Declare cpuMillis: 500 and memoryGbs: 2 again, or declare another service with "shared" and copy the data.',
            );
            expect(Service.describePlan(left, shared).plan.replace).toEqual([]);
            expect(Service.describePlan(left, service(dedicated)).plan.steps).toEqual([]);

            world.changes();
            await failure(Service.update(id, left, shared, world.run()));
            // Each request that the API accepts may restart the service.
            expect(operations(world)).toEqual([]);
        },
    );
});

test.each([
    [false, true, "and its data remains in a last copy."],
    [true, false, "and its data is lost."],
])(
    "if the API cannot rename a service, the message says what the next replacement does to the data: finalFork %s before and %s now",
    async (before, now, loss) => {
        const world = await simulate({ without: ["renameService"] });
        const { id, state } = await Service.create(service({ name: "old", finalFork: before }), world.run());
        const declared = service({ name: "new", allowReplace: true, finalFork: now });
        const error = await failure(Service.update(id, state, declared, world.run()));
        expect(error.message).toContain(loss);
        expect((error.state as { finalFork?: boolean }).finalFork).toBe(now);
    },
);
