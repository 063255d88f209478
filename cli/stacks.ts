import { way } from "../provider/base/message";
import { CloudDbError } from "../provider/api/callErrors";
import { utf8 } from "../provider/api/secretFile";
import { kindOf } from "./types";

/** A file is not a stack export. */
export class NotAnExportError extends CloudDbError {}

export const notAnExport = (what: string): NotAnExportError =>
    new NotAnExportError({
        what: `${what}.`,
        ways: [way("Continue", "use a file that `pulumi stack export --file FILE` has written")],
    });

/** A resource in an export. */
interface Exported {
    readonly type: string;
    readonly id?: unknown;
    /** True if the program reads the resource with `.get` and does not manage it. */
    readonly external?: unknown;
    readonly outputs?: { readonly projectId?: unknown } | null;
}

/** A resource that a stack manages. */
export interface Managed {
    /** Undefined if the stack stores it as a secret. The resource may then be in any project. */
    readonly projectId: string | undefined;
    readonly type: string;
    readonly id: string;
}

/** All resources of this package that the stack of an export manages, including those that are pending deletion. */
export function managedBy(exported: Uint8Array, name: string): Managed[] {
    return resourcesOf(exported, name).flatMap(({ type, id, external, outputs }) => {
        const kind = kindOf(type);
        if (kind === undefined || typeof id !== "string" || external === true) {
            return [];
        }
        const projectId = typeof outputs?.projectId === "string" ? outputs.projectId : undefined;
        return [{ projectId, type: kind, id }];
    });
}

function resourcesOf(exported: Uint8Array, name: string): readonly Exported[] {
    let parsed: unknown;
    try {
        parsed = JSON.parse(utf8(exported) ?? "");
    } catch {
        throw notAnExport(`${name} is not JSON in UTF-8`);
    }
    const { deployment } = (parsed ?? {}) as { deployment?: { resources?: unknown } | null };
    if (typeof deployment !== "object" || deployment === null) {
        throw notAnExport(`${name} has no deployment`);
    }
    // A stack that was never updated has no resources.
    const resources = deployment.resources ?? [];
    if (!Array.isArray(resources) || !resources.every(isExported)) {
        throw notAnExport(`${name} has an entry that is not a resource`);
    }
    return resources;
}

function isExported(value: unknown): value is Exported {
    return typeof (value as Partial<Exported> | null)?.type === "string";
}
