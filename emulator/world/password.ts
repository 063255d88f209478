import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

/** A password that can be compared and not be read. */
export interface PasswordHash {
    salt: string;
    hash: string;
    /** The same password as PostgreSQL stores it, where a server takes it. */
    scram?: string;
}

// Nothing real stands behind these passwords; a low cost lets tests make thousands of services.
const COST = { N: 64, r: 8, p: 1 };
const BYTES = 32;

export function hashPassword(password: string): PasswordHash {
    const salt = randomBytes(16);
    return { salt: salt.toString("hex"), hash: scryptSync(password, salt, BYTES, COST).toString("hex") };
}

export function passwordMatches({ salt, hash }: PasswordHash, password: string): boolean {
    return timingSafeEqual(scryptSync(password, Buffer.from(salt, "hex"), BYTES, COST), Buffer.from(hash, "hex"));
}
