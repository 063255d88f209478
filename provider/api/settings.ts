import { way, nearest } from "../base/message";
import { resolve } from "node:path";
import type { TokenSource } from "./accessToken";
import { ConfigError } from "./callErrors";
import { isLoopback } from "./callAdvice";

/** The settings of the client. */
export interface Settings {
    /** Has no trailing slash. The last segment is the major version. */
    readonly baseUrl: string;
    /** The name of the base URL where it is declared, for messages: `CLOUDDB_BASE_URL`. */
    readonly baseUrlSetting?: string;
    /** The default project of resources. */
    readonly project?: ProjectSetting | undefined;
    readonly token: TokenSource;
    /** How long lists may not show a new resource, in milliseconds. */
    readonly listLagMs?: number;
}

/** A project, and the name of the setting where it is declared, for messages: `CLOUDDB_PROJECT_ID`. */
export interface ProjectSetting {
    readonly id: string;
    readonly setting: string;
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

/** Where a setting can be: in the stack config or the explicit provider, and in the environment. The first value counts. */
function placesOf(source: SettingSource, key: Key): readonly Place[] {
    const kind = source.provider === undefined ? "config" : "provider";
    const name = environmentNames[key];
    return [
        { kind, name: declaredName(source, key), value: nonEmpty(source.config(key)) },
        { kind: "environment", name, value: nonEmpty(source.env[name]) },
    ];
}

interface Place {
    readonly kind: TokenSource["kind"];
    /** The name of the setting there. */
    readonly name: string;
    readonly value: string | undefined;
}

function find(source: SettingSource, key: Key): Place | undefined {
    return placesOf(source, key).find(({ value }) => value !== undefined);
}

/** Pipelines set an unset variable to an empty string. */
function nonEmpty(value: string | undefined): string | undefined {
    const text = value?.trim();
    return text === "" ? undefined : text;
}

/** Whether neither the stack config nor the environment contains the setting, for example `clouddb:baseUrl`. */
export function isMissing(source: SettingSource, setting: string): boolean {
    const key = (Object.keys(environmentNames) as Key[]).find((name) => setting === `clouddb:${name}`);
    return key !== undefined && find(source, key) === undefined;
}

/** Validates the base URL, and finds the token. Errors name the setting and never contain the token. */
export function resolveSettings(source: SettingSource): Settings {
    return {
        baseUrl: resolveBaseUrl(source),
        baseUrlSetting: nameOfBaseUrl(source),
        project: declaredProject(source),
        token: resolveToken(source),
        listLagMs: resolveListLag(source),
    };
}

/** Only an emulator sets it, which shows a new resource sooner. */
function resolveListLag(source: SettingSource): number {
    const name = "CLOUDDB_LIST_LAG_MS";
    const text = nonEmpty(source.env[name]);
    if (text === undefined || !isLoopback(new URL(resolveBaseUrl(source)).hostname)) {
        return longestListLagMs;
    }
    if (!/^\d+$/.test(text)) {
        throw new ConfigError(name, `${name} ${JSON.stringify(text)} is not a whole number of milliseconds.`);
    }
    return Number(text);
}

/** Validates the settings that a preview needs: all except the token, which must only be unambiguous. */
export function checkSettings(source: SettingSource): void {
    resolveBaseUrl(source);
    resolveListLag(source);
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
    const suggestion = nearest(unexpected, names);
    const hint =
        suggestion === undefined ? `The settings are ${names.join(", ")}.` : `Did you mean clouddb:${suggestion}?`;
    throw new ConfigError(`clouddb:${unexpected}`, {
        what: `clouddb:${unexpected} is not a setting of this package. ${hint}`,
        ways: [project === "clouddb" ? sameName : way("Remove it", `\`pulumi config rm clouddb:${unexpected}\``)],
    });
}

/** The default project of resources. */
export function resolveProjectId(source: SettingSource): string {
    const project = declaredProject(source);
    if (project === undefined) {
        throw new ConfigError("clouddb:projectId", {
            what: "No project is set.",
            ways: [
                way("Set it", "`pulumi config set clouddb:projectId ID`, or CLOUDDB_PROJECT_ID"),
                way("For one resource", "its input projectId"),
            ],
        });
    }
    return project.id;
}

function declaredProject(source: SettingSource): ProjectSetting | undefined {
    const { value: id, name: setting } = find(source, "projectId") ?? {};
    return id === undefined || setting === undefined ? undefined : { id, setting };
}

/** The name of the base URL where it is declared. If it is not, that of the stack config or of the explicit provider. */
function nameOfBaseUrl(source: SettingSource): string {
    return find(source, "baseUrl")?.name ?? declaredName(source, "baseUrl");
}

/** Reads and validates the base URL, without a request. */
export function resolveBaseUrl(source: SettingSource): string {
    const setting = nameOfBaseUrl(source);
    const text = find(source, "baseUrl")?.value;
    // The part before an @ may be a password.
    const shown = JSON.stringify(text?.replace(/[^/]*@/g, "[secret]@"));
    const example = "for example https://console.example.com/public/api/v1";
    if (text === undefined) {
        throw new ConfigError("clouddb:baseUrl", {
            what: "No base URL is set.",
            ways: [way("Set it", `\`pulumi config set clouddb:baseUrl URL\`, or CLOUDDB_BASE_URL, ${example}`)],
        });
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
    if (url.protocol === "http:" && !isLoopback(url.hostname) && find(source, "allowInsecure")?.value !== "true") {
        throw new ConfigError(
            setting,
            `${setting} ${shown} would send the token unencrypted: use https, ` +
                "or set clouddb:allowInsecure to true on a trusted network.",
        );
    }
    return url.origin + path;
}

function resolveToken(source: SettingSource): TokenSource {
    const found = findToken(source);
    if (found === undefined) {
        const setting = "clouddb:accessToken";
        throw new ConfigError(setting, {
            what: "No access token is set. A personal access token has the form PUBLIC_KEY:SECRET_KEY.",
            ways: [
                way(
                    "Set it",
                    `\`pulumi config set --secret ${setting}\`, which asks for it, or CLOUDDB_ACCESS_TOKEN ` +
                        "or CLOUDDB_ACCESS_TOKEN_FILE",
                ),
            ],
        });
    }
    return found;
}

/** Finds the token or its file. Fails if the stack config, or the environment, contains both. */
function findToken(source: SettingSource): TokenSource | undefined {
    const files = placesOf(source, "accessTokenFile");
    for (const [index, { kind, name, value: token }] of placesOf(source, "accessToken").entries()) {
        const file = files[index];
        if (token !== undefined && file?.value !== undefined) {
            throw new ConfigError(name, `${name} and ${file.name} are both set; remove one of them.`);
        }
        if (token !== undefined) {
            return { kind, name, value: { token } };
        }
        if (file?.value !== undefined) {
            return { kind, name: file.name, value: { file: resolve(file.value) } };
        }
    }
    return undefined;
}

/** The name of a setting in the stack config, or in the explicit provider. */
function declaredName({ provider }: Pick<SettingSource, "provider">, key: keyof ProviderInputs): string {
    return provider === undefined ? `clouddb:${key}` : `${key} of provider ${JSON.stringify(provider)}`;
}
