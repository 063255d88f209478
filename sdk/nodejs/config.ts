import type { AsyncLocalStorage } from "node:async_hooks";
import { log, runtime } from "@pulumi/pulumi";
import { ConfigError } from "../../provider/api/callErrors";
import { format, way } from "../../provider/base/message";
import { checkKeys, resolveDeletionProtection, type SettingSource } from "../../provider/api/settings";
import { isMocked } from "./mocks";
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
    warnOfPlainToken();
}

/** The programs that have the warning about their token: the process, or the stores of inline programs. */
const warned = new WeakSet();

/** Warns in each preview of a token that the stack configuration has in plain text. */
function warnOfPlainToken(): void {
    const key = `${namespace}:accessToken`;
    const program = storeOfInlineProgram() ?? warned;
    const isPlain = runtime.allConfig()[key] !== undefined && !isSecret(key);
    if (!isPlain || !runtime.isDryRun() || isMocked() || warned.has(program)) {
        return;
    }
    warned.add(program);
    const what = `${key} is not a secret: it is in plain text in previews and plans, and with the dynamic provider in the state.`;
    const encrypt = way("Encrypt", `\`pulumi config set --secret ${key}\``);
    void log.warn(format({ what, ways: [encrypt, way("Then", "replace the token: old states keep it")] }));
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

/** Whether the default project is a secret of the stack configuration. */
export const isProjectSecret = (): boolean => isSecret(`${namespace}:projectId`);

/** Whether a setting is a secret. Pulumi has this function in all versions, but not in its types. */
function isSecret(key: string): boolean {
    const isConfigSecret = Reflect.get(runtime, "isConfigSecret") as ((key: string) => boolean) | undefined;
    return isConfigSecret?.(key) ?? false;
}

export const isInlineProgram = (): boolean => storeOfInlineProgram() !== undefined;

/** Pulumi gives each run of an inline program its own store, because they share one process. */
function storeOfInlineProgram(): object | undefined {
    const { asyncLocalStorage } = globalThis as { asyncLocalStorage?: AsyncLocalStorage<object> };
    return asyncLocalStorage?.getStore();
}
