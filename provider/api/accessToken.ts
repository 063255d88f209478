import { way } from "../base/message";
import { ConfigError, type RejectedToken } from "./callErrors";
import { readSecretFile } from "./secretFile";

/** How to authenticate: with a bearer token, or with the public and the secret key of a personal access token. */
export interface Credentials {
    readonly kind: "bearer" | "keyPair";
    /** The value of the header `Authorization`. */
    readonly authorization: string;
    /** The texts that a message must not contain. */
    readonly secrets: readonly string[];
}

/** Where the access token comes from. */
export interface TokenSource {
    /** Who declares the setting: an explicit provider, the stack config or the environment. */
    readonly kind: "provider" | "config" | "environment";
    /** The setting as the user knows it: `clouddb:accessToken`, `CLOUDDB_ACCESS_TOKEN_FILE` or `accessToken of provider "x"`. */
    readonly name: string;
    /** The token, or the absolute path of the file that contains it. */
    readonly value: { readonly token: string } | { readonly file: string };
}

/** Destroy, refresh and --refresh do not read the stack config. */
const storedToken = way(
    "Destroy, refresh and --refresh",
    "they use the token of the last `pulumi up`: after a change, run it first, or add --run-program",
);

/** Reads the token. Fails with a `ConfigError` that names its place, but does not contain it. */
export function readToken({ name, value }: TokenSource): Credentials {
    if ("token" in value) {
        return parseToken(value.token, name);
    }
    const place = `The file ${value.file} (${name})`;
    const failed = (problem: string) => new ConfigError(name, `${place} ${problem}.`);
    const text = readSecretFile(value.file, "the access token", failed).trim();
    if (text === "") {
        throw failed("is empty; write the access token to it");
    }
    return parseToken(text, name, place);
}

/** The place of a token that the API rejects, and what to do there. */
export function rejectedToken({ kind, name, value }: TokenSource): RejectedToken {
    if ("file" in value) {
        const text = "write a valid one to the file";
        return { place: `in the file ${value.file} (${name})`, ways: [way("New token", text)], isInFile: true };
    }
    const ways = {
        environment: [way("New token", `set ${name} to a valid one`)],
        config: [way("New token", `\`pulumi config set --secret ${name}\``), storedToken],
        provider: [way("New token", "pass a valid one in the program"), storedToken],
    };
    return { place: `in ${name}`, ways: ways[kind], isInFile: false };
}

function parseToken(text: string, setting: string, place = setting): Credentials {
    if (/[^\x21-\x7e]/.test(text)) {
        throw new ConfigError(
            setting,
            `${place} contains white space or other invalid characters; set only the token.`,
        );
    }
    const colon = text.indexOf(":");
    if (colon < 0) {
        return { kind: "bearer", authorization: `Bearer ${text}`, secrets: [text] };
    }
    const secretKey = text.slice(colon + 1);
    if (colon === 0 || secretKey === "") {
        throw new ConfigError(setting, `${place} is missing one of its two keys; use PUBLIC_KEY:SECRET_KEY.`);
    }
    const pair = Buffer.from(text).toString("base64");
    return { kind: "keyPair", authorization: `Basic ${pair}`, secrets: [pair, secretKey] };
}
