import {
    ApiError,
    CloudDbError,
    ConfigError,
    ConnectionError,
    InvalidResponseError,
    isNotFound,
    messageOf,
    ProjectNotFoundError,
} from "../../../provider/api/callErrors";
import type { Method } from "../../../provider/api/callAdvice";
import { someCall } from "../../support/client";

// The texts are in lifecycle/approved/messages.txt.

const refusal = (status: number, code?: string, message?: string, method: Method = "GET") =>
    new ApiError({ ...someCall, method }, status, code, message, undefined);

const { operation, method, path, requestId } = someCall;
const ofCall = { call: someCall, operation, method, path, requestId };

it.each<{ name: string; error: CloudDbError; fields: object }>([
    { name: "ApiError", error: refusal(500), fields: ofCall },
    { name: "ConnectionError", error: new ConnectionError(someCall, "ECONNRESET", "maybe"), fields: ofCall },
    { name: "InvalidResponseError", error: new InvalidResponseError(someCall, 200, "no JSON"), fields: ofCall },
    { name: "ProjectNotFoundError", error: new ProjectNotFoundError(refusal(404)), fields: ofCall },
    { name: "ConfigError", error: new ConfigError("clouddb:baseUrl", "Set it."), fields: {} },
])(
    "error $name is a CloudDbError with the name of its class, and has its call and what identifies it as fields",
    ({ name, error, fields }) => {
        expect(error).toBeInstanceOf(CloudDbError);
        expect(error).toBeInstanceOf(Error);
        expect(String(error)).toBe(`${name}: ${error.message}`);
        expect(error).toMatchObject(fields);
    },
);

it.each(["GET", "DELETE"] as const)("the advice to correct values is not that of a %s, which has none", (method) => {
    expect(refusal(400, undefined, undefined, method).parts.ways).toEqual([]);
});

it.each([
    ["CERT_HAS_EXPIRED", ["Causes"]],
    ["ERR_TLS_CERT_ALTNAME_INVALID", ["Causes"]],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", ["Unknown issuer of the certificate", "Causes"]],
])("the certificate error %s is final, and has the ways out %j", (code, labels) => {
    const { failureClass, parts } = new ConnectionError(someCall, code, "no");
    expect(failureClass).toBe("rejected");
    expect(parts.ways?.map(({ label }) => label)).toEqual(labels);
});

it.each([
    ["ERR_SSL_WRONG_VERSION_NUMBER", ["Not https", "Causes"]],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", ["Causes"]],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", ["Causes"]],
])("%s is not a certificate of an unknown issuer", (code, labels) => {
    const { parts } = new ConnectionError(someCall, code, "no");
    expect(parts.ways?.map(({ label }) => label)).toEqual(labels);
});

describe("the classification of errors", () => {
    it("a 404 or 410 with the error format of the API means not found", () => {
        const failure = (status: number) => refusal(status, "CODE");
        expect([404, 409, 410, 500].map((status) => isNotFound(failure(status)))).toEqual([true, false, true, false]);
        expect([{ status: 404 }, undefined].map(isNotFound)).toEqual([false, false]);
    });

    it("a missing project is a rejection, and does not mean that a resource is not found", () => {
        expect(new ProjectNotFoundError(refusal(404)).failureClass).toBe("rejected");
    });

    it("messageOf returns the message of an error, and the text of other values", () => {
        expect([new Error("words"), "words", undefined].map(messageOf)).toEqual(["words", "words", "undefined"]);
    });
});

test("text of the API in an error cannot add lines, control the terminal or give commands to the pipeline", () => {
    const hostile = "busy\n::error::x\u001b[2J\u009b1m\u202e";
    const { message, stack } = refusal(409, hostile, hostile);
    expect(message.split("\n")).toHaveLength(refusal(409, "busy", "busy").message.split("\n").length);
    expect(message.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(stack?.startsWith(`ApiError: ${message}`)).toBe(true);
    expect(messageOf(new Error("::error::\nx"))).toBe(": :error:: x");
});
