import { createHash } from "node:crypto";

/** Short enough to display, and well below the limit of the API. */
const maxBaseLength = 50;
const hashLength = 7;

const typeSeparator = "$";

/** The URNs that a resource would have with fewer parents. A resource that was moved under a parent had one of them. */
export function urnsWithFewerParents(urn: string): string[] {
    const [stack = "", project = "", types = "", ...name] = urn.split("::");
    const parents = types.split(typeSeparator);
    const type = parents.pop() ?? "";
    return parents.map((_, count) =>
        [stack, project, [...parents.slice(0, count), type].join(typeSeparator), ...name].join("::"),
    );
}

/** The type of a resource in the state, on the dynamic host and on the plugin. */
export const dynamicToken = (type: string): string => `pulumi-nodejs:dynamic/clouddb:${type}`;
export const nativeToken = (type: string): string => `clouddb:index:${type}`;

/** A resource type and a resource name, before or after a rename. */
export interface Named {
    readonly type: string;
    readonly name: string;
}

/** The type and the name at the end of a URN. */
export function lastOf(urn: string): Named {
    const [, , types = "", ...name] = urn.split("::");
    return { type: types.slice(types.lastIndexOf(typeSeparator) + 1), name: name.join("::") };
}

/**
 * The URN of a child below a former URN of its parent. A child whose name begins with its parent's name is renamed with
 * it.
 */
export function urnBelow(parentUrn: string, { type, name }: Named, parentName: string): string {
    const end = parentUrn.lastIndexOf("::");
    const formerName = parentUrn.slice(end + 2);
    const own = parentName !== "" && name.startsWith(parentName) ? formerName + name.slice(parentName.length) : name;
    return `${parentUrn.slice(0, end)}${typeSeparator}${type}::${own}`;
}

/** The resource types in a URN of the native host, and in one of the dynamic host. Components have one type in both. */
const [nativeTypes, dynamicTypes] = [
    /(?<=^|::|\$)clouddb:index:(?!ProductionDatabase\b)/g,
    "pulumi-nodejs:dynamic/clouddb:",
];

/** The name of a resource in its program. */
export function logicalName(urn: string): string {
    const parts = urn.split("::");
    return parts.length > 3 ? parts.slice(3).join("::") : (parts.at(-1) ?? "");
}

/** What identifies a resource within any stack, in either host: the types of its parents, its type and its name. */
export function baseUrn(urn: string): string {
    const [, , ...rest] = urn.split("::");
    return (rest.length === 0 ? urn : rest.join("::")).replace(nativeTypes, dynamicTypes);
}

/** Derives a readable name for a resource that declares none. The same URN always gives the same name, in either host. */
export function nameFrom(urn: string): string {
    const base = urn
        .slice(urn.lastIndexOf("::") + 2)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, maxBaseLength)
        .replace(/-+$/, "");
    const hash = createHash("sha256").update(urn.replace(nativeTypes, dynamicTypes)).digest("hex").slice(0, hashLength);
    return base === "" ? `clouddb-${hash}` : `${base}-${hash}`;
}
