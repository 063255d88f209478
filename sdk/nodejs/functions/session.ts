import { format, way, type Message } from "../../../provider/base/message";
import { log, runtime } from "@pulumi/pulumi";
import { checkConfig, isInlineProgram } from "../config";
import { Client } from "../../../provider/api/client";
import { ConfigError } from "../../../provider/api/callErrors";
import { resolveProjectId, resolveSettings, type SettingSource } from "../../../provider/api/settings";

/** The settings as for resources: first the stack configuration, then the environment. */
const source: SettingSource = {
    config: (key) => runtime.getConfig(`clouddb:${key}`),
    env: process.env,
};

const clients = new Map<string, Client>();

/** The client for the current settings. All functions of a process share it, and with it connections and the rate limit. */
export function currentClient(): Client {
    checkConfig();
    const settings = explained(() => resolveSettings(source));
    // Without the content of a token file, which may change.
    const key = JSON.stringify(settings);
    const warn = (message: Message) => void log.warn(format(message));
    const client = clients.get(key) ?? explained(() => new Client(settings, { warn }));
    clients.set(key, client);
    return client;
}

/** The project of the settings. */
export function currentProject(): string {
    return explained(() => resolveProjectId(source));
}

/** Adds the likely cause to the error of a setting that an inline program cannot read. */
function explained<T>(read: () => T): T {
    try {
        return read();
    } catch (error) {
        if (
            error instanceof ConfigError &&
            isInlineProgram() &&
            (error.isMissing || /TokenFile|TOKEN_FILE/.test(error.setting))
        ) {
            const { ways = [], ...parts } = error.parts;
            const text = error.isMissing
                ? "functions do not see envVars of the workspace: use stack.setConfig"
                : "functions look for a relative path in the folder of the process, not in that of the workspace: use an absolute one";
            throw new ConfigError(error.setting, { ...parts, ways: [...ways, way("Inline program", text)] });
        }
        throw error;
    }
}
