import { integer, needed, number, object, typeOf, value } from "../schema";
import type { Size } from "../world/state";

// The forms of controls accept more than the API, for tests of unexpected responses.

/** The number of replicas or nodes. */
export const count = integer(0, 100);

export const amount = number("a number of at least 0", (one) => one >= 0 && one <= Number.MAX_SAFE_INTEGER);

const dedicated = { cpuMillis: needed(amount), memoryGbs: needed(amount) };

export const size = value<Size>(
    '{ cpuMillis, memoryGbs } or "shared"',
    `${typeOf(dedicated)} or "shared"`,
    (one) => one === "shared" || object(dedicated).problem("size", one) === undefined,
);
