import type { Interceptor } from "../../../emulator";
import { lifecycles } from "../../support/lifecycles";
import { partsOf } from "../../../provider/api/callErrors";
import { labelsOf, network, replicaSet, respond, service, timed, withWay } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service, Vpc } = lifecycles;
const [second, minute] = [1_000, 60_000];

const reason = "the network cannot be reached";
const serverError = respond(500, JSON.stringify({ code: "INTERNAL", message: `${reason}.` }));

/** A service, and its attachment to a VPC. */
async function start() {
    const parts = await withService(service(), { durations: { create: 10 * second } });
    const { world } = parts;
    const { id: vpcId } = await Vpc.create(network, world.run());
    world.statusLines.length = 0;
    world.emulator.clearJournal();
    /** The number of requests of an operation. */
    const sent = (operation: string) =>
        world.emulator.journal().filter(({ operationId }) => operationId === operation).length;
    return { ...parts, sent, attached: service({ regionCode: "us-east-1", vpcId }) };
}

type Parts = Awaited<ReturnType<typeof start>>;

/** What can answer a change instead of the API: a firewall, an expired single sign-on. */
const pages = {
    "a page": respond(200, "<html><head><title>\nSign in to Example </title></head></html>"),
    "a redirect": (() =>
        Promise.resolve({ status: 302, headers: { location: "/login?secret=1" }, body: "" })) as Interceptor,
    "a page of a firewall": respond(400, "<html><title>Sign in to Example</title></html>"),
};

describe("a change that is answered with an error each time ends after about three minutes:", () => {
    const changes: Readonly<Record<string, readonly [string, (parts: Parts) => Promise<unknown>]>> = {
        "the second step of a creation": [
            "attachToVPC",
            ({ attached, world }) => Service.create({ ...attached, name: "second" }, world.run()),
        ],
        "a step of an update": ["attachToVPC", ({ attached, update }) => update(attached)],
        "a deletion": ["deleteService", ({ world, id, state }) => Service.delete(id, state, world.run())],
    };

    const cases = Object.entries(changes).flatMap(([what, change]) => [
        [what, "an error of the API", serverError, ["Resume"], reason, change] as const,
        ...Object.entries(pages).map(
            ([page, answer]) =>
                [what, page, answer, ["Network", "Address", "Resume"], "invalid response", change] as const,
        ),
    ]);

    it.each(cases)("%s, with %s", async (_, page, answer, ways, inStatus, [operation, change]) => {
        const parts = await start();
        const { world, sent } = parts;
        world.fault.at(operation, answer);
        const { error, tookMs } = await timed(world, () => change(parts));
        expect(sent(operation)).toBeLessThanOrEqual(15);
        expect(sent(operation)).toBeGreaterThan(10);
        expect(tookMs).toBeGreaterThan(2.5 * minute);
        expect(tookMs).toBeLessThan(4 * minute);
        expect(labelsOf(error)).toEqual(ways);
        expect(partsOf(error).what).toContain("15 attempts");
        expect(partsOf(error).what).toContain(
            page === "a redirect" ? "/login" : page === "an error of the API" ? reason : "Sign in to Example",
        );
        expect(partsOf(error).what).not.toContain("secret");
        expect(world.statusLines.find((line) => line.includes(operation))).toContain(inStatus);
        // A pipeline prints each line.
        expect(world.statusLines.length).toBeLessThan(30);
    });

    it("also if the service is busy after each error, and if the message is another one each time", async () => {
        const { world, id, attached, fails, sent } = await start();
        world.fault.at("attachToVPC", (...args) => {
            world.emulator.setServiceStatus(id, "CONFIGURING", 5 * second);
            return respond(500, `{"code":"INTERNAL","message":"error ${sent("attachToVPC")}"}`)(...args);
        });
        const error = await fails(attached);
        expect(sent("attachToVPC")).toBeLessThanOrEqual(15);
        expect(partsOf(error).what).toContain("15 attempts");
    });
});

test("a change succeeds if the API reports its own error for a minute", async () => {
    const { world, attached, update, sent } = await start();
    const until = world.clock.now() + minute;
    const failing: Interceptor = (exchange, carryOut) =>
        world.clock.now() < until ? serverError(exchange, carryOut) : carryOut();
    world.fault.at("attachToVPC", failing);
    await update(attached);
    expect(sent("attachToVPC")).toBeLessThan(9);
});

test.each([
    ["failed with 502", "502,body=html"],
    ["got no response", "reset-before"],
])("an outage, in which the API does not respond itself, lasts until the time limit (%s)", async (says, outage) => {
    const { world, attached, fails } = await start();
    world.emulator.addFaults([`attachToVPC#1+:${outage}`]);
    const beganAt = world.clock.now();
    const { cause } = await fails(attached, { timeMs: 10 * minute });
    expect(world.clock.now() - beganAt).toBeGreaterThanOrEqual(10 * minute);
    expect(String(cause)).toContain("timed out after");
    expect(world.statusLines.some((line) => line.includes(`attachToVPC ${says}, `))).toBe(true);
});

test("a creation that the API answers with an error of its own is looked for, is not sent again, and shows the error", async () => {
    const { world, id, sent } = await start();
    world.fault.at("createReplicaSet", serverError);
    const { error } = await timed(world, () => ReadReplicaSet.create(replicaSet(id), world.run()));
    expect(sent("createReplicaSet")).toBe(1);
    expect(error).toMatchObject({ ...withWay("Find out"), cause: { status: 500 } });
    expect(world.statusLines.some((line) => line.includes("createReplicaSet") && line.includes(reason))).toBe(true);
});
