import { format, way } from "../../../provider/base/message";
import type { AsyncLocalStorage } from "node:async_hooks";
import { log, runtime } from "@pulumi/pulumi";
import { checkConfig } from "../config";
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
    const client = clients.get(key) ?? new Client(settings, { warn: (message) => void log.warn(format(message)) });
    clients.set(key, client);
    return client;
}

/** The project of the settings. */
export function currentProject(): string {
    return explained(() => resolveProjectId(source));
}

/** Adds the likely cause to the error of a missing setting. */
function explained<T>(read: () => T): T {
    try {
        return read();
    } catch (error) {
        if (error instanceof ConfigError && isInlineProgram() && error.isMissing) {
            const { ways = [], ...parts } = error.parts;
            const text = "functions do not see envVars of the workspace: use stack.setConfig";
            throw new ConfigError(error.setting, { ...parts, ways: [...ways, way("Inline program", text)] });
        }
        throw error;
    }
}

/** Pulumi gives each run of an inline program its own store, because they share one process. */
function isInlineProgram(): boolean {
    const { asyncLocalStorage } = globalThis as { asyncLocalStorage?: AsyncLocalStorage<unknown> };
    return asyncLocalStorage?.getStore() !== undefined;
}
