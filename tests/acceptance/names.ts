import { randomBytes } from "node:crypto";

/** Begins the name of each resource of this suite. */
const prefix = "clouddb-acceptance-";

/** The prefix, the random id of a run, and a name. */
const pattern = new RegExp(`^${prefix}[0-9a-f]{12}-.`);

/** Begins the name of each resource of one run. */
export const newRunPrefix = (): string => `${prefix}${randomBytes(6).toString("hex")}-`;

/** Whether the suite can have given this name. It is no proof of that. */
export const isSuiteName = (name: unknown): boolean => typeof name === "string" && pattern.test(name);
