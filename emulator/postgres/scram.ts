import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { newSalt } from "../secureRandom";

const iterations = 4_096;
const saltBytes = 16;
const keyBytes = 32;

/** The verifier of a password, as PostgreSQL stores it. Statements contain it instead of the password, which logs could reveal. */
export function scramVerifier(password: string, salt = newSalt(saltBytes)): string {
    const salted = pbkdf2Sync(password.normalize("NFKC"), salt, iterations, keyBytes, "sha256");
    const key = (name: string): Buffer => createHmac("sha256", salted).update(name).digest();
    const stored = createHash("sha256").update(key("Client Key")).digest("base64");
    return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${key("Server Key").toString("base64")}`;
}
