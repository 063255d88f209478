import { createHash, timingSafeEqual } from "node:crypto";
import { forbidden, unauthenticated } from "./errors";
import { flag, list, matching, needed, oneOf, secret, text, type ValuesOf } from "./schema";
import { isRead } from "./wire";

/** A string without spaces, which messages do not repeat. */
export const token = secret(matching(/^\S+$/, "a non-empty string without spaces"));

export const callerFields = {
    /** The bearer token. In the form `PUBLIC:SECRET`, it is a key pair, which HTTP Basic authentication accepts. */
    token: needed(token),
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
    private readonly known: readonly { digest: Buffer; caller: Caller }[];

    constructor(callers: readonly Caller[]) {
        this.known = callers.map((caller) => ({ digest: digest(caller.token), caller }));
    }

    /** The caller of a request. Rejects the request with 401 if the header does not identify a caller. */
    identify(authorization: string | undefined): Caller {
        if (!authorization) {
            throw unauthenticated(
                "The Authorization header is missing. Send `Bearer <token>`, or Basic with public key and secret key.",
            );
        }
        const [, scheme = "", credentials = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
        const sent = digest(tokenIn(scheme.toLowerCase(), credentials));
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
    if (caller.readOnly && !isRead(method)) {
        throw forbidden("This access token may only read.");
    }
}

const digest = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** The token in credentials. Empty if the scheme is unknown. */
function tokenIn(scheme: string, credentials: string): string {
    const pair = scheme === "basic" ? Buffer.from(credentials, "base64").toString() : "";
    return scheme === "bearer" ? credentials : pair.includes(":") ? pair : "";
}
