import { notFound } from "../errors";
import type { Progressing } from "./state";
import type { World } from "./world";

/** Completes all changes in progress of a service, read replica set or peering. */
export function finish(world: World, id: string): void {
    const { now } = world;
    const record = world.services.get(id) ?? world.replicaSets.get(id) ?? world.peerings.get(id);
    if (!record) {
        throw notFound(`There is no service, read replica set or peering ${id}.`);
    }
    hurry(record, (at) => Math.min(at, now));
    world.catchUp();
}

/** Multiplies the remaining time of all changes in progress. */
export function rescale(world: World, factor: number): void {
    world.catchUp();
    const { now } = world;
    for (const records of [world.services, world.replicaSets, world.peerings]) {
        records.forEach((record) => hurry(record, (at) => (at > now ? now + (at - now) * factor : at)));
    }
}

function hurry(record: Progressing<object> & { backupAt?: number }, to: (at: number) => number) {
    record.steps.forEach((step) => (step.at = to(step.at)));
    for (const time of ["visibleAt", "listedAt", "backupAt"] as const) {
        const at = record[time];
        if (at !== undefined) {
            record[time] = to(at);
        }
    }
}
