import type { JournalEntry } from "../../../emulator";

/** Where a program and its stack declare `deletionProtection`. The first of these values decides; the default is true. */
export interface Protection {
    readonly input?: boolean | undefined;
    readonly config?: boolean;
    readonly environment?: boolean;
}

export const isProtected = ({ input, config, environment }: Protection): boolean =>
    input ?? config ?? environment ?? true;

/** The same declarations, except that the deciding one permits the deletion. Without any, one of the settings does. */
export function permitting(protection: Protection, preferred: "config" | "environment"): Protection {
    const { input, config, environment } = protection;
    const deciding =
        input !== undefined
            ? "input"
            : config !== undefined
              ? "config"
              : environment !== undefined
                ? "environment"
                : preferred;
    return { ...protection, [deciding]: false };
}

/** An entry of a service in a state. */
export interface ServiceEntry {
    readonly id: string;
    readonly deletionProtection: unknown;
    /** A replaced service, whose entry keeps its values until it is deleted. */
    readonly isPendingDeletion: boolean;
}

const servicePath = /\/services\/(\w+)/;

/** The deletions that the states before the run did not permit. */
export function deletionProblems(before: readonly ServiceEntry[], calls: readonly JournalEntry[]): string[] {
    return calls
        .filter(({ operationId }) => operationId === "deleteService")
        .map(({ path }) => servicePath.exec(path)?.[1])
        .filter((id) => !before.some((one) => one.id === id && one.deletionProtection === false))
        .map((id) => `The run deletes ${String(id)}, and the state before it was ${JSON.stringify(before)}`);
}

/** What a run of the engine leaves in the states. */
export interface Recording {
    readonly before: readonly ServiceEntry[];
    readonly after: readonly ServiceEntry[];
    /** What the run declares for all services, or for those that it creates. */
    readonly declared: boolean;
    /** The services whose values the run must have recorded. */
    readonly isRecorded: (id: string) => boolean;
}

/** The values in the states that are neither the declared one nor, if the run may not have recorded that, the one before. */
export function recordingProblems({ before, after, declared, isRecorded }: Recording): string[] {
    /** Whether another entry has adopted the service, so that the old one leaves the state when the run is complete. */
    const isAdopted = (old: ServiceEntry) =>
        after.some((one) => one !== old && one.id === old.id && one.deletionProtection === declared);
    return after
        .filter((one) => !one.isPendingDeletion && !isAdopted(one))
        .filter(
            ({ id, deletionProtection: value }) =>
                value !== declared &&
                (isRecorded(id) || !before.some((one) => one.id === id && one.deletionProtection === value)),
        )
        .map(
            (one) =>
                `The state has ${JSON.stringify(one)}, and the run declares ${declared}: ${JSON.stringify(before)}`,
        );
}

/** Whether a run has begun to change a service. */
export const changesService = (id: string, calls: readonly JournalEntry[]): boolean =>
    calls.some(({ method, path }) => method !== "GET" && servicePath.exec(path)?.[1] === id);
