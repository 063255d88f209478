import type { Difference } from "./changes";
import type { Dated, Declared, ServiceRecord } from "./state";

/**
 * Carries out a change of a record and notes what the program has declared: the values before a change that the program does
 * not know, and the new values after one of its own changes.
 */
export function noteChange<T>(record: Dated, isByProgram: boolean, change: () => T): T {
    const before = declaredOf(record);
    const result = change();
    if (!isByProgram) {
        record.declared ??= before;
    } else if (record.declared) {
        const changed = differences(before, declaredOf(record)).map(({ property, now }) => [property, now] as const);
        record.declared = { ...record.declared, ...Object.fromEntries(changed) };
    }
    return result;
}

/** What differs from what the program has set. */
export const driftOf = (record: Dated): Difference[] =>
    record.declared ? differences(record.declared, declaredOf(record)) : [];

/** The values of a record after all its steps. */
function declaredOf(record: Dated): Declared {
    const { name, environment, pooler, properties, values, steps = [], status } = record as Partial<ServiceRecord>;
    const { properties: later, ...set } = Object.assign({}, ...steps.map((step) => step.set)) as Partial<ServiceRecord>;
    const isPaused = (steps.at(-1)?.status ?? status ?? "").startsWith("PAUS");
    return { name, environment, pooler, paused: isPaused, ...properties, ...values, ...set, ...later };
}

const differences = (from: Declared, to: Declared): Difference[] =>
    Object.keys(to)
        .map((property) => ({ property, declared: from[property], now: to[property] }))
        .filter(({ declared, now }) => JSON.stringify(declared) !== JSON.stringify(now));
