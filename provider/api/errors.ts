/** Every error of this package: its message says what happened and what to do about it. */
export abstract class CloudDbError extends Error {
    override get name(): string {
        return this.constructor.name;
    }
}

/** A setting is missing or cannot be used. */
export class SettingError extends CloudDbError {
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
    /** Sent as `X-Request-Id`, or the service's own when it answered with one. */
    readonly requestId: string;
}

abstract class CallError extends CloudDbError implements CallInfo {
    readonly operation: string;
    readonly method: string;
    readonly path: string;
    readonly requestId: string;

    constructor(call: CallInfo, message: string) {
        super(message);
        this.operation = call.operation;
        this.method = call.method;
        this.path = call.path;
        this.requestId = call.requestId;
    }
}

/** The service answered, and the answer was no. */
export class ServiceError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        /** The service's own error code, where it gave one. */
        readonly code: string | undefined,
        /** The service's own words, where it gave some. */
        readonly serviceMessage: string | undefined,
        /** How long the service asked to be left alone. */
        readonly retryAfterMs: number | undefined,
    ) {
        const said = serviceMessage ? `: ${serviceMessage.replace(/\.?$/, ".")}` : ".";
        super(
            call,
            `${call.operation} was answered ${status}${code ? ` ${code}` : ""}${said} ${adviceFor(status)}` +
                ` (${call.method} ${call.path}, request ${call.requestId})`,
        );
    }
}

/** No answer came: the service could not be reached, or the connection broke. */
export class ConnectionError extends CallError {
    constructor(
        call: CallInfo,
        /** The system's code, for example ECONNREFUSED. */
        readonly code: string,
        /** Whether the service may have carried the request out although no answer came. */
        readonly carriedOut: "no" | "unknown",
        host: string,
    ) {
        super(
            call,
            `${call.operation} got no answer from ${host} (${describeCode(code)}). ` +
                `Check clouddb:baseUrl, the network and whether the service is up.` +
                (carriedOut === "unknown" && call.method !== "GET"
                    ? ` The request may have been carried out; that is looked up before anything is sent again.`
                    : "") +
                ` (${call.method} ${call.path}, request ${call.requestId})`,
        );
    }
}

/** An answer came that cannot be used: not JSON, or without a field that the contract promises. */
export class AnswerError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        problem: string,
        /** It is JSON, but not what the contract promises: sent again, it would be the same. */
        readonly lasting = false,
    ) {
        super(
            call,
            `${call.operation} was answered ${status} with something unusable: ${problem}. ` +
                `Check that clouddb:baseUrl points at the management API and not at a proxy or a web page.` +
                ` (${call.method} ${call.path}, request ${call.requestId})`,
        );
    }
}

/** Whether an error says that the thing asked for is not there. A 404 without the service's own words is a page of a proxy. */
export function isNotFound(error: unknown): boolean {
    return error instanceof ServiceError && error.status === 404 && isOfService(error);
}

function isOfService({ code, serviceMessage }: ServiceError): boolean {
    return code !== undefined || serviceMessage !== undefined;
}

/** Whether an error says that the thing is busy or in the wrong state for now. */
export function isConflict(error: unknown): boolean {
    return error instanceof ServiceError && error.status === 409;
}

/** Whether an error says that there were too many requests, and nothing about this one. */
export function isRefusal(error: unknown): error is ServiceError {
    return error instanceof ServiceError && error.status === 429;
}

/** Whether the request may have been carried out although no answer, or none that can be read, says so. */
export function isUncertain(error: unknown): boolean {
    return (
        (error instanceof ConnectionError && error.carriedOut === "unknown") ||
        (error instanceof ServiceError && (error.status >= 500 || (error.status === 404 && !isOfService(error)))) ||
        error instanceof AnswerError
    );
}

/** What became of a call, without the service's own words and the number of the request: for a row of a terminal. */
export function inBrief(error: unknown): string {
    if (error instanceof ServiceError) {
        return `${error.operation} was answered ${error.status}`;
    }
    if (error instanceof AnswerError) {
        return `${error.operation} got no usable answer`;
    }
    return error instanceof ConnectionError ? `${error.operation} got no answer` : messageOf(error);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
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
