import { ConfigError } from "../provider/api/errors";
import {
    environmentNames,
    resolveProjectId,
    resolveSettings,
    type Settings,
    type SettingSource,
} from "../provider/api/settings";

type Environment = SettingSource["env"];
type Required = "projectId" | "baseUrl" | "accessToken";

/** The setting of each required variable, and how to set it. */
const required: Readonly<Record<Required, { readonly noun: string; readonly text: string }>> = {
    projectId: { noun: "project", text: `${environmentNames.projectId}, or use --project ID` },
    baseUrl: {
        noun: "base URL",
        text: `${environmentNames.baseUrl}, for example to https://console.example.com/public/api/v1`,
    },
    accessToken: {
        noun: "access token",
        text: `${environmentNames.accessToken} to a token or to PUBLIC_KEY:SECRET_KEY, or ${environmentNames.accessTokenFile} to the path of a file that contains it`,
    },
};

/**
 * The settings of a command. A command has no stack, so it reads only the environment. Its errors name the variables.
 */
export function settingsOf(env: Environment, project: string | undefined): Settings & { readonly projectId: string } {
    const source: SettingSource = { config: () => undefined, env };
    const keys: readonly Required[] =
        project === undefined ? ["projectId", "baseUrl", "accessToken"] : ["baseUrl", "accessToken"];
    const isSet = (key: keyof typeof environmentNames) => (env[environmentNames[key]] ?? "").trim() !== "";
    for (const key of keys) {
        if (!isSet(key) && !(key === "accessToken" && isSet("accessTokenFile"))) {
            const { noun, text } = required[key];
            throw new ConfigError(`clouddb:${key}`, {
                what: `No ${noun} is set. This command does not read stack configuration.`,
                ways: [{ label: "Set", text }],
            });
        }
    }
    try {
        return { ...resolveSettings(source), projectId: project ?? resolveProjectId(source) };
    } catch (error) {
        throw error instanceof ConfigError ? withVariables(error) : error;
    }
}

/** `clouddb:baseUrl` -> `CLOUDDB_BASE_URL`. */
function withVariables({ setting, parts: { what, ...rest } }: ConfigError): ConfigError {
    const variables: Readonly<Record<string, string>> = environmentNames;
    const named = what.replace(/clouddb:(\w+)/g, (name, key: string) => variables[key] ?? name);
    return new ConfigError(setting, { ...rest, what: named });
}
