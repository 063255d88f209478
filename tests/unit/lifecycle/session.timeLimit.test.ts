import type { Interceptor } from "../../../emulator";
import { WaitTimeoutError } from "../../../provider/observe/wait";
import { PartialFailure } from "../../../provider/lifecycle/errors";
import { lifecycles } from "../../support/lifecycles";
import { causesOf, labelsOf, service, timed } from "../../support/fixtures";
import { simulateConcurrently } from "../../support/simulation";
import type { TestClock } from "../../support/virtualClock";

const { Service } = lifecycles;
const timeMs = 5_000;

/** A provider whose calls are intercepted while `bad` is set. */
async function start(intercept: (clock: TestClock) => Interceptor) {
    const switched = { bad: false };
    const { clock, statusLines, provider } = await simulateConcurrently({
        intercept: (exchange, carryOut) => (switched.bad ? intercept(clock)(exchange, carryOut) : carryOut()),
    });
    const timedHere = (work: () => Promise<unknown>) => timed({ clock }, work);
    return { clock, provider, statusLines, switched, timed: timedHere };
}

const never: Interceptor = () => new Promise(() => undefined);
const tooMany: Interceptor = () => Promise.resolve({ status: 429, headers: { "retry-after": "600" }, body: "" });

const servers: readonly { server: string; intercept: (clock: TestClock) => Interceptor }[] = [
    { server: "never answers", intercept: () => never },
    {
        server: "answers after 45 s",
        intercept: (clock) => async (_, carryOut) => {
            const response = await carryOut();
            await clock.sleep(45_000);
            return response;
        },
    },
    { server: "asks for a pause of 10 minutes", intercept: () => tooMany },
    {
        server: "never answers a read",
        intercept: () => (exchange, carryOut) =>
            exchange.request.method.toUpperCase() === "GET" ? never(exchange, carryOut) : carryOut(),
    },
    {
        server: "never answers a change",
        intercept: () => (exchange, carryOut) =>
            exchange.request.method.toUpperCase() === "GET" ? carryOut() : never(exchange, carryOut),
    },
];

describe("the time limit of an operation, if the API", () => {
    it.each(servers)("$server: every operation ends within its time limit and 5 s", async ({ intercept }) => {
        const { provider, switched, timed } = await start(intercept);
        const { id, state } = await Service.create(service(), provider.run());
        switched.bad = true;
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
        for (const { error } of changes) {
            expect(labelsOf(error).slice(-2)).toEqual(["Resume", "More time"]);
        }
    });

    it("never answers: many operations that share requests end at their own time limits", async () => {
        const { clock, provider, switched, timed } = await start(() => never);
        await provider.client.call("listProjects", {}, {});
        switched.bad = true;
        const limits = [1_000, 5_000, 20_000, 70_000, 200_000];
        const ended = await Promise.all(
            limits.map((limitMs, index) =>
                timed(() => Service.create(service({ name: `service-${index}` }), provider.run({ timeMs: limitMs }))),
            ),
        );
        ended.forEach(({ tookMs }, index) => {
            expect(tookMs).toBeLessThanOrEqual((limits[index] ?? 0) + 5_000);
            expect(tookMs).toBeGreaterThan((limits[index] ?? 0) - 5_000);
        });
        expect(clock.sleeping).toBe(0);
    });

    it("answers a creation after the time limit: the state has the id and the initial password", async () => {
        const { provider, switched, timed } = await start((clock) => async ({ operationId }, carryOut) => {
            const response = await carryOut();
            if (operationId === "createService") {
                await clock.sleep(timeMs + 2_000);
            }
            return response;
        });
        switched.bad = true;
        const { error, tookMs } = await timed(() => Service.create(service(), provider.run({ timeMs })));
        expect(error).toBeInstanceOf(PartialFailure);
        expect((error as PartialFailure).state).toMatchObject({ initialPassword: expect.any(String) as string });
        expect(causesOf(error)).toContainEqual(expect.any(WaitTimeoutError));
        expect(tookMs).toBeLessThanOrEqual(timeMs + 5_000);
    });

    it("limits requests: the status row shows it, and the error names the pause", async () => {
        const { provider, statusLines, switched, timed } = await start(() => tooMany);
        switched.bad = true;
        const first = await timed(() => Service.create(service(), provider.run({ timeMs })));
        expect(first.error).toMatchObject({ cause: { pause: expect.stringContaining("600") as string } });
        expect(labelsOf(first.error)).toEqual(["Too many requests", "Resume"]);
        expect(first.tookMs).toBe(0);
        const second = await timed(() => Service.create(service(), provider.run({ timeMs })));
        expect(second.tookMs).toBe(timeMs);
        expect(statusLines.join()).toContain("listServices");
    });
});
