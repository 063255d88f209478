import { createHash, timingSafeEqual } from "node:crypto";
import { forbidden, unauthenticated } from "./errors";

/** Somebody who may use the emulator. */
export interface Caller {
    /** The bearer token. */
    token: string;
    /** The same personal access token as a pair, for HTTP Basic. */
    keyPair?: { publicKey: string; secretKey: string };
    /** What GET /auth/info answers; default "apiKey". */
    type?: "apiKey" | "oauth";
    /** The projects that the caller may use; default: the emulator's own for an API key, all for an OAuth user. */
    projects?: readonly string[];
    /** Whether everything but reading is answered 403. */
    readOnly?: boolean;
}

/** Finds out who calls. Keeps digests of the secrets only, and compares them in constant time. */
export class Callers {
    readonly #known: { digest: Buffer; caller: Caller }[] = [];

    constructor(callers: readonly Caller[]) {
        for (const caller of callers) {
            this.#known.push({ digest: digest("bearer", caller.token), caller });
            const { keyPair } = caller;
            if (keyPair)
                this.#known.push({ digest: digest("basic", `${keyPair.publicKey}:${keyPair.secretKey}`), caller });
        }
    }

    /** The caller of a request; refuses it with 401 when the header names none. */
    identify(authorization: string | undefined): Caller {
        if (!authorization) {
            throw unauthenticated(
                "The Authorization header is missing; send `Bearer <token>`, or Basic with public key and secret key.",
            );
        }
        const [, scheme = "", credentials = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
        const sent = digestOf(scheme.toLowerCase(), credentials);
        const found = sent && this.#known.find((one) => timingSafeEqual(one.digest, sent));
        if (!found) throw unauthenticated("The access token is not valid.");
        return found.caller;
    }
}

/** Refuses with 403 what the caller may not do in the project. */
export function authorize(caller: Caller, method: string, projectId: string): void {
    if (caller.projects && !caller.projects.includes(projectId)) {
        throw forbidden(`This access token may not use project ${projectId}.`);
    }
    if (caller.readOnly && method !== "GET") throw forbidden("This access token may only read.");
}

const digest = (scheme: string, secret: string): Buffer => createHash("sha256").update(`${scheme} ${secret}`).digest();

function digestOf(scheme: string, credentials: string): Buffer | undefined {
    if (scheme === "bearer") return digest("bearer", credentials);
    if (scheme === "basic") return digest("basic", Buffer.from(credentials, "base64").toString());
    return undefined;
}
