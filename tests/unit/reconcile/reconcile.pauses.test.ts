import { lifecycles } from "../../support/lifecycles";
import { network, peering, projectId, service, timed } from "../../support/fixtures";
import { longestListLagMs } from "../../../provider/api/settings";
import { managing, type RunParts } from "../../support/provider";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service, Vpc, Peering } = lifecycles;
const [second, minute] = [1_000, 60_000];
const large = service({ cpuMillis: 4000, memoryGbs: 16 });

type Parts = Awaited<ReturnType<typeof withService>>;

const changes: Readonly<Record<string, readonly [string, (parts: Parts) => Promise<unknown>]>> = {
    "a resize": ["resizeService", ({ update }) => update(large)],
    "a password": ["updatePassword", ({ update }) => update(service({ password: "new-password" }))],
    "a deletion": ["deleteService", ({ world, id, state }) => Service.delete(id, state, world.run())],
};

/** The error, the duration and the number of requests of a change that the API answers so each time, or the first times. */
async function withAnswer([operation, change]: readonly [string, (parts: Parts) => Promise<unknown>], fault: string) {
    const parts = await withService();
    parts.world.emulator.addFaults([`${operation}${fault}`]);
    const found = await timed(parts.world, () => change(parts));
    const sent = parts.world.emulator.journal().filter(({ operationId }) => operationId === operation);
    return { ...found, requests: sent.length, sentAt: sent.map(({ at }) => at) };
}

describe.each(Object.entries(changes))("%s", (_, change) => {
    it("that the API rejects with Retry-After: 0 is repeated with the pauses of the rule, and ends", async () => {
        const { error, requests, tookMs } = await withAnswer(change, "#1+:409,retryAfterMs=0");
        expect(error).toBeDefined();
        expect(requests).toBeLessThan(25);
        expect(tookMs).toBeLessThanOrEqual(6 * minute);
    });

    it.each([60, 600])(
        "is sent again after a Retry-After of %d s, however long the rule repeats it",
        async (seconds) => {
            const { error, requests, sentAt } = await withAnswer(change, `:409,retryAfterMs=${seconds * second}`);
            expect(error).toBeUndefined();
            expect(requests).toBe(2);
            const pauseMs = Number(sentAt[1]) - Number(sentAt[0]);
            expect(pauseMs).toBeGreaterThanOrEqual(seconds * second);
            expect(pauseMs).toBeLessThan(seconds * second + 2 * second);
        },
    );

    it("waits for a Retry-After of an error of the API, too", async () => {
        const { error, sentAt } = await withAnswer(change, ":503,retryAfterMs=90000");
        expect(error).toBeUndefined();
        expect(Number(sentAt[1]) - Number(sentAt[0])).toBeGreaterThanOrEqual(90 * second);
    });
});

it("a pause that the API asks for ends at the time limit", async () => {
    const { world, fails } = await withService();
    world.emulator.addFaults(["resizeService#1+:409,retryAfterMs=600000"]);
    const beganAt = world.clock.now();
    await fails(large, { timeMs: 2 * minute });
    expect(world.clock.now() - beganAt).toBe(2 * minute);
});

it("only the pauses of the rule count against its limit, and a last request follows", async () => {
    const deletion = ({ world, id, state }: Parts) => Service.delete(id, state, world.run());
    const { requests, tookMs } = await withAnswer(["deleteService", deletion], "#1+:409,retryAfterMs=60000");
    // 1, 5, 15, 15 and 4 s of 40 s.
    expect(requests).toBe(6);
    expect(tookMs).toBeGreaterThanOrEqual(5 * minute);
    expect(tookMs).toBeLessThan(5.5 * minute);
});

describe("a 404 to what refers to a VPC", () => {
    /** Another resource of the program has made the VPC in this run or in an earlier one. */
    const run = (id: string, isNew: boolean): RunParts => ({
        others: [{ urn: "urn::vpc", ...managing({ type: "Vpc", projectId, id }, isNew) }],
    });

    type Refer = (world: Simulation, vpcId: string, parts: RunParts) => Promise<() => Promise<unknown>>;
    const references: Readonly<Record<string, readonly [string, Refer]>> = {
        "a peering": [
            "createPeering",
            (world, vpcId, parts) => Promise.resolve(() => Peering.create(peering(vpcId), world.run(parts))),
        ],
        "an attach": [
            "attachToVPC",
            async (world, vpcId, parts) => {
                const declared = service({ regionCode: "us-east-1" });
                const { id, state } = await Service.create(declared, world.run());
                return () => Service.update(id, state, { ...declared, vpcId }, world.run(parts));
            },
        ],
    };

    async function start([operation, refer]: readonly [string, Refer], isNew: boolean, fault: string) {
        const world = await simulate();
        const { id: vpcId } = await Vpc.create(network, world.run());
        const work = await refer(world, vpcId, run(vpcId, isNew));
        world.emulator.clearJournal();
        world.emulator.addFaults([`${operation}${fault}`]);
        const found = await timed(world, work);
        const sent = world.emulator.journal().filter(({ operationId }) => operationId === operation).length;
        return { ...found, sent };
    }

    describe.each(Object.entries(references))("%s", (_, reference) => {
        it("is repeated if this run has created the VPC", async () => {
            const { error, sent } = await start(reference, true, "#1x3:404");
            expect(error).toBeUndefined();
            expect(sent).toBe(4);
        });

        it("is final once a new one must be visible", async () => {
            const { error, tookMs, sent } = await start(reference, true, "#1+:404");
            expect(error?.message).toContain("404");
            expect(sent).toBe(5);
            expect(tookMs).toBeGreaterThanOrEqual(longestListLagMs);
            expect(tookMs).toBeLessThan(longestListLagMs + 5 * second);
        });

        it("is final if an earlier run has created the VPC", async () => {
            const { error, sent } = await start(reference, false, "#1+:404");
            expect(error?.message).toContain("404");
            expect(sent).toBe(1);
        });
    });
});
