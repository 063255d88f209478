import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** The verifier of a password, as PostgreSQL stores it. Statements contain it instead of the password, which logs could reveal. */
export function scramVerifier(password: string, salt = randomBytes(SALT_BYTES)): string {
    const salted = pbkdf2Sync(password.normalize("NFKC"), salt, ITERATIONS, KEY_BYTES, "sha256");
    const key = (name: string): Buffer => createHmac("sha256", salted).update(name).digest();
    const stored = createHash("sha256").update(key("Client Key")).digest("base64");
    return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${key("Server Key").toString("base64")}`;
}
