import { way, suggestion, type Message, type WayOut } from "../base/message";
import { resolve } from "node:path";
import type { TokenSource } from "./accessToken";
import { ConfigError } from "./callErrors";
import { isLoopback } from "./callAdvice";

/** The settings of the client. */
export interface Settings {
    /** Has no trailing slash. The last segment is the major version. */
    readonly baseUrl: string;
    /** The name of the base URL where it is declared, for messages: `CLOUDDB_BASE_URL`. */
    readonly baseUrlSetting: string;
    /** The default project of resources, and the setting where it is declared, for messages: `CLOUDDB_PROJECT_ID`. */
    readonly project?: { readonly id: string; readonly setting: string } | undefined;
    readonly token: TokenSource;
    /** How long lists may not show a new resource, in milliseconds. */
    readonly listLagMs: number;
}

/** Reads and lists may not show a new resource for a few seconds. This is longer than each known delay. */
export const longestListLagMs = 30_000;

/** The settings, as a stack or an explicit provider declares them. */
export interface ProviderInputs {
    /**
     * The access token: a bearer token, or a personal access token in the form `PUBLIC_KEY:SECRET_KEY`.
     * @default the environment variable CLOUDDB_ACCESS_TOKEN
     */
    accessToken?: string;
    /**
     * The path of a file that contains only the access token, instead of `accessToken`. It is relative to the folder of
     * the program. The file is read again when the API rejects the token, so that a tool can renew it during a run.
     * @default the environment variable CLOUDDB_ACCESS_TOKEN_FILE
     */
    accessTokenFile?: string;
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
    /**
     * The `deletionProtection` of services that do not declare it.
     * @default true
     */
    deletionProtection?: boolean;
}

/** The sources of settings. The stack config takes precedence over the environment. */
export interface SettingSource {
    /** The value of `clouddb:<key>` in the stack config. */
    config(key: string): string | undefined;
    /** The name of the explicit provider that declares these values instead of the stack config. */
    readonly provider?: string | undefined;
    readonly env: Readonly<Record<string, string | undefined>>;
}

/** The environment variable of each setting that has one: protection is a decision of the stack. */
export const environmentNames = {
    accessToken: "CLOUDDB_ACCESS_TOKEN",
    accessTokenFile: "CLOUDDB_ACCESS_TOKEN_FILE",
    projectId: "CLOUDDB_PROJECT_ID",
    baseUrl: "CLOUDDB_BASE_URL",
    allowInsecure: "CLOUDDB_ALLOW_INSECURE",
} as const satisfies Readonly<Record<Exclude<keyof ProviderInputs, "deletionProtection">, string>>;

/** All settings. */
export const settingNames: readonly (keyof ProviderInputs)[] = [
    ...(Object.keys(environmentNames) as Key[]),
    "deletionProtection",
];

/** The settings that are always secret. */
export const secretSettings: readonly (keyof ProviderInputs)[] = ["accessToken"];

type Key = keyof typeof environmentNames;

/** Validates the base URL, and finds the token. Errors name the setting and never contain the token. */
export function resolveSettings(source: SettingSource): Settings {
    const address = resolveAddress(source);
    return {
        ...address,
        project: declaredProject(source),
        token: resolveToken(source),
        listLagMs: resolveListLag(source, address),
    };
}

/** Validates the settings that a preview needs: all except the token, which must only be unambiguous. */
export function checkSettings(source: SettingSource): void {
    resolveAddress(source);
    resolveDeletionProtection(source);
    findToken(source);
}

/** The `deletionProtection` of a resource with data that does not declare it. */
export function resolveDeletionProtection(source: Omit<SettingSource, "env">): boolean {
    const text = source.config("deletionProtection")?.trim() ?? "true";
    if (text !== "true" && text !== "false") {
        const setting = declaredName(source, "deletionProtection");
        throw new ConfigError(setting, `${setting} ${JSON.stringify(text)} is not allowed; use true or false.`);
    }
    return text === "true";
}

/** Pulumi gives the settings of a project that is named `clouddb` the namespace of this package. */
const sameName = way(
    "The project has the name of this package",
    "read it with another namespace, or rename the project",
);

/** Fails for a key of the stack config that is not a setting. Keys are given without `clouddb:`. */
export function checkKeys(keys: readonly string[], project?: string): void {
    const names: readonly string[] = settingNames;
    const unexpected = keys.find((key) => !names.includes(key));
    if (unexpected === undefined) {
        return;
    }
    const setting = `clouddb:${unexpected}`;
    const known = names.map((name) => `clouddb:${name}`);
    throw new ConfigError(setting, {
        what: `${setting} is not a setting of this package; ${suggestion(setting, known, "the settings")}`,
        ways: [project === "clouddb" ? sameName : way("Remove it", `\`pulumi config rm ${setting}\``)],
    });
}

/** The default project of resources. */
export function resolveProjectId(source: SettingSource): string {
    const project = declaredProject(source);
    if (project === undefined) {
        const set = way("Set it", "`pulumi config set clouddb:projectId ID`, or CLOUDDB_PROJECT_ID");
        throw missingSetting("projectId", "No project is set.", set, way("For one resource", "its input projectId"));
    }
    return project.id;
}

function declaredProject(source: SettingSource): Settings["project"] {
    const found = find(source, "projectId");
    return found && { id: found.value, setting: found.name };
}

type Address = Pick<Settings, "baseUrl" | "baseUrlSetting">;

/** Reads and validates the base URL, without a request. */
function resolveAddress(source: SettingSource): Address {
    const found = find(source, "baseUrl");
    const example = "for example https://console.example.com/public/api/v1";
    if (found === undefined) {
        const set = `\`pulumi config set clouddb:baseUrl URL\`, or CLOUDDB_BASE_URL, ${example}`;
        throw missingSetting("baseUrl", "No base URL is set.", way("Set it", set));
    }
    const { name: setting, value: text } = found;
    // The part before an @, wherever it is, may be a password.
    if (/[@?#]/.test(text)) {
        throw new ConfigError(setting, `${setting} must not contain a user name, a password, a query or a fragment.`);
    }
    const shown = JSON.stringify(text);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
        throw new ConfigError(setting, `${setting} ${shown} is not an http(s) URL; use ${example}.`);
    }
    const path = url.pathname.replace(/(?<!\/)\/+$/, "");
    if (!/\/v\d+$/.test(path)) {
        throw new ConfigError(setting, `${setting} ${shown} must end in the version, /v1; use ${example}.`);
    }
    if (url.protocol === "http:" && !isLoopback(url.hostname) && find(source, "allowInsecure")?.value !== "true") {
        throw new ConfigError(
            setting,
            `${setting} ${shown} would send the token unencrypted: use https, ` +
                "or set clouddb:allowInsecure to true on a trusted network.",
        );
    }
    return { baseUrl: url.origin + path, baseUrlSetting: setting };
}

/** Only an emulator sets it, which shows a new resource sooner. */
function resolveListLag(source: SettingSource, { baseUrl }: Address): number {
    const text = source.env.CLOUDDB_LIST_LAG_MS ?? "";
    return /^\d+$/.test(text) && isLoopback(new URL(baseUrl).hostname) ? Number(text) : longestListLagMs;
}

function resolveToken(source: SettingSource): TokenSource {
    const found = findToken(source);
    if (found === undefined) {
        const what = "No access token is set. A personal access token has the form PUBLIC_KEY:SECRET_KEY.";
        const set =
            "`pulumi config set --secret clouddb:accessToken`, which asks for it, or CLOUDDB_ACCESS_TOKEN " +
            "or CLOUDDB_ACCESS_TOKEN_FILE";
        throw missingSetting("accessToken", what, way("Set it", set));
    }
    return found;
}

/** Finds the token or its file. Fails if the stack config, or the environment, contains both. */
function findToken(source: SettingSource): TokenSource | undefined {
    const [token, file] = [find(source, "accessToken"), find(source, "accessTokenFile")];
    if (token !== undefined && token.kind === file?.kind) {
        throw new ConfigError(token.name, `${token.name} and ${file.name} are both set; remove one of them.`);
    }
    return file !== undefined && (token === undefined || token.kind === "environment")
        ? { ...file, value: { file: resolve(file.value) } }
        : token && { ...token, value: { token: token.value } };
}

/** The name of a setting in the stack config, or in the explicit provider. */
function declaredName({ provider }: Pick<SettingSource, "provider">, key: keyof ProviderInputs): string {
    return provider === undefined ? `clouddb:${key}` : `${key} of provider ${JSON.stringify(provider)}`;
}

/** The value of a setting, and where it is. */
interface Found extends Pick<TokenSource, "kind" | "name"> {
    readonly value: string;
}

/** Looks into the stack config or the explicit provider, then into the environment. */
function find(source: SettingSource, key: Key): Found | undefined {
    const declared = nonEmpty(source.config(key));
    if (declared !== undefined) {
        const kind = source.provider === undefined ? "config" : "provider";
        return { kind, name: declaredName(source, key), value: declared };
    }
    const name = environmentNames[key];
    const value = nonEmpty(source.env[name]);
    return value === undefined ? undefined : { kind: "environment", name, value };
}

/** Pipelines set an unset variable to an empty string. */
function nonEmpty(value: string | undefined): string | undefined {
    const text = value?.trim();
    return text === "" ? undefined : text;
}

/** The error for a setting that neither the stack config nor the environment contains. */
function missingSetting(key: Key, what: string, ...ways: readonly WayOut[]): ConfigError {
    return new ConfigError(`clouddb:${key}`, { what, ways }, true);
}

/** The problem with a setting. Undefined if it is valid. */
export function settingError(read: () => unknown): Message | undefined {
    try {
        read();
        return undefined;
    } catch (error) {
        if (error instanceof ConfigError) {
            return error.parts;
        }
        throw error;
    }
}
