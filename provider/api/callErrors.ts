import { format, withPeriod, type Message, type WayOut, way } from "../base/message";
import {
    describeCode,
    hostOf,
    isCertificateError,
    meaningOf,
    projectIn,
    tooLarge,
    waysAfter,
    waysAfterInvalid,
    waysWithoutResponse,
} from "./callAdvice";
import type { CallInfo, Method } from "./callAdvice";
import { methods } from "./operations.gen";

/** What is known of a request that was not accepted. */
type Happened = "no" | "maybe";

/** Copies of the package recognize each other's errors by this mark and the names of the classes: a library can have its own. */
const ofPackage = Symbol.for("pulumi-clouddb.errors");

/**
 * The base class of all errors of this package. The message states what happened and what to do, with the details of the
 * cause. API text in it cannot control a terminal or a log.
 */
export class CloudDbError extends Error {
    /** The parts of the message. */
    readonly parts: Message;
    /**
     * Whether the API may have carried out the request that failed. `no` if it was not sent or was rejected, also if a pause, the
     * queue of the rate limit or a cancellation ended before it was sent.
     */
    readonly happened: Happened = "no";

    constructor(message: string | Message) {
        const { cause, ...own }: Message = typeof message === "string" ? { what: message } : message;
        const parts = { details: partsOf(cause).details, ...own };
        super(format(parts), cause === undefined ? {} : { cause });
        this.parts = parts;
    }

    override get name(): string {
        return this.constructor.name;
    }

    static readonly [ofPackage] = true;

    static override [Symbol.hasInstance](error: unknown): boolean {
        const classes = classesOf(error) as readonly (typeof CloudDbError)[];
        const isOfCopy = classes[0]?.[ofPackage] === true && !classes.includes(CloudDbError);
        return classes.some((one) => one === this || (isOfCopy && one.name === this.name));
    }
}

/** The class of a value, and those that it extends. */
function classesOf(value: unknown): readonly unknown[] {
    const prototype = Object.getPrototypeOf(Object(value)) as object | null;
    return prototype === null ? [] : [prototype.constructor, ...classesOf(prototype)];
}

/** A setting, such as `clouddb:baseUrl`, is missing or invalid. */
export class ConfigError extends CloudDbError {
    constructor(
        readonly setting: string,
        message: string | Message,
        /** Whether neither the stack config nor the environment contains it. */
        readonly isMissing = false,
    ) {
        super(message);
    }
}

/** A token that the API has rejected. */
export interface RejectedToken {
    /** Where the user finds it, for example `in CLOUDDB_ACCESS_TOKEN`. */
    readonly place: string;
    /** What to do there. */
    readonly ways: readonly WayOut[];
    /** Whether it is in a file, which a tool may renew. */
    readonly isInFile: boolean;
}

/**
 * Why a failure is not transient. `unauthorized`: the API does not accept the token. `tokenFile`: the same, but a tool may renew
 * the token in its file. `address`: this address has never returned
 * a valid response. `connectionRefused`: this address has never responded, and refuses connections. `contract`: the response is
 * JSON that does not match the contract.
 */
export type PermanentCause = "unauthorized" | "tokenFile" | "address" | "connectionRefused" | "contract";

/** A failed call, which has a class. */
export abstract class CallError extends CloudDbError {
    declare readonly operation: string;
    declare readonly method: Method;
    declare readonly path: string;
    declare readonly requestId: string;

    constructor(
        readonly call: CallInfo,
        /** What the failure means, on which the reaction depends. */
        readonly failureClass: FailureClass,
        override readonly happened: Happened,
        /** Why the call failed, for example `402 PAYMENT_REQUIRED: no payment method`. */
        readonly reason: string,
        what: string,
        ways: readonly WayOut[],
        readonly permanentCause?: PermanentCause,
    ) {
        const { operation, method, path, requestId } = call;
        super({ what: withPeriod(what), ways, details: `${operation}, ${method} ${path}, request ${requestId}` });
        Object.assign(this, { operation, method, path, requestId });
    }
}

/**
 * The API returned an error, either in its error format or with a status that by itself means that a retry may succeed.
 */
export class ApiError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        /** The error code of the API, if present. Empty if it is hidden, because the request contains a secret. */
        readonly code: string | undefined,
        /** The message of the API, if present. */
        readonly apiMessage: string | undefined,
        /** The pause that the API requested before the next request. */
        readonly retryAfterMs: number | undefined,
        rejectedToken?: RejectedToken,
    ) {
        const reason = `${status}${code ? ` ${code}` : ""}${apiMessage ? `: ${apiMessage.replace(/\.$/, "")}` : ""}`;
        const what =
            rejectedToken === undefined
                ? `${call.operation} failed with ${reason}`
                : `The API rejected the token ${rejectedToken.place} (${reason})`;
        const failureClass = failureClassOf(status);
        const ofToken = rejectedToken?.isInFile ? "tokenFile" : "unauthorized";
        const cause = failureClass === "unauthorized" ? ofToken : undefined;
        const isUnclear = failureClass === "noResponse" || isOfGateway(status, code, call);
        const ways = rejectedToken?.ways ?? waysAfter(status, call);
        super(call, failureClass, isUnclear ? "maybe" : "no", reason, what, ways, cause);
    }
}

/** There was no response: the API could not be reached, or the connection broke. */
export class ConnectionError extends CallError {
    constructor(
        call: CallInfo,
        /** The error code of Node.js, for example ECONNREFUSED, or that of a proxy that has responded instead of the API. */
        readonly code: string,
        happened: Happened,
        permanentCause?: PermanentCause,
    ) {
        const reason = `no response from ${hostOf(call)} (${describeCode(code)})`;
        const doubt =
            happened === "maybe" && methods[call.method] !== "read" ? ". The API may have processed the request" : "";
        const failureClass = isFinal(code) ? "rejected" : "noResponse";
        const what = `${call.operation} got ${reason}${doubt}`;
        super(call, failureClass, happened, reason, what, waysWithoutResponse(call, code), permanentCause);
    }
}

/**
 * The deadline of a call passed, or would pass in a pause, before the API had processed it: the request was not sent, or it
 * was a read without a usable response. The cause is the last failure, if there was one.
 */
export class DeadlineError extends CloudDbError {
    constructor(
        message: ConstructorParameters<typeof CloudDbError>[0],
        /** The pause that the API asks for, as a sentence. It ends after the deadline. */
        readonly pause?: string,
    ) {
        super(message);
    }

    /** For a call that fails because the next attempt would be after the deadline. */
    static after(failure: Error, requestedMs?: number): DeadlineError {
        const parts = partsOf(failure);
        const pause =
            requestedMs === undefined ? undefined : `The API asks for a pause of ${Math.ceil(requestedMs / 1000)} s.`;
        const what = pause === undefined ? parts.what : `${parts.what} ${pause}`;
        return new DeadlineError({ ...parts, what, cause: failure }, pause);
    }
}

/** The response matches neither the contract nor the error format of the API. */
export class InvalidResponseError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        problem: string,
        permanentCause?: PermanentCause,
        rejectedToken?: RejectedToken,
        isRedirect = false,
    ) {
        const reason = `an invalid response (${status} from ${hostOf(call)}): ${problem}`;
        const isWrongAddress = permanentCause === "address" && isRedirect;
        const token = `check that the one ${rejectedToken?.place ?? "of the settings"} is valid`;
        const ways = [
            ...waysAfterInvalid(call, permanentCause === undefined),
            ...(failureClassOf(status) === "unauthorized" ? [way("Token", token)] : []),
        ];
        const failureClass = isWrongAddress ? "rejected" : "noResponse";
        super(call, failureClass, "maybe", reason, `${call.operation} returned ${reason}`, ways, permanentCause);
    }
}

/** The run was cancelled while a change was in flight. Its message is that of the cancellation. */
export class CancelledInFlight extends CloudDbError {
    override readonly happened = "maybe";

    constructor(cause: unknown) {
        super({ ...partsOf(cause), cause });
    }
}

/** A list of the project, and the project itself, are not found, so no resource in it can be reported as deleted. */
export class ProjectNotFoundError extends CallError {
    constructor(cause: ApiError) {
        const { call } = cause;
        const projectId = projectIn(call.path) ?? "";
        const reason = `${cause.status}: project ${projectId} does not exist at ${call.baseUrl}`;
        super(call, "rejected", "no", reason, `${call.operation} failed with ${reason}`, [
            way("Wrong setting", `correct ${call.projectSetting}, or the path of ${call.baseUrlSetting}`),
            way(
                "Deleted project",
                "if the state has resources of it, remove each, after those that use it: " +
                    "`pulumi state delete --force 'URN'`, with the URN that `pulumi stack --show-urns` prints",
            ),
        ]);
        this.cause = cause;
    }
}

/**
 * The meaning of a failed call. The reaction depends on it (retry.ts):
 * - `noResponse`: the request did not reach the API, or there is no valid response.
 * - `rateLimited`: there were too many requests.
 * - `unauthorized`: final only if it repeats, because a single one can be an error of the API.
 * - `conflict`: the resource is busy or in the wrong state.
 * - `notFound`: the API does not know the resource, or does not show it yet.
 * - `rejected`: the same request would fail again.
 */
export type FailureClass = "noResponse" | "rateLimited" | "unauthorized" | "conflict" | "notFound" | "rejected";

const classesByStatus: Readonly<Partial<Record<number, FailureClass>>> = {
    401: "unauthorized",
    403: "unauthorized",
    404: "notFound",
    408: "noResponse",
    409: "conflict",
    429: "rateLimited",
    501: "rejected",
};

function failureClassOf(status: number): FailureClass {
    return classesByStatus[meaningOf(status)] ?? (status >= 500 ? "noResponse" : "rejected");
}

/** Whether the API reports that the requested resource does not exist. */
export function isNotFound(error: unknown): error is ApiError {
    return error instanceof ApiError && error.failureClass === "notFound";
}

/** Whether the API rejects the request because of the state of a resource. */
export function isConflict(error: unknown): error is ApiError {
    return error instanceof ApiError && error.failureClass === "conflict";
}

/** Whether the response to a POST means that there is no such operation or resource. A proxy can also send it. */
export function isUnknownOperation(error: unknown): error is ApiError | InvalidResponseError {
    return (
        (error instanceof ApiError || error instanceof InvalidResponseError) &&
        [404, 405, 501].includes(meaningOf(error.status))
    );
}

/** Whether the API rejects the values of the request. */
export function isInvalidRequest(error: unknown): error is ApiError {
    return error instanceof ApiError && [400, 422].includes(error.status);
}

/** Whether the API may have carried out the call that failed with this error. */
export function mayHaveHappened(error: unknown): boolean {
    return !(error instanceof CloudDbError) || error.happened === "maybe";
}

/**
 * Whether the response to a change may be the 404 of a gateway, which has no code. It does not say that the change was rejected.
 * To a deletion it says nothing else than a 404 of the API: reads show whether the resource is gone.
 */
function isOfGateway(status: number, code: string | undefined, { method }: CallInfo): boolean {
    return meaningOf(status) === 404 && code === undefined && methods[method] === "change";
}

/** Whether something else has answered instead of the API, such as a firewall. During an outage, a 5xx is one, too. */
export function isFromElsewhere(error: unknown): error is InvalidResponseError | ApiError {
    const isApiError = error instanceof ApiError;
    return isApiError
        ? isOfGateway(error.status, error.code, error.call)
        : error instanceof InvalidResponseError && error.status < 500;
}

/**
 * Whether the API itself reports that it failed. It may still have carried out the change. During an outage, a response is not in
 * the format of the API, because it is from a proxy.
 */
export function isServerError(error: unknown): error is ApiError {
    return error instanceof ApiError && error.code !== undefined && error.failureClass === "noResponse";
}

/** The message of the API in a failure, for the middle of a sentence. Undefined if there is none. */
export function apiMessageIn(error: unknown): string | undefined {
    const message = error instanceof ApiError ? error.apiMessage?.replace(/\.$/, "") : undefined;
    return message === "" ? undefined : message;
}

/** A failure in a status row. */
export function failureInRow(error: unknown): string {
    const message = apiMessageIn(error);
    return `${inBrief(error)}${message === undefined ? "" : ` (${message})`}`;
}

/** A failure in a status row, without the message of the API, which can be different each time. */
export function inBrief(error: unknown): string {
    if (error instanceof ApiError) {
        return `${error.operation} failed with ${error.status}`;
    }
    if (error instanceof InvalidResponseError) {
        return `${error.operation} got an invalid response`;
    }
    return error instanceof ConnectionError ? `${error.operation} got no response` : partsOf(error).what;
}

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
    return format(partsOf(error));
}

/** The operation that failed and why, for a message that begins with the resource. */
export function reasonOf(error: unknown): string {
    const failure = error instanceof DeadlineError ? (error.cause ?? error) : error;
    return failure instanceof CallError ? `${failure.operation}: ${failure.reason}` : partsOf(failure).what;
}

/** The parts of the message of a thrown value. */
export function partsOf(error: unknown): Message {
    return error instanceof CloudDbError
        ? error.parts
        : { what: error instanceof Error ? error.message : String(error) };
}

/** Whether the same request would fail again: a certificate, a response that is too large, or a proxy that refuses to connect. */
function isFinal(code: string): boolean {
    return isCertificateError(code) || code === tooLarge || /^PROXY_(?!408|429|5)/.test(code);
}

/** Returns undefined for a resource that does not exist. */
export async function undefinedIfNotFound<T>(call: Promise<T>): Promise<T | undefined> {
    return call.catch((error: unknown) => {
        if (isNotFound(error)) {
            return undefined;
        }
        throw error;
    });
}
