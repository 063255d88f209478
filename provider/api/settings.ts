import { ConfigError } from "./errors";
import { isLoopback } from "./loopback";
import { nearest } from "../inputs/nearest";

/** How to authenticate: a bearer token, or a personal access token as its public and secret key. */
export type Credentials =
    | { readonly kind: "bearer"; readonly token: string }
    | { readonly kind: "keyPair"; readonly publicKey: string; readonly secretKey: string };

/** The settings of the client. */
export interface Settings {
    /** Has no trailing slash. The last segment is the major version. */
    readonly baseUrl: string;
    readonly credentials: Credentials;
}

/** The settings, as a stack or an explicit provider declares them. */
export interface ProviderInputs {
    /**
     * The access token: a bearer token, or a personal access token in the form `PUBLIC_KEY:SECRET_KEY`.
     * @default the environment variable CLOUDDB_ACCESS_TOKEN
     */
    accessToken?: string;
    /**
     * The id of the project for resources that do not declare one.
     * @default the environment variable CLOUDDB_PROJECT_ID
     */
    projectId?: string;
    /**
     * The URL of the management API, which ends in its version, `/v1`.
     * @default the environment variable CLOUDDB_BASE_URL
     */
    baseUrl?: string;
    /**
     * Whether to allow a `baseUrl` with `http` on another host, which sends the token unencrypted.
     * @default the environment variable CLOUDDB_ALLOW_INSECURE, otherwise false
     */
    allowInsecure?: boolean;
}

/** The sources of settings. The stack config takes precedence over the environment. */
export interface SettingSource {
    /** The value of `clouddb:<key>` in the stack config. */
    config(key: string): string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
}

/** The environment variable of each setting. */
export const environmentNames = {
    accessToken: "CLOUDDB_ACCESS_TOKEN",
    projectId: "CLOUDDB_PROJECT_ID",
    baseUrl: "CLOUDDB_BASE_URL",
    allowInsecure: "CLOUDDB_ALLOW_INSECURE",
} as const satisfies Readonly<Record<keyof ProviderInputs, string>>;

/** The settings that are always secret. */
export const secretSettings: readonly (keyof ProviderInputs)[] = ["accessToken"];

type Key = keyof typeof environmentNames;

function find(source: SettingSource, key: Key): string | undefined {
    // Pipelines set an unset variable to an empty string.
    return [source.config(key), source.env[environmentNames[key]]]
        .map((value) => value?.trim())
        .find((value) => value !== undefined && value !== "");
}

/** Whether neither the stack config nor the environment contains the setting, for example `clouddb:baseUrl`. */
export function isMissing(source: SettingSource, setting: string): boolean {
    const key = (Object.keys(environmentNames) as Key[]).find((name) => setting === `clouddb:${name}`);
    return key !== undefined && find(source, key) === undefined;
}

/** Reads and validates the base URL and the credentials. Errors name the setting and never contain the token. */
export function resolveSettings(source: SettingSource): Settings {
    return { baseUrl: resolveBaseUrl(source), credentials: resolveCredentials(source) };
}

/** Fails for a key of the stack config that is not a setting. Keys are given without `clouddb:`. */
export function checkKeys(keys: readonly string[]): void {
    const names = Object.keys(environmentNames);
    const unexpected = keys.find((key) => !names.includes(key));
    if (unexpected === undefined) {
        return;
    }
    const suggestion = nearest(unexpected, names);
    const hint =
        suggestion === undefined ? `The settings are ${names.join(", ")}.` : `Did you mean clouddb:${suggestion}?`;
    const remedy = `Remove it with \`pulumi config rm clouddb:${unexpected}\`.`;
    throw new ConfigError(
        `clouddb:${unexpected}`,
        `clouddb:${unexpected} is not a setting of this package. ${hint} ${remedy}`,
    );
}

/** The default project of resources. */
export function resolveProjectId(source: SettingSource): string {
    const projectId = find(source, "projectId");
    if (projectId === undefined) {
        throw new ConfigError(
            "clouddb:projectId",
            "No project: set one with `pulumi config set clouddb:projectId ID` or CLOUDDB_PROJECT_ID, or set the resource's projectId.",
        );
    }
    return projectId;
}

/** Reads and validates the base URL, without a request. */
export function resolveBaseUrl(source: SettingSource): string {
    const setting = "clouddb:baseUrl";
    const text = find(source, "baseUrl");
    // The part before an @ may be a password.
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
        throw new ConfigError(setting, `${setting} ${shown} is not an http(s) URL; use ${example}.`);
    }
    if (url.username || url.password || url.search || url.hash) {
        throw new ConfigError(setting, `${setting} must not contain a user name, a password, a query or a fragment.`);
    }
    const path = url.pathname.replace(/\/+$/, "");
    if (!/\/v\d+$/.test(path)) {
        throw new ConfigError(setting, `${setting} ${shown} must end in the version, /v1; use ${example}.`);
    }
    if (url.protocol === "http:" && !isLoopback(url.hostname) && find(source, "allowInsecure") !== "true") {
        throw new ConfigError(
            setting,
            `${setting} ${shown} would send the token unencrypted: use https, ` +
                "or set clouddb:allowInsecure to true on a trusted network.",
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
            `No access token: run \`pulumi config set --secret ${setting}\`, which prompts for it, or set CLOUDDB_ACCESS_TOKEN. ` +
                "A personal access token has the form PUBLIC_KEY:SECRET_KEY.",
        );
    }
    if (/[^\x21-\x7e]/.test(token)) {
        throw new ConfigError(
            setting,
            `${setting} contains white space or other invalid characters; set only the token.`,
        );
    }
    const colon = token.indexOf(":");
    if (colon < 0) {
        return { kind: "bearer", token };
    }
    const [publicKey, secretKey] = [token.slice(0, colon), token.slice(colon + 1)];
    if (publicKey === "" || secretKey === "") {
        throw new ConfigError(setting, `${setting} is missing one of its two keys; use PUBLIC_KEY:SECRET_KEY.`);
    }
    return { kind: "keyPair", publicKey, secretKey };
}
