import { resolve } from "node:path";
import { CloudDbError } from "../../api/callErrors";
import { readSecretFile, utf8 } from "../../api/secretFile";
import { show, type Planned } from "../../base/fields";

// A password outside of the program and the state.

/** Where the password of a service is, if neither the program nor the state contains it. */
export interface PasswordSource {
    /**
     * The path of a file with the password, instead of `password`: the state then contains no password. It is relative to
     * the folder of the program, and read by a creation, an adoption and a new `passwordVersion`. Another path is no change,
     * so that each computer can have its own. A line break at the end is not part of the password.
     * @default none
     */
    passwordFile?: string;
    /**
     * The name of an environment variable with the password, instead of `passwordFile`. It is read at the same times. Another
     * name is no change.
     * @default none
     */
    passwordVariable?: string;
    /**
     * The version of the password, required with `passwordFile` and `passwordVariable`. A new version makes the provider
     * read the password again. A change is made in place: new logins then need the new password. If removed later together
     * with its source, the last password stays in force.
     * @default none
     */
    passwordVersion?: number;
}

/** The API may reject a shorter password. */
export const minPasswordLength = 8;

/** Formats the source for a line of a preview, for example `file "orders.txt"`. */
export function describeSource({ passwordFile, passwordVariable }: Planned<PasswordSource>): string {
    return passwordVariable === undefined ? `file ${show(passwordFile)}` : `variable ${show(passwordVariable)}`;
}

/** Reads the password. The error names its source, and does not contain the password. */
export function readPassword({ passwordFile, passwordVariable }: PasswordSource): string {
    return passwordFile === undefined ? fromVariable(passwordVariable ?? "") : fromFile(resolve(passwordFile));
}

function fromFile(path: string): string {
    const failed = (problem: string) => new CloudDbError(`The file ${path} (passwordFile) ${problem}.`);
    const text = readSecretFile(path, "the password", failed).replace(/\r?\n$/, "");
    return valid(text, "write the password to it", failed);
}

function fromVariable(name: string): string {
    const failed = (problem: string) =>
        new CloudDbError(`The environment variable ${name} (passwordVariable) ${problem}.`);
    const value = process.env[name];
    if (value === undefined) {
        throw failed("is not set; set it to the password");
    }
    const text = utf8(value);
    if (text === undefined) {
        throw failed("is not UTF-8; set it in UTF-8");
    }
    return valid(text, "set it to the password", failed);
}

function valid(text: string, remedy: string, failed: (problem: string) => Error): string {
    if (text.trim() === "") {
        throw failed(`is empty; ${remedy}`);
    }
    if (/[\r\n]/.test(text)) {
        throw failed("has more than one line; it must contain only the password");
    }
    return text;
}
