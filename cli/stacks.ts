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

/** The keys of everything of ours that an export of a stack manages, also of what waits to be deleted. */
export function knownTo(exported: string, name: string): string[] {
    return resourcesOf(exported, name).flatMap(({ type, id, external, outputs }) =>
        typeof type === "string" && type.startsWith(typePrefix) && typeof id === "string" && external !== true
            ? [keyOf(String(outputs?.projectId), type.slice(typePrefix.length), id)]
            : [],
    );
}

/** The key by which things are compared. */
export function keyOf(projectId: string, type: string, id: string): string {
    return `${projectId} ${type} ${id}`;
}

function resourcesOf(exported: string, name: string): readonly Exported[] {
    let parsed: unknown;
    try {
        parsed = JSON.parse(exported);
    } catch {
        throw new NotAnExportError(`${name} is not JSON; give what \`pulumi stack export\` prints.`);
    }
    const { deployment } = (parsed ?? {}) as { deployment?: { resources?: unknown } };
    if (typeof deployment !== "object") {
        throw new NotAnExportError(`${name} has no deployment; give what \`pulumi stack export\` prints.`);
    }
    // A stack that has never been updated has none.
    return Array.isArray(deployment.resources) ? (deployment.resources as Exported[]) : [];
}
