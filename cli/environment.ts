import { way } from "../provider/base/message";
import { ConfigError } from "../provider/api/callErrors";
import {
    environmentNames,
    resolveProjectId,
    resolveSettings,
    type Settings,
    type SettingSource,
} from "../provider/api/settings";

/** How to set each required setting. */
const required: Readonly<Record<string, string>> = {
    "clouddb:projectId": `${environmentNames.projectId}, or use --project ID`,
    "clouddb:baseUrl": `${environmentNames.baseUrl}, for example to https://console.example.com/public/api/v1`,
    "clouddb:accessToken": `${environmentNames.accessToken}, or ${environmentNames.accessTokenFile} to the path of a file that contains it`,
};

/**
 * The settings of a command. A command has no stack, so it reads only the environment. Its errors name the variables.
 */
export function settingsOf(
    env: SettingSource["env"],
    project: string | undefined,
): Settings & { readonly projectId: string } {
    const source: SettingSource = { config: () => undefined, env };
    try {
        const settings = resolveSettings(source);
        return project === undefined
            ? { ...settings, projectId: resolveProjectId(source) }
            : { ...settings, projectId: project, project: { id: project, setting: "--project" } };
    } catch (error) {
        throw error instanceof ConfigError ? withVariables(error) : error;
    }
}

function withVariables({ setting, parts: { what, ...rest } }: ConfigError): ConfigError {
    const text = required[setting];
    if (text !== undefined) {
        const unread = `${what} This command does not read stack configuration.`;
        return new ConfigError(setting, { what: unread, ways: [way("Set", text)] });
    }
    const variables: Readonly<Record<string, string>> = environmentNames;
    const named = what.replace(/clouddb:(\w+)/g, (name, key: string) => variables[key] ?? name);
    return new ConfigError(setting, { ...rest, what: named });
}
