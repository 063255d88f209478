import { randomBytes, randomUUID } from "node:crypto";

/** A number from 0 (inclusive) to 1 (exclusive). Tests replace it. */
export const systemRandom = (): number => Math.random();

/** A unique id, for example for a request. */
export const uniqueId = (): string => randomUUID();

/** A secret with this number of random bytes. It uses only characters that need no encoding in a URL. */
export const newSecret = (bytes: number): string => randomBytes(bytes).toString("base64url");
