import type { Period } from "./serverClock";

/** Every error of this package: its message says what happened and what to do about it. */
export abstract class CloudDbError extends Error {
    override get name(): string {
        return this.constructor.name;
    }
}

/** A setting is missing or cannot be used. */
export class ConfigError extends CloudDbError {
    constructor(
        /** The name of the setting as the user writes it, for example `clouddb:baseUrl`. */
        readonly setting: string,
        message: string,
    ) {
        super(message);
    }
}

/** The call that an error is about. */
export interface CallInfo {
    readonly operation: string;
    readonly method: string;
    /** The path below the base URL, with ids filled in. */
    readonly path: string;
    /** The base URL of the API. */
    readonly baseUrl: string;
    /** Sent as `X-Request-Id`, or the service's own when it answered with one. */
    readonly requestId: string;
    /** When the API can have received and carried out the request, on its own clock; absent where that is not known. */
    readonly inFlight?: Period | undefined;
}

abstract class CallError extends CloudDbError implements CallInfo {
    readonly operation: string;
    readonly method: string;
    readonly path: string;
    readonly baseUrl: string;
    readonly requestId: string;
    readonly inFlight: Period | undefined;

    constructor(call: CallInfo, message: string) {
        super(`${message} (${call.method} ${call.path}, request ${call.requestId})`);
        this.operation = call.operation;
        this.method = call.method;
        this.path = call.path;
        this.baseUrl = call.baseUrl;
        this.requestId = call.requestId;
        this.inFlight = call.inFlight;
    }
}

/** The API answered with an error: in its error format, or with a status that says by itself that the request may be sent again later. */
export class ApiError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        /** The API's own error code, where it gave one. */
        readonly code: string | undefined,
        /** The API's own message, where it gave one. */
        readonly apiMessage: string | undefined,
        /** How long the API asked to wait before the next request. */
        readonly retryAfterMs: number | undefined,
    ) {
        const said = apiMessage ? `: ${apiMessage.replace(/\.?$/, ".")}` : ".";
        super(call, `${call.operation} was answered ${status}${code ? ` ${code}` : ""}${said} ${adviceFor(status)}`);
    }
}

/**
 * Why a failure is not expected to pass: no usable response has ever come from this address, or the response is JSON
 * without what the contract promises, which the next one will be too.
 */
export type Lasting = "address" | "contract";

/** No answer came: the service could not be reached, or the connection broke. */
export class ConnectionError extends CallError {
    constructor(
        call: CallInfo,
        /** The system's code, for example ECONNREFUSED. */
        readonly code: string,
        /** Whether the service may have carried the request out although no answer came. */
        readonly carriedOut: "no" | "unknown",
        readonly lasting?: Lasting,
    ) {
        super(
            call,
            `${call.operation} got no answer from ${hostOf(call)} (${describeCode(code)}). ` +
                `Check clouddb:baseUrl, the network and whether the service is up.` +
                (carriedOut === "unknown" && call.method !== "GET"
                    ? ` The request may have been carried out; that is looked up before anything is sent again.`
                    : ""),
        );
    }
}

/** A response came that is not the API's: neither success with what the contract promises, nor an error in the API's format. */
export class InvalidResponseError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        problem: string,
        readonly lasting?: Lasting,
    ) {
        super(
            call,
            `${call.operation} was answered ${status} by ${hostOf(call)} with something unusable: ${problem}. ` +
                `Check that clouddb:baseUrl points at the management API and not at a proxy or a web page` +
                `${verdictOfStatus(status) === "denied" ? ", and that clouddb:accessToken is valid" : ""}.`,
        );
    }
}

/** The API answers 404 for a list of the whole project: nothing can be said about any resource in it. */
export class ProjectNotFoundError extends CallError {
    readonly projectId: string;

    constructor(cause: ApiError) {
        const [, , projectId = ""] = cause.path.split("/");
        super(
            cause,
            `${cause.operation} was answered 404: there is no project ${projectId} at ${cause.baseUrl}. The state is kept. ` +
                "Correct clouddb:projectId or the path of clouddb:baseUrl; " +
                "if the project was deleted, remove its resources with `pulumi state delete`.",
        );
        this.projectId = projectId;
        this.cause = cause;
    }
}

/**
 * What a failed call says, from which every decision about retries, waits and lost requests is made:
 * - `notSent`: the request did not reach the API.
 * - `missing`: no usable response; the request may have been carried out.
 * - `limited`: too many requests; this one was not carried out.
 * - `denied`: not carried out; final if it repeats, because a single one can be a fault of the API.
 * - `refused`: not carried out; the same request gets the same answer.
 */
export type Verdict = "notSent" | "missing" | "limited" | "denied" | "refused";

/** The verdict of a failure; undefined for whatever is not a failed call. */
export function verdictOf(error: unknown): Verdict | undefined {
    if (error instanceof ConnectionError) {
        return error.carriedOut === "no" ? "notSent" : "missing";
    }
    if (error instanceof InvalidResponseError) {
        return "missing";
    }
    if (error instanceof ProjectNotFoundError) {
        return "refused";
    }
    return error instanceof ApiError ? verdictOfStatus(error.status) : undefined;
}

function verdictOfStatus(status: number): Verdict {
    switch (status) {
        case 401:
        case 403:
            return "denied";
        case 408:
            return "missing";
        case 429:
            return "limited";
        case 501:
            return "refused";
        default:
            return status >= 500 ? "missing" : "refused";
    }
}

/** Whether this status says the same whether or not the response is in the API's error format. */
export function speaksForItself(status: number): boolean {
    return status === 429 || (status >= 500 && status !== 501);
}

/** Whether no usable response has ever come from the address. */
export function isOfUnknownAddress(error: unknown): boolean {
    return (error instanceof InvalidResponseError || error instanceof ConnectionError) && error.lasting === "address";
}

/** Whether the API says that what was asked for does not exist. */
export function isNotFound(error: unknown): error is ApiError {
    return error instanceof ApiError && error.status === 404;
}

/** Whether the response to a POST is one of an API that does not have the operation, or does not know what it is about. */
export function isUnknownOperation(error: unknown): error is ApiError | InvalidResponseError {
    return (
        (error instanceof ApiError || error instanceof InvalidResponseError) && [404, 405, 501].includes(error.status)
    );
}

/** Whether an error says that the thing is busy or in the wrong state. */
export function isConflict(error: unknown): boolean {
    return error instanceof ApiError && error.status === 409;
}

/** Whether an error says that there were too many requests, and nothing about this one. */
export function isRateLimited(error: unknown): error is ApiError {
    return verdictOf(error) === "limited";
}

/** Whether the request may have been carried out although no answer, or none that can be read, says so. */
export function isUncertain(error: unknown): boolean {
    return verdictOf(error) === "missing";
}

/** When the API can have carried out the request that failed like this, on its own clock. */
export function inFlightOf(error: unknown): Period | undefined {
    return error instanceof CallError ? error.inFlight : undefined;
}

/** What became of a call, without the service's own words and the number of the request: for a row of a terminal. */
export function inBrief(error: unknown): string {
    if (error instanceof ApiError) {
        return `${error.operation} was answered ${error.status}`;
    }
    if (error instanceof InvalidResponseError) {
        return `${error.operation} got no usable answer`;
    }
    return error instanceof ConnectionError ? `${error.operation} got no answer` : messageOf(error);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

function hostOf({ baseUrl }: CallInfo): string {
    return new URL(baseUrl).host;
}

function adviceFor(status: number): string {
    switch (status) {
        case 400:
            return "Correct the values in the program.";
        case 401:
            return "The token was not accepted: set a valid one with `pulumi config set --secret clouddb:accessToken` or CLOUDDB_ACCESS_TOKEN.";
        case 403:
            return "The token may not do this: check that it belongs to the project (clouddb:projectId) and has the right to change it.";
        case 404:
            return "Check the id and the project (clouddb:projectId); it may have been deleted.";
        case 409:
            return "It is busy, in the wrong state, or something else depends on it.";
        case 429:
            return "Too many requests: lower the parallelism or try again later.";
        default:
            return status >= 500 ? "The service is in trouble: try again later." : "See the service's documentation.";
    }
}

function describeCode(code: string): string {
    switch (code) {
        case "ECONNREFUSED":
            return "connection refused";
        case "ENOTFOUND":
        case "EAI_AGAIN":
            return "host name unknown";
        case "ECONNABORTED":
        case "ETIMEDOUT":
            return "no answer in time";
        case "ECONNRESET":
            return "connection reset";
        default:
            return code;
    }
}

/** Something that is not there is an answer, not a failure. */
export async function undefinedIfNotFound<T>(call: Promise<T>): Promise<T | undefined> {
    return call.catch((error: unknown) => {
        if (isNotFound(error)) {
            return undefined;
        }
        throw error;
    });
}
