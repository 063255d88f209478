const typePrefix = "pulumi-nodejs:dynamic/clouddb:";

/** A file that is no export of a stack. */
export class NotAnExportError extends Error {}

/** A resource in an export, of which nothing is certain. */
interface Exported {
    readonly type?: unknown;
    readonly id?: unknown;
    /** Only read, and managed by someone else. */
    readonly external?: unknown;
    readonly outputs?: { readonly projectId?: unknown };
}

/** Something that a stack manages. */
export interface Managed {
    /** Undefined where the stack keeps it as a secret: it may be any project then. */
    readonly projectId: string | undefined;
    readonly type: string;
    readonly id: string;
}

/** Everything of ours that an export of a stack manages, also what waits to be deleted. */
export function managedBy(exported: string, name: string): Managed[] {
    return resourcesOf(exported, name).flatMap(({ type, id, external, outputs }) => {
        if (typeof type !== "string" || !type.startsWith(typePrefix) || typeof id !== "string" || external === true) {
            return [];
        }
        const projectId = typeof outputs?.projectId === "string" ? outputs.projectId : undefined;
        return [{ projectId, type: type.slice(typePrefix.length), id }];
    });
}

function resourcesOf(exported: string, name: string): readonly Exported[] {
    let parsed: unknown;
    try {
        parsed = JSON.parse(exported);
    } catch {
        throw new NotAnExportError(`${name} is not JSON; give what \`pulumi stack export\` prints.`);
    }
    const { deployment } = (parsed ?? {}) as { deployment?: { resources?: unknown } | null };
    if (typeof deployment !== "object" || deployment === null) {
        throw new NotAnExportError(`${name} has no deployment; give what \`pulumi stack export\` prints.`);
    }
    // A stack that has never been updated has none.
    return Array.isArray(deployment.resources) ? (deployment.resources as Exported[]) : [];
}
