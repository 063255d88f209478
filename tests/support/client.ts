import { inspect } from "node:util";
import { attempt, withRetries, type AttemptOptions, type RetryOptions } from "../../provider/api/retry";
import type { CallInfo } from "../../provider/api/callAdvice";
import type { HttpRequest } from "../../provider/api/http";
import { longestListLagMs, type Settings } from "../../provider/api/settings";

/** The secrets that no error may contain. */
export const token = "t0ken-that-nobody-may-see";

export function withToken(baseUrl: string, bearer = token): Settings {
    return withSource(baseUrl, { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN", value: { token: bearer } });
}

export function withSource(baseUrl: string, token: Settings["token"]): Settings {
    return { baseUrl, baseUrlSetting: "clouddb:baseUrl", token, listLagMs: longestListLagMs };
}

export type SendOptions = RetryOptions & AttemptOptions;

/** Sends a request with retries, like the client. */
export function sendWithRetries<T>(options: SendOptions, send: () => Promise<T>): Promise<T> {
    return withRetries(options, (last) => attempt(options, last, send));
}

/** The reason of a rejected promise, or what a function throws, which must be an instance of the given class. */
export async function failureOf<E extends Error>(
    work: Promise<unknown> | (() => unknown),
    type: abstract new (...args: never[]) => E,
): Promise<E> {
    const promise = typeof work === "function" ? Promise.resolve().then(work) : work;
    const error: unknown = await promise.then(
        (value) => Promise.reject(new Error(`It did not fail but returned ${inspect(value)}.`)),
        (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(type);
    return error as E;
}

/** All parts of an error that a log, a state file or a crash report could contain. */
export function everythingIn(error: Error): string {
    return Object.values(representationsOf(error)).join("\n");
}

/** The representations of an error that contain a secret. Empty if there are none. */
export function leaksOf(error: Error, ...secrets: readonly string[]): string[] {
    return Object.entries(representationsOf(error))
        .filter(([, shown]) => secrets.some((secret) => shown.includes(secret)))
        .map(([name]) => name);
}

function representationsOf(error: Error): Readonly<Record<string, string>> {
    const own = Object.getOwnPropertyNames(error).map((name) => String(error[name as keyof Error]));
    return {
        json: JSON.stringify(error),
        inspect: inspect(error, { depth: null, showHidden: true, getters: true }),
        stack: error.stack ?? "",
        message: error.message,
        fields: own.join("\n"),
    };
}

export const getVpc: HttpRequest = { operation: "getVpc", method: "GET", path: "/projects/p/vpcs/1" };

export const withPassword = (password: string): HttpRequest => {
    return { operation: "updatePassword", method: "POST", path: "/x", body: { password } };
};

/** A call for errors in tests. */
export const someCall: CallInfo = {
    operation: "getService",
    method: "GET",
    path: "/projects/p/services/s",
    baseUrl: "https://api.example.com:8443/public/api/v1",
    baseUrlSetting: "clouddb:baseUrl",
    projectSetting: "clouddb:projectId",
    requestId: "request-1",
};
