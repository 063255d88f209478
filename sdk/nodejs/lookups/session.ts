import { runtime } from "@pulumi/pulumi";
import { checkConfig } from "../config";
import { Client } from "../../../provider/api/client";
import { resolveProjectId, resolveSettings, type SettingSource } from "../../../provider/api/settings";

/** The same settings in the same order as for resources: first the stack configuration, then the environment. */
const source: SettingSource = {
    config: (key) => runtime.getConfig(`clouddb:${key}`),
    env: process.env,
};

const clients = new Map<string, Client>();

/** The client for the current settings. All functions of a process share it, and with it connections and the rate limit. */
export function currentClient(): Client {
    checkConfig();
    const settings = resolveSettings(source);
    const key = JSON.stringify(settings);
    const client = clients.get(key) ?? new Client(settings);
    clients.set(key, client);
    return client;
}

/** The project of the settings. */
export function currentProject(): string {
    return resolveProjectId(source);
}
