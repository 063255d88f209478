import { ConfigError } from "./errors";
import { nearest } from "../inputs/nearest";

/** How to authenticate: a bearer token, or a personal access token as its public and secret key. */
export type Credentials =
    | { readonly kind: "bearer"; readonly token: string }
    | { readonly kind: "keyPair"; readonly publicKey: string; readonly secretKey: string };

/** What the client needs to know about the service. */
export interface Settings {
    /** Without a slash at the end; its last segment is the major version. */
    readonly baseUrl: string;
    readonly credentials: Credentials;
}

/** Where settings come from; the stack's config is asked before the environment. */
export interface SettingSource {
    /** The value of `clouddb:<key>` in the stack's config. */
    config(key: string): string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variable of each setting. */
export const environmentNames = {
    accessToken: "CLOUDDB_ACCESS_TOKEN",
    projectId: "CLOUDDB_PROJECT_ID",
    baseUrl: "CLOUDDB_BASE_URL",
    allowInsecure: "CLOUDDB_ALLOW_INSECURE",
} as const;

type Key = keyof typeof environmentNames;

function find(source: SettingSource, key: Key): string | undefined {
    // An empty value is how a pipeline spells "not set".
    return [source.config(key), source.env[environmentNames[key]]]
        .map((value) => value?.trim())
        .find((value) => value !== undefined && value !== "");
}

/** The base URL and the credentials, checked; the errors name the setting and never show the token. */
export function resolveSettings(source: SettingSource): Settings {
    return { baseUrl: resolveBaseUrl(source), credentials: resolveCredentials(source) };
}

/** Throws what is wrong with the base URL, which can be known without the service. */
export function checkBaseUrl(source: SettingSource): void {
    resolveBaseUrl(source);
}

/** Rejects keys of the stack's config that are no settings; the caller names those of this package without `clouddb:`. */
export function checkKeys(keys: readonly string[]): void {
    const names = Object.keys(environmentNames);
    const stranger = keys.find((key) => !names.includes(key));
    if (stranger === undefined) {
        return;
    }
    const meant = nearest(stranger, names);
    const hint = meant === undefined ? `The settings are ${names.join(", ")}.` : `Did you mean clouddb:${meant}?`;
    const remedy = `Remove it with \`pulumi config rm clouddb:${stranger}\`.`;
    throw new ConfigError(
        `clouddb:${stranger}`,
        `clouddb:${stranger} is not a setting of this package. ${hint} ${remedy}`,
    );
}

/** The project that resources belong to unless they name one themselves. */
export function resolveProjectId(source: SettingSource): string {
    const projectId = find(source, "projectId");
    if (projectId === undefined) {
        throw new ConfigError(
            "clouddb:projectId",
            "No project: set one with `pulumi config set clouddb:projectId ID` or CLOUDDB_PROJECT_ID, or give the resource a projectId.",
        );
    }
    return projectId;
}

function resolveBaseUrl(source: SettingSource): string {
    const setting = "clouddb:baseUrl";
    const text = find(source, "baseUrl");
    // What stands before an @ may be a password.
    const shown = JSON.stringify(text?.replace(/[^/]*@/g, "[secret]@"));
    const example = "for example https://console.example.com/public/api/v1";
    if (text === undefined) {
        throw new ConfigError(
            setting,
            `No base URL: set it with \`pulumi config set ${setting} URL\` or CLOUDDB_BASE_URL, ${example}.`,
        );
    }
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
        throw new ConfigError(setting, `${setting} ${shown} is not an http(s) URL; ${example}.`);
    }
    if (url.username || url.password || url.search || url.hash) {
        throw new ConfigError(setting, `${setting} must not hold a user name, a password, a query or a fragment.`);
    }
    const path = url.pathname.replace(/\/+$/, "");
    if (!/\/v\d+$/.test(path)) {
        throw new ConfigError(setting, `${setting} ${shown} must end in the version, /v1; ${example}.`);
    }
    if (url.protocol === "http:" && !isLoopback(url.hostname) && find(source, "allowInsecure") !== "true") {
        throw new ConfigError(
            setting,
            `${setting} ${shown} would send the token in clear: use https, ` +
                "or set clouddb:allowInsecure to true where the network itself is safe.",
        );
    }
    return url.origin + path;
}

function resolveCredentials(source: SettingSource): Credentials {
    const token = find(source, "accessToken");
    const setting = "clouddb:accessToken";
    if (token === undefined) {
        throw new ConfigError(
            setting,
            `No access token: run \`pulumi config set --secret ${setting}\`, which asks for it, or set CLOUDDB_ACCESS_TOKEN. ` +
                "A personal access token may be given as PUBLIC_KEY:SECRET_KEY.",
        );
    }
    if (/[^\x21-\x7e]/.test(token)) {
        throw new ConfigError(setting, `${setting} holds white space or other characters that no token has.`);
    }
    const colon = token.indexOf(":");
    if (colon < 0) {
        return { kind: "bearer", token };
    }
    const [publicKey, secretKey] = [token.slice(0, colon), token.slice(colon + 1)];
    if (publicKey === "" || secretKey === "") {
        throw new ConfigError(setting, `${setting} is half a pair: give both keys, PUBLIC_KEY:SECRET_KEY.`);
    }
    return { kind: "keyPair", publicKey, secretKey };
}

/** Whether what is sent to this host stays on this computer. */
export function isLoopback(hostname: string): boolean {
    return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
