import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { randomUUID } from "node:crypto";
import axios, { AxiosError, type AxiosAdapter, type AxiosInstance, type AxiosResponse } from "axios";
import { AnswerError, ConnectionError, ServiceError, type CallInfo } from "./errors";
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
    private readonly host: string;
    private readonly secrets: readonly string[];
    private heard = false;

    constructor(
        settings: Settings,
        adapter?: AxiosAdapter,
        private readonly timeoutMs = requestTimeoutMs,
    ) {
        const { host, hostname } = new URL(settings.baseUrl);
        this.host = host;
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

    /** Whether an answer of any kind has ever come. */
    get answered(): boolean {
        return this.heard;
    }

    /** Sends a request and answers what came back if that is success; everything else is thrown as a typed error. */
    async send(request: HttpRequest): Promise<HttpAnswer> {
        const requestId = randomUUID();
        let call: CallInfo = { operation: request.operation, method: request.method, path: request.path, requestId };
        let response: AxiosResponse<unknown>;
        // The time limit of axios begins anew with each piece that comes, so that an answer could trickle in for ever.
        const limit = new AbortController();
        const end = () => limit.abort();
        request.signal?.throwIfAborted();
        const timer = setTimeout(end, this.timeoutMs);
        request.signal?.addEventListener("abort", end);
        try {
            response = await this.axios.request<unknown>({
                method: request.method,
                url: request.path,
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
            if (isTooLarge(error)) {
                throw new AnswerError(call, statusOf(error), `larger than ${largestAnswerMegabytes} MB`);
            }
            // What axios throws holds the headers, and with them the token: only its code leaves this place.
            const code = limit.signal.aborted ? "ETIMEDOUT" : codeOf(error);
            throw new ConnectionError(
                call,
                code,
                wasNeverSent(error) || ofCertificates.test(code) ? "no" : "unknown",
                this.host,
            );
        } finally {
            clearTimeout(timer);
            request.signal?.removeEventListener("abort", end);
        }
        this.heard = true;
        const theirs: unknown = response.headers["x-request-id"];
        if (typeof theirs === "string" && theirs !== "") {
            call = { ...call, requestId: this.worthShowing(theirs, request.body) };
        }
        const text = typeof response.data === "string" ? response.data : "";
        if (response.status < 200 || response.status > 299) {
            throw this.refusal(call, response, text, request.body);
        }
        return { call, status: response.status, body: parseAnswer(call, response.status, text) };
    }

    private refusal(call: CallInfo, response: AxiosResponse<unknown>, text: string, body: unknown): ServiceError {
        const { code, message } = parseError(text);
        return new ServiceError(
            call,
            response.status,
            code === undefined ? undefined : this.worthShowing(code, body),
            message === undefined ? undefined : this.worthShowing(message, body),
            parseRetryAfter(response.headers["retry-after"], response.headers.date),
        );
    }

    /** A service that quotes what it was sent must not bring a token or a password into an error, nor part of one where its words are cut. */
    private worthShowing(text: string, body: unknown): string {
        const password = (body as { password?: unknown } | undefined)?.password;
        return [...this.secrets, ...(typeof password === "string" ? [password] : [])]
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

function parseAnswer(call: CallInfo, status: number, text: string): unknown {
    if (text.trim() === "") {
        return undefined;
    }
    try {
        return JSON.parse(text) as unknown;
    } catch {
        throw new AnswerError(
            call,
            status,
            text.trimStart().startsWith("<") ? "HTML instead of JSON" : "malformed JSON",
        );
    }
}

function parseError(text: string): { code: string | undefined; message: string | undefined } {
    try {
        const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
        return {
            code: typeof code === "string" ? code : undefined,
            message: typeof message === "string" ? message : undefined,
        };
    } catch {
        // A proxy answers with HTML or nothing; neither is worth showing.
        return { code: undefined, message: undefined };
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
