import { join, resolve as absolute } from "node:path";
import { ConfigError } from "../../../provider/api/callErrors";
import {
    checkSettings,
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
    failureOf(() => resolve(config, env), ConfigError);

describe("the source of a setting", () => {
    const env = {
        CLOUDDB_ACCESS_TOKEN: "token-of-env",
        CLOUDDB_BASE_URL: "https://env.example.com/v1",
        CLOUDDB_PROJECT_ID: "projectenv",
    };

    const inConfig = {
        baseUrl: good.baseUrl,
        baseUrlSetting: "clouddb:baseUrl",
        project: { id: "projectcfg", setting: "clouddb:projectId" },
        token: { kind: "config", name: "clouddb:accessToken", value: { token: good.accessToken } },
        listLagMs: 30_000,
    };
    const inEnvironment = {
        baseUrl: "https://env.example.com/v1",
        baseUrlSetting: "CLOUDDB_BASE_URL",
        project: { id: "projectenv", setting: "CLOUDDB_PROJECT_ID" },
        token: { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN", value: { token: "token-of-env" } },
        listLagMs: 30_000,
    };

    it.each<[string, Values, { readonly project: { readonly id: string } }]>([
        ["the stack config, which takes precedence", { ...good, projectId: "projectcfg" }, inConfig],
        ["the environment", {}, inEnvironment],
        ...["", " ", "\t\n"].map((blank): [string, Values, typeof inEnvironment] => [
            `the environment, if the config has only ${JSON.stringify(blank)}`,
            { accessToken: blank, baseUrl: blank, projectId: blank },
            inEnvironment,
        ]),
    ])("is %s", (_, config, expected) => {
        expect(resolveSettings(source(config, env))).toEqual(expected);
        expect(resolveProjectId(source(config, env))).toBe(expected.project.id);
    });

    it.each([
        ["http://127.0.0.1:8080/v1", "300", 300],
        ["http://127.0.0.1:8080/v1", "", 30_000],
        ["https://api.example.com/v1", "300", 30_000],
        ["https://api.example.com/v1", "30s", 30_000],
    ])("an emulator can shorten the time of a list, the platform cannot: %s %j", (baseUrl, text, lagMs) => {
        expect(resolve({ baseUrl }, { CLOUDDB_LIST_LAG_MS: text }).listLagMs).toBe(lagMs);
    });

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
        ["https://api.example.com/v1", "https://api.example.com/v1", "a usual URL"],
        ["https://api.example.com/v1/", "https://api.example.com/v1", "a trailing slash"],
        ["HTTPS://API.example.com:443/a/v1", "https://api.example.com/a/v1", "upper case and a default port"],
        ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", "http to this computer"],
        ["http://localhost:1/v1", "http://localhost:1/v1", "localhost"],
        ["http://[::1]:1/v1", "http://[::1]:1/v1", "loopback in IPv6"],
    ])("%s is valid, as %s: %s", (baseUrl, is) => {
        expect(resolve({ baseUrl }).baseUrl).toBe(is);
    });

    it.each([
        ["api.example.com/v1", "not an http(s) URL", "no scheme"],
        ["ftp://api.example.com/v1", "not an http(s) URL", "another scheme"],
        ["https://api.example.com", "must end in the version, /v1", "no version"],
        ["https://api.example.com/v1/projects", "must end in the version", "a path beyond"],
        ["https://api.example.com/v1?a=b", "a query", "a query"],
        ["https://me@api.example.com/v1", "a user name", "a user"],
        ["http://localhost/hunter2@api.example.com/v1", "a user name", "a user after the first slash"],
        ["http://api.example.com/v1", "use https", "http to another host"],
        ["http://localhost.example.com/v1", "use https", "a host that only begins with localhost"],
        ["http://127.0.0.1.example.com/v1", "use https", "a host that only begins with a loopback address"],
        ["http://10.0.0.1/v1", "use https", "a private address is not this computer"],
    ])("%s is not valid, %s: %s", async (baseUrl, says) => {
        const error = await problemWith({ baseUrl });
        expect(error.setting).toBe("clouddb:baseUrl");
        expect(error.message).toContain("clouddb:baseUrl");
        expect(error.message).toContain(says);
        expect(() => checkSettings(source({ baseUrl }))).toThrow(error.message);
    });

    it.each([
        [source({}, { CLOUDDB_BASE_URL: "ftp://x/v1" }), "CLOUDDB_BASE_URL"],
        [{ ...source({ baseUrl: "ftp://x/v1" }), provider: "own" }, 'baseUrl of provider "own"'],
    ])("an error about a base URL names its place: %#", (given, setting) => {
        expect(() => checkSettings(given)).toThrow(expect.objectContaining({ setting }) as Error);
    });

    it.each([
        "https://me:hunter2@api.example.com/v1",
        "ftp://me:hunter2@api.example.com/v1",
        "me:hunter2@api.example.com/v1",
        "http://me:hunter2/more@api.example.com/v1",
        "http://127.0.0.1/hunter2/more@api.example.com/v1",
    ])("%s is not valid, and the error does not contain its password", async (baseUrl) => {
        expect(leaksOf(await problemWith({ baseUrl }), "hunter2")).toEqual([]);
    });
});

it.each([
    [{ allowInsecure: "true" }, {}, true],
    [{}, { CLOUDDB_ALLOW_INSECURE: "true" }, true],
    ...["false", "0", "yes", ""].map((allowInsecure) => [{ allowInsecure }, {}, false] as const),
    [{ allowInsecure: "false" }, { CLOUDDB_ALLOW_INSECURE: "true" }, false],
] as const)(
    "with %j in the config and %j in the environment, http to another computer is allowed: %s",
    async (config, env, isAllowed) => {
        const baseUrl = "http://api.internal/v1";
        if (isAllowed) {
            expect(resolve({ baseUrl, ...config }, env).baseUrl).toBe(baseUrl);
        } else {
            expect((await problemWith({ baseUrl, ...config }, env)).message).toContain("clouddb:allowInsecure");
        }
    },
);

describe("an access token", () => {
    const file = { accessToken: undefined, accessTokenFile: "run/token" };

    it("a token file is relative to the folder of the program, and is not read yet", () => {
        const path = join(process.cwd(), "run/token");
        expect(resolve(file).token).toEqual({ kind: "config", name: "clouddb:accessTokenFile", value: { file: path } });
        expect(resolve({ ...file, accessTokenFile: "/run/token" }).token.value).toEqual({
            file: absolute("/run/token"),
        });
    });

    it.each([
        [
            { accessToken: undefined },
            { CLOUDDB_ACCESS_TOKEN_FILE: "/t" },
            "environment",
            "CLOUDDB_ACCESS_TOKEN_FILE",
            { file: absolute("/t") },
        ],
        [{}, { CLOUDDB_ACCESS_TOKEN_FILE: "/t" }, "config", "clouddb:accessToken", { token }],
        [
            { accessToken: " ", accessTokenFile: "/t" },
            { CLOUDDB_ACCESS_TOKEN: "t" },
            "config",
            "clouddb:accessTokenFile",
            { file: absolute("/t") },
        ],
    ])("the stack config has priority over the environment, %j over %j", (config, env, kind, name, value) => {
        expect(resolve(config, env).token).toEqual({ kind, name, value });
    });

    it("a token of an explicit provider has the name of the provider", () => {
        const explicit = { ...source(good), provider: "analytics" };
        expect(resolveSettings(explicit).token).toMatchObject({
            kind: "provider",
            name: 'accessToken of provider "analytics"',
        });
    });

    it.each([
        [{ accessTokenFile: "f" }, {}, "clouddb:accessToken and clouddb:accessTokenFile"],
        [
            { accessToken: undefined },
            { CLOUDDB_ACCESS_TOKEN: "t", CLOUDDB_ACCESS_TOKEN_FILE: "f" },
            "CLOUDDB_ACCESS_TOKEN and CLOUDDB_ACCESS_TOKEN_FILE",
        ],
    ])("a token and a token file in one place fail, even in a preview: %j, %j", async (config, env, says) => {
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
