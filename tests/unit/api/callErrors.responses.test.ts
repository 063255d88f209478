import { inspect } from "node:util";
import { Http } from "../../../provider/api/http";
import { InvalidResponseError, ApiError, isServerError } from "../../../provider/api/callErrors";
import { getVpc, leaksOf, failureOf, token, withPassword, withToken } from "../../support/client";
import { json, serve } from "../../support/loopback";

/** The error of the client for a response with this body. */
async function refusal(status: number, body: unknown, headers: Record<string, string> = {}): Promise<ApiError> {
    const { url } = await serve((response) =>
        typeof body === "string"
            ? response.writeHead(status, headers).end(body)
            : json(response, status, body, headers),
    );
    return failureOf(new Http(withToken(url)).send(getVpc), ApiError);
}

describe("an error response", () => {
    it.each([
        ...["<html><h1>502 Bad Gateway</h1></html>", "", "upstream connect error", "null", "[1]"],
        ...['{"code":1,"message":{"a":1}}', '{"code":"X'],
    ])("a 502 of a proxy is an ApiError without a code and a message: %j", async (body) => {
        const error = await refusal(502, body);
        expect(error).toMatchObject({ status: 502, code: undefined, apiMessage: undefined });
        expect(error.message).not.toContain("html");
    });

    it.each(
        [302, 304, 307, 400, 401, 403, 404, 405, 408, 409, 422, 501].flatMap((status) => [
            { status, body: "<html><h1>No</h1></html>" },
            { status, body: "" },
            { status, body: '{"detail":"no Route matched with those values"}' },
            { status, body: '{"error":{"code":404,"message":"Not found"}}' },
            // A status below 400 is never an error of the API.
            ...(status < 400 ? [{ status, body: '{"code":"FOUND","message":"Not found"}' }] : []),
        ]),
    )("a response that is not in the error format of the API is invalid: $status $body", async ({ status, body }) => {
        const { url } = await serve((response) => response.writeHead(status).end(body));
        const error = await failureOf(new Http(withToken(url)).send(getVpc), InvalidResponseError);
        expect(error.status).toBe(status);
        expect(error.permanentCause).toBe("address");
    });

    it.each([
        { body: { message: "It is busy." }, code: undefined, says: "409: It is busy" },
        { body: { code: "BUSY" }, code: "BUSY", says: "409 BUSY" },
        { body: {}, code: undefined, says: "failed with 409" },
        { body: { code: "", message: "" }, code: undefined, says: "failed with 409" },
        { body: { details: "wait a minute" }, code: undefined, says: "409: wait a minute" },
        { body: { message: "No.", details: "wait a minute" }, code: undefined, says: "409: No: wait a minute" },
        { body: { code: "BUSY", details: "wait a minute" }, code: "BUSY", says: "409 BUSY: wait a minute" },
        { body: { message: "No", details: { after: "sixty" } }, code: undefined, says: "409: No." },
    ])("an error of the API need not have a code or a message, and its details are printed: $body", async (row) => {
        const error = await refusal(409, row.body);
        expect(error).toMatchObject({ status: 409, code: row.code, happened: "no", failureClass: "conflict" });
        expect(error.message).toContain(row.says);
        expect(error.message).not.toContain("sixty");
    });

    it("details are printed without the token, and hidden after a request with a secret", async () => {
        const details = `not with ${token}`;
        const { url } = await serve((response) => json(response, 400, { message: "No", details }));
        const http = new Http(withToken(url));
        expect(leaksOf(await failureOf(http.send(getVpc), ApiError), token)).toEqual([]);
        const hidden = await failureOf(http.send(withPassword("hunter2")), ApiError);
        expect(leaksOf(hidden, "not with")).toEqual([]);
    });

    it("a 5xx without a code is an outage, whose text is printed, and not an error that the API reports", async () => {
        const error = await refusal(503, { message: "upstream is away" });
        expect(error.message).toContain("503: upstream is away");
        expect(isServerError(error)).toBe(false);
        expect(isServerError(await refusal(503, { code: "BROKEN" }))).toBe(true);
    });

    it("an error without a code does not show that the address is that of the API", async () => {
        const bodies = ['{"message":"no"}', "<html>"];
        const { url } = await serve((response) => response.writeHead(404).end(bodies.shift()));
        const http = new Http(withToken(url));
        await failureOf(http.send(getVpc), ApiError);
        expect((await failureOf(http.send(getVpc), InvalidResponseError)).permanentCause).toBe("address");
    });

    it("an error response shows that the address is that of the API", async () => {
        const bodies = ['{"code":"NOT_FOUND","message":"no"}', "<html>"];
        const { url } = await serve((response) => response.writeHead(404).end(bodies.shift()));
        const http = new Http(withToken(url));
        await failureOf(http.send(getVpc), ApiError);
        expect((await failureOf(http.send(getVpc), InvalidResponseError)).permanentCause).toBeUndefined();
    });

    it("the error has the request id of the response, else that of the request", async () => {
        expect((await refusal(500, {}, { "x-request-id": "theirs-1" })).requestId).toBe("theirs-1");
        const { url, received } = await serve((response) => json(response, 500, {}));
        const error = await failureOf(new Http(withToken(url)).send(getVpc), ApiError);
        expect(error.requestId).toBe(received[0]?.headers["x-request-id"]);
    });

    it("long messages of the API are cut", async () => {
        const error = await refusal(400, { code: "c".repeat(10_000), message: "m".repeat(10_000) });
        expect(error.message.length).toBeLessThan(2_000);
    });
});

it.each<[string | undefined, number | undefined, string]>([
    ["7", 7_000, "seconds"],
    ["0", 0, "no pause"],
    ["1.5", 1_500, "a fraction of a second"],
    ["-5", 0, "a negative time"],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0, "a date in the past"],
    ["soon", undefined, "text"],
    [" ", undefined, "an empty text"],
    [undefined, undefined, "it is optional"],
])("Retry-After %s means %s ms: %s", async (header, ms) => {
    expect((await refusal(429, {}, header === undefined ? {} : { "retry-after": header })).retryAfterMs).toBe(ms);
});

it("Retry-After can be a date in the future", async () => {
    const header = new Date(Date.now() + 600_000).toUTCString();
    const { retryAfterMs = 0 } = await refusal(429, {}, { "retry-after": header });
    // A busy computer takes a while.
    expect(Math.abs(retryAfterMs - 570_000)).toBeLessThanOrEqual(30_000);
});

describe("an API that quotes the request", () => {
    it.each([
        { reason: "in the message", body: { code: "X", message: `Token ${token} and ${token} are bad` } },
        { reason: "in the code", body: { code: `BAD_${token}`, message: "no" } },
        { reason: "at the point where the message is cut", body: { code: "X", message: "x".repeat(490) + token } },
    ])("the error does not contain the token: $reason", async ({ body }) => {
        expect(leaksOf(await refusal(401, body), token.slice(0, 8))).toEqual([]);
    });

    it.each<[string, (secret: string) => string]>([
        ["in a URL, in lower case", (secret) => encodeURIComponent(secret).toLowerCase()],
        ["as Base64", (secret) => Buffer.from(secret).toString("base64").replace(/.=*$/, "")],
        ...["Bearer ", "authorization: Bearer ", "{"].map((before): [string, (secret: string) => string] => [
            `in the Base64 of a text that begins with ${before}`,
            (secret) => {
                const all = Buffer.from(`${before}${secret}, and more`).toString("base64");
                return all.slice(Math.ceil((before.length * 4) / 3), Math.floor(((before + secret).length * 4) / 3));
            },
        ]),
    ])("the error does not contain the token %s", async (_, encode) => {
        const secret = "token/with+special=characters";
        const quoted = encode(secret);
        const { url } = await serve((response) => json(response, 401, { code: "X", message: `<${quoted}> is bad` }));
        const error = await failureOf(new Http(withToken(url, secret)).send(getVpc), ApiError);
        expect(leaksOf(error, quoted)).toEqual([]);
        expect(error.apiMessage).toMatch(/^<\[secret\].{0,2}> is bad$/);
    });

    it("the code, the message and the request id of the error control nothing", async () => {
        const hostile = "x\n::error::\u001b[2J\u009b\u202e";
        const { url } = await serve((response) => json(response, 400, { code: hostile, message: hostile }));
        const error = await failureOf(new Http(withToken(url)).send(getVpc), ApiError);
        expect(error).toMatchObject({ code: "x ::error::?[2J??", apiMessage: "x ::error::?[2J??" });
        expect(inspect(error)).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    });

    it.each<[string, (secret: string) => string]>([
        ["as it was sent", (secret) => secret],
        ["as JSON", (secret) => JSON.stringify(secret)],
        ["in JSON", (secret) => secret.replace(/./g, (one) => `\\u00${Buffer.from(one, "latin1").toString("hex")}`)],
        ["in a URL", encodeURIComponent],
        ["in a URL, in lower case", (secret) => encodeURIComponent(secret).toLowerCase()],
        ["as HTML", (secret) => secret.replaceAll("<", "&lt;").replaceAll("\u00fc", "&uuml;")],
        ["as Base64", (secret) => Buffer.from(secret).toString("base64")],
        ["backwards", (secret) => Array.from(secret).reverse().join("")],
    ])("the error after a request with a password contains no text of the response: %s", async (_, encode) => {
        const password = 'Sch\u00fc<"7 w0rd';
        const quoted = encode(password);
        const headers = { "x-request-id": Buffer.from(quoted).toString("hex") };
        const body = { code: quoted, message: `no: ${quoted}` };
        const { url, received } = await serve((response) => json(response, 400, body, headers));
        const error = await failureOf(new Http(withToken(url)).send(withPassword(password)), ApiError);
        expect(leaksOf(error, quoted, password, headers["x-request-id"])).toEqual([]);
        expect(error.code).toBe("");
        expect(error.requestId).toBe(received[0]?.headers["x-request-id"]);
    });

    it.each([
        { form: "the secret key", of: (pair: string) => pair.split(":")[1] },
        { form: "the pair as the header carries it", of: (pair: string) => Buffer.from(pair).toString("base64") },
    ])("the error does not contain $form", async ({ of }) => {
        const secret = of("PUBLIC:SECRET-KEY") ?? "";
        const { url } = await serve((response) => json(response, 401, { code: "X", message: `<${secret}> is bad` }));
        const error = await failureOf(new Http(withToken(url, "PUBLIC:SECRET-KEY")).send(getVpc), ApiError);
        expect(error.apiMessage).toBe("<[secret]> is bad");
        expect(leaksOf(error, secret)).toEqual([]);
    });

    it.each([
        { secret: "s", message: "is this valid?", is: "i[secret] thi[secret] valid?" },
        { secret: "e", message: "[secret] or not", is: "[secret] or not" },
        { secret: "secret", message: "a secret of [secret]", is: "a [secret] of [secret]" },
        { secret: "a[secret]b", message: "is a[secret]b", is: "is [secret]" },
    ])("a redacted message is not redacted again: $secret in $message", async ({ secret, message, is }) => {
        const { url } = await serve((response) => json(response, 401, { code: "X", message }));
        const error = await failureOf(new Http(withToken(url, secret)).send(getVpc), ApiError);
        expect(error.apiMessage).toBe(is);
    });
});
