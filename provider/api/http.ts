import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { randomUUID } from "node:crypto";
import axios, { AxiosError, type AxiosAdapter, type AxiosInstance, type AxiosResponse } from "axios";
import { systemClock } from "./clock";
import { InvalidResponseError, ConnectionError, ApiError, speaksForItself, type CallInfo } from "./errors";
import { secretFields } from "./operations.gen";
import { ServerClock } from "./serverClock";
import { isLoopback, type Credentials, type Settings } from "./settings";
import { version } from "./version.gen";

/** Longer than any answer takes that is still to come, the wait for a connection included. */
const requestTimeoutMs = 60_000;
/** Far above the largest list that the service answers, far below what hurts. */
const largestAnswerMegabytes = 64;
/** Connections held open to the service; more calls than this at a time wait for one. */
const mostConnections = 32;
/** The longest piece of the service's words that is worth showing. */
const longestMessage = 500;
/** System calls that come before anything of a request is sent; the same codes also come from reads and writes. */
const beforeSending = new Set<unknown>(["connect", "getaddrinfo"]);
/** Certificates that are not trusted end a connection before anything is sent on it. */
const ofCertificates = /CERT|^UNABLE_TO_|SELF_SIGNED|^ERR_TLS_/;

/** A request, with its path below the base URL. */
export interface HttpRequest {
    readonly operation: string;
    readonly method: "GET" | "POST" | "DELETE";
    readonly path: string;
    readonly query?: Readonly<Record<string, unknown>> | undefined;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
}

/** An answer of success: its status, and its JSON or undefined where it had none. */
export interface HttpAnswer {
    readonly call: CallInfo;
    readonly status: number;
    readonly body: unknown;
}

/** Authentication, time limits, connection reuse and typed errors; it sends a request once and knows no operation. */
export class Http {
    private readonly axios: AxiosInstance;
    private readonly baseUrl: string;
    private readonly secrets: readonly string[];
    private answered = false;
    private usable = false;

    constructor(
        settings: Settings,
        adapter?: AxiosAdapter,
        private readonly timeoutMs = requestTimeoutMs,
        private readonly serverClock = new ServerClock(systemClock),
    ) {
        const { hostname } = new URL(settings.baseUrl);
        this.baseUrl = settings.baseUrl;
        this.secrets = secretsOf(settings.credentials);
        this.axios = axios.create({
            baseURL: settings.baseUrl,
            maxContentLength: largestAnswerMegabytes * 1024 * 1024,
            maxRedirects: 0,
            httpAgent: new HttpAgent({ keepAlive: true, maxSockets: mostConnections }),
            httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: mostConnections }),
            headers: {
                Accept: "application/json",
                Authorization: authorization(settings.credentials),
                "User-Agent": `pulumi-clouddb/${version} node/${process.versions.node}`,
            },
            paramsSerializer: { indexes: null },
            responseType: "text",
            transformResponse: (text: unknown) => text,
            validateStatus: () => true,
            // A proxy would see a token that is in clear only because it stays on this computer.
            ...(isLoopback(hostname) ? { proxy: false } : {}),
            ...(adapter ? { adapter } : {}),
        });
    }

    /** Notes that the address answers as the API does. */
    noteUsable(): void {
        this.usable = true;
    }

    /** Sends a request and answers what came back if that is success; everything else is thrown as a typed error. */
    async send(request: HttpRequest): Promise<HttpAnswer> {
        const requestId = randomUUID();
        const { baseUrl } = this;
        const { operation, method, path } = request;
        let call: CallInfo = { operation, method, path, baseUrl, requestId };
        let response: AxiosResponse<unknown>;
        const sentAt = this.serverClock.ours.now();
        // The time limit of axios begins anew with each piece that comes, so that an answer could trickle in for ever.
        const limit = new AbortController();
        const end = () => limit.abort();
        request.signal?.throwIfAborted();
        const timer = setTimeout(end, this.timeoutMs);
        request.signal?.addEventListener("abort", end);
        try {
            response = await this.axios.request<unknown>({
                method,
                url: path,
                headers: {
                    "X-Request-Id": requestId,
                    // Without a word from us axios calls the body that is not there a form.
                    "Content-Type": request.body === undefined ? false : "application/json",
                },
                ...(request.query ? { params: request.query } : {}),
                ...(request.body === undefined ? {} : { data: JSON.stringify(request.body) }),
                signal: limit.signal,
            });
        } catch (error) {
            request.signal?.throwIfAborted();
            call = { ...call, inFlight: this.serverClock.since(sentAt) };
            if (isTooLarge(error)) {
                throw this.unusable(call, statusOf(error), `larger than ${largestAnswerMegabytes} MB`);
            }
            // What axios throws holds the headers, and with them the token: only its code leaves this place.
            const code = limit.signal.aborted ? "ETIMEDOUT" : codeOf(error);
            throw new ConnectionError(
                call,
                code,
                wasNeverSent(error) || ofCertificates.test(code) ? "no" : "unknown",
                this.answered ? undefined : "address",
            );
        } finally {
            clearTimeout(timer);
            request.signal?.removeEventListener("abort", end);
        }
        this.answered = true;
        call = { ...call, inFlight: this.serverClock.since(sentAt) };
        const theirs: unknown = response.headers["x-request-id"];
        if (typeof theirs === "string" && theirs !== "") {
            call = { ...call, requestId: this.worthShowing(theirs, request.body) };
        }
        const text = typeof response.data === "string" ? response.data : "";
        if (response.status < 200 || response.status > 299) {
            throw this.failure(call, response, text, request.body);
        }
        const body = this.parse(call, response.status, text);
        // Only a response that can be used is the API's own, and not that of something in front of it.
        this.serverClock.record(response.headers.date, sentAt);
        return { call, status: response.status, body };
    }

    private parse(call: CallInfo, status: number, text: string): unknown {
        if (text.trim() === "") {
            return undefined;
        }
        try {
            return JSON.parse(text) as unknown;
        } catch {
            throw this.unusable(call, status, describe(text));
        }
    }

    private failure(call: CallInfo, response: AxiosResponse<unknown>, text: string, body: unknown): Error {
        const { status, headers } = response;
        const said = status < 400 ? undefined : parseError(text);
        if (said === undefined && !speaksForItself(status)) {
            return this.unusable(call, status, status < 400 ? "a redirect" : describe(text));
        }
        this.usable ||= said !== undefined;
        return new ApiError(
            call,
            status,
            said && this.worthShowing(said.code, body),
            said && this.worthShowing(said.message, body),
            parseRetryAfter(headers["retry-after"], headers.date),
        );
    }

    private unusable(call: CallInfo, status: number, problem: string): InvalidResponseError {
        return new InvalidResponseError(call, status, problem, this.usable ? undefined : "address");
    }

    /** A service that quotes what it was sent must not bring a token or a password into an error, nor part of one where its words are cut. */
    private worthShowing(text: string, body: unknown): string {
        const fields = (body ?? {}) as Partial<Record<(typeof secretFields)[number], unknown>>;
        const sent = secretFields.map((name) => fields[name]);
        return [...this.secrets, ...sent.filter((value) => typeof value === "string")]
            .flatMap(spellingsOf)
            .reduce((result, secret) => (secret === "" ? result : result.replaceAll(secret, "[secret]")), text)
            .slice(0, longestMessage);
    }
}

function secretsOf(credentials: Credentials): readonly string[] {
    return credentials.kind === "bearer" ? [credentials.token] : [encodePair(credentials), credentials.secretKey];
}

/** As it may be quoted, within JSON, in a URL and plain; plain comes last, because the other two may begin with it. */
function spellingsOf(secret: string): readonly string[] {
    // Half a character, which cannot be in a URL, is made whole on the way.
    const inUrl = encodeURIComponent(Buffer.from(secret).toString());
    return [JSON.stringify(secret).slice(1, -1), inUrl, secret];
}

function authorization(credentials: Credentials): string {
    return credentials.kind === "bearer" ? `Bearer ${credentials.token}` : `Basic ${encodePair(credentials)}`;
}

function encodePair({ publicKey, secretKey }: Credentials & { kind: "keyPair" }): string {
    return Buffer.from(`${publicKey}:${secretKey}`).toString("base64");
}

function codeOf(error: unknown): string {
    const code = (error as { code?: unknown } | undefined)?.code;
    return typeof code === "string" ? code : "unknown failure";
}

/** Whether a failure came before anything was sent. With several addresses to try, it holds a failure of each. */
function wasNeverSent(error: unknown): boolean {
    const { syscall, errors, cause } = (error ?? {}) as { syscall?: unknown; errors?: unknown; cause?: unknown };
    if (Array.isArray(errors)) {
        return errors.length > 0 && errors.every(wasNeverSent);
    }
    return syscall === undefined && cause !== undefined ? wasNeverSent(cause) : beforeSending.has(syscall);
}

/** When an answer is too large, axios gives up on it with this code and without an answer; one that breaks off comes with both. */
function isTooLarge(error: unknown): error is AxiosError {
    return axios.isAxiosError(error) && error.code === AxiosError.ERR_BAD_RESPONSE && error.response === undefined;
}

function statusOf({ request }: AxiosError): number {
    return (request as { res?: { statusCode?: number } } | undefined)?.res?.statusCode ?? 200;
}

/** An error in the API's format; undefined for whatever a proxy or another server says. */
function parseError(text: string): { code: string; message: string } | undefined {
    try {
        const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
        return typeof code === "string" && typeof message === "string" ? { code, message } : undefined;
    } catch {
        return undefined;
    }
}

/** What an unusable body is; the body itself is not worth showing. */
function describe(text: string): string {
    const body = text.trim();
    if (body === "") {
        return "an empty body";
    }
    if (body.startsWith("<")) {
        return "HTML instead of JSON";
    }
    try {
        JSON.parse(body);
        return "JSON that is no error of the API";
    } catch {
        return "malformed JSON";
    }
}

/** A date is one by the clock of whoever answers, which need not be that of this computer. */
function parseRetryAfter(header: unknown, date: unknown): number | undefined {
    if (typeof header !== "string" || header.trim() === "") {
        return undefined;
    }
    const seconds = Number(header);
    const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - timeOf(date);
    return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}

function timeOf(date: unknown): number {
    const time = typeof date === "string" ? Date.parse(date) : NaN;
    return Number.isNaN(time) ? Date.now() : time;
}
