import { createHash } from "node:crypto";

/** Short enough to display, and well below the limit of the API. */
const maxBaseLength = 50;
const hashLength = 7;

/** The type of a resource in the state, on the dynamic host and on the plugin. */
export const dynamicToken = (type: string): string => `pulumi-nodejs:dynamic/clouddb:${type}`;
export const nativeToken = (type: string): string => `clouddb:index:${type}`;

/** The beginnings of resource types in a URN of the native host. A component has one type in both hosts. */
const nativeTypes = /(?<=^|::|\$)clouddb:index:(?!ProductionDatabase\b)/g;

/** Derives a readable name for a resource that declares none. The same URN always gives the same name, in either host. */
export function autoName(urn: string): string {
    const base = urn
        .slice(urn.lastIndexOf("::") + 2)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, maxBaseLength)
        .replace(/-$/, "");
    const sameOnBothHosts = urn.replace(nativeTypes, dynamicToken(""));
    const hash = createHash("sha256").update(sameOnBothHosts).digest("hex").slice(0, hashLength);
    return base === "" ? `clouddb-${hash}` : `${base}-${hash}`;
}
