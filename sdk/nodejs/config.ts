import { runtime } from "@pulumi/pulumi";
import { checkKeys } from "../../provider/api/settings";
import { withoutStack } from "./lookups/plainError";

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
