import { closeSync, openSync, readSync, statSync } from "node:fs";
import { ConfigError, messageOf } from "./errors";

/** How to authenticate: a bearer token, or a personal access token as its public and secret key. */
export type Credentials =
    | { readonly kind: "bearer"; readonly token: string }
    | { readonly kind: "keyPair"; readonly publicKey: string; readonly secretKey: string };

/** A file that contains the access token. */
export interface TokenFile {
    readonly kind: "file";
    /** The absolute path. */
    readonly path: string;
}

/** Where the access token comes from. */
export interface TokenOrigin {
    /** Who declares the setting: an explicit provider, the stack config or the environment. */
    readonly kind: "provider" | "config" | "environment";
    /** The setting as the user knows it: `clouddb:accessToken`, `CLOUDDB_ACCESS_TOKEN_FILE` or `accessToken of provider "x"`. */
    readonly name: string;
    /** The path of the file, if the token is in a file. */
    readonly file?: string;
}

/** A token that the API has rejected. */
export interface RejectedToken {
    readonly origin: TokenOrigin;
    /**
     * `renewed`: the next request has another token. `expired`: the API has accepted a token of this file before, and the
     * file may soon contain another one. `invalid`: neither is the case.
     */
    readonly outlook: "renewed" | "expired" | "invalid";
    /** Why the file could not be read after the rejection. */
    readonly problem?: string | undefined;
}

/** How commands for the user authenticate. */
export interface Authentication {
    readonly kind: Credentials["kind"];
    readonly isInFile: boolean;
}

/** The longest content of a token file, in bytes. A token longer than this does not fit into a header. */
const maxFileBytes = 16_384;

/**
 * The access token of a client. A token in a file is read at the beginning, and again when the API rejects it. If the
 * file then has no valid content, which can happen while it is replaced, the last token stays in use.
 */
export class AccessToken {
    private newest: Credentials;
    private hasBeenAccepted = false;
    private readonly file: string | undefined;

    /** Fails with a `ConfigError` if the file has no valid content. */
    constructor(
        private readonly origin: TokenOrigin,
        given: Credentials | TokenFile,
    ) {
        this.file = given.kind === "file" ? given.path : undefined;
        this.newest = given.kind === "file" ? readToken(given.path, origin.name) : given;
    }

    /** The token for the next request. */
    get credentials(): Credentials {
        return this.newest;
    }

    get authentication(): Authentication {
        return { kind: this.newest.kind, isInFile: this.file !== undefined };
    }

    /** Records that the API has accepted a request. */
    accept(): void {
        this.hasBeenAccepted = true;
    }

    /** Records that the API has rejected a request because of this token, and reads the file again. */
    reject(used: Credentials): RejectedToken {
        const { origin } = this;
        if (used !== this.newest) {
            return { origin, outlook: "renewed" };
        }
        const problem = this.renew();
        const isRenewed = used !== this.newest;
        // The newest token may be incomplete, or not valid yet.
        const isExpired = this.file !== undefined && this.hasBeenAccepted;
        return { origin, outlook: isRenewed ? "renewed" : isExpired ? "expired" : "invalid", problem };
    }

    /** Reads the file. Returns why it has no valid content. */
    private renew(): string | undefined {
        if (this.file === undefined) {
            return undefined;
        }
        try {
            const found = readToken(this.file, this.origin.name);
            if (authorization(found) !== authorization(this.newest)) {
                this.newest = found;
            }
            return undefined;
        } catch (error) {
            return messageOf(error);
        }
    }
}

/** Parses a token. The error contains the place of the token, by default the setting, but not the token. */
export function parseToken(text: string, setting: string, place = setting): Credentials {
    if (/[^\x21-\x7e]/.test(text)) {
        throw new ConfigError(
            setting,
            `${place} contains white space or other invalid characters; set only the token.`,
        );
    }
    const colon = text.indexOf(":");
    if (colon < 0) {
        return { kind: "bearer", token: text };
    }
    const [publicKey, secretKey] = [text.slice(0, colon), text.slice(colon + 1)];
    if (publicKey === "" || secretKey === "") {
        throw new ConfigError(setting, `${place} is missing one of its two keys; use PUBLIC_KEY:SECRET_KEY.`);
    }
    return { kind: "keyPair", publicKey, secretKey };
}

/** The value of the header `Authorization`. */
export function authorization(credentials: Credentials): string {
    return credentials.kind === "bearer" ? `Bearer ${credentials.token}` : `Basic ${encodePair(credentials)}`;
}

/** The texts that a message must not contain. */
export function secretsOf(credentials: Credentials): readonly string[] {
    return credentials.kind === "bearer" ? [credentials.token] : [encodePair(credentials), credentials.secretKey];
}

function encodePair({ publicKey, secretKey }: Credentials & { kind: "keyPair" }): string {
    return Buffer.from(`${publicKey}:${secretKey}`).toString("base64");
}

function readToken(path: string, setting: string): Credentials {
    const place = `The file ${path} (${setting})`;
    const failed = (problem: string) => new ConfigError(setting, `${place} ${problem}.`);
    const text = contentOf(path, failed).trim();
    if (text === "") {
        throw failed("is empty; write the access token to it");
    }
    return parseToken(text, setting, place);
}

function contentOf(path: string, failed: (problem: string) => ConfigError): string {
    try {
        // Reading from a pipe or a device may never end.
        if (!statSync(path).isFile()) {
            throw failed("is not a regular file; use a file that contains only the access token");
        }
        const content = Buffer.alloc(maxFileBytes + 1);
        const file = openSync(path, "r");
        try {
            const length = readSync(file, content, 0, content.length, 0);
            if (length > maxFileBytes) {
                throw failed(`has more than ${maxFileBytes} bytes; use a file that contains only the access token`);
            }
            return content.toString("utf8", 0, length);
        } finally {
            closeSync(file);
        }
    } catch (error) {
        throw error instanceof ConfigError ? error : failed(reasonOf(error));
    }
}

function reasonOf(error: unknown): string {
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
