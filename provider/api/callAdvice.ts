import { way, type WayOut } from "../base/message";
import type { ServerClock } from "./clock";
import { methods } from "./operations.gen";
import { pageFile, commandLine } from "../base/installation";

// A failed call in words: where it went, what a code means, and what to do about it.

/** A proxy between this computer and the API, in messages. */
interface Proxy {
    /** The environment variable that names it. */
    readonly variable: string;
    /** Contains no user and no password. */
    readonly url: string;
}

/** The methods of the API. */
export type Method = keyof typeof methods;

/** The call that failed. */
export interface CallInfo {
    readonly operation: string;
    readonly method: Method;
    /** The path below the base URL, with ids filled in. */
    readonly path: string;
    /** The base URL of the API. */
    readonly baseUrl: string;
    /** The setting that contains the base URL. */
    readonly baseUrlSetting: string;
    /** The setting or the input that contains the project of the path. */
    readonly projectSetting: string;
    /** The proxy between this computer and the API. */
    readonly proxy?: Proxy | undefined;
    /** The `X-Request-Id` of the response, otherwise of the request. */
    readonly requestId: string;
    /** The period in which the API may have processed the request, on its clock. Absent if unknown. */
    readonly inFlight?: ReturnType<ServerClock["since"]>;
}

/** The project in the path of a call. */
export function projectIn(path: string): string | undefined {
    const [, encoded] = /^\/projects\/([^/]+)/.exec(path) ?? [];
    return encoded && decodeURIComponent(encoded);
}

/** The host of a call in messages. */
export function hostOf({ baseUrl, proxy }: CallInfo): string {
    const { host } = new URL(baseUrl);
    return proxy === undefined ? host : `${host} through the proxy ${proxy.url} of ${proxy.variable}`;
}

/** Whether the code means that Node.js does not accept a certificate. The connection ends before the request is sent. */
export function isCertificateError(code: string): boolean {
    return /^(?!ERR_SSL_).*CERT|^UNABLE_TO_|SELF_SIGNED/.test(code);
}

const notEncrypted = "ERR_SSL_WRONG_VERSION_NUMBER";

/** Whether the code means that the other side made no encrypted connection. It has then not processed the request. */
export function isRefusedHandshake(code: string): boolean {
    return code === notEncrypted || /^ERR_SSL_\w+_ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/.test(code);
}

const causes = way("Causes", pageFile("installation-configuration"));

/** What to do about a request without a response. */
export function waysWithoutResponse(call: CallInfo, code: string): readonly WayOut[] {
    const { baseUrlSetting, proxy } = call;
    const { hostname, port } = new URL(call.baseUrl);
    if (code === notEncrypted) {
        return [way("Not https", `correct the scheme or the port of ${proxy?.variable ?? baseUrlSetting}`), causes];
    }
    if (isCertificateError(code) || isRefusedHandshake(code)) {
        const text = "set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of that authority";
        const hasOtherCause = /^ERR_SSL_|EXPIRED|NOT_YET_VALID|ALTNAME/.test(code);
        return hasOtherCause ? [causes] : [way("Unknown issuer of the certificate", text), causes];
    }
    if (code === tooLarge) {
        return [causes];
    }
    if (proxy !== undefined) {
        return [way("Proxy", `correct ${proxy.variable}, or add ${hostname} to NO_PROXY`), causes];
    }
    return code === "ECONNREFUSED" && isLoopback(hostname)
        ? [
              way("Emulator", `start it with \`${commandLine("emulator")}${port === "" ? "" : ` --port ${port}`}\``),
              way("Another address", `correct ${baseUrlSetting}`),
          ]
        : [way("Check", `${baseUrlSetting}, the network and whether the API is available`)];
}

/** What to do about a response that is not from the API. */
export function waysAfterInvalid(
    { baseUrl, baseUrlSetting, method }: CallInfo,
    /** Whether the API has responded at this address. */
    isValidAddress: boolean,
): readonly WayOut[] {
    const address = `check that ${baseUrlSetting} points to the management API and not to a proxy or a web page`;
    const passes = `check that no firewall blocks ${method} to ${new URL(baseUrl).host}, and sign in again if it asks for that`;
    return [...(isValidAddress && methods[method] !== "read" ? [way("Network", passes)] : []), way("Address", address)];
}

/** The status with the same meaning that is more common, if there is one. */
export const meaningOf = (status: number): number => ({ 410: 404, 423: 409, 425: 429 })[status] ?? status;

/** What to do about a rejection whose cause only a person can find. */
export const removeTheCause: WayOut = way("Continue", "remove the cause, and run the same command again");

const invalidValues = way("Correct", "the values in the program");

/** What to do about a status of the API. The token of a 401 has its own ways out. */
const waysByStatus = ({
    projectSetting,
    baseUrl,
    baseUrlSetting,
}: CallInfo): Readonly<Partial<Record<number, WayOut>>> => ({
    400: invalidValues,
    401: way("New token", "set a valid one"),
    402: way("Payment", "the account of the project needs a valid payment method; then run the same command again"),
    403: way(
        "The token lacks the required permission",
        `use one that belongs to the project (${projectSetting}) and may modify it`,
    ),
    404: isApiRoot(baseUrl)
        ? way("Check", `the id and the project (${projectSetting}); set projectId if it is in another one`)
        : way("Address", `correct ${baseUrlSetting}: its path must end with /v1, and is ${new URL(baseUrl).pathname}`),
    409: way(
        "It is busy, in the wrong state, or another resource depends on it",
        "run the same command again; if it fails again, compare its status in the console with the program",
    ),
    422: invalidValues,
    429: way("Too many requests", "lower the parallelism, or try again later"),
});

/** Whether the path of a base URL can be that of the API. */
const isApiRoot = (baseUrl: string): boolean => /^(\/[^/]+)*\/v1$/.test(new URL(baseUrl).pathname);

export function waysAfter(status: number, call: CallInfo): readonly WayOut[] {
    const found =
        waysByStatus(call)[meaningOf(status)] ??
        (status >= 500 ? way("Server error", "try again later") : removeTheCause);
    // Reads and deletions contain no values.
    return methods[call.method] !== "change" && found === invalidValues ? [] : [found];
}

/** The code of a response that is longer than the client reads. */
export const tooLarge = "ETOOLARGE";

/** What the codes of Node.js mean. */
const codeTexts: Readonly<Partial<Record<string, string>>> = {
    ECONNREFUSED: "connection refused",
    ENOTFOUND: "unknown host name",
    EAI_AGAIN: "the name server does not answer",
    EMFILE: "this computer has no free file descriptor",
    ENFILE: "this computer has no free file descriptor",
    [tooLarge]: "the response is too large",
    ECONNABORTED: "timed out",
    ETIMEDOUT: "timed out",
    ECONNRESET: "connection reset",
};

export function describeCode(code: string): string {
    return codeTexts[code] ?? code.replace(/^PROXY_/, "the proxy answered ");
}

/** Whether the host is this computer. */
export function isLoopback(hostname: string): boolean {
    return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
