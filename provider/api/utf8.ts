const strict = new TextDecoder("utf-8", { fatal: true });

/**
 * The text of a file, of standard input or of an environment variable, without a byte order mark. Undefined if it is not
 * UTF-8.
 */
export function utf8(given: Uint8Array | string): string | undefined {
    const text = typeof given === "string" ? ofVariable(given) : decoded(given);
    // UTF-16 contains zeros.
    return text?.includes("\0") ? undefined : text;
}

/** Node.js has replaced the invalid bytes of a variable. */
function ofVariable(value: string): string | undefined {
    return value.includes("\ufffd") ? undefined : value.replace(/^\ufeff/, "");
}

function decoded(bytes: Uint8Array): string | undefined {
    try {
        return strict.decode(bytes);
    } catch {
        return undefined;
    }
}
