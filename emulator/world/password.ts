import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { newSalt } from "../secureRandom";

/** A password of a service. */
export interface Password {
    /** The verifier that PostgreSQL stores. Statements contain it instead of the password, which logs could reveal. */
    scram?: string;
    /** Whether the server has stored it. From then on, a change by SQL has priority. */
    isApplied?: true;
}

/** The low cost lets tests create thousands of services. These passwords protect no real data. */
const cost = 64;
const saltBytes = 16;
const keyBytes = 32;

/** The verifier of a password for SCRAM-SHA-256. */
export function scramVerifier(password: string, salt = newSalt(saltBytes), iterations = cost): string {
    const salted = pbkdf2Sync(password.normalize("NFKC"), salt, iterations, keyBytes, "sha256");
    const key = (name: string): Buffer => createHmac("sha256", salted).update(name).digest();
    const stored = createHash("sha256").update(key("Client Key")).digest("base64");
    return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${key("Server Key").toString("base64")}`;
}

export function passwordMatches({ scram = "" }: Password, password: string): boolean {
    const [, iterations = "1", salt = ""] = scram.split(/[$:]/);
    return scramVerifier(password, Buffer.from(salt, "base64"), Number(iterations)) === scram;
}
