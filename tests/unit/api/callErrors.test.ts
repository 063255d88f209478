import {
    InvalidResponseError,
    CloudDbError,
    ConnectionError,
    isNotFound,
    messageOf,
    ProjectNotFoundError,
    ApiError,
    ConfigError,
} from "../../../provider/api/callErrors";
import type { Method } from "../../../provider/api/callAdvice";
import { someCall } from "../../support/client";

const refusal = (status: number, code?: string, message?: string, method: Method = "GET") =>
    new ApiError({ ...someCall, method }, status, code, message, undefined);

const samples: readonly { name: string; error: CloudDbError; ofCall: boolean }[] = [
    { name: "ApiError", error: refusal(500), ofCall: true },
    { name: "ConnectionError", error: new ConnectionError(someCall, "ECONNRESET", "unknown"), ofCall: true },
    { name: "InvalidResponseError", error: new InvalidResponseError(someCall, 200, "malformed JSON"), ofCall: true },
    { name: "ProjectNotFoundError", error: new ProjectNotFoundError(refusal(404)), ofCall: true },
    { name: "ConfigError", error: new ConfigError("clouddb:baseUrl", "Set it."), ofCall: false },
];

const where = "\nDetails: getService, GET /projects/p/services/s, request request-1";

describe("every error", () => {
    it.each(samples)("error $name is a CloudDbError and has the name of its class", ({ name, error }) => {
        expect(error).toBeInstanceOf(CloudDbError);
        expect(error).toBeInstanceOf(Error);
        expect(error.name).toBe(name);
        expect(String(error)).toBe(`${name}: ${error.message}`);
    });

    it.each(samples.filter(({ ofCall }) => ofCall))(
        "error $name has the call as fields and in its message",
        ({ error }) => {
            expect(error).toMatchObject(someCall);
            expect(error.message).toContain(where);
            expect(error.message).toMatch(/^getService /);
        },
    );
});

describe("an ApiError", () => {
    it("the message of an ApiError contains operation, status, code, message of the API, remedy and request", () => {
        expect(refusal(409, "CONFLICT", "It is busy").message).toBe(
            `getService failed with 409 CONFLICT: It is busy.\nCause: it is busy, in the wrong state, or another resource depends on it${where}`,
        );
    });

    it("the message of an ApiError does not repeat the full stop of the API's message", () => {
        expect(refusal(400, "BAD", "No.").message).toContain("400 BAD: No.\nDetails: ");
    });

    it("the message of an ApiError is correct without a code and a message of the API", () => {
        expect(refusal(502).message).toBe(`getService failed with 502.\nServer error: try again later${where}`);
    });

    it.each([
        { status: 400, remedy: "Correct: the values in the program" },
        { status: 402, remedy: "Payment: " },
        { status: 403, remedy: "clouddb:projectId" },
        { status: 404, remedy: "Check: the id and the project" },
        { status: 409, remedy: "busy, in the wrong state" },
        { status: 422, remedy: "Correct: the values in the program" },
        { status: 423, remedy: "Continue: remove the cause" },
        { status: 429, remedy: "lower the parallelism" },
        { status: 500, remedy: "try again later" },
        { status: 503, remedy: "try again later" },
    ])("the message for $status contains the remedy: $remedy", ({ status, remedy }) => {
        expect(refusal(status, undefined, undefined, "POST").message).toContain(remedy);
    });

    it.each(["GET", "DELETE"] as const)(
        "the advice to correct values is not that of a %s, which has none",
        (method) => {
            expect(refusal(400, undefined, undefined, method).parts.ways).toEqual([]);
        },
    );
});

describe("the advice to correct the address", () => {
    const call = { ...someCall, baseUrlSetting: "CLOUDDB_BASE_URL" };
    const local = { ...call, baseUrl: "http://127.0.0.1:8080/v1" };

    it.each([
        ["a refused connection", new ConnectionError(call, "ECONNREFUSED", "no")],
        ["one of this computer", new ConnectionError(local, "ECONNREFUSED", "no")],
        ["an unknown host name", new ConnectionError(call, "ENOTFOUND", "no")],
        ["an invalid response", new InvalidResponseError(call, 200, "malformed JSON")],
        ["a missing project", new ProjectNotFoundError(new ApiError(call, 404, undefined, undefined, undefined))],
    ])("after %s names the setting that it comes from", (_, { message }) => {
        expect(message).toContain("CLOUDDB_BASE_URL");
        expect(message).not.toContain("clouddb:baseUrl");
    });
});

describe("a ConnectionError", () => {
    it.each([
        { code: "ECONNREFUSED", words: "connection refused" },
        { code: "ENOTFOUND", words: "unknown host name" },
        { code: "EAI_AGAIN", words: "unknown host name" },
        { code: "ECONNABORTED", words: "timed out" },
        { code: "ETIMEDOUT", words: "timed out" },
        { code: "ECONNRESET", words: "connection reset" },
        { code: "EPROTO", words: "EPROTO" },
    ])('the message for $code contains "$words", the host and the setting', ({ code, words }) => {
        const { message } = new ConnectionError(someCall, code, "no");
        expect(message).toContain(`no response from api.example.com:8443 (${words})`);
        expect(message).toContain("Check: clouddb:baseUrl");
    });

    it("the message names the proxy, and the page with the other causes", () => {
        const proxy = { variable: "https_proxy", url: "http://proxy.example.com:3128" };
        const { message } = new ConnectionError({ ...someCall, proxy }, "ENOTFOUND", "no");
        expect(message).toContain(
            "api.example.com:8443 through the proxy http://proxy.example.com:3128 of https_proxy " +
                "(unknown host name).\nProxy: correct https_proxy, or add api.example.com to NO_PROXY\n" +
                "Causes: node_modules/pulumi-clouddb/docs/installation-configuration.md\n",
        );
    });

    it.each(["CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"])(
        "the certificate error %s is final, and its message names the page with the causes",
        (code) => {
            const error = new ConnectionError(someCall, code, "no");
            expect(error.message).toContain(`(${code}).\n`);
            expect(error.message.includes("set NODE_EXTRA_CA_CERTS")).toBe(code.startsWith("UNABLE_TO_"));
            expect(error.message).toContain("\nCauses: node_modules/pulumi-clouddb/docs/installation-configuration.md");
            expect(error.failureClass).toBe("rejected");
        },
    );

    it("the message of a ConnectionError warns that a change may have been processed", () => {
        const warns = (method: Method, processed: "no" | "unknown") =>
            new ConnectionError({ ...someCall, method }, "ECONNRESET", processed).message.includes(
                "may have processed the request",
            );
        expect(warns("POST", "unknown")).toBe(true);
        expect(warns("DELETE", "unknown")).toBe(true);
        expect(warns("GET", "unknown")).toBe(false);
        expect(warns("POST", "no")).toBe(false);
    });
});

describe("the classification of errors", () => {
    it("a 404 with the error format of the API means not found", () => {
        const failure = (status: number) => refusal(status, "CODE");
        expect([404, 409, 410, 500].map((status) => isNotFound(failure(status)))).toEqual([true, false, false, false]);
    });

    it("a missing project is a rejection, and does not mean that a resource is not found", () => {
        expect(new ProjectNotFoundError(refusal(404)).failureClass).toBe("rejected");
    });

    it("other objects with a status are not classified", () => {
        expect(isNotFound({ status: 404 })).toBe(false);
        expect(isNotFound(undefined)).toBe(false);
    });

    it("messageOf returns the message of an error, and the text of other values", () => {
        expect(messageOf(new Error("words"))).toBe("words");
        expect(messageOf("words")).toBe("words");
        expect(messageOf(undefined)).toBe("undefined");
    });
});

test("text of the API in an error cannot add lines, control the terminal or give commands to the pipeline", () => {
    const hostile = "busy\n::error::x\u001b[2J\u009b1m\u202e";
    const { message, stack } = refusal(409, hostile, hostile);
    expect(message.split("\n")).toHaveLength(refusal(409, "busy", "busy").message.split("\n").length);
    expect(message.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(message).toContain("busy ::error::x?[2J?1m?");
    expect(stack).toContain(`ApiError: ${message}`);
    expect(messageOf(new Error("::error::\nx"))).toBe(": :error:: x");
});
