import { ApiError, ConnectionError, InvalidResponseError, type CallError } from "../../../provider/api/callErrors";
import { callOptions } from "../../../provider/observe/progress";
import { someCall } from "../../support/client";
import { lifecycles } from "../../support/lifecycles";
import { respond, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

/** The steps that status lines name, in order. */
function stepsIn(lines: readonly string[]): string[] {
    const steps = lines.flatMap((line) => /step \d+ of \d+|^\d+\/\d+/.exec(line) ?? []);
    return steps.filter((step, index) => step !== steps[index - 1]);
}

const declared = service({ connectionPooler: true, replicaCount: 2, syncReplicaCount: 1, paused: true });

it("the steps of a run have the numbers of the preview, with the creation as the first step", async () => {
    const world = await simulate();
    const lines = Service.describeCreation(declared);
    expect(lines).toHaveLength(4);
    await Service.create(declared, world.run());
    expect(stepsIn(world.statusLines)).toEqual(["step 1 of 4", "step 2 of 4", "step 3 of 4", "step 4 of 4"]);
    expect(world.statusLines).toContainEqual(`step 1 of 4: ${lines[0] ?? ""}`);
    expect(world.statusLines).toContainEqual(`step 2 of 4: ${lines[1] ?? ""}`);
});

it("the steps of an update have the numbers of the preview, with the first change as the first step", async () => {
    const { world, update } = await withService();
    await update(declared);
    expect(stepsIn(world.statusLines)).toEqual(["1/3", "2/3", "3/3"]);
});

it("the status line reports a retried call soon, and then less and less often, until the resource times out", async () => {
    const { world, fails } = await withService();
    world.fault.at("getService", respond(503));
    await fails(service({ environment: "PROD" }), { timeMs: 600_000 });
    const [first, second, ...others] = world.statusLines;
    expect(first).toBe("getService failed with 503, retrying (1.3 s of 10 min)");
    expect(second).toBe("getService failed with 503, retrying (9.6 s of 10 min)");
    expect(others.at(-1)).toMatch(/^getService failed with 503, retrying \([7-9] min( \d+ s)? of 10 min\)$/);
    expect(others.length).toBeLessThan(23);
});

it.each([
    ["does not report a call that succeeds after short retries", respond(503), 2, ""],
    [
        "reports at once that the API requested a long pause",
        respond(429, "", { "retry-after": "1800" }),
        1,
        "getService failed with 429, retrying in 30 min (0 s of 1 h)",
    ],
])("the status line %s", async (_, act, times, line) => {
    const { world, update } = await withService();
    world.fault.at("getService", act, times);
    await update(service());
    expect(world.statusLines[0]).toBe(line);
});

it.each<[CallError, string]>([
    [new ApiError(someCall, 502, "CODE", "words of the API.", undefined), "failed with 502 (words of the API)"],
    [new ConnectionError(someCall, "ECONNRESET", "maybe"), "got no response"],
    [new InvalidResponseError(someCall, 200, "HTML instead of JSON"), "got an invalid response"],
])("the status line contains the status and the message of the API: %s, %s", async (failure, says) => {
    const { statusLines, run } = await simulate();
    callOptions(run()).onRetry?.({ failure, failingMs: 5_000, pauseMs: 5_000 });
    expect(statusLines).toEqual([`getService ${says}, retrying (0 s of 1 h)`]);
});

it("the status line reports at once that a call fails in another way", async () => {
    const { statusLines, run } = await simulate();
    const { onRetry } = callOptions(run());
    for (const [index, status] of [503, 503, 500, 500].entries()) {
        // The message of the API may be different each time.
        const failure = new ApiError(someCall, status, "CODE", `error ${index}`, 0);
        onRetry?.({ failure, failingMs: 5_000, pauseMs: 5_000 });
    }
    expect(statusLines).toHaveLength(2);
});

it("an update prints an unchanged status less and less often, with the time and the limit, and no permanent line", async () => {
    const { world, update } = await withService(service(), { durations: { resize: 30 * 60_000 } });
    await update(service({ cpuMillis: 1000, memoryGbs: 4 }));
    expect(world.statusLines.length).toBeLessThan(40);
    expect(world.statusLines.at(-3)).toMatch(/CONFIGURING, \d+ min( \d+ s)? of 1 h$/);
    expect(world.infos).toEqual([]);
});
