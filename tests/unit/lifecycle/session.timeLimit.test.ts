import { formatDuration } from "../../../provider/base/time";
import type { Interceptor } from "../../../emulator";
import { PartialFailure } from "../../../provider/lifecycle/errors";
import { lifecycles } from "../../support/lifecycles";
import { labelsOf, service, timed } from "../../support/fixtures";
import { simulateConcurrently } from "../../support/simulation";
import type { TestClock } from "../../support/virtualClock";

const { Service } = lifecycles;
const timeMs = 5_000;

/** A provider, and what intercepts its calls from now on. */
async function start() {
    const { clock, emulator, statusLines, provider } = await simulateConcurrently();
    return {
        clock,
        provider,
        statusLines,
        intercept: (effect: Interceptor) => emulator.addFaults([{ times: "all", effect }]),
        timed: (work: () => Promise<unknown>) => timed({ clock }, work),
    };
}

const never: Interceptor = () => new Promise(() => undefined);
const tooMany: Interceptor = () => Promise.resolve({ status: 429, headers: { "retry-after": "600" }, body: "" });

const slow =
    (clock: TestClock): Interceptor =>
    async (_, carryOut) => {
        const response = await carryOut();
        await clock.sleep(45_000);
        return response;
    };
/** An API that never answers reads, or never answers changes. */
const neverTo =
    (reads: boolean): Interceptor =>
    (exchange, carryOut) =>
        (exchange.request.method.toUpperCase() === "GET") === reads ? never(exchange, carryOut) : carryOut();

const servers: readonly (readonly [server: string, intercept: (clock: TestClock) => Interceptor])[] = [
    ["never answers", () => never],
    ["answers after 45 s", slow],
    ["asks for a pause of 10 minutes", () => tooMany],
    ["never answers a read", () => neverTo(true)],
    ["never answers a change", () => neverTo(false)],
];

describe("the time limit of an operation, if the API", () => {
    it.each(servers)("%s: every operation ends within its time limit and 5 s", async (server, intercept) => {
        const { clock, provider, timed, ...world } = await start();
        const { id, state } = await Service.create(service(), provider.run());
        world.intercept(intercept(clock));
        const run = () => provider.run({ timeMs });
        const inputs = service({ name: "other", environment: "PROD" });
        const read = await timed(() => Service.read(id, state, run()));
        const changes = [
            await timed(() => Service.create(inputs, run())),
            await timed(() => Service.update(id, state, service({ environment: "PROD" }), run())),
            await timed(() => Service.delete(id, state, run())),
        ];
        for (const { tookMs } of [read, ...changes]) {
            expect(tookMs).toBeLessThanOrEqual(timeMs + 5_000);
        }
        const [creation, ...others] = changes.map(({ error }) => labelsOf(error));
        for (const labels of others) {
            expect(labels.slice(-2)).toEqual(["Resume", "More time"]);
        }
        // That a service may exist is more important than the time limit.
        expect(creation).toEqual(
            expect.arrayContaining([server === "never answers a change" ? "Find out" : "More time"]),
        );
    });

    it("answers a creation after the time limit: the state has the id and the initial password", async () => {
        const { clock, provider, timed, intercept } = await start();
        intercept(async ({ operationId }, carryOut) => {
            const response = await carryOut();
            if (operationId === "createService") {
                await clock.sleep(timeMs + 2_000);
            }
            return response;
        });
        const { error, tookMs } = await timed(() => Service.create(service(), provider.run({ timeMs })));
        expect(error).toBeInstanceOf(PartialFailure);
        expect((error as PartialFailure).state).toMatchObject({ initialPassword: expect.any(String) as string });
        expect(String(error)).toContain("timed out after");
        expect(tookMs).toBeLessThanOrEqual(timeMs + 5_000);
    });

    it("limits requests: the status row shows it, and the error names the pause", async () => {
        const { provider, statusLines, timed, intercept } = await start();
        intercept(tooMany);
        const first = await timed(() => Service.create(service(), provider.run({ timeMs })));
        expect(first.error).toMatchObject({ cause: { pause: expect.stringContaining("600") as string } });
        expect(labelsOf(first.error)).toEqual(["Too many requests", "Resume"]);
        expect(first.tookMs).toBeLessThan(100);
        const second = await timed(() => Service.create(service(), provider.run({ timeMs })));
        expect(second.tookMs).toBe(timeMs);
        expect(String(second.error)).toContain(`time limit of ${formatDuration(timeMs)}`);
        expect(statusLines.join()).toContain("listServices");
    });
});
