import type { EmulatorOptions, Interceptor } from "../../../emulator";
import { lifecycles } from "../../../provider/resources";
import { AdoptionError, PartialFailure, ProtectedError, TwinError } from "../../../provider/resources/errors";
import type { ServiceInputs } from "../../../provider/resources/service/service";
import { WaitTimeoutError } from "../../../provider/wait/errors";
import { closeSimulations, simulate, type Simulation } from "../../support/simulation";

afterEach(closeSimulations);

const { Service, Vpc, Peering, PeeringActivation, ReadReplicaSet } = lifecycles;
const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${name}`;
const projectId = "emulator01";
const inputs = (change: ServiceInputs = {}) => ({ projectId, __urn: urn("orders"), ...change });

const operations = (world: Simulation) => world.changes().map((line) => line.split(" ")[0]);

/** Answers a call of an operation itself for as long as it is told to. */
function faults(options: EmulatorOptions = {}) {
    let fault: { operationId: string; times: number; act: Interceptor } | undefined;
    const intercept: Interceptor = (exchange, carryOut) => {
        if (fault?.operationId !== exchange.operationId || fault.times === 0) {
            return carryOut();
        }
        fault.times -= 1;
        return fault.act(exchange, carryOut);
    };
    return {
        options: { ...options, intercept },
        at: (operationId: string, act: Interceptor, times = Infinity) => {
            fault = { operationId, times, act };
        },
        over: () => {
            fault = undefined;
        },
    };
}

const refuse: Interceptor = () =>
    Promise.resolve({ status: 400, headers: {}, body: '{"code":"NO","message":"not today"}' });

/** The call is carried out, and a proxy says that it does not know. */
const loseAnswer: Interceptor = async (_, carryOut) => {
    await carryOut();
    return { status: 502, headers: {}, body: "<html>bad gateway</html>" };
};

async function failure(work: Promise<unknown>): Promise<PartialFailure> {
    const error: unknown = await work.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PartialFailure);
    return error as PartialFailure;
}

describe("an update", () => {
    it("that fails in the middle keeps what was reached, and the next one does the rest", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        const { id, state } = await Service.create(inputs(), world.run());
        const declared = inputs({
            password: "new-password",
            cpuMillis: 1000,
            memoryGbs: 4,
            replicaCount: 1,
            environment: "PROD",
        });
        world.changes();
        fault.at("setHA", refuse);
        const failed = await failure(Service.update(id, state, declared, world.run()));
        expect(failed.message).toContain("not today");
        expect(failed.id).toBe(id);
        expect(failed.state).toMatchObject({
            cpuMillis: 1000,
            replicaCount: 0,
            environment: "DEV",
            password: "new-password",
        });
        expect(operations(world)).toEqual(["updatePassword", "resizeService"]);

        fault.over();
        expect(Service.describe(failed.state as never, declared).lines).toEqual([
            "high availability none -> 1 replica",
            "environment DEV -> PROD",
        ]);
        await Service.update(id, failed.state as never, declared, world.run());
        expect(operations(world)).toEqual(["setHA", "setEnvironment"]);
    });

    it("keeps the old password in the state when the new one was refused", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        const { id, state } = await Service.create(inputs({ password: "old-password" }), world.run());
        fault.at("updatePassword", refuse);
        const failed = await failure(Service.update(id, state, inputs({ password: "new-password" }), world.run()));
        expect(failed.state).toMatchObject({ password: "old-password" });
    });

    it("waits for a service that is busy with something else", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(inputs(), world.run());
        await world.client.setHA(projectId, id, { replica_count: 1 });
        const next = await Service.update(id, state, inputs({ environment: "PROD" }), world.run());
        expect(next).toMatchObject({ environment: "PROD", replicaCount: 1 });
    });

    it("does not send what was done already behind its back", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(inputs(), world.run());
        world.emulator.updateService(id, { environment: "PROD" });
        world.changes();
        await Service.update(id, state, inputs({ environment: "PROD" }), world.run());
        expect(operations(world)).toEqual([]);
    });

    it("says so when the service was paused behind its back, and does not wait for ever", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(inputs(), world.run());
        world.emulator.setServiceStatus(id, "PAUSED");
        const failed = await failure(Service.update(id, state, inputs({ replicaCount: 1 }), world.run()));
        expect(failed.message).toContain("pulumi refresh");
    });

    it("names the last status, how long it was there and the setting when time runs out", async () => {
        const world = await simulate({ durations: { resize: 10 * 3_600_000 } });
        const { id, state } = await Service.create(inputs(), world.run());
        const declared = inputs({ cpuMillis: 1000, memoryGbs: 4 });
        const failed = await failure(Service.update(id, state, declared, world.run({ timeMs: 120_000 })));
        expect(failed.cause).toBeInstanceOf(WaitTimeoutError);
        expect(failed.message).toMatch(/not done after 2 min: CONFIGURING for 2 min.*customTimeouts\.update/);
        world.changes();
        world.clock.advance(10 * 3_600_000);
        const next = await Service.update(id, failed.state as never, declared, world.run());
        expect(next).toMatchObject({ cpuMillis: 1000, status: "READY" });
        expect(operations(world)).toEqual([]);
    });

    it.each([
        "resizeService",
        "setHA",
        "attachToVPC",
        "setEnvironment",
        "enablePooler",
        "stopService",
        "updatePassword",
    ])("whose answer to %s is lost looks whether it was carried out, and goes on", async (operation) => {
        const fault = faults();
        const world = await simulate(fault.options);
        const net = await Vpc.create(
            { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" },
            world.run(),
        );
        const { id, state } = await Service.create(inputs(), world.run());
        const declared = inputs({
            cpuMillis: 1000,
            memoryGbs: 4,
            replicaCount: 1,
            vpcId: net.id,
            environment: "PROD",
            connectionPooler: true,
            password: "new-password",
            paused: true,
        });
        fault.at(operation, loseAnswer, 1);
        const next = await Service.update(id, state, declared, world.run());
        expect(Service.describe(next, declared).lines).toEqual([]);
        expect(world.emulator.passwordMatches(id, "new-password")).toBe(true);
    });

    it("tells once, to stay, when it takes longer than usual", async () => {
        const world = await simulate({ durations: { resize: 30 * 60_000 } });
        const { id, state } = await Service.create(inputs(), world.run());
        await Service.update(id, state, inputs({ cpuMillis: 1000, memoryGbs: 4 }), world.run());
        expect(world.told).toHaveLength(1);
        expect(world.told[0]).toMatch(/CONFIGURING.*longer than usual.*customTimeouts\.update/);
    });

    it("says an unchanged status less and less often", async () => {
        const world = await simulate({ durations: { resize: 30 * 60_000 } });
        const { id, state } = await Service.create(inputs(), world.run());
        const before = world.said.length;
        await Service.update(id, state, inputs({ cpuMillis: 1000, memoryGbs: 4 }), world.run());
        expect(world.said.length - before).toBeLessThan(40);
    });
});

describe("a creation", () => {
    it("keeps the initial password through updates, reads and failures", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        fault.at("setHA", refuse);
        const declared = inputs({ replicaCount: 2, syncReplicaCount: 1 });
        const failed = await failure(Service.create(declared, world.run()));
        const { initialPassword } = failed.state as { initialPassword: string };
        expect(world.emulator.passwordMatches(failed.id, initialPassword)).toBe(true);
        fault.over();
        const next = await Service.update(failed.id, failed.state as never, declared, world.run());
        const seen = await Service.read(failed.id, next, world.run());
        expect(seen?.state).toMatchObject({ initialPassword });
        expect(seen?.state).toHaveProperty("connectionString", expect.stringContaining(`:${initialPassword}@`));
    });

    it("that ran out of time is gone on with, not begun again", async () => {
        const world = await simulate({ durations: { create: 3_600_000 } });
        const failed = await failure(Service.create(inputs(), world.run({ timeMs: 10_000 })));
        expect(failed.message).toContain("Nothing was undone");
        world.clock.advance(3_600_000);
        const next = await Service.update(failed.id, failed.state as never, inputs(), world.run());
        expect(next).toMatchObject({ status: "READY" });
        expect(world.emulator.snapshot().counts.services.made).toBe(1);
    });

    it("refuses to make a second one of the same name, and says how to go on", async () => {
        const world = await simulate();
        const { id } = await Service.create(inputs({ name: "orders" }), world.run());
        world.clock.advance(120_000);
        const again = Service.create(inputs({ name: "orders" }), world.run());
        await expect(again).rejects.toThrow(TwinError);
        await expect(again).rejects.toThrow(`(${id}, made 2 min`);
        await expect(again).rejects.toThrow(`existingId: "${id}"`);
        expect(world.emulator.snapshot().counts.services.made).toBe(1);
    });

    it("of a replacement does not take the one that it replaces for a stranger", async () => {
        const world = await simulate();
        const { id } = await Service.create(inputs({ name: "orders" }), world.run());
        await Service.create(inputs({ name: "orders", regionCode: "eu-west-1" }), world.run({ replacing: id }));
        expect(world.emulator.snapshot().services).toHaveLength(2);
    });

    it.each(["createService", "createVpc", "createPeering", "createReplicaSet"])(
        "whose answer to %s is lost finds what was made and uses it",
        async (operation) => {
            const fault = faults({ durations: { notFoundAfterCreate: 2_000 } });
            const world = await simulate(fault.options);
            fault.at(operation, loseAnswer, 1);
            const net = await Vpc.create(
                { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" },
                world.run(),
            );
            const peer = { peerAccountId: "1", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
            await Peering.create({ projectId, __urn: urn("peer"), vpcId: net.id, ...peer }, world.run());
            const db = await Service.create(inputs({ password: "a-password" }), world.run());
            await ReadReplicaSet.create(
                { projectId, __urn: urn("set"), serviceId: db.id, nodes: 1, cpuMillis: 500, memoryGbs: 2 },
                world.run(),
            );
            const { counts } = world.emulator.snapshot();
            expect(Object.values(counts).map(({ made }) => made)).toEqual([1, 1, 1, 1]);
            expect(world.told).toEqual([expect.stringContaining("was found and is used")]);
        },
    );

    it("that was not carried out and got no answer fails after it has looked", async () => {
        const fault = faults();
        const world = await simulate(fault.options);
        fault.at("createService", () => Promise.resolve({ status: 502, headers: {}, body: "" }));
        await expect(Service.create(inputs(), world.run())).rejects.toThrow("createService was answered 502");
        expect(world.emulator.snapshot().counts.services.made).toBe(0);
    });

    it("of a read replica set waits until its service runs", async () => {
        const world = await simulate();
        const parent = await world.client.createService(projectId, { name: "parent" });
        const { state } = await ReadReplicaSet.create(
            { projectId, __urn: urn("set"), serviceId: parent.service_id, nodes: 1, cpuMillis: 500, memoryGbs: 2 },
            world.run(),
        );
        expect(state).toMatchObject({ status: "active", nodes: 1 });
    });

    it("of a peering that fails says why and keeps it", async () => {
        const world = await simulate({ peerings: { fail: "the other side said no" } });
        const net = await Vpc.create(
            { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" },
            world.run(),
        );
        const failed = await failure(
            Peering.create(
                {
                    projectId,
                    __urn: urn("peer"),
                    vpcId: net.id,
                    peerAccountId: "1",
                    peerRegionCode: "us-east-1",
                    peerVpcId: "vpc-1",
                },
                world.run(),
            ),
        );
        expect(failed.message).toContain("the other side said no");
        expect(failed.id).toMatch(/^\d+\/\d+$/);
        expect(failed.state).toMatchObject({ errorMessage: "the other side said no" });
    });

    it("of a peering says what the other side has to do, or returns when there is something to accept", async () => {
        const world = await simulate({ peerings: "acceptance" });
        const net = await Vpc.create(
            { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" },
            world.run(),
        );
        const peer = {
            projectId,
            __urn: urn("peer"),
            vpcId: net.id,
            peerAccountId: "123",
            peerRegionCode: "us-east-1",
            peerVpcId: "vpc-1",
        };
        const { id, state } = await Peering.create({ ...peer, waitFor: "provisioned" }, world.run());
        expect(state.provisionedId).toBeDefined();
        await failure(Peering.update(id, state, peer, world.run({ timeMs: 5_000 })));
        expect(world.said.join("\n")).toContain(`waiting for account 123 to accept ${state.provisionedId ?? ""}`);

        const activation = { projectId, __urn: urn("active"), vpcId: net.id, peeringId: state.peeringId };
        world.emulator.acceptPeering(state.peeringId);
        const active = await PeeringActivation.create(activation, world.run());
        expect(active.state).toMatchObject({ status: "active" });
        await PeeringActivation.remove(active.id, active.state, world.run());
        expect(world.emulator.snapshot().peerings).toHaveLength(1);
    });
});

describe("a fork", () => {
    it.each(["LAST_SNAPSHOT", "NOW", "PITR"] as const)(
        "by %s is made and brought to the declared state",
        async (strategy) => {
            const world = await simulate();
            const parent = await Service.create(inputs({ name: "parent", addons: ["time-series"] }), world.run());
            const targetTime = new Date(world.clock.now()).toISOString();
            world.clock.advance(60_000);
            const fork = { serviceId: parent.id, strategy, ...(strategy === "PITR" ? { targetTime } : {}) };
            const declared = inputs({
                name: "copy",
                fork,
                replicaCount: 1,
                environment: "PROD",
                cpuMillis: 1000,
                memoryGbs: 4,
            });
            const { state } = await Service.create(declared, world.run());
            expect(state).toMatchObject({
                forkedFrom: { serviceId: parent.id },
                replicaCount: 1,
                environment: "PROD",
                cpuMillis: 1000,
            });
            expect(state).toHaveProperty("initialPassword");
            expect(Service.describe(state, declared).lines).toEqual([]);
        },
    );
});

describe("an adoption", () => {
    it("leaves alone what the program leaves open, also once existingId is gone from it", async () => {
        const world = await simulate();
        const wild = await Service.create(
            inputs({ name: "wild", environment: "PROD", replicaCount: 1, connectionPooler: true }),
            world.run(),
        );
        world.changes();
        const { id, state } = await Service.create(
            inputs({ existingId: wild.id, cpuMillis: 1000, memoryGbs: 4 }),
            world.run(),
        );
        expect(id).toBe(wild.id);
        expect(operations(world)).toEqual(["resizeService"]);
        expect(state).toMatchObject({ name: "wild", environment: "PROD", replicaCount: 1, connectionPooler: true });
        const { plan } = Service.describe(state, inputs({ cpuMillis: 1000, memoryGbs: 4 }));
        expect(plan).toEqual({ replace: [], steps: [], remember: [] });
    });

    it.each([
        ["an id that is none", "zzzzzzzzzz", {}, "there is no such service"],
        ["another name", undefined, { name: "other" }, "cannot be renamed"],
        ["another region", undefined, { regionCode: "eu-west-1" }, "it is in us-east-1"],
        ["another type", undefined, { addons: ["ai"] }, "its type is POSTGRES"],
        [
            "no fork of that parent",
            undefined,
            { fork: { serviceId: "abc", strategy: "NOW" } },
            "it is not a fork of abc",
        ],
    ] as [string, string | undefined, ServiceInputs, string][])("refuses %s", async (_, existingId, change, text) => {
        const world = await simulate();
        const wild = await Service.create(inputs({ name: "wild" }), world.run());
        const adoption = Service.create(inputs({ existingId: existingId ?? wild.id, ...change }), world.run());
        await expect(adoption).rejects.toThrow(AdoptionError);
        await expect(adoption).rejects.toThrow(text);
    });

    it("refuses a service that is being deleted, and a replica set as a service", async () => {
        const world = await simulate();
        const wild = await Service.create(inputs({ name: "wild" }), world.run());
        const set = await ReadReplicaSet.create(
            { projectId, __urn: urn("set"), serviceId: wild.id, nodes: 1, cpuMillis: 500, memoryGbs: 2 },
            world.run(),
        );
        const [, setId = ""] = set.id.split("/");
        await expect(Service.create(inputs({ existingId: setId }), world.run())).rejects.toThrow(
            "a read replica set, not a service",
        );
        await ReadReplicaSet.remove(set.id, set.state, world.run());
        await world.client.deleteService(projectId, wild.id);
        await expect(Service.create(inputs({ existingId: wild.id }), world.run())).rejects.toThrow("being deleted");
    });

    it("takes a peering by its id alone or with its VPC, and refuses one in another VPC", async () => {
        const world = await simulate();
        const net = await Vpc.create(
            { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" },
            world.run(),
        );
        const peer = {
            projectId,
            __urn: urn("peer"),
            vpcId: net.id,
            peerAccountId: "1",
            peerRegionCode: "us-east-1",
            peerVpcId: "vpc-1",
        };
        const { id, state } = await Peering.create(peer, world.run());
        expect((await Peering.create({ ...peer, existingId: id }, world.run())).id).toBe(id);
        expect((await Peering.create({ ...peer, existingId: state.peeringId }, world.run())).id).toBe(id);
        await expect(Peering.create({ ...peer, vpcId: "99", existingId: id }, world.run())).rejects.toThrow(
            `it is in VPC ${net.id}`,
        );
    });
});

describe("a deletion", () => {
    it("waits for what is inside to leave", async () => {
        const world = await simulate();
        const net = await Vpc.create(
            { projectId, __urn: urn("net"), cidr: "10.0.0.0/16", regionCode: "us-east-1" },
            world.run(),
        );
        const db = await Service.create(inputs({ vpcId: net.id }), world.run());
        await world.client.deleteService(projectId, db.id);
        await Vpc.remove(net.id, net.state, world.run());
        expect(world.emulator.snapshot()).toMatchObject({ vpcs: [], services: [] });
    });

    it("of a protected service is refused with the way out", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(inputs({ deletionProtection: true }), world.run());
        await expect(Service.remove(id, state, world.run())).rejects.toThrow(ProtectedError);
        expect(world.emulator.snapshot().services).toHaveLength(1);
    });

    it("goes on with one that was begun, and is content with what is gone already", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(inputs(), world.run());
        await world.client.deleteService(projectId, id);
        await Service.remove(id, state, world.run());
        await Service.remove(id, state, world.run());
        expect(world.emulator.snapshot().counts.services).toEqual({ made: 1, removed: 1 });
    });
});

describe("a read", () => {
    it("shows what was changed behind the back, and the next plan puts back just that", async () => {
        const world = await simulate();
        const declared = inputs({ replicaCount: 1 });
        const { id, state } = await Service.create(declared, world.run());
        world.emulator.updateService(id, { environment: "PROD", replicaCount: 0 });
        const seen = await Service.read(id, state, world.run());
        expect(seen?.inputs).toEqual({ ...declared, replicaCount: 0, environment: "PROD" });
        expect(Service.describe(seen?.state, declared).lines).toEqual([
            "high availability none -> 1 replica",
            "environment PROD -> DEV",
        ]);
    });

    it("of something gone, of its parent gone, or on its way out, is nothing", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(inputs(), world.run());
        const set = await ReadReplicaSet.create(
            { projectId, __urn: urn("set"), serviceId: id, nodes: 1, cpuMillis: 500, memoryGbs: 2 },
            world.run(),
        );
        world.emulator.deleteReplicaSet(set.id.split("/")[1] ?? "");
        await world.client.deleteService(projectId, id).catch(() => undefined);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        world.emulator.deleteService(id);
        expect(await Service.read(id, state, world.run())).toBeUndefined();
        expect(await ReadReplicaSet.read(set.id, set.state, world.run())).toBeUndefined();
    });
});
