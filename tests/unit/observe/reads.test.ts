import { InvalidResponseError } from "../../../provider/api/errors";
import { lifecycles } from "../../support/lifecycles";
import { call, network, operations, peering, replicaSet, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Peering, ReadReplicaSet, Service, Vpc } = lifecycles;

/** The API describes another object in this call. */
const confuse = (world: Simulation, operation: string) => {
    world.emulator.addFaults([`${operation}:otherObject`]);
};

/** A service that is not listed yet, so that its id is not known before a creation. */
async function unlisted(world: Simulation, name: string) {
    const { service_id: id } = await call(world, "createService", {}, { name });
    world.clock.advance(3_600_000);
    return id;
}

describe("a creation whose response describes another object", () => {
    it.each(["with an older service", "without another service"])(
        "a creation of a service %s manages the new service, with a password that it accepts",
        async (which) => {
            const world = await simulate();
            if (which === "with an older service") {
                await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
            }
            confuse(world, "createService");
            const { id, state } = await Service.create(service(), world.run());
            const created = world.emulator.snapshot().services.at(-1);
            expect(id).toBe(created?.service_id);
            expect(state).toMatchObject({ name: created?.name });
            const { initialPassword = "" } = state as { initialPassword?: string };
            expect(world.emulator.passwordMatches(id, initialPassword)).toBe(true);
        },
    );

    it("a fork manages the new service, and not the parent", async () => {
        const world = await simulate();
        const parent = await Service.create(service({ name: "parent" }), world.run());
        confuse(world, "forkService");
        const fork = { serviceId: parent.id, strategy: "NOW" } as const;
        const { id, state } = await Service.create({ ...service({ fork }), __urn: "urn:copy" }, world.run());
        expect(id).toBe(world.emulator.snapshot().services.at(-1)?.service_id);
        expect(state).toMatchObject({ forkedFrom: { serviceId: parent.id } });
    });

    it("a creation of another kind finds the new object, or names it in the error", async () => {
        const world = await simulate();
        const outcomeOf = (work: Promise<{ readonly id: string }>) =>
            work.then(
                ({ id }) => id,
                (error: unknown) => String(error),
            );
        await Vpc.create({ ...network, __urn: "urn:other", cidr: "10.9.0.0/16" }, world.run());
        confuse(world, "createVpc");
        const vpcOutcome = await outcomeOf(Vpc.create(network, world.run()));
        const [, net] = world.emulator.snapshot().vpcs;
        expect(vpcOutcome).toContain(net?.id);

        confuse(world, "createPeering");
        const peeringOutcome = await outcomeOf(Peering.create(peering(net?.id ?? ""), world.run()));
        expect(peeringOutcome).toContain(world.emulator.snapshot().peerings[0]?.id);

        const db = await Service.create(service(), world.run());
        await ReadReplicaSet.create({ ...replicaSet(db.id), __urn: "urn:other" }, world.run());
        confuse(world, "createReplicaSet");
        const setOutcome = await outcomeOf(ReadReplicaSet.create(replicaSet(db.id), world.run()));
        expect(setOutcome).toContain(world.emulator.snapshot().services[0]?.read_replica_sets?.[1]?.id);
    });

    it.each([
        ["existed before", { name: "older" }, /describes \w+, which existed before the request/],
        ["has another name", { name: "invented" }, /describes \w+, which has the name "invented", not "orders"/],
        ["is in another region", { region_code: "mars-1" }, /describes \w+, which has the regionCode "mars-1", not/],
        ["is older", { created: "2001-01-01T00:00:00Z" }, /describes \w+, which was created before the request/],
        [
            "is a fork",
            { forked_from: { is_standby: false, service_id: "abc" } },
            /describes \w+, which is a fork of abc/,
        ],
    ])(
        "a creation fails if the response describes an object that %s, and nothing was created",
        async (which, change, message) => {
            const world = await simulate();
            const older = await unlisted(world, "older");
            world.fault.at("createService", async (exchange) => {
                const request = JSON.parse(exchange.request.body ?? "") as object;
                const [listed] = world.emulator.snapshot().services;
                const created = new Date(world.clock.now()).toISOString();
                const id = which === "existed before" ? older : "new0000000";
                const body = JSON.stringify({ ...listed, created, ...request, service_id: id, ...change });
                return Promise.resolve({ status: 202, headers: {}, body });
            });
            const declared = service({ name: "orders", regionCode: "us-east-1" });
            const error: unknown = await Service.create(declared, world.run()).catch((caught: unknown) => caught);
            expect((error as Error).cause).toBeInstanceOf(InvalidResponseError);
            expect((error as Error).message).toMatch(message);
        },
    );

    it("the response to a creation is accepted if the clocks of the API differ by seconds", async () => {
        const world = await simulate();
        world.fault.at("createService", async (_, carryOut) => {
            const response = await carryOut();
            const body = JSON.parse(response.body) as { created: string };
            const created = new Date(Date.parse(body.created) - 3_000).toISOString();
            return { ...response, body: JSON.stringify({ ...body, created }) };
        });
        await Service.create(service(), world.run());
        expect(operations(world)).toEqual(["createService"]);
    });
});

describe("a read whose response describes another object", () => {
    it("a read is repeated, and the other object is never stored", async () => {
        const world = await simulate();
        await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
        const net = await Vpc.create(network, world.run());
        const { id, state } = await Service.create(service(), world.run());
        world.emulator.addFaults(["getService#1x2:otherObject", "getVpc:otherObject"]);
        expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ serviceId: id, name: state.name });
        expect((await Vpc.read(net.id, net.state, world.run()))?.state).toMatchObject({ vpcId: net.id });
    });

    it("a read fails if each response describes another object", async () => {
        const { world, id, state } = await withService();
        world.emulator.addFaults(["getService#1+:otherObject"]);
        await expect(Service.read(id, state, world.run())).rejects.toThrow(`it describes "invented00", not "${id}"`);
    });

    it("a wait ignores the responses that describe another object", async () => {
        const world = await simulate();
        await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
        world.emulator.addFaults(["getService#1x3:otherObject"]);
        const { id, state } = await Service.create(service(), world.run());
        expect(state).toMatchObject({ serviceId: id, status: "READY" });
    });
});

describe("a null list", () => {
    it("a list that is null blocks no creation of any kind", async () => {
        const world = await simulate({ faults: ["GET#1+:nullList"] });
        const net = await Vpc.create(network, world.run());
        await Peering.create(peering(net.id), world.run());
        const db = await Service.create(service(), world.run());
        await ReadReplicaSet.create(replicaSet(db.id), world.run());
        expect(world.warnings).toEqual([]);
    });
});
