/** A copy of a document that contains the target of each internal reference in place of the reference. */
export function withoutReferences(document: unknown): unknown {
    const copy = (node: unknown): unknown => {
        if (Array.isArray(node)) {
            return node.map(copy);
        }
        if (typeof node !== "object" || node === null) {
            return node;
        }
        const { $ref, ...rest } = node as { $ref?: unknown };
        const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, copy(value)]));
        // Properties next to a reference, such as a description, override those of its target.
        return typeof $ref === "string" ? { ...(copy(targetOf($ref)) as object), ...own } : own;
    };
    const targetOf = (reference: string): unknown =>
        reference
            .split("/")
            .slice(1)
            .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    return copy(document);
}
