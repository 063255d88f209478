import { way, printable, redacted } from "../base/message";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios, { AxiosError, type AxiosAdapter, type AxiosInstance, type AxiosResponse } from "axios";
import { readToken, rejectedToken, type Credentials } from "./accessToken";
import { systemClock, untilDeadline, type Deadline, ServerClock, uniqueId } from "./clock";
import { isCertificateError, isRefusedHandshake, meaningOf, projectIn, tooLarge, type CallInfo } from "./callAdvice";
import { InvalidResponseError, ConnectionError, ApiError, CancelledInFlight, partsOf } from "./callErrors";
import type { RejectedToken } from "./callErrors";
import type { OperationId } from "./contract";
import { methods, operations } from "./operations.gen";
import { proxyFor } from "./proxy";
import type { Settings } from "./settings";
import { version } from "./version.gen";

/** Longer than any request takes, including the wait for a connection. A deadline may be earlier. */
const requestTimeoutMs = 60_000;
/** After the deadline, a change in flight has this long to return its response: it may contain the id of a new resource. */
const deadlineGraceMs = 3_000;
/**
 * An aborted change has this long to return its response. That of a creation contains the id and the password of a new
 * resource. It leaves time to return them, before a container or the plugin ends 10 seconds after a signal.
 */
const [abortGraceMs, creationGraceMs] = [1_000, 8_000];
/** Far above the largest list of the API. Limits the memory that a response can use. */
const maxResponseMegabytes = 64;
/** The maximum number of connections to the API, for reads and for changes each. Further calls wait for a free one. */
const maxConnections = 32;
/** Messages and titles are cut to these lengths. The end of a title must be within this length of its page. */
const [maxMessageLength, maxTitleLength, maxHeadLength] = [500, 200, 4_096];
/**
 * A failure in one of these system calls means that the request was not sent. The same codes also occur for reads and
 * writes.
 */
const beforeSending = new Set<unknown>(["connect", "getaddrinfo"]);
const noDeadline: Deadline = { deadlineAt: Infinity };

/** A request. The path is relative to the base URL. */
export interface HttpRequest extends Pick<CallInfo, "method" | "path"> {
    readonly operation: OperationId;
    readonly query?: Readonly<Record<string, unknown>> | undefined;
    readonly body?: unknown;
    /** Whether the response contains the id of a new resource. */
    readonly isCreation?: boolean | undefined;
}

/** A successful response. */
export interface HttpResponse {
    readonly call: CallInfo;
    readonly status: number;
    /** Parsed, but not validated. */
    readonly body: unknown;
}

/** A response with any status. */
interface Received {
    readonly call: CallInfo;
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly text: string;
    /** The secret in the request. The API may quote it in any encoding, so no text of the response is printed then. */
    readonly secret: string | undefined;
}

/** Sends requests, each one once. Handles authentication, time limits, connection reuse and typed errors. */
export class Http {
    private readonly axios: AxiosInstance;
    private readonly proxy: CallInfo["proxy"];
    /** The token for the next request. It is read when the client is created, and again after each 401. */
    private credentials: Credentials;
    /** The secrets of all tokens that were sent, in each form in which the API may quote them. */
    private readonly secrets = new Set<string>();
    /** A change sent while the server closes the connection may be lost, so each change has its own connection. */
    private readonly forChanges = {
        httpAgent: new HttpAgent({ maxSockets: maxConnections }),
        httpsAgent: new HttpsAgent({ maxSockets: maxConnections }),
    };
    private hasResponded = false;
    private hasBeenValid = false;

    constructor(
        private readonly settings: Settings,
        adapter?: AxiosAdapter,
        private readonly serverClock = new ServerClock(systemClock),
    ) {
        const connection = proxyFor(settings.baseUrl);
        this.proxy = connection?.proxy;
        this.credentials = readToken(settings.token);
        this.axios = axios.create({
            baseURL: settings.baseUrl,
            maxContentLength: maxResponseMegabytes * 1024 * 1024,
            maxRedirects: 0,
            httpAgent: new HttpAgent({ keepAlive: true, maxSockets: maxConnections }),
            httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: maxConnections }),
            headers: {
                Accept: "application/json",
                "User-Agent": `pulumi-clouddb/${version} node/${process.versions.node}`,
            },
            paramsSerializer: { indexes: null },
            responseType: "text",
            transformResponse: [],
            validateStatus: null,
            proxy: connection?.config ?? false,
            ...(adapter ? { adapter } : {}),
        });
    }

    /** Where a user corrects this project: a resource without the default project declares its own. */
    projectSetting(projectId: string | undefined): string {
        const { project } = this.settings;
        return project !== undefined && project.id === projectId ? project.setting : "the input projectId";
    }

    /** Records that the address has returned a valid response. */
    recordValidResponse(): void {
        this.hasBeenValid = true;
    }

    /**
     * Sends a request and returns a successful response. Throws a typed error for everything else. A change has a few
     * seconds more than its deadline or an abort allow, because its response may contain a new id.
     */
    async send(request: HttpRequest, limit: Deadline = noDeadline): Promise<HttpResponse> {
        const { operation, method, path } = request;
        const { proxy, serverClock } = this;
        const { baseUrl, baseUrlSetting } = this.settings;
        const address = { baseUrl, baseUrlSetting, projectSetting: this.projectSetting(projectIn(path)), proxy };
        const sent: CallInfo = { operation, method, path, ...address, requestId: uniqueId() };
        const sentAt = serverClock.ours.now();
        const response = await this.exchange(request, sent.requestId, limit).catch((error: unknown) => {
            if (limit.signal?.aborted) {
                throw methods[method] === "read" ? limit.signal.reason : new CancelledInFlight(limit.signal.reason);
            }
            // An axios error contains the headers with the token, so only its code is used.
            const code = codeOf(error);
            const isUnsent = wasNeverSent(error) || isCertificateError(code) || isRefusedHandshake(code);
            const call = { ...sent, inFlight: serverClock.since(sentAt) };
            throw this.withoutResponse(call, code, isUnsent ? "no" : "maybe");
        });
        const { status, data } = response;
        const headers: Received["headers"] = response.headers;
        if (proxy !== undefined && isFromProxy(response, baseUrl)) {
            throw this.withoutResponse(sent, `PROXY_${status}`, "no");
        }
        this.hasResponded = true;
        const row = operations[operation];
        const secret = "secret" in row ? row.secret : undefined;
        const id = headers["x-request-id"];
        const requestId = typeof id === "string" && secret === undefined ? this.redact(id) : "";
        const call = { ...sent, requestId: requestId || sent.requestId, inFlight: serverClock.since(sentAt) };
        const received = { call, status, headers, text: typeof data === "string" ? data : "", secret };
        if (status < 200 || status > 299) {
            throw this.failure(received);
        }
        const json = jsonIn(received);
        if (json === undefined) {
            throw this.invalid(received);
        }
        // Only a valid response is from the API. Others may be from a proxy.
        serverClock.synchronize(headers.date, sentAt);
        return { call, status, body: json.value };
    }

    /** Sends the request, and returns the response with any status. */
    private exchange(
        { method, path, query, body, isCreation }: HttpRequest,
        requestId: string,
        { deadlineAt, signal }: Deadline,
    ): Promise<AxiosResponse<unknown>> {
        const { credentials } = this;
        credentials.secrets.flatMap(encodingsOf).forEach((secret) => this.secrets.add(secret));
        const isRead = methods[method] === "read";
        const config = {
            method,
            url: path,
            headers: {
                Authorization: credentials.authorization,
                "X-Request-Id": requestId,
                // For a request without a body, axios would send the content type of a form.
                "Content-Type": body === undefined ? false : "application/json",
            },
            ...(isRead ? {} : this.forChanges),
            params: query,
            data: JSON.stringify(body),
        };
        const clock = this.serverClock.ours;
        const limitAt = Math.min(clock.now() + requestTimeoutMs, deadlineAt + (isRead ? 0 : deadlineGraceMs));
        // The timeout of axios restarts with each chunk, so a slow response would never time out.
        return untilDeadline(
            { deadlineAt: limitAt, signal },
            clock,
            () => new AxiosError("timed out", AxiosError.ETIMEDOUT),
            (ended) => this.axios.request<unknown>({ ...config, signal: ended }),
            isRead ? 0 : isCreation ? creationGraceMs : abortGraceMs,
        );
    }

    private withoutResponse(call: CallInfo, code: string, happened: ConnectionError["happened"]): ConnectionError {
        const cause = code === "ECONNREFUSED" ? "connectionRefused" : "address";
        return new ConnectionError(call, code, happened, this.hasResponded ? undefined : cause);
    }

    private failure(received: Received): Error {
        const { call, status, headers, secret } = received;
        const rejected = status === 401 ? this.renewToken() : undefined;
        const apiError = status < 400 ? undefined : parseError(received);
        // The text of a gateway is shown, too.
        const { code, text = foreignMessage(jsonIn(received)?.value) } = apiError ?? {};
        // A 5XX without a code can also be from a proxy: it is an outage in any form.
        const isOutage = meaningOf(status) === 429 || (status >= 500 && status !== 501);
        if (!isOutage && (apiError === undefined || (status === 501 && code === undefined))) {
            return this.invalid(received, rejected);
        }
        this.hasBeenValid ||= code !== undefined;
        return new ApiError(
            call,
            status,
            code && (secret ? "" : this.redact(code)),
            text && (secret ? hiddenMessage(secret) : this.redact(text)),
            parseRetryAfter(headers["retry-after"], headers.date, this.serverClock.now()),
            rejected,
        );
    }

    /**
     * Reads the token again after a 401: a tool may have written a new one to its file. While the file has no valid
     * content, which can happen while it is replaced, the last token stays in use.
     */
    private renewToken(): RejectedToken {
        const rejected = rejectedToken(this.settings.token);
        try {
            this.credentials = readToken(this.settings.token);
            return rejected;
        } catch (error) {
            return { ...rejected, ways: [...rejected.ways, way("Unreadable", partsOf(error).what)] };
        }
    }

    /** A response that is not from the API, such as the page of a proxy, or a redirect. It can quote what was sent. */
    private invalid(received: Received, rejected?: RejectedToken): InvalidResponseError {
        const { call, status, secret } = received;
        const target = secret === undefined && status > 299 && status < 400 ? redirectTarget(received) : undefined;
        const problem = target === undefined ? this.excerptOf(received) : `a redirect to ${target}`;
        const cause = this.hasBeenValid ? undefined : "address";
        return new InvalidResponseError(call, status, this.redact(problem), cause, rejected, target !== undefined);
    }

    /** Describes an invalid body: of a page, only its title, if its end is near the begin of the page. */
    private excerptOf(received: Received): string {
        const body = received.text.trim();
        const isPage = body.startsWith("<");
        const [, title = ""] = /<title[^<>]*>([^<]*)</i.exec(body.slice(0, maxHeadLength)) ?? [];
        const text = isPage ? title : (foreignMessage(jsonIn(received)?.value) ?? "");
        const shown = received.secret ? "" : this.redact(text.trim()).slice(0, maxTitleLength);
        const what = isPage ? "HTML instead of JSON" : body === "" ? "an empty body" : "not in the format of the API";
        return `${what}${shown === "" ? "" : ` (${JSON.stringify(shown)})`}`;
    }

    /** Removes the token, which the API may quote, before the text is cut: a cut could leave a part of it. */
    private redact(text: string): string {
        return printable(redacted(text, this.secrets)).slice(0, maxMessageLength);
    }
}

const hiddenMessage = (field: string): string =>
    `the message of the API is hidden, because it may contain the ${field}`;

/** The forms in which the API may quote a token, also within the base64 of a longer text, such as its header. */
function encodingsOf(secret: string): readonly string[] {
    const [json, url] = [JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    const lowerUrl = url.replace(/%../g, (one) => one.toLowerCase());
    return [secret, json, url, lowerUrl, ...[0, 1, 2].map((before) => base64(secret, before))];
}

/** The characters of base64 that only the secret decides, after this number of other bytes. The last two may be others. */
function base64(secret: string, before: number): string {
    const bytes = Buffer.from(" ".repeat(before) + secret);
    return bytes.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

function codeOf(error: unknown): string {
    const { code, message = "" } = (error ?? {}) as { code?: unknown; message?: string };
    if (message.startsWith("maxContentLength ")) {
        return tooLarge;
    }
    // Only the text says why OpenSSL ended the connection. Node.js makes its other codes of OpenSSL in the same way.
    const reason = code === "EPROTO" ? /:SSL routines:\w*:([\w ]+)/.exec(message)?.[1] : undefined;
    return reason
        ? `ERR_SSL_${reason.toUpperCase().replaceAll(" ", "_")}`
        : typeof code === "string"
          ? code
          : "unknown failure";
}

/** Whether the request was not sent. If a host has several addresses, the error contains one failure for each. */
function wasNeverSent(error: unknown): boolean {
    const { syscall, errors, cause } = (error ?? {}) as { syscall?: unknown; errors?: unknown; cause?: unknown };
    if (Array.isArray(errors)) {
        return errors.length > 0 && errors.every(wasNeverSent);
    }
    return syscall === undefined && cause !== undefined ? wasNeverSent(cause) : beforeSending.has(syscall);
}

/** Whether a proxy has responded instead of the API. If it refuses to connect, its response is not encrypted. */
function isFromProxy({ status, request }: AxiosResponse, baseUrl: string): boolean {
    const { socket } = (request ?? {}) as { socket?: { encrypted?: boolean } };
    return status === 407 || (baseUrl.startsWith("https:") && socket?.encrypted !== true);
}

/** The JSON in a body, which may be empty. Undefined for any other format, such as the page of a proxy. */
function jsonIn({ text }: Received): { readonly value: unknown } | undefined {
    try {
        return { value: text.trim() === "" ? undefined : JSON.parse(text) };
    } catch {
        return undefined;
    }
}

/** An error of the API. The text is its message with the details. */
interface ErrorBody {
    readonly code?: string | undefined;
    readonly text?: string | undefined;
}

/** Parses an error in the format of the API, whose fields are optional. Undefined for any other format. */
function parseError(received: Received): ErrorBody | undefined {
    const body: unknown = jsonIn(received)?.value;
    if (typeof body !== "object" || body === null || Array.isArray(body)) {
        return undefined;
    }
    const texts = ["code", "message", "details"].map((name) => {
        const value = (body as Readonly<Record<string, unknown>>)[name];
        return typeof value === "string" ? value : undefined;
    });
    const isOther = texts.every((text) => text === undefined) && Object.keys(body).length > 0;
    // An empty text says nothing.
    const [code, message, details] = texts.map((text) => (text === "" ? undefined : text));
    const text = message && details ? `${message.replace(/\.$/, "")}: ${details}` : (message ?? details);
    return isOther ? undefined : { code, text };
}

/** The text of an error in the format of a gateway: `{ error: { message } }`, `{ error }` or problem+json. */
function foreignMessage(body: unknown): string | undefined {
    const { error = body, title, detail } = (body ?? {}) as Readonly<Record<string, unknown>>;
    const { message } = (error ?? {}) as { message?: unknown };
    return [error, message, title, detail].filter((text) => typeof text === "string").join(": ") || undefined;
}

/** Where a redirect leads, without its query, which can be a secret. */
function redirectTarget({ call: { baseUrl, path }, headers: { location } }: Received): string {
    const from = `${baseUrl}${path}`;
    const to = typeof location === "string" && URL.canParse(location, from) ? location : from;
    const { origin, pathname } = new URL(to, from);
    return `${origin}${pathname}`;
}

/** A date in the header is relative to the Date header of the same response. Without that header, it is relative to `now`. */
function parseRetryAfter(header: unknown, date: unknown, now: number): number | undefined {
    if (typeof header !== "string" || header.trim() === "") {
        return undefined;
    }
    const sentAt = typeof date === "string" ? Date.parse(date) : NaN;
    const seconds = Number(header);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - (Number.isNaN(sentAt) ? now : sentAt);
    return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
