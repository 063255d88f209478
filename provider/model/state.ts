import type { Timeouts } from "../base/time";
import type { CommonOutputs } from "./outputs";

/**
 * What a state remembers: what no read shows, and the last known value of each input, over which a value that a read shows has priority
 * (`assemble`).
 */
export type Remembered<Held extends object = object, Inputs extends object = object> = Partial<Held> & {
    readonly projectId: CommonOutputs["projectId"];
    /** Absent if the program only reads the resource, with `.get`. */
    readonly deletionProtection?: CommonOutputs["deletionProtection"];
    readonly record: StateRecord<Inputs>;
};

/**
 * What a run records about a resource for later runs, and no program sees. The hosts store it under one key, encrypted,
 * because it can contain the value of any input.
 */
export interface StateRecord<Inputs extends object = object> {
    /** The URN of the resource. A deletion on the dynamic host receives it from nowhere else. */
    readonly urn?: string | undefined;
    /** The `customTimeouts` of the resource, for a deletion on the dynamic host. */
    readonly timeouts?: Timeouts | undefined;
    /** The names of the inputs that the program declared. */
    readonly declared: readonly string[];
    /**
     * What an adoption, an import, or the first read after an upgrade has found for inputs that no program has declared since with
     * success: their defaults. Absent until the adoption has seen the resource at rest.
     */
    readonly defaults?: Readonly<Partial<Inputs>> | undefined;
    /**
     * The inputs with a default that the version which wrote the state did not know, until a read has found their values. Not
     * stored: they are missing in the state, where others without a value have null.
     */
    readonly added?: readonly string[] | undefined;
    /** Set if the last run failed in a creation or an update, whose requests may still change the resource. */
    readonly interruption?: Interruption | undefined;
    /** When the last run that sent a request failed, on the clock of the API. */
    readonly interruptedAt?: number | undefined;
    /** What the last request of that run sets, if no read has shown the resource at rest since then. */
    readonly unconfirmed?: readonly Unconfirmed[] | undefined;
    /**
     * The names of held values that may not be in force, because no read shows whether the API carried out a request that
     * changes them. The next plan sets them again. Only the step that does so removes them.
     */
    readonly uncertain?: readonly string[] | undefined;
    /** Set if the resource was imported, until an update records which inputs the program declares. */
    readonly imported?: true | undefined;
}

/** The record of a resource of which no run has recorded anything. */
export const emptyRecord: StateRecord = { declared: [], defaults: {} };

/** A property and the value that a request sets, which may take effect later. A value that is absent is one that the request removes. */
interface Unconfirmed {
    readonly property: string;
    readonly value?: unknown;
}

/** A request may take effect from now on: until that is known, neither what reads show nor what only the state holds is certain. */
export const sent = (record: StateRecord, sets: object = {}, held: readonly string[] = []): StateRecord => ({
    ...record,
    unconfirmed: unconfirmed(sets),
    interruptedAt: undefined,
    uncertain: unlessEmpty([...new Set([...(record.uncertain ?? []), ...held])]),
});

/** A request has taken effect. */
export const effective = (record: StateRecord, held: readonly string[]): StateRecord => ({
    ...atRest(record),
    uncertain: unlessEmpty((record.uncertain ?? []).filter((name) => !held.includes(name))),
});

/**
 * A read has shown the resource at rest, with the effects of all requests or after their time. It shows nothing of what only the
 * state holds.
 */
export const atRest = (record: StateRecord): StateRecord => ({ ...record, unconfirmed: undefined });

/** The run has failed at this time, on the clock of the API. One that has sent nothing keeps the time of the run before it. */
export const afterFailure = (record: StateRecord, interruption: Interruption, interruptedAt: number): StateRecord => ({
    ...record,
    interruption,
    interruptedAt: record.interruptedAt ?? interruptedAt,
});

/** The run has succeeded: only now, what was found for the inputs that its program declares no longer matters. */
export const afterSuccess = (record: StateRecord): StateRecord => ({
    ...record,
    interruption: undefined,
    interruptedAt: undefined,
    defaults: record.defaults && without(record.defaults, record.declared),
});

/** The values but those with these names. */
export const without = (values: object, names: readonly string[]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

const unlessEmpty = (names: readonly string[]) => (names.length === 0 ? undefined : names);

/** What the state records while these values of a request are not visible yet. */
function unconfirmed(values: object): readonly Unconfirmed[] | undefined {
    const entries = Object.entries(values).map(([property, value]: [string, unknown]) => ({ property, value }));
    return entries.length === 0 ? undefined : entries;
}

/** The values of requests whose effects no read has confirmed. */
export function unconfirmedValues({ unconfirmed: values = [] }: StateRecord): Readonly<Record<string, unknown>> {
    return Object.fromEntries(values.map(({ property, value }) => [property, value]));
}

/** Whether the program only reads the resource, with `.get`, and does not manage it: nothing is declared, and none imported it. */
export const isOnlyRead = ({ declared, imported }: StateRecord): boolean => declared.length === 0 && imported !== true;

/** What did not complete: an update, a creation, a creation before any read has shown the resource, or an adoption. */
export type Interruption = "update" | "creation" | "unseen" | "adoption";

/** What an interruption means for the next run. */
interface InterruptionMeaning {
    /** The next update first waits for the changes that the interrupted run started. */
    readonly resumes: boolean;
    /** The creation or the adoption is not complete, and other resources may need its outputs. */
    readonly isInCreation: boolean;
    /** This stack has created the resource, or completed its adoption. It deletes no other one. */
    readonly isOwned: boolean;
    /** Reads may not show the resource yet. */
    readonly mayBeMissing: boolean;
}

const complete: InterruptionMeaning = { resumes: false, isInCreation: false, isOwned: true, mayBeMissing: false };
const inUpdate: InterruptionMeaning = { ...complete, resumes: true };
const creation: InterruptionMeaning = { ...inUpdate, isInCreation: true };
const interruptions: Readonly<Record<Interruption, InterruptionMeaning>> = {
    update: inUpdate,
    creation,
    unseen: { ...creation, mayBeMissing: true },
    adoption: { ...creation, isOwned: false },
};

/** What the interruption in the record of a state means. */
export const interruptionIn = ({ interruption }: Pick<StateRecord, "interruption">): InterruptionMeaning =>
    interruption === undefined ? complete : interruptions[interruption];

/** What is interrupted once a read has shown the resource. */
export function onceSeen<Was extends Interruption | undefined>(interrupted: Was): Was | "creation" {
    return interrupted === "unseen" ? "creation" : interrupted;
}

/**
 * Whether the state of a resource, or the program of this run, forbids that it is deleted or replaced. In doubt, data is protected.
 */
export function isProtected(
    { hasData }: { readonly hasData: boolean },
    { deletionProtection }: Pick<Remembered, "deletionProtection">,
    declared?: { readonly deletionProtection?: unknown },
): boolean {
    return (deletionProtection ?? hasData) || declared?.deletionProtection === true;
}
