/** How long each thing takes, in milliseconds, before `speed` divides it. */
export interface Durations {
    /** A new service or fork waits before its configuration begins. */
    queued: number;
    /** A new service is configured. */
    create: number;
    /** A new fork is configured. */
    fork: number;
    resize: number;
    setHA: number;
    /** A service is attached to a VPC or detached from it. */
    vpcChange: number;
    stop: number;
    start: number;
    delete: number;
    replicaSetCreate: number;
    replicaSetResize: number;
    replicaSetDelete: number;
    /** A new peering gets its `provisioned_id`. */
    peeringProvision: number;
    /** A provisioned peering becomes active, or fails, in the modes where nobody has to accept it. */
    peeringActivate: number;
    /** After a change was accepted, reads still show the old status with the old values; the response shows the new status. */
    staleRead: number;
    /** After a create, reads answer 404. */
    notFoundAfterCreate: number;
    /** After a create, lists do not hold it yet. */
    notListedAfterCreate: number;
    /** After a fork is ready it has no backup yet, so no replica set can be made of it. */
    firstBackup: number;
}

/** Long enough to be seen by a person, short enough for a first try. */
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

/** The table with the given entries replaced, all of it divided by `speed`. */
export function scaleDurations(changes: Partial<Durations>, speed: number): Durations {
    const scaled = { ...defaultDurations, ...changes };
    for (const key of Object.keys(scaled) as (keyof Durations)[]) scaled[key] /= speed;
    return scaled;
}
