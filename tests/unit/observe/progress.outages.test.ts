import type { AxiosAdapter } from "axios";
import type { Interceptor } from "../../../emulator";
import { InvalidResponseError, ConnectionError, ApiError, DeadlineError } from "../../../provider/api/errors";
import type { CallFailure } from "../../../provider/api/errors";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { lifecycles } from "../../support/lifecycles";
import { retryReporter } from "../../../provider/observe/progress";
import { sessionWith } from "../../support/sessions";
import { TestClock } from "../../support/virtualClock";
import { failureOf, someCall } from "../../support/client";
import { failure, projectId, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

const respond =
    (status: number, headers: Record<string, string> = {}): Interceptor =>
    () =>
        Promise.resolve({ status, headers, body: "" });

describe("refreshes", () => {
    /** How long a read is retried while the API returns 503, in minutes. */
    async function minutesOf(state: object): Promise<number> {
        const clock = TestClock.automatic();
        const adapter: AxiosAdapter = (config) =>
            Promise.resolve({ data: "", status: 503, statusText: "", headers: {}, config });
        const session = sessionWith({ clock, adapter });
        const beganAt = clock.now();
        const read = new DynamicProvider(Service.resource, session).read("service001", { projectId, ...state });
        expect((await failureOf(read, DeadlineError)).cause).toMatchObject({ status: 503 });
        return (clock.now() - beganAt) / 60_000;
    }

    it("a refresh survives a restart of the API, and fails after five minutes", async () => {
        const minutes = await minutesOf({});
        expect(minutes).toBeGreaterThan(4.5);
        expect(minutes).toBeLessThanOrEqual(5);
    });

    it("a refresh fails sooner if an update has less time", async () => {
        expect(await minutesOf({ __timeouts: { update: "1m" } })).toBeLessThanOrEqual(1);
    });
});

describe("status lines of failing calls", () => {
    it("the status line reports a retried call soon, and then less and less often, until the resource times out", async () => {
        const { world, id, state } = await withService();
        world.fault.at("getService", respond(503));
        const run = world.run({ timeMs: 600_000 });
        const failed = await failure(Service.update(id, state, service({ environment: "PROD" }), run));
        expect(failed.message).toContain("getService: 503");
        expect(world.statusLines[0]).toBe("getService failed with 503, retrying (1.3 s of 10 min)");
        expect(world.statusLines[1]).toBe("getService failed with 503, retrying (9.6 s of 10 min)");
        expect(world.statusLines.at(-1)).toMatch(
            /^getService failed with 503, retrying \([7-9] min( \d+ s)? of 10 min\)$/,
        );
        expect(world.statusLines.length).toBeLessThan(25);
    });

    it("the status line does not report a call that succeeds after short retries", async () => {
        const { world, id, state } = await withService();
        world.fault.at("getService", respond(503), 2);
        await Service.update(id, state, service(), world.run());
        expect(world.statusLines).toEqual([""]);
    });

    it("the status line reports at once that the API requested a long pause", async () => {
        const { world, id, state } = await withService();
        world.fault.at("getService", respond(429, { "retry-after": "1800" }), 1);
        await Service.update(id, state, service(), world.run());
        expect(world.statusLines[0]).toBe("getService failed with 429, retrying in 30 min (0 s of 1 h)");
    });

    it.each<{ failure: CallFailure; says: string }>([
        {
            failure: new ApiError(someCall, 502, "CODE", "words of the API.", undefined),
            says: "getService failed with 502 (words of the API), retrying (0 s of 1 h)",
        },
        {
            failure: new ConnectionError(someCall, "ECONNRESET", "unknown"),
            says: "getService got no response, retrying (0 s of 1 h)",
        },
        {
            failure: new InvalidResponseError(someCall, 200, "HTML instead of JSON"),
            says: "getService got an invalid response, retrying (0 s of 1 h)",
        },
    ])("the status line contains the status and the message of the API: $says", async ({ failure, says }) => {
        const { statusLines, run } = await simulate();
        retryReporter(run())({ failure, failingMs: 5_000, pauseMs: 5_000 });
        expect(statusLines).toEqual([says]);
    });

    it("the status line reports at once that a call fails in another way", async () => {
        const { statusLines, run } = await simulate();
        const report = retryReporter(run());
        for (const [index, status] of [503, 503, 500, 500].entries()) {
            // The message of the API may be different each time.
            const failure = new ApiError(someCall, status, "CODE", `error ${index}`, 0);
            report({ failure, failingMs: 5_000, pauseMs: 5_000 });
        }
        expect(statusLines).toHaveLength(2);
    });
});
