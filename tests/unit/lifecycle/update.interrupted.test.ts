import { lifecycles } from "../../support/lifecycles";
import { failure, linesOf, loseResponse, network, refuse, replicaSet, service } from "../../support/fixtures";
import { simulate, simulateConcurrently } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service, Vpc } = lifecycles;
const [minute, hour] = [60_000, 3_600_000];

describe("changed programs after an interrupted run", () => {
    it("a changed program gets what it declares, although an interrupted change takes effect later", async () => {
        const small = service({ cpuMillis: 500, memoryGbs: 2 });
        const { world, id, state } = await withService(small, { durations: { resize: 10 * minute } });
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const failed = await failure(Service.update(id, state, large, world.run({ timeMs: 2 * minute })));
        const next = await Service.update(id, failed.state as never, small, world.run({ timeMs: hour }));
        expect(next).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
        expect(next).not.toHaveProperty("__interrupted");
        expect(linesOf(Service.plan(next, small))).toEqual([]);
    });

    it("a service moves from the VPC of an interrupted run to the declared VPC", async () => {
        const world = await simulate({ durations: { vpcChange: 5 * minute } });
        const one = await Vpc.create(network, world.run());
        const other = await Vpc.create({ ...network, __urn: `${network.__urn}2`, cidr: "10.1.0.0/16" }, world.run());
        const { id, state } = await Service.create(service(), world.run());
        const toOne = service({ vpcId: one.id });
        const failed = await failure(Service.update(id, state, toOne, world.run({ timeMs: 20_000 })));
        const next = await Service.update(id, failed.state as never, service({ vpcId: other.id }), world.run());
        expect(next).toMatchObject({ vpcId: other.id });
    });

    it("a replica set gets the declared nodes after an interrupted resize", async () => {
        const world = await simulate({ durations: { replicaSetResize: 5 * minute } });
        const { id: serviceId } = await Service.create(service(), world.run());
        const declared = replicaSet(serviceId);
        const { id, state } = await ReadReplicaSet.create(declared, world.run());
        const three = { ...declared, nodes: 3 };
        const failed = await failure(ReadReplicaSet.update(id, state, three, world.run({ timeMs: 1_000 })));
        const larger = { ...declared, cpuMillis: 1000, memoryGbs: 4 };
        const next = await ReadReplicaSet.update(id, failed.state as never, larger, world.run());
        expect(next).toMatchObject({ nodes: 1, cpuMillis: 1000 });
    });

    it("a service gets the declared password, even if the last password is unknown", async () => {
        const old = service({ password: "old-password" });
        const { world, id, state } = await withService(old);
        world.fault.at("updatePassword", loseResponse);
        const changed = service({ password: "new-password" });
        const failed = await failure(Service.update(id, state, changed, world.run({ timeMs: minute })));
        world.fault.over();
        expect(linesOf(Service.plan(failed.state as never, old))).toEqual([
            "set the password, because the current one is unknown",
        ]);
        const next = await Service.update(id, failed.state as never, old, world.run());
        expect(world.emulator.passwordMatches(id, "old-password")).toBe(true);
        expect(next).toHaveProperty("connectionString", expect.stringContaining(":old-password@"));
        expect(linesOf(Service.plan(next, old))).toEqual([]);
    });

    it("a password that was rejected is not sent again", async () => {
        const old = service({ password: "old-password" });
        const { world, id, state } = await withService(old);
        world.fault.at("updatePassword", refuse);
        const failed = await failure(Service.update(id, state, service({ password: "x" }), world.run()));
        expect(linesOf(Service.plan(failed.state as never, old))).toEqual([]);
    });

    it("a service gets a known password if the declared one could not be set and was removed from the program", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "updatePassword:400"] });
        const failed = await failure(Service.create(service({ password: "declared-password" }), world.run()));
        const next = await Service.update(failed.id, failed.state as never, service(), world.run());
        const { initialPassword } = next as unknown as { initialPassword: string };
        expect(world.emulator.passwordMatches(failed.id, initialPassword)).toBe(true);
    });
});

describe("services that reads do not show yet", () => {
    const endedEarly = async () => {
        const world = await simulate({ durations: { notFoundAfterCreate: 5_000, create: 100_000 } });
        const { id, state } = await failure(Service.create(service(), world.run({ timeMs: 1_000 })));
        expect(state).toMatchObject({ __interrupted: "unseen" });
        return { world, id, state: state as never };
    };

    it("a service that reads do not show yet stays in the state after a read", async () => {
        const { world, id, state } = await endedEarly();
        const { initialPassword } = state as { initialPassword: string };
        expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ initialPassword });
    });

    it("the creation of a service that reads do not show yet is resumed", async () => {
        const { world, id, state } = await endedEarly();
        expect(await Service.update(id, state, service(), world.run())).toMatchObject({ status: "READY" });
    });

    it("an update that cannot read the service leaves it as one that may not be visible yet", async () => {
        const { world, id, state } = await endedEarly();
        const failed = await failure(Service.update(id, state, service(), world.run({ timeMs: 1_000 })));
        expect(failed.state).toMatchObject({ __interrupted: "unseen" });
    });

    it("the deletion of a service fails if reads do not show it within the time limit, as it may exist", async () => {
        const { world, id, state } = await endedEarly();
        await expect(Service.delete(id, state, world.run({ timeMs: 3_000 }))).rejects.toThrow(
            /within its time limit of 3 s: The API does not return .* too little time/,
        );
    });

    it("a service that reads do not show yet is deleted and not only removed from the state", async () => {
        const { world, id, state } = await endedEarly();
        await Service.delete(id, state, world.run());
        expect(world.emulator.snapshot().services).toEqual([]);
    });
});

describe("the lock of a service", () => {
    it("a wait for the lock times out at its own deadline, and sends nothing afterwards", async () => {
        const { clock, emulator, statusLines, provider } = await simulateConcurrently({
            intercept: async (exchange, carryOut) => {
                const response = await carryOut();
                if (exchange.operationId === "setHA") {
                    emulator.setServiceStatus(created.id, "CONFIGURING");
                }
                return response;
            },
        });
        const created = await Service.create(service(), provider.run());
        const set = await ReadReplicaSet.create(replicaSet(created.id), provider.run());
        const beganAt = clock.now();
        const declared = service({ replicaCount: 1 });
        const long = failure(Service.update(created.id, created.state, declared, provider.run({ timeMs: 6 * minute })));
        const short = failure(
            ReadReplicaSet.update(
                set.id,
                set.state,
                { ...replicaSet(created.id), nodes: 2 },
                provider.run({ timeMs: 5 * minute }),
            ),
        );
        const failed = await short;
        expect(clock.now() - beganAt).toBe(5 * minute);
        expect(failed.message).toContain("timed out after 5 min: waiting for another change of the service for 5 min");
        expect(statusLines.join("\n")).toContain("waiting for another change of the service");
        await long;
        expect(emulator.journal().filter(({ operationId }) => operationId === "resizeReplicaSet")).toEqual([]);
    });

    it("a change that the API rejects releases the lock, so that another change can succeed in the meantime", async () => {
        let blocked = "none";
        const { clock, emulator, provider } = await simulateConcurrently({
            intercept: (exchange, carryOut) => {
                if (exchange.operationId === "resizeReplicaSet" && exchange.request.path.includes(blocked)) {
                    emulator.setReplicaSetStatus(blocked, "resizing");
                }
                return carryOut();
            },
        });
        const { id: serviceId } = await Service.create(service(), provider.run());
        const named = (name: string, nodes: number) => ({ ...replicaSet(serviceId), name, nodes });
        const first = await ReadReplicaSet.create(named("first", 1), provider.run());
        const second = await ReadReplicaSet.create(named("second", 1), provider.run());
        blocked = first.state.replicaSetId;
        const rejected = failure(
            ReadReplicaSet.update(first.id, first.state, named("first", 2), provider.run({ timeMs: 6 * minute })),
        );
        const beganAt = clock.now();
        await ReadReplicaSet.update(second.id, second.state, named("second", 2), provider.run({ timeMs: 5 * minute }));
        expect(clock.now() - beganAt).toBeLessThan(4 * minute);
        await rejected;
    });

    it("a service that is being deleted keeps its lock until it is gone", async () => {
        const { emulator, provider } = await simulateConcurrently();
        const { id, state } = await Service.create(service(), provider.run());
        const removal = Service.delete(id, state, provider.run());
        const change = failure(Service.update(id, state, service({ replicaCount: 1 }), provider.run()));
        await removal;
        await change;
        const changes = emulator.journal().filter(({ operationId }) => operationId === "setHA");
        expect(changes.map(({ status }) => status)).toEqual([404]);
    });

    it("changes of one service run in sequence, and changes of other services run at the same time", async () => {
        const { clock, emulator, provider } = await simulateConcurrently();
        const one = await Service.create(service({ name: "one" }), provider.run());
        const other = await Service.create(service({ name: "other" }), provider.run());
        const sets = await Promise.all(
            ["a", "b"].map((name) => ReadReplicaSet.create({ ...replicaSet(one.id), name }, provider.run())),
        );
        emulator.clearJournal();
        const beganAt = clock.now();
        const ends: number[] = [];
        const note = () => ends.push(clock.now() - beganAt);
        await Promise.all([
            Service.update(one.id, one.state, service({ name: "one", replicaCount: 1 }), provider.run()).then(note),
            Service.update(other.id, other.state, service({ name: "other", replicaCount: 1 }), provider.run()).then(
                note,
            ),
            ...sets.map(({ id, state }) => ReadReplicaSet.delete(id, state, provider.run())),
        ]);
        expect(emulator.journal().filter(({ status }) => status === 409)).toEqual([]);
        expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? 0))).toBeLessThan(2_000);
    });
});
