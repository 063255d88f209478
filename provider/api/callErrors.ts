import { format, sentence, type Message, type WayOut, way } from "../inputs/message";
import { isLoopback } from "./loopback";
import type { Period } from "./serverClock";
import { commandLine, singleFile } from "./singleFile";

/** A proxy between this computer and the API, in messages. */
export interface Proxy {
    /** The environment variable that names it. */
    readonly variable: string;
    /** Contains no user and no password. */
    readonly url: string;
}

/**
 * The base class of all errors of this package. The message states what happened and what to do, with the details of the cause. API text in it cannot
 * control a terminal or a log.
 */
export class CloudDbError extends Error {
    /** The parts of the message. */
    readonly parts: Message;

    constructor(message: string | (Message & Pick<ErrorOptions, "cause">)) {
        const { cause, ...parts }: Message & Pick<ErrorOptions, "cause"> =
            typeof message === "string" ? { what: message } : message;
        const complete = cause === undefined ? parts : { details: partsOf(cause).details, ...parts };
        super(format(complete), cause === undefined ? {} : { cause });
        this.parts = complete;
    }

    override get name(): string {
        return this.constructor.name;
    }
}

/** A setting is missing or invalid. */
export class ConfigError extends CloudDbError {
    constructor(
        /** The name of the setting, for example `clouddb:baseUrl`. */
        readonly setting: string,
        message: string | Message,
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
}

/** The call that failed. */
export interface CallInfo {
    readonly operation: string;
    readonly method: string;
    /** The path below the base URL, with ids filled in. */
    readonly path: string;
    /** The base URL of the API. */
    readonly baseUrl: string;
    /** The setting that contains the base URL. */
    readonly baseUrlSetting: string;
    /** The proxy between this computer and the API. */
    readonly proxy?: Proxy | undefined;
    /** The `X-Request-Id` of the response, otherwise of the request. */
    readonly requestId: string;
    /** The period in which the API may have processed the request, on its clock. Absent if unknown. */
    readonly inFlight?: Period | undefined;
}

abstract class CallError extends CloudDbError implements CallInfo {
    readonly operation: string;
    readonly method: string;
    readonly path: string;
    readonly baseUrl: string;
    readonly baseUrlSetting: string;
    readonly requestId: string;
    readonly proxy: Proxy | undefined;
    readonly inFlight: Period | undefined;

    constructor(
        call: CallInfo,
        /** Why the call failed, for example `402 PAYMENT_REQUIRED: no payment method`. */
        readonly reason: string,
        what: string,
        ways: readonly WayOut[],
    ) {
        const details = `${call.operation}, ${call.method} ${call.path}, request ${call.requestId}`;
        super({ what: sentence(what), ways, details });
        this.operation = call.operation;
        this.method = call.method;
        this.path = call.path;
        this.baseUrl = call.baseUrl;
        this.baseUrlSetting = call.baseUrlSetting;
        this.requestId = call.requestId;
        this.proxy = call.proxy;
        this.inFlight = call.inFlight;
    }
}

/**
 * The API returned an error, either in its error format or with a status that by itself means that a retry may succeed.
 */
export class ApiError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        /** The error code of the API, if present. */
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
        super(call, reason, what, rejectedToken?.ways ?? waysAfter(status, call));
    }
}

/**
 * Why a failure is not transient. `address`: this address has never returned a valid response. `connectionRefused`: this
 * address has never responded, and refuses connections. `contract`: the response is JSON that does not match the contract.
 */
export type PermanentCause = "address" | "connectionRefused" | "contract";

/** There was no response: the API could not be reached, or the connection broke. */
export class ConnectionError extends CallError {
    constructor(
        call: CallInfo,
        /** The error code of Node.js, for example ECONNREFUSED, or that of a proxy that has responded instead of the API. */
        readonly code: string,
        /** Whether the API may have processed the request. */
        readonly processed: "no" | "unknown",
        readonly permanentCause?: PermanentCause,
    ) {
        const reason = `no response from ${hostOf(call)} (${describeCode(call, code)})`;
        const doubt =
            processed === "unknown" && call.method !== "GET" ? ". The API may have processed the request" : "";
        super(call, reason, `${call.operation} got ${reason}${doubt}`, waysWithoutResponse(call, code));
    }
}

/**
 * The deadline of a call passed before the API had processed it: the request was not sent, or it was a read without a
 * usable response. The cause is the last failure, if there was one.
 */
export class DeadlineError extends CloudDbError {
    /** For a call that fails because the next attempt would be after the deadline. */
    static after(failure: Error, pauseMs = 0): DeadlineError {
        return pauseMs > longestBackOffMs
            ? new RequestedPauseError(failure, pauseMs)
            : new DeadlineError({ ...partsOf(failure), cause: failure });
    }
}

/** A longer pause is one that the API has requested. */
const longestBackOffMs = 5_000;

/** The API requests a pause that ends after the deadline. The call fails at once. */
export class RequestedPauseError extends DeadlineError {
    /** The pause, as a sentence. */
    readonly pause: string;

    constructor(failure: Error, pauseMs: number) {
        const pause = `The API asks for a pause of ${Math.ceil(pauseMs / 1000)} s, longer than the time left.`;
        super({ what: `${partsOf(failure).what} ${pause}`, cause: failure });
        this.pause = pause;
    }
}

/** The response matches neither the contract nor the error format of the API. */
export class InvalidResponseError extends CallError {
    constructor(
        call: CallInfo,
        readonly status: number,
        problem: string,
        readonly permanentCause?: PermanentCause,
        rejectedToken?: RejectedToken,
    ) {
        const reason = `an invalid response (${status} from ${hostOf(call)}): ${problem}`;
        const token =
            failureKindOfStatus(status) === "unauthorized"
                ? [way("Token", `check that the one ${rejectedToken?.place ?? "of the settings"} is valid`)]
                : [];
        super(call, reason, `${call.operation} returned ${reason}`, [
            way(
                "Address",
                `check that ${call.baseUrlSetting} points to the management API and not to a proxy or a web page`,
            ),
            ...token,
        ]);
    }
}

/** A list call for the whole project failed with 404, so no resource in it can be reported as deleted. */
export class ProjectNotFoundError extends CallError {
    readonly projectId: string;

    constructor(cause: ApiError) {
        const [, , projectId = ""] = cause.path.split("/");
        const reason = `404: project ${projectId} does not exist at ${cause.baseUrl}`;
        super(cause, reason, `${cause.operation} failed with ${reason}. The state is kept`, [
            way("Wrong setting", `correct clouddb:projectId, or the path of ${cause.baseUrlSetting}`),
            way(
                "Deleted project",
                "remove each of its resources with `pulumi state delete --force 'URN'`, and the URN that " +
                    "`pulumi stack --show-urns` prints",
            ),
        ]);
        this.projectId = projectId;
        this.cause = cause;
    }
}

/**
 * The meaning of a failed call. The reaction depends on it (retryPolicy.ts):
 * - `notSent`: the request did not reach the API.
 * - `noResponse`: there is no valid response. The API may have processed the request.
 * - `rateLimited`: there were too many requests. This one was not processed.
 * - `unauthorized`: not processed. Final only if it repeats, because a single one can be an error of the API.
 * - `conflict`: not processed. The resource is busy or in the wrong state.
 * - `notFound`: not processed. The API does not know the resource, or does not show it yet.
 * - `rejected`: not processed. The same request would fail again.
 */
export type FailureKind =
    "notSent" | "noResponse" | "rateLimited" | "unauthorized" | "conflict" | "notFound" | "rejected";

/** A failed call that has a kind. */
export type CallFailure = ApiError | ConnectionError | InvalidResponseError | ProjectNotFoundError;

export function isCallFailure(error: unknown): error is CallFailure {
    return error instanceof CallError;
}

/** The kind of a failure. Undefined for an error that is not a failed call, or one that the deadline ended. */
export function failureKindOf(error: unknown): FailureKind | undefined {
    if (error instanceof ConnectionError) {
        return isFinal(error.code) ? "rejected" : error.processed === "no" ? "notSent" : "noResponse";
    }
    if (error instanceof InvalidResponseError) {
        return "noResponse";
    }
    if (error instanceof ProjectNotFoundError) {
        return "rejected";
    }
    return error instanceof ApiError ? failureKindOfStatus(error.status) : undefined;
}

const kindsByStatus: Readonly<Partial<Record<number, FailureKind>>> = {
    401: "unauthorized",
    403: "unauthorized",
    404: "notFound",
    408: "noResponse",
    409: "conflict",
    429: "rateLimited",
    501: "rejected",
};

function failureKindOfStatus(status: number): FailureKind {
    return kindsByStatus[status] ?? (status >= 500 ? "noResponse" : "rejected");
}

/** Whether this status is meaningful even without the error format of the API. */
export function isClearWithoutBody(status: number): boolean {
    return status === 429 || (status >= 500 && status !== 501);
}

/** Whether the API reports that the requested resource does not exist. */
export function isNotFound(error: unknown): error is ApiError {
    return error instanceof ApiError && error.status === 404;
}

/** Whether the API rejects the request because of the state of a resource. */
export function isConflict(error: unknown): error is ApiError {
    return failureKindOf(error) === "conflict";
}

/** Whether the response to a POST means that there is no such operation or resource. A proxy can also send it. */
export function isUnknownOperation(error: unknown): error is ApiError | InvalidResponseError {
    return (
        (error instanceof ApiError || error instanceof InvalidResponseError) && [404, 405, 501].includes(error.status)
    );
}

/** Whether the API rejects the values of the request. */
export function isInvalidRequest(error: unknown): error is ApiError {
    return error instanceof ApiError && [400, 422].includes(error.status);
}

/** Whether the API may have carried out the failed change. */
export function mayHaveTakenEffect(error: unknown): boolean {
    return [undefined, "noResponse"].includes(failureKindOf(error));
}

/**
 * Whether the API itself reports that it failed. It may still have carried out the change. During an outage, a response is not in
 * the format of the API, because it is from a proxy.
 */
export function isServerError(error: unknown): error is ApiError {
    return error instanceof ApiError && error.apiMessage !== undefined && failureKindOf(error) === "noResponse";
}

/** Whether the API reports too many requests, a failure that is unrelated to the request itself. */
export function isRateLimited(error: unknown): error is ApiError {
    return error instanceof ApiError && failureKindOf(error) === "rateLimited";
}

/** The period in which the API may have processed the failed request, on its clock. */
export function inFlightOf(error: unknown): Period | undefined {
    return error instanceof CallError ? error.inFlight : undefined;
}

/** The message of the API in a failure, for the middle of a sentence. Undefined if there is none. */
export function apiMessageIn(error: unknown): string | undefined {
    const message = error instanceof ApiError ? error.apiMessage?.replace(/\.$/, "") : undefined;
    return message === "" ? undefined : message;
}

/** A failure in a status row. */
export function inRow(error: unknown): string {
    const message = apiMessageIn(error);
    return `${inBrief(error)}${message === undefined ? "" : ` (${message})`}`;
}

/** The same without the message of the API, which can be different each time. */
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

function hostOf({ baseUrl, proxy }: CallInfo): string {
    const { host } = new URL(baseUrl);
    return proxy === undefined ? host : `${host} through the proxy ${proxy.url} of ${proxy.variable}`;
}

/** The code of a response that a proxy has sent instead of the API. */
export const proxyCode = (status: number): string => `PROXY_${status}`;

/** Whether the code means that Node.js does not accept a certificate. The connection ends before the request is sent. */
export function isCertificateError(code: string): boolean {
    return /CERT|^UNABLE_TO_|SELF_SIGNED/.test(code);
}

/** Whether the same request would fail again: a certificate, or a proxy that refuses to connect. */
function isFinal(code: string): boolean {
    return isCertificateError(code) || /^PROXY_(?!408|429|5)/.test(code);
}

/** What to do about a request without a response. */
function waysWithoutResponse(call: CallInfo, code: string): readonly WayOut[] {
    const { baseUrlSetting } = call;
    const { hostname, port } = new URL(call.baseUrl);
    if (isCertificateError(code)) {
        return waysOfCertificate(hostname, code, baseUrlSetting);
    }
    if (call.proxy !== undefined) {
        return waysOfProxy(hostname, call.proxy, code, baseUrlSetting);
    }
    return code === "ECONNREFUSED" && isLoopback(hostname)
        ? [
              way("Emulator", `start it with \`${commandLine("emulator")}${port === "" ? "" : ` --port ${port}`}\``),
              way("Another address", `correct ${baseUrlSetting}`),
          ]
        : [way("Check", `${baseUrlSetting}, the network and whether the API is available`)];
}

/** What to do about a rejection whose cause only a person can find. */
export const removeTheCause: WayOut = way("Continue", "remove the cause, and run the same command again");

/** What to do about a status of the API. The token of a 401 has its own ways out. */
const waysByStatus: Readonly<Partial<Record<number, WayOut>>> = {
    400: way("Correct", "the values in the program"),
    401: way("New token", "set a valid one"),
    402: way("Payment", "the account of the project needs a valid payment method; then run the same command again"),
    403: way(
        "The token lacks the required permission",
        "use one that belongs to the project (clouddb:projectId) and may modify it",
    ),
    404: way("Check", "the id and the project (clouddb:projectId): perhaps it was deleted"),
    409: way("Cause", "it is busy, in the wrong state, or another resource depends on it"),
    422: way("Correct", "the values in the program"),
    429: way("Too many requests", "lower the parallelism, or try again later"),
};

function waysAfter(status: number, { method }: CallInfo): readonly WayOut[] {
    // A deletion contains no values.
    if (method === "DELETE" && [400, 422].includes(status)) {
        return [];
    }
    return [waysByStatus[status] ?? (status >= 500 ? way("Server error", "try again later") : removeTheCause)];
}

function waysOfCertificate(hostname: string, code: string, baseUrlSetting: string): readonly WayOut[] {
    if (/EXPIRED|NOT_YET_VALID/.test(code)) {
        return [
            way("Check", "the clock of this computer"),
            way("If it is right", `the certificate of ${hostname} must be renewed`),
        ];
    }
    if (code.includes("ALTNAME")) {
        return [way("Address", `the certificate is for another host than ${hostname}: correct ${baseUrlSetting}`)];
    }
    // The single file trusts the authorities of the system.
    const ofSystem =
        !singleFile && process.allowedNodeEnvironmentFlags.has("--use-system-ca")
            ? [way("If this computer trusts it", "set NODE_OPTIONS to --use-system-ca")]
            : [];
    return [
        way(
            "Unknown issuer of the certificate",
            "set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of that authority",
        ),
        ...ofSystem,
    ];
}

function waysOfProxy(hostname: string, { variable }: Proxy, code: string, baseUrlSetting: string): readonly WayOut[] {
    const without = way("Without the proxy", `add ${hostname} to NO_PROXY`);
    switch (code) {
        case proxyCode(407):
            return [way("Credentials", `add the user and the password to ${variable}: http://USER:PASSWORD@HOST:PORT`)];
        case proxyCode(502):
        case proxyCode(503):
        case proxyCode(504):
            return [way("Check", `${baseUrlSetting}, and whether the proxy can reach ${hostname}`), without];
        case "ECONNREFUSED":
        case "ENOTFOUND":
        case "EAI_AGAIN":
            return [way("Proxy", `correct ${variable}, or start the proxy`), without];
        default:
            return [way("Check", `whether the proxy permits connections to ${hostname}`), without];
    }
}

/** What the codes of Node.js mean: for a connection to the API, and for one to a proxy. */
const codeTexts: Readonly<Partial<Record<string, readonly [ofApi: string, ofProxy: string]>>> = {
    ECONNREFUSED: ["connection refused", "the proxy refuses connections"],
    ENOTFOUND: ["unknown host name", "unknown host name of the proxy"],
    EAI_AGAIN: ["unknown host name", "unknown host name of the proxy"],
    ECONNABORTED: ["timed out", "timed out"],
    ETIMEDOUT: ["timed out", "timed out"],
    ECONNRESET: ["connection reset", "connection reset"],
};

function describeCode({ proxy }: CallInfo, code: string): string {
    const [, status] = /^PROXY_(\d+)$/.exec(code) ?? [];
    if (status !== undefined) {
        return `the proxy answered ${status}`;
    }
    return codeTexts[code]?.[proxy === undefined ? 0 : 1] ?? code;
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
