import { scryptSync, timingSafeEqual } from "node:crypto";
import { newSalt } from "../secureRandom";

/** The hash of a password. */
export interface PasswordHash {
    salt: string;
    hash: string;
    /** The verifier that PostgreSQL stores. Undefined without a PostgreSQL server. */
    scram?: string;
    /** Whether the server has stored it. From then on, a change by SQL has priority. */
    isApplied?: true;
}

// The low cost lets tests create thousands of services. These passwords protect no real data.
const cost = { N: 64, r: 8, p: 1 };
const bytes = 32;

export function hashPassword(password: string): PasswordHash {
    const salt = newSalt(16);
    return { salt: salt.toString("hex"), hash: scryptSync(password, salt, bytes, cost).toString("hex") };
}

export function passwordMatches({ salt, hash }: PasswordHash, password: string): boolean {
    return timingSafeEqual(scryptSync(password, Buffer.from(salt, "hex"), bytes, cost), Buffer.from(hash, "hex"));
}
