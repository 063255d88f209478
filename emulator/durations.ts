/** The duration of each operation in milliseconds, before `speed` divides it. */
export interface Durations {
    /** The time that a new service or fork stays `QUEUED`. */
    queued: number;
    /** The time that a new service stays `CONFIGURING`. */
    create: number;
    /** The time that a new fork stays `CONFIGURING`. */
    fork: number;
    /** The duration of `resizeService`. */
    resize: number;
    /** The duration of `setHA`. */
    setHA: number;
    /** The duration of `attachToVPC` and of `detachFromVPC`. */
    vpcChange: number;
    /** The duration of `stopService`. */
    stop: number;
    /** The duration of `startService`. */
    start: number;
    /** The duration of `deleteService`. */
    delete: number;
    /** The duration of `createReplicaSet`. */
    replicaSetCreate: number;
    /** The duration of `resizeReplicaSet`. */
    replicaSetResize: number;
    /** The duration of `deleteReplicaSet`. */
    replicaSetDelete: number;
    /** The time until a new peering has its `provisioned_id`. */
    peeringProvision: number;
    /** The time from then until the peering is active or failed, in the modes `delay` and `fail`. */
    peeringActivate: number;
    /** The time during which reads still return the old status and values after the API has accepted a change. */
    staleRead: number;
    /** The time after a creation during which reads of the new resource return 404. */
    notFoundAfterCreate: number;
    /** The time after a creation during which lists do not contain the new resource. */
    notListedAfterCreate: number;
    /** The time until a ready fork has its first backup. Until then, it rejects read replica sets. */
    firstBackup: number;
}

/** Long enough to observe in a terminal, short enough for a first try. */
export const defaultDurations: Readonly<Durations> = {
    queued: 1_000,
    create: 3_000,
    fork: 4_000,
    resize: 2_000,
    setHA: 2_000,
    vpcChange: 1_500,
    stop: 1_500,
    start: 1_500,
    delete: 1_500,
    replicaSetCreate: 3_000,
    replicaSetResize: 2_000,
    replicaSetDelete: 1_000,
    peeringProvision: 500,
    peeringActivate: 1_500,
    staleRead: 300,
    notFoundAfterCreate: 0,
    notListedAfterCreate: 0,
    firstBackup: 2_000,
};

/** A hundred years. With longer times, dates would be out of range. */
export const maxMs = 100 * 365 * 86_400_000;

export const durationForm = `0 or more milliseconds, up to ${maxMs}`;

/** Whether a value is a duration in milliseconds. */
export const isDuration = (value: unknown): value is number =>
    typeof value === "number" && value >= 0 && value <= maxMs;

/** The default durations with the given changes, divided by `speed`. */
export function scaleDurations(changes: Partial<Durations>, speed: number): Durations {
    const scaled = { ...defaultDurations, ...changes };
    for (const key of Object.keys(scaled) as (keyof Durations)[]) {
        scaled[key] /= speed;
    }
    return scaled;
}
