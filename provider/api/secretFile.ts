import { readFileSync, statSync } from "node:fs";
import { messageOf } from "./callErrors";
import { utf8 } from "./utf8";

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
        throw failed(problemOf(error));
    }
}

function problemOf(error: unknown): string {
    const { code } = error as NodeJS.ErrnoException;
    switch (code) {
        case "ENOENT":
        case "ENOTDIR":
            return "does not exist; correct the path";
        case "EACCES":
        case "EPERM":
            return "cannot be read; give the user of this process the permission to read it";
        default:
            return `cannot be read: ${code ?? messageOf(error)}`;
    }
}
