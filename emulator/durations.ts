import { milliseconds } from "./schema";

/**
 * The duration of each operation in milliseconds, before `speed` divides it: long enough to observe in a terminal, short enough
 * for a first try.
 */
export const defaultDurations = {
    /** The time that a new service or fork stays `QUEUED`. */
    queued: 1_000,
    /** The time that a new service stays `CONFIGURING`. */
    create: 3_000,
    /** The time that a new fork stays `CONFIGURING`. */
    fork: 4_000,
    /** The duration of `resizeService`. */
    resize: 2_000,
    /** The duration of `setHA`. */
    setHA: 2_000,
    /** The duration of `attachToVPC` and of `detachFromVPC`. */
    vpcChange: 1_500,
    /** The duration of `stopService`. */
    stop: 1_500,
    /** The duration of `startService`. */
    start: 1_500,
    /** The duration of `deleteService`. */
    delete: 1_500,
    /** The duration of `createReplicaSet`. */
    replicaSetCreate: 3_000,
    /** The duration of `resizeReplicaSet`. */
    replicaSetResize: 2_000,
    /** The duration of `deleteReplicaSet`. */
    replicaSetDelete: 1_000,
    /** The time until a new peering has its `provisioned_id`. */
    peeringProvision: 500,
    /** The time from then until the peering is active or failed, in the modes `delay` and `fail`. */
    peeringActivate: 1_500,
    /** The time during which reads still return the old status and values after the API has accepted a change. */
    staleRead: 300,
    /** The time after a creation during which reads of the new resource return 404. */
    notFoundAfterCreate: 0,
    /** The time after a creation during which lists do not contain the new resource. */
    notListedAfterCreate: 0,
    /** The time until a ready fork has its first backup. Until then, it rejects read replica sets. */
    firstBackup: 2_000,
};

export type Durations = typeof defaultDurations;

export const durationFields = Object.fromEntries(Object.keys(defaultDurations).map((name) => [name, milliseconds])) as {
    [Name in keyof Durations]: typeof milliseconds;
};

/** Durations, divided by `speed`. */
export const scaled = (durations: Durations, speed: number): Durations =>
    Object.fromEntries(Object.entries(durations).map(([name, ms]) => [name, ms / speed])) as Durations;
