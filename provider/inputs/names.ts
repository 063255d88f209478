import { createHash } from "node:crypto";

/** Short enough for every list and console, far within the API's limit. */
const longestBase = 50;
const hashLength = 7;

const typeSeparator = "$";

/** The URNs that a resource had with fewer parents: what a program moves under a new parent had one of them before. */
export function urnsWithFewerParents(urn: string): string[] {
    const [stack = "", project = "", types = "", ...name] = urn.split("::");
    const parents = types.split(typeSeparator);
    const type = parents.pop() ?? "";
    return parents.map((_, count) =>
        [stack, project, [...parents.slice(0, count), type].join(typeSeparator), ...name].join("::"),
    );
}

/** A name for a resource whose program gives none: readable, and the same for the same URN. */
export function nameFrom(urn: string): string {
    const logicalName = urn.slice(urn.lastIndexOf("::") + 2);
    const base = logicalName
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, longestBase)
        .replace(/-+$/, "");
    const hash = createHash("sha256").update(urn).digest("hex").slice(0, hashLength);
    return base === "" ? `clouddb-${hash}` : `${base}-${hash}`;
}
