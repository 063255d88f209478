import type { Interceptor } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { partsOf } from "../../../provider/api/callErrors";
import { WaitTimeoutError } from "../../../provider/observe/wait";
import {
    failure,
    labelsOf,
    network,
    operations,
    replicaSet,
    respond,
    service,
    timed,
    withWay,
} from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";

const { ReadReplicaSet, Service, Vpc } = lifecycles;
const [second, minute] = [1_000, 60_000];

const reason = "the network cannot be reached";
const serverError = respond(500, JSON.stringify({ code: "INTERNAL", message: `${reason}.` }));

/** The number of requests of an operation. */
const sent = ({ emulator }: Simulation, operation: string) =>
    emulator.journal().filter(({ operationId }) => operationId === operation).length;

/** Work that fails while an operation has a fault. */
async function failing(world: Simulation, operation: string, fault: Interceptor, work: () => Promise<unknown>) {
    world.fault.at(operation, fault);
    world.emulator.clearJournal();
    world.statusLines.length = 0;
    const { error = new Error("it succeeded"), tookMs } = await timed(world, work);
    world.fault.over();
    return { error, requests: sent(world, operation), tookMs };
}

/** A VPC, and a service that is not attached to it. */
async function start() {
    const world = await simulate({ durations: { create: 10 * second } });
    const { id: vpcId } = await Vpc.create(network, world.run());
    const { id, state } = await Service.create(service(), world.run());
    return { world, vpcId, id, state };
}

type Parts = Awaited<ReturnType<typeof start>>;

const attached = ({ vpcId }: Pick<Parts, "vpcId">) => service({ regionCode: "us-east-1", vpcId });

describe("a change that the API answers with an error of its own each time ends after about three minutes", () => {
    const changes: Readonly<Record<string, readonly [string, (parts: Parts) => Promise<unknown>]>> = {
        "the second step of a creation": [
            "attachToVPC",
            (parts) => Service.create({ ...attached(parts), name: "second" }, parts.world.run()),
        ],
        "a step of an update": [
            "attachToVPC",
            (parts) => Service.update(parts.id, parts.state, attached(parts), parts.world.run()),
        ],
        "a deletion": ["deleteService", ({ world, id, state }) => Service.delete(id, state, world.run())],
    };

    it.each(Object.entries(changes))("%s", async (_, [operation, change]) => {
        const parts = await start();
        const { error, requests, tookMs } = await failing(parts.world, operation, serverError, () => change(parts));
        expect(requests).toBeLessThanOrEqual(15);
        expect(requests).toBeGreaterThan(10);
        expect(tookMs).toBeGreaterThan(2.5 * minute);
        expect(tookMs).toBeLessThan(4 * minute);
        expect(labelsOf(error)).toEqual(["Resume"]);
        expect(partsOf(error).what).toContain("14");
        const line = parts.world.statusLines.find((one) => one.includes(operation));
        expect(line).toContain(reason);
        // A pipeline prints each line.
        expect(parts.world.statusLines.length).toBeLessThan(30);
    });

    it("the state has the service, and the next run completes the creation", async () => {
        const parts = await start();
        const { world } = parts;
        const declared = { ...attached(parts), name: "second" };
        const creation = () => Service.create(declared, world.run());
        const { error } = await failing(world, "attachToVPC", serverError, creation);
        const { id, state } = await failure(Promise.reject(error));
        expect(world.emulator.snapshot().services.map(({ service_id }) => service_id)).toContain(id);
        world.changes();
        await Service.update(id, state as never, declared, world.run());
        expect(operations(world)).toEqual(["attachToVPC"]);
    });

    it("a service that is busy after each error does not reset the time", async () => {
        const parts = await start();
        const { world, id } = parts;
        const busy: Interceptor = (...args) => {
            world.emulator.setServiceStatus(id, "CONFIGURING", 5 * second);
            return serverError(...args);
        };
        const update = () => Service.update(id, parts.state, attached(parts), world.run());
        const { requests } = await failing(world, "attachToVPC", busy, update);
        expect(requests).toBeLessThanOrEqual(15);
    });

    it("a different message each time counts as the same status", async () => {
        const parts = await start();
        const { world, id } = parts;
        let count = 0;
        const numbered: Interceptor = (...args) =>
            respond(500, `{"code":"INTERNAL","message":"error ${(count += 1)}"}`)(...args);
        const update = () => Service.update(id, parts.state, attached(parts), world.run());
        const { error } = await failing(world, "attachToVPC", numbered, update);
        expect(partsOf(error).what).toContain("14");
        expect(world.statusLines.length).toBeLessThan(12);
    });
});

test("a change succeeds if the API reports its own error for a minute", async () => {
    const parts = await start();
    const { world, id } = parts;
    const until = world.clock.now() + minute;
    world.fault.at("attachToVPC", (exchange, carryOut) =>
        world.clock.now() < until ? serverError(exchange, carryOut) : carryOut(),
    );
    await Service.update(id, parts.state, attached(parts), world.run());
    expect(sent(world, "attachToVPC")).toBeLessThan(9);
});

test.each([
    ["failed with 502", "502,body=html"],
    ["got no response", "reset-before"],
])("an outage, in which the API does not respond itself, lasts until the time limit (%s)", async (says, outage) => {
    const { world, ...parts } = await start();
    world.emulator.addFaults([`attachToVPC#1+:${outage}`]);
    const beganAt = world.clock.now();
    const run = world.run({ timeMs: 10 * minute });
    const { cause } = await failure(Service.update(parts.id, parts.state, attached(parts), run));
    expect(world.clock.now() - beganAt).toBeGreaterThanOrEqual(10 * minute);
    expect(cause).toBeInstanceOf(WaitTimeoutError);
    expect(world.statusLines.some((line) => line.includes(`attachToVPC ${says}, `))).toBe(true);
});

test("a creation that the API answers with an error of its own is looked for, is not sent again, and shows the error", async () => {
    const { world, id } = await start();
    const creation = () => ReadReplicaSet.create(replicaSet(id), world.run());
    const { error, requests } = await failing(world, "createReplicaSet", serverError, creation);
    expect(requests).toBe(1);
    expect(error).toMatchObject({ ...withWay("Find out"), failure: { status: 500 } });
    expect(world.statusLines.some((line) => line.includes("createReplicaSet") && line.includes(reason))).toBe(true);
});
