import type { AxiosProxyConfig } from "axios";
import { getProxyForUrl } from "proxy-from-env";
import { type CallInfo, isLoopback } from "./callAdvice";
import { ConfigError } from "./callErrors";

/** How to connect to a proxy, with the user and the password. */
interface ProxiedConnection {
    readonly proxy: NonNullable<CallInfo["proxy"]>;
    readonly config: AxiosProxyConfig;
}

/** The proxy for this base URL. A connection within this computer uses none. */
export function proxyFor(baseUrl: string): ProxiedConnection | undefined {
    const { protocol, hostname } = new URL(baseUrl);
    if (isLoopback(hostname) || getProxyForUrl(baseUrl) === "") {
        return undefined;
    }
    const name = `${protocol.slice(0, -1)}_proxy`;
    const variables = [name, name.toUpperCase(), "all_proxy", "ALL_PROXY"];
    const variable = variables.find((one) => process.env[one]) ?? name;
    const config = parse(process.env[variable] ?? "");
    if (config === undefined) {
        // The value may contain a password.
        throw new ConfigError(
            variable,
            `${variable} is not the URL of an HTTP proxy; use for example http://proxy.example.com:3128, or unset it.`,
        );
    }
    return { proxy: { variable, url: `${config.protocol}//${config.host}:${config.port}` }, config };
}

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** The settings of a proxy. Undefined if the text is not the URL of one. */
function parse(text: string): (AxiosProxyConfig & { readonly protocol: string }) | undefined {
    try {
        const { protocol, hostname, port, username, password } = new URL(
            text.includes("://") ? text : `http://${text}`,
        );
        const defaultPort = defaultPorts[protocol];
        const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
        return defaultPort === undefined
            ? undefined
            : { protocol, host: hostname, port: Number(port || defaultPort), ...(username === "" ? {} : { auth }) };
    } catch {
        return undefined;
    }
}
