import { runtime } from "@pulumi/pulumi";
import { checkConfig } from "../config";
import { Client } from "../../provider/api/client";
import { resolveProjectId, resolveSettings, type SettingSource } from "../../provider/api/settings";

/** The same settings in the same order as for resources: the stack's config, then the environment. */
const source: SettingSource = {
    config: (key) => runtime.getConfig(`clouddb:${key}`),
    env: process.env,
};

const clients = new Map<string, Client>();

/** The client for the settings in force, one for all look-ups of the process, so that they share pace and connections. */
export function currentClient(): Client {
    checkConfig();
    const settings = resolveSettings(source);
    const key = JSON.stringify(settings);
    const client = clients.get(key) ?? new Client(settings);
    clients.set(key, client);
    return client;
}

/** The project that a look-up is about: the given one, else that of the settings. */
export function currentProject({ projectId }: { readonly projectId?: string }): string {
    return projectId ?? resolveProjectId(source);
}
