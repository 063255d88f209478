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
