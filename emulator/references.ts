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
        return typeof $ref === "string" ? { ...(copy(target(document, $ref)) as object), ...own } : own;
    };
    return copy(document);
}

function target(document: unknown, reference: string): unknown {
    const [root, ...keys] = reference.split("/");
    if (root !== "#") {
        throw new Error(`${reference} does not refer to a part of the same document.`);
    }
    let node = document;
    for (const key of keys) {
        node = (node as Record<string, unknown> | undefined)?.[key];
    }
    if (typeof node !== "object" || node === null) {
        throw new Error(`${reference} has no target.`);
    }
    return node;
}
