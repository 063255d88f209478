/** Random values that must be unpredictable. All other random values come from the seed of the world. */
import { randomBytes, randomInt, randomUUID } from "node:crypto";

/** A unique id, such as that of a request. */
export const uniqueId = (): string => randomUUID();

/** A secret with this number of random bytes, in characters that need no encoding in a URL. */
export const newSecret = (bytes: number): string => newSalt(bytes).toString("base64url");

/** Random bytes. */
export const newSalt = (bytes: number): Buffer => randomBytes(bytes);

/** An integer from `from` (inclusive) to `to` (exclusive). */
export const unpredictableInteger = (from: number, to: number): number => randomInt(from, to);
