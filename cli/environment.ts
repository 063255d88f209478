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

/** The error for each missing variable. */
const missing: Readonly<Record<Required, string>> = {
    projectId: `No project is set. Set ${environmentNames.projectId}, or use --project ID.`,
    baseUrl: `No base URL is set. Set ${environmentNames.baseUrl}, for example to https://console.example.com/public/api/v1.`,
    accessToken: `No access token is set. Set ${environmentNames.accessToken} to a token or to PUBLIC_KEY:SECRET_KEY, or ${environmentNames.accessTokenFile} to the path of a file that contains it.`,
};

/**
 * The settings of a command. A command has no stack, so it reads only the environment. Its errors name the variables.
 */
export function settingsOf(env: Environment, project: string | undefined): Settings & { readonly projectId: string } {
    const source: SettingSource = { config: () => undefined, env };
    const required: readonly Required[] =
        project === undefined ? ["projectId", "baseUrl", "accessToken"] : ["baseUrl", "accessToken"];
    const isSet = (key: keyof typeof environmentNames) => (env[environmentNames[key]] ?? "").trim() !== "";
    for (const key of required) {
        if (!isSet(key) && !(key === "accessToken" && isSet("accessTokenFile"))) {
            throw new ConfigError(`clouddb:${key}`, `${missing[key]} This command does not read stack configuration.`);
        }
    }
    try {
        return { ...resolveSettings(source), projectId: project ?? resolveProjectId(source) };
    } catch (error) {
        throw error instanceof ConfigError ? new ConfigError(error.setting, withVariables(error.message)) : error;
    }
}

/** `clouddb:baseUrl` -> `CLOUDDB_BASE_URL`. */
function withVariables(message: string): string {
    const variables: Readonly<Record<string, string>> = environmentNames;
    return message.replace(/clouddb:(\w+)/g, (setting, key: string) => variables[key] ?? setting);
}
