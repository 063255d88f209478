import {
    ApiError,
    CancelledInFlight,
    CloudDbError,
    ConnectionError,
    DeadlineError,
    InvalidResponseError,
    isFromElsewhere,
    mayHaveHappened,
} from "../../../provider/api/callErrors";
import type { Method } from "../../../provider/api/callAdvice";
import { reactionTo } from "../../../provider/api/retry";
import { someCall } from "../../support/client";

const answer = (status: number, method: Method = "POST", code: string | undefined = "CODE") =>
    new ApiError({ ...someCall, method }, status, code, "message", undefined);
const post = { ...someCall, method: "POST" } as const;

it.each<[string, boolean, readonly unknown[]]>([
    ["the API rejects it", false, [400, 401, 402, 403, 404, 409, 410, 422, 429, 501].map((status) => answer(status))],
    ["the API, or what stands before it, fails", true, [408, 500, 502, 503, 504, 520].map((status) => answer(status))],
    [
        "a gateway does not know it, or the API does not give codes",
        true,
        [new ApiError(post, 404, undefined, "x", undefined)],
    ],
    ["the code is hidden, because the request contains a secret", false, [answer(404, "POST", "")]],
    [
        "something else answers",
        true,
        [200, 302, 400, 403, 404].map((status) => new InvalidResponseError(post, status, "HTML")),
    ],
    ["it was not sent", false, [new ConnectionError(post, "ENOTFOUND", "no"), new DeadlineError("not sent")]],
    ["the connection breaks", true, [new ConnectionError(post, "ECONNRESET", "maybe")]],
    ["the run is cancelled before it is sent", false, [new CloudDbError("cancelled")]],
    ["the run is cancelled while it is in flight", true, [new CancelledInFlight(new CloudDbError("cancelled"))]],
    ["the provider itself fails", true, [new TypeError("a bug")]],
])("a change may have happened, if %s: %s", (_, may, errors) => {
    expect(errors.map(mayHaveHappened)).toEqual(errors.map(() => may));
});

it("a change that may have happened is never simply repeated, and a read is", () => {
    const unclear = [answer(503), answer(408), new ConnectionError(post, "ECONNRESET", "maybe")];
    expect(unclear.map(reactionTo)).toEqual(["readFirst", "readFirst", "readFirst"]);
    expect([answer(503, "GET"), answer(408, "GET")].map(reactionTo)).toEqual(["repeat", "repeat"]);
});

it("a 404 without a code to a change is looked into as the page of a gateway; to a deletion and to a read it is a 404", () => {
    const withoutCode = (method: Method) => new ApiError({ ...someCall, method }, 404, undefined, "x", undefined);
    expect([isFromElsewhere(withoutCode("POST")), reactionTo(withoutCode("POST"))]).toEqual([true, "readFirst"]);
    expect([isFromElsewhere(withoutCode("DELETE")), mayHaveHappened(withoutCode("DELETE"))]).toEqual([false, false]);
    expect([isFromElsewhere(withoutCode("GET")), reactionTo(withoutCode("GET"))]).toEqual([false, "fail"]);
});
