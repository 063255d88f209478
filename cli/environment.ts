import { ConfigError } from "../provider/api/errors";
import {
    environmentNames,
    resolveProjectId,
    resolveSettings,
    type Settings,
    type SettingSource,
} from "../provider/api/settings";

type Environment = SettingSource["env"];
type Needed = "projectId" | "baseUrl" | "accessToken";

/** What to do where a variable is missing. */
const remedies: Readonly<Record<Needed, string>> = {
    projectId: `No project: set ${environmentNames.projectId}, or give --project ID.`,
    baseUrl: `No base URL: set ${environmentNames.baseUrl}, for example to https://console.example.com/public/api/v1.`,
    accessToken: `No access token: set ${environmentNames.accessToken}, to a token or to PUBLIC_KEY:SECRET_KEY.`,
};

/** The settings of a command. It knows no stack, so it reads the environment alone, and its errors name the variables. */
export function settingsOf(env: Environment, project: string | undefined): Settings & { readonly projectId: string } {
    const source: SettingSource = { config: () => undefined, env };
    const needed: readonly Needed[] =
        project === undefined ? ["projectId", "baseUrl", "accessToken"] : ["baseUrl", "accessToken"];
    for (const key of needed) {
        if ((env[environmentNames[key]] ?? "").trim() === "") {
            throw new ConfigError(`clouddb:${key}`, `${remedies[key]} The config of a stack is not read here.`);
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
    return Object.entries(environmentNames).reduce(
        (text, [key, variable]) => text.replaceAll(`clouddb:${key}`, variable),
        message,
    );
}
