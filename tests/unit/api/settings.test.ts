import { join } from "node:path";
import { ConfigError } from "../../../provider/api/callErrors";
import {
    checkSettings,
    resolveBaseUrl,
    resolveDeletionProtection,
    resolveProjectId,
    resolveSettings,
} from "../../../provider/api/settings";
import type { Settings, SettingSource } from "../../../provider/api/settings";
import { leaksOf, failureOf, token } from "../../support/client";

type Values = Readonly<Record<string, string | undefined>>;

const source = (config: Values, env: Values = {}): SettingSource => ({ config: (key) => config[key], env });

const good = { baseUrl: "https://api.example.com/public/api/v1", accessToken: token };

const resolve = (config: Values, env: Values = {}): Settings => resolveSettings(source({ ...good, ...config }, env));

const problemWith = (config: Values, env: Values = {}): Promise<ConfigError> =>
    failureOf(
        Promise.resolve().then(() => resolve(config, env)),
        ConfigError,
    );

describe("the source of a setting", () => {
    const env = {
        CLOUDDB_ACCESS_TOKEN: "token-of-env",
        CLOUDDB_BASE_URL: "https://env.example.com/v1",
        CLOUDDB_PROJECT_ID: "projectenv",
    };

    it("the stack config takes precedence over the environment", () => {
        const both = source({ ...good, projectId: "projectcfg" }, env);
        expect(resolveSettings(both)).toEqual({
            baseUrl: good.baseUrl,
            baseUrlSetting: "clouddb:baseUrl",
            project: { id: "projectcfg", setting: "clouddb:projectId" },
            token: { kind: "config", name: "clouddb:accessToken", value: { token: good.accessToken } },
            listLagMs: 30_000,
        });
        expect(resolveProjectId(both)).toBe("projectcfg");
    });

    it("the environment is used if the config has no value", () => {
        expect(resolveSettings(source({}, env))).toEqual({
            baseUrl: "https://env.example.com/v1",
            baseUrlSetting: "CLOUDDB_BASE_URL",
            project: { id: "projectenv", setting: "CLOUDDB_PROJECT_ID" },
            token: { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN", value: { token: "token-of-env" } },
            listLagMs: 30_000,
        });
        expect(resolveProjectId(source({}, env))).toBe("projectenv");
    });

    it.each([
        ["http://127.0.0.1:8080/v1", "300", 300],
        ["http://127.0.0.1:8080/v1", "", 30_000],
        ["https://api.example.com/v1", "300", 30_000],
        ["https://api.example.com/v1", "30s", 30_000],
    ])("an emulator can shorten the time of a list, the platform cannot: %s %j", (baseUrl, text, lagMs) => {
        expect(resolve({ baseUrl }, { CLOUDDB_LIST_LAG_MS: text }).listLagMs).toBe(lagMs);
    });

    it.each(["30s", "0.5", "-1", "1e9"])("the time %s of a list is an error, also in a preview", async (text) => {
        const [config, env] = [{ baseUrl: "http://localhost:8080/v1" }, { CLOUDDB_LIST_LAG_MS: text }];
        const { message } = await problemWith(config, env);
        expect(message).toBe(`CLOUDDB_LIST_LAG_MS ${JSON.stringify(text)} is not a whole number of milliseconds.`);
        expect(() => checkSettings(source({ ...good, ...config }, env))).toThrow(message);
    });

    it.each(["", " ", "\t\n"])(
        "a setting is read from the environment if the config has only %j, which pipelines use for unset",
        (blank) => {
            const blanks = { accessToken: blank, baseUrl: blank, projectId: blank };
            expect(resolveSettings(source(blanks, env)).baseUrl).toBe("https://env.example.com/v1");
            expect(resolveProjectId(source(blanks, env))).toBe("projectenv");
        },
    );

    it("white space around a value is ignored", () => {
        const resolved = resolve({ baseUrl: ` ${good.baseUrl}\n`, accessToken: `${token}\n` });
        expect(resolved.baseUrl).toBe(good.baseUrl);
        expect(resolved.token.value).toEqual({ token });
    });
});

describe("a missing setting", () => {
    it.each([
        { setting: "baseUrl", says: ["pulumi config set clouddb:baseUrl", "CLOUDDB_BASE_URL", "https://"] },
        {
            setting: "accessToken",
            says: [
                "pulumi config set --secret clouddb:accessToken",
                "CLOUDDB_ACCESS_TOKEN or CLOUDDB_ACCESS_TOKEN_FILE",
            ],
        },
    ])("a missing $setting fails with both ways to set it", async ({ setting, says }) => {
        const error = await problemWith({ [setting]: undefined });
        expect(error.setting).toBe(`clouddb:${setting}`);
        for (const part of says) {
            expect(error.message).toContain(part);
        }
    });

    it("a missing projectId fails with all ways to set it, including the resource", () => {
        expect(() => resolveProjectId(source({}))).toThrow(ConfigError);
        expect(() => resolveProjectId(source({ projectId: " " }))).toThrow(
            /clouddb:projectId.*CLOUDDB_PROJECT_ID\n.*projectId$/,
        );
    });
});

describe("a base URL", () => {
    it.each([
        { baseUrl: "https://api.example.com/v1", is: "https://api.example.com/v1", reason: "a usual URL" },
        { baseUrl: "https://api.example.com/v1/", is: "https://api.example.com/v1", reason: "a trailing slash" },
        {
            baseUrl: "HTTPS://API.example.com:443/a/v1",
            is: "https://api.example.com/a/v1",
            reason: "upper case and a default port",
        },
        { baseUrl: "http://127.0.0.1:8080/v1", is: "http://127.0.0.1:8080/v1", reason: "http to this computer" },
        { baseUrl: "http://localhost:1/v1", is: "http://localhost:1/v1", reason: "localhost" },
        { baseUrl: "http://[::1]:1/v1", is: "http://[::1]:1/v1", reason: "loopback in IPv6" },
    ])("$baseUrl is valid: $reason", ({ baseUrl, is }) => {
        expect(resolve({ baseUrl }).baseUrl).toBe(is);
    });

    it.each([
        { baseUrl: "api.example.com/v1", says: "not an http(s) URL", reason: "no scheme" },
        { baseUrl: "ftp://api.example.com/v1", says: "not an http(s) URL", reason: "another scheme" },
        { baseUrl: "https://api.example.com", says: "must end in the version, /v1", reason: "no version" },
        { baseUrl: "https://api.example.com/v1/projects", says: "must end in the version", reason: "a path beyond" },
        { baseUrl: "https://api.example.com/v1?a=b", says: "a query", reason: "a query" },
        { baseUrl: "https://me@api.example.com/v1", says: "a user name", reason: "a user" },
        { baseUrl: "http://api.example.com/v1", says: "use https", reason: "http to another host" },
        {
            baseUrl: "http://localhost.example.com/v1",
            says: "use https",
            reason: "a host that only begins with localhost",
        },
        {
            baseUrl: "http://127.0.0.1.example.com/v1",
            says: "use https",
            reason: "a host that only begins with a loopback address",
        },
        { baseUrl: "http://10.0.0.1/v1", says: "use https", reason: "a private address is not this computer" },
    ])("$baseUrl is not valid: $reason", async ({ baseUrl, says }) => {
        const error = await problemWith({ baseUrl });
        expect(error.setting).toBe("clouddb:baseUrl");
        expect(error.message).toContain("clouddb:baseUrl");
        expect(error.message).toContain(says);
        expect(() => resolveBaseUrl(source({ baseUrl }))).toThrow(error.message);
    });

    it.each([
        { from: "the environment", given: source({}, { CLOUDDB_BASE_URL: "ftp://x/v1" }), setting: "CLOUDDB_BASE_URL" },
        {
            from: "an explicit provider",
            given: { ...source({ baseUrl: "ftp://x/v1" }), provider: "own" },
            setting: 'baseUrl of provider "own"',
        },
    ])("an error about a base URL from $from names $setting", ({ given, setting }) => {
        expect(() => resolveBaseUrl(given)).toThrow(expect.objectContaining({ setting }) as Error);
    });

    it.each([
        "https://me:hunter2@api.example.com/v1",
        "ftp://me:hunter2@api.example.com/v1",
        "me:hunter2@api.example.com/v1",
    ])("%s is not valid, and the error does not contain its password", async (baseUrl) => {
        expect(leaksOf(await problemWith({ baseUrl }), "hunter2")).toEqual([]);
    });
});

describe("http to another computer", () => {
    const baseUrl = "http://api.internal/v1";

    it("http is allowed by allowInsecure, in the config or in the environment", () => {
        expect(resolve({ baseUrl, allowInsecure: "true" }).baseUrl).toBe(baseUrl);
        expect(resolve({ baseUrl }, { CLOUDDB_ALLOW_INSECURE: "true" }).baseUrl).toBe(baseUrl);
    });

    it.each(["false", "0", "yes", ""])("http is not allowed if allowInsecure is %j", async (allowInsecure) => {
        const error = await problemWith({ baseUrl, allowInsecure });
        expect(error.message).toContain("clouddb:allowInsecure");
    });

    it("http is not allowed if the config forbids it, even if the environment allows it", async () => {
        await problemWith({ baseUrl, allowInsecure: "false" }, { CLOUDDB_ALLOW_INSECURE: "true" });
    });
});

describe("an access token", () => {
    const file = { accessToken: undefined, accessTokenFile: "run/token" };

    it("a token file is relative to the folder of the program, and is not read yet", () => {
        const path = join(process.cwd(), "run/token");
        expect(resolve(file).token).toEqual({ kind: "config", name: "clouddb:accessTokenFile", value: { file: path } });
        expect(resolve({ ...file, accessTokenFile: "/run/token" }).token.value).toEqual({ file: "/run/token" });
    });

    it.each([
        {
            config: { accessToken: undefined },
            env: { CLOUDDB_ACCESS_TOKEN_FILE: "/token" },
            is: { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN_FILE", value: { file: "/token" } },
        },
        {
            config: {},
            env: { CLOUDDB_ACCESS_TOKEN_FILE: "/token" },
            is: { kind: "config", name: "clouddb:accessToken", value: { token } },
        },
        {
            config: { accessToken: " ", accessTokenFile: "/token" },
            env: { CLOUDDB_ACCESS_TOKEN: "t" },
            is: { kind: "config", name: "clouddb:accessTokenFile", value: { file: "/token" } },
        },
    ])("the stack config has priority over the environment, $config over $env", ({ config, env, is }) => {
        expect(resolve(config, env).token).toEqual(is);
    });

    it("a token of an explicit provider has the name of the provider", () => {
        const explicit = { ...source(good), provider: "analytics" };
        expect(resolveSettings(explicit).token).toMatchObject({
            kind: "provider",
            name: 'accessToken of provider "analytics"',
        });
    });

    it.each([
        { config: { accessTokenFile: "f" }, env: {}, says: "clouddb:accessToken and clouddb:accessTokenFile" },
        {
            config: { accessToken: undefined },
            env: { CLOUDDB_ACCESS_TOKEN: "t", CLOUDDB_ACCESS_TOKEN_FILE: "f" },
            says: "CLOUDDB_ACCESS_TOKEN and CLOUDDB_ACCESS_TOKEN_FILE",
        },
    ])("a token and a token file in one place fail, even in a preview: $says", async ({ config, env, says }) => {
        const { message } = await problemWith(config, env);
        expect(message).toBe(`${says} are both set; remove one of them.`);
        expect(() => checkSettings(source({ ...good, ...config }, env))).toThrow(message);
    });

    it("a preview needs no token", () => {
        expect(() => checkSettings(source({ baseUrl: good.baseUrl }))).not.toThrow();
    });
});

describe("the default of deletionProtection", () => {
    const sourceOf = (config: string | undefined, provider?: string): SettingSource => ({
        ...source({ ...good, deletionProtection: config }),
        provider,
    });

    it.each([
        [undefined, true],
        ["false", false],
        [" true ", true],
    ])("is the configuration %j, else true: %s", (config, expected) => {
        expect(resolveDeletionProtection(sourceOf(config))).toBe(expected);
        expect(resolveDeletionProtection(sourceOf(config, "p"))).toBe(expected);
    });

    it.each([
        ["False", undefined, 'clouddb:deletionProtection "False"'],
        ["", undefined, 'clouddb:deletionProtection ""'],
        [" ", "p", 'deletionProtection of provider "p" ""'],
        ["1", "p", 'deletionProtection of provider "p" "1"'],
    ])("is an error that names the setting: %j in the configuration of provider %j", (config, provider, name) => {
        const given = sourceOf(config, provider);
        const error = new ConfigError("", `${name} is not allowed; use true or false.`);
        expect(() => resolveDeletionProtection(given)).toThrow(error);
        expect(() => {
            checkSettings(given);
        }).toThrow(error);
    });
});
