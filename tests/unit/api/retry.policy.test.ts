import { AxiosError, type AxiosAdapter } from "axios";
import type { Method } from "../../../provider/api/callAdvice";
import { Client } from "../../../provider/api/client";
import { ApiError, DeadlineError, InvalidResponseError } from "../../../provider/api/callErrors";
import { systemClock } from "../../../provider/api/clock";
import { Failures, maxPauseAfter, reactionTo, type Reaction } from "../../../provider/api/retry";
import { someCall, withToken } from "../../support/client";
import { fateOf, TestClock } from "../../support/virtualClock";

/** A response of the API or of a proxy, or a failure of the network. */
type Answer = { readonly status: number; readonly text?: string } | { readonly code: string; readonly syscall: string };

/** A response in the error format of the API. */
const refusal = (status: number): Answer => ({ status, text: '{"code":"NO","message":"no"}' });
const page = (status: number): Answer => ({ status, text: "<html>" });
const broken = (code: string, syscall: string): Answer => ({ code, syscall });

/**
 * A client that always receives the same answer, perhaps after a valid response. Returns what it does after the first
 * answer, when it sends the last request, and how it ends.
 */
async function react(method: Method, answer: Answer, isKnown: boolean) {
    const clock = new TestClock();
    const sentAt: number[] = [];
    let next: Answer = isKnown ? { status: 200, text: "[]" } : answer;
    const adapter: AxiosAdapter = (config) => {
        const current = next;
        next = answer;
        sentAt.push(clock.now());
        return "code" in current
            ? Promise.reject(AxiosError.from(Object.assign(new Error("broken"), current), undefined, config))
            : Promise.resolve({
                  data: current.text ?? "",
                  status: current.status,
                  statusText: "",
                  headers: {},
                  config,
              });
    };
    const client = new Client(withToken("http://127.0.0.1:9/v1"), { clock, adapter, random: () => 1 });
    const path = { project_id: "p" };
    if (isKnown) {
        await client.call("listVpcs", { path }, {});
        sentAt.length = 0;
    }
    const options = { deadlineAt: 120_000 };
    const calls: Readonly<Record<Method, () => Promise<unknown>>> = {
        GET: () => client.call("listVpcs", { path }, options),
        POST: () =>
            client.call("createVpc", { path, body: { name: "net", cidr: "10.0.0.0/16", region_code: "r" } }, options),
        DELETE: () => client.call("deleteVpc", { path: { ...path, vpc_id: "1" } }, options),
    };
    const fate = fateOf(calls[method]());
    await clock.advance(120_000);
    expect(clock.sleeping).toBe(0);
    const reaction: Reaction = sentAt.length > 1 ? "repeat" : reactionTo(fate.error);
    return { reaction, lastAt: sentAt.at(-1), ...fate };
}

const unprocessed = { GET: "repeat", POST: "repeat", DELETE: "repeat" } as const;
const lost = { GET: "repeat", POST: "readFirst", DELETE: "readFirst" } as const;
const final = { GET: "fail", POST: "fail", DELETE: "fail" } as const;

/** Answers with the same reaction to each method. The contract promises no body of a response to the DELETE. */
interface Row {
    readonly reason: string;
    readonly answers: readonly Answer[];
    readonly reactions: Readonly<Partial<Record<Method, Reaction>>>;
    /** How long requests are repeated, in seconds, if the address has returned a valid response before, and if not. */
    readonly limits?: { readonly known: number; readonly unknown: number };
}

const table: readonly Row[] = [
    {
        reason: "no process listens, and at an unknown address none may ever do",
        answers: [broken("ECONNREFUSED", "connect")],
        reactions: unprocessed,
        limits: { known: Infinity, unknown: 3 },
    },
    {
        reason: "the request did not reach the API, and an unknown address may be wrong",
        answers: [broken("ENOTFOUND", "getaddrinfo")],
        reactions: unprocessed,
        limits: { known: Infinity, unknown: 20 },
    },
    {
        reason: "the API may have processed the request, and an unknown address may be wrong",
        answers: [broken("ECONNRESET", "read")],
        reactions: lost,
        limits: { known: Infinity, unknown: 20 },
    },
    {
        reason: "the sender of the response is unknown, and an unknown address may be wrong",
        answers: [
            ...[200, 302, 307, 400, 401, 403, 404, 408, 501].map(page),
            { status: 404 },
            { status: 403, text: '{"message":"Forbidden"}' },
        ],
        reactions: lost,
        limits: { known: Infinity, unknown: 20 },
    },
    {
        reason: "the API may have processed the request, or a proxy does not know the result",
        answers: [...[408, 500, 502, 503, 504, 520].map(refusal), ...[502, 503, 520, 524].map(page)],
        reactions: lost,
        limits: { known: Infinity, unknown: Infinity },
    },
    {
        reason: "the next response would be the same",
        answers: [{ status: 201, text: '{"id":1}' }],
        reactions: { GET: "repeat", POST: "readFirst" },
        limits: { known: 20, unknown: 20 },
    },
    {
        reason: "a rate limit applies before processing",
        answers: [refusal(429), { status: 429 }],
        reactions: unprocessed,
        limits: { known: Infinity, unknown: Infinity },
    },
    {
        reason: "a single denial may be an error of the API, but a wrong token does not become valid",
        answers: [refusal(401), refusal(403)],
        reactions: unprocessed,
        limits: { known: 1, unknown: 1 },
    },
    {
        reason: "the resource is busy",
        answers: [refusal(409)],
        reactions: { GET: "fail", POST: "wait", DELETE: "wait" },
    },
    {
        reason: "the resource does not exist, or is not visible to all servers of the API",
        answers: [refusal(404)],
        reactions: { GET: "fail", POST: "fail", DELETE: "readFirst" },
    },
    { reason: "the same request would fail again", answers: [400, 405, 422, 501].map(refusal), reactions: final },
];

const cases = table.flatMap(({ reason, answers, reactions, limits = { known: 0, unknown: 0 } }) =>
    answers.flatMap((answer) =>
        (Object.keys(reactions) as Method[]).flatMap((method) =>
            (["known", "unknown"] as const).map((address) => ({
                reason,
                answer,
                method,
                reaction: reactions[method],
                address,
                limitS: limits[address],
            })),
        ),
    ),
);

it.each(cases)(
    "$method, $answer, $address address: $reaction, because $reason",
    async ({ answer, method, reaction, address, limitS }) => {
        const found = await react(method, answer, address === "known");
        expect(found.reaction).toBe(reaction);
        expect(found.state).toBe("rejected");
        if (reaction !== "repeat") {
            expect(found.lastAt).toBe(0);
        } else if (limitS === Infinity) {
            expect(found.error).toBeInstanceOf(DeadlineError);
            expect(found.lastAt).toBeGreaterThan(110_000);
        } else {
            expect(found.error).not.toBeInstanceOf(DeadlineError);
            expect(found.lastAt).toBeGreaterThan(limitS * 500);
            expect(found.lastAt).toBeLessThanOrEqual(limitS * 1_000);
        }
    },
);

const denied = new ApiError(someCall, 401, undefined, undefined, undefined);
const unavailable = new ApiError(someCall, 503, undefined, undefined, undefined);
const incomplete = new InvalidResponseError(someCall, 200, 'the response has no field "id"', "contract");

it("the time for which a failure is retried includes the pause before the retry", () => {
    expect(new Failures(new TestClock(), () => 0).reactionTo(denied, 1_001)).toBe("fail");
    expect(maxPauseAfter(denied)).toBeLessThan(1_000);
});

it("the time for which a failure is retried begins again after another failure", () => {
    let now = 0;
    const failures = new Failures({ ...systemClock, now: () => now }, () => 0);
    const reactionAt = (time: number, error: Error) => {
        now = time;
        return failures.reactionTo(error);
    };
    expect(reactionAt(0, incomplete)).toBe("repeat");
    expect(reactionAt(15_000, unavailable)).toBe("repeat");
    expect(reactionAt(30_000, incomplete)).toBe("repeat");
    expect(reactionAt(50_001, incomplete)).toBe("fail");
});
