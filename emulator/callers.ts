import { createHash, timingSafeEqual } from "node:crypto";
import { forbidden, unauthenticated } from "./errors";
import { flag, list, matching, needed, object, oneOf, secret, text, type ValuesOf } from "./schema";

/** A string without spaces, which messages do not repeat. */
export const token = secret(matching(/^\S+$/, "a non-empty string without spaces"));
export const publicKey = matching(/^[^\s:]+$/, "a non-empty string without spaces and colons");

export const callerFields = {
    /** The bearer token. */
    token: needed(token),
    /** The same personal access token as a key pair, for HTTP Basic authentication. Default: none. */
    keyPair: object({ publicKey: needed(publicKey), secretKey: needed(token) }),
    /** The type of caller in the response of `GET /auth/info`. Default: `"apiKey"`. */
    type: oneOf(["apiKey", "oauth"]),
    /** The ids of the projects that the caller can access. Default: the first project for an API key, all for an OAuth user. */
    projects: list(text, "project id"),
    /** Whether all requests except reads are rejected with 403. Default: false. */
    readOnly: flag,
};

/** A caller that the emulator accepts. */
export type Caller = ValuesOf<typeof callerFields>;

/** Authenticates callers. It stores only digests of the secrets and compares them in constant time. */
export class Callers {
    private readonly known: { digest: Buffer; caller: Caller }[] = [];

    constructor(callers: readonly Caller[]) {
        for (const caller of callers) {
            this.known.push({ digest: digest("bearer", caller.token), caller });
            const { keyPair } = caller;
            if (keyPair) {
                const credentials = Buffer.from(`${keyPair.publicKey}:${keyPair.secretKey}`).toString("base64");
                this.known.push({ digest: digest("basic", credentials), caller });
            }
        }
    }

    /** The caller of a request. Rejects the request with 401 if the header does not identify a caller. */
    identify(authorization: string | undefined): Caller {
        if (!authorization) {
            throw unauthenticated(
                "The Authorization header is missing. Send `Bearer <token>`, or Basic with public key and secret key.",
            );
        }
        const [, scheme = "", credentials = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
        const sent = digest(scheme.toLowerCase(), credentials);
        const found = this.known.find((one) => timingSafeEqual(one.digest, sent));
        if (!found) {
            throw unauthenticated("The access token is not valid.");
        }
        return found.caller;
    }
}

/** Rejects a request with 403 if the caller is not allowed to send it in the project. */
export function authorize(caller: Caller, method: string, projectId: string): void {
    if (caller.projects && !caller.projects.includes(projectId)) {
        throw forbidden(`This access token may not use project ${projectId}.`);
    }
    if (caller.readOnly && method !== "GET") {
        throw forbidden("This access token may only read.");
    }
}

const digest = (scheme: string, secret: string): Buffer => createHash("sha256").update(`${scheme} ${secret}`).digest();
