import { ApiError, ConnectionError, InvalidResponseError } from "../../../provider/api/errors";
import { maxPauseAfter, reactionTo, RetryPolicy } from "../../../provider/api/retryPolicy";
import { someCall } from "../../support/client";

const apiError = (status: number) => new ApiError(someCall, status, undefined, undefined, undefined);
const refused = new ConnectionError(someCall, "ECONNREFUSED", "no");
const reset = new ConnectionError(someCall, "ECONNRESET", "unknown");
const wrongAddress = new ConnectionError(someCall, "ENOTFOUND", "no", "address");
const nobodyListens = new ConnectionError(someCall, "ECONNREFUSED", "no", "refused");
const garbled = new InvalidResponseError(someCall, 200, "malformed JSON");
const incomplete = new InvalidResponseError(someCall, 200, 'the response has no field "id"', "contract");
const elsewhere = new InvalidResponseError(someCall, 404, "HTML instead of JSON", "address");

describe("the reaction to a failure", () => {
    const lost = { GET: "repeat", POST: "readFirst", DELETE: "readFirst" } as const;
    const unprocessed = { GET: "repeat", POST: "repeat", DELETE: "repeat" } as const;
    const final = { GET: "fail", POST: "fail", DELETE: "fail" } as const;

    it.each([
        { failure: refused, reactions: unprocessed, reason: "the request did not reach the API" },
        { failure: reset, reactions: lost, reason: "the API may have processed it" },
        { failure: apiError(429), reactions: unprocessed, reason: "a rate limit applies before processing" },
        { failure: apiError(500), reactions: lost, reason: "the API may have processed it partly" },
        { failure: apiError(502), reactions: lost, reason: "a proxy does not know the result" },
        { failure: apiError(503), reactions: lost, reason: "a proxy does not know the result" },
        { failure: apiError(504), reactions: lost, reason: "a proxy does not know the result" },
        { failure: apiError(520), reactions: lost, reason: "a proxy does not know the result" },
        { failure: apiError(408), reactions: lost, reason: "the API may have processed it" },
        { failure: elsewhere, reactions: lost, reason: "the sender of the response is unknown" },
        { failure: garbled, reactions: lost, reason: "the API may have processed it" },
        { failure: apiError(401), reactions: unprocessed, reason: "a single denial may be an error of the API" },
        { failure: apiError(403), reactions: unprocessed, reason: "a single denial may be an error of the API" },
        {
            failure: apiError(409),
            reactions: { GET: "fail", POST: "wait", DELETE: "wait" },
            reason: "the resource is busy",
        },
        {
            failure: apiError(404),
            reactions: { GET: "fail", POST: "fail", DELETE: "readFirst" },
            reason: "the resource does not exist, or is not visible to all servers of the API",
        },
        { failure: apiError(501), reactions: final, reason: "the operation does not exist" },
        { failure: apiError(400), reactions: final, reason: "the same request would fail again" },
        { failure: new Error("x"), reactions: final, reason: "the error is unknown" },
    ])("the reaction to $failure.message is $reactions, because $reason", ({ failure, reactions }) => {
        expect(reactionTo(failure, "GET")).toBe(reactions.GET);
        expect(reactionTo(failure, "POST")).toBe(reactions.POST);
        expect(reactionTo(failure, "DELETE")).toBe(reactions.DELETE);
    });
});

describe("the time for which a failure is retried", () => {
    /** The last time, in steps of 500 ms, at which a retry is allowed. */
    function lastRetry(failure: Error, limitMs: number): number {
        const policy = new RetryPolicy("GET");
        let last = -1;
        for (let now = 0; now <= limitMs; now += 500) {
            if (policy.reactionTo(failure, now) !== "repeat") {
                return last;
            }
            last = now;
        }
        return Infinity;
    }

    it.each([
        { failure: wrongAddress, is: 20_000, reason: "the address is probably wrong" },
        { failure: nobodyListens, is: 3_000, reason: "no process listens there, and none has before" },
        { failure: elsewhere, is: 20_000, reason: "the address is probably wrong" },
        { failure: incomplete, is: 20_000, reason: "the next response would be the same" },
        { failure: apiError(401), is: 1_000, reason: "a wrong token does not become valid" },
        { failure: apiError(403), is: 1_000, reason: "a wrong token does not become valid" },
        { failure: refused, is: Infinity, reason: "the address responded before" },
        { failure: apiError(503), is: Infinity, reason: "that is a valid response" },
        { failure: garbled, is: Infinity, reason: "its responses were valid before" },
    ])("$failure.message is retried for $is ms, because $reason", ({ failure, is }) => {
        expect(lastRetry(failure, 3_600_000)).toBe(is);
    });

    it("the time for which a failure is retried includes the pause before the retry", () => {
        expect(new RetryPolicy("GET").reactionTo(apiError(401), 0, 1_001)).toBe("fail");
        expect(maxPauseAfter(apiError(401))).toBeLessThan(1_000);
    });

    it.each(["another failure", "a success"])(
        "the time for which a failure is retried begins again after %s",
        (between) => {
            const policy = new RetryPolicy("GET");
            expect(policy.reactionTo(incomplete, 0)).toBe("repeat");
            if (between === "a success") {
                policy.succeeded();
            } else {
                expect(policy.reactionTo(apiError(503), 15_000)).toBe("repeat");
            }
            expect(policy.reactionTo(incomplete, 30_000)).toBe("repeat");
            expect(policy.reactionTo(incomplete, 50_001)).toBe("fail");
        },
    );
});
