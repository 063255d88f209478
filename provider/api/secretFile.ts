import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { messageOf } from "./callErrors";

/** Far more than a secret has, in bytes. */
const maxFileBytes = 16_384;

/** Reads a file that contains only a secret. `failed` makes the error from the problem, which never contains the content. */
export function readSecretFile(path: string, content: string, failed: (problem: string) => Error): string {
    const found = orFailed(() => statSync(path), failed);
    // Reading from a pipe or a device may never end.
    if (!found.isFile()) {
        throw failed(`is not a regular file; use a file that contains only ${content}`);
    }
    if (found.size > maxFileBytes) {
        throw failed(`has more than ${maxFileBytes} bytes; use a file that contains only ${content}`);
    }
    const text = utf8(orFailed(() => readFileSync(path), failed));
    if (text === undefined) {
        throw failed("is not UTF-8; save it as UTF-8");
    }
    return text;
}

function orFailed<Result>(read: () => Result, failed: (problem: string) => Error): Result {
    try {
        return read();
    } catch (error) {
        const { code = messageOf(error) } = error as NodeJS.ErrnoException;
        throw failed(problems[code] ?? `cannot be read: ${code}`);
    }
}

const missing = "does not exist; correct the path";
const forbidden = "cannot be read; give the user of this process the permission to read it";

const problems: Readonly<Partial<Record<string, string>>> = {
    ENOENT: missing,
    ENOTDIR: missing,
    EACCES: forbidden,
    EPERM: forbidden,
};

/**
 * The text of a file, of standard input or of an environment variable, without a byte order mark. Undefined if it is not
 * UTF-8.
 */
export function utf8(content: Uint8Array | string): string | undefined {
    // Node.js has replaced the invalid bytes of a variable.
    const isValid = typeof content === "string" ? !content.includes("\ufffd") : isUtf8(content);
    const text = Buffer.from(content).toString();
    // UTF-16 contains zeros.
    return isValid && !text.includes("\0") ? text.replace(/^\ufeff/, "") : undefined;
}
