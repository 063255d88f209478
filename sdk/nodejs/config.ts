import type { AsyncLocalStorage } from "node:async_hooks";
import { runtime } from "@pulumi/pulumi";
import { ConfigError } from "../../provider/api/callErrors";
import { checkKeys, resolveDeletionProtection, type SettingSource } from "../../provider/api/settings";
import { withoutStack } from "./plainError";

const namespace = "clouddb";

/**
 * Rejects misspelt settings, which would otherwise be ignored. Accepts other keys in a project that is named `clouddb`,
 * because Pulumi gives the project's own settings the same namespace.
 */
export function checkConfig(): void {
    const keys = Object.keys(runtime.allConfig())
        .filter((key) => key.startsWith(`${namespace}:`))
        .map((key) => key.slice(namespace.length + 1));
    try {
        checkKeys(keys);
    } catch (error) {
        if (runtime.getProject() !== namespace) {
            throw withoutStack(error);
        }
    }
}

/**
 * The `deletionProtection` of a resource with data that does not declare it, by default with the configuration of the stack.
 * Undefined if the setting is invalid, which the provider reports.
 */
export function protectsData(
    config: SettingSource["config"] = (key) => runtime.allConfig()[`${namespace}:${key}`],
): boolean | undefined {
    try {
        return resolveDeletionProtection({ config });
    } catch (error) {
        if (error instanceof ConfigError) {
            return undefined;
        }
        throw error;
    }
}

/**
 * Whether the default project is a secret of the stack configuration. Pulumi has this function in all versions, but not in
 * its types.
 */
export function isProjectSecret(): boolean {
    const isConfigSecret = Reflect.get(runtime, "isConfigSecret") as ((key: string) => boolean) | undefined;
    return isConfigSecret?.(`${namespace}:projectId`) ?? false;
}

/** Pulumi gives each run of an inline program its own store, because they share one process. */
export function isInlineProgram(): boolean {
    const { asyncLocalStorage } = globalThis as { asyncLocalStorage?: AsyncLocalStorage<unknown> };
    return asyncLocalStorage?.getStore() !== undefined;
}
