import { notFound } from "../errors";
import type { Dated, Step } from "./state";
import type { World } from "./world";

/** Completes all changes in progress of a resource. */
export function finish(world: World, id: string): void {
    const { now } = world;
    const records = world.all().flatMap(({ record }) => (record.id === id ? [record] : []));
    if (records.length === 0) {
        throw notFound(`There is no resource ${id} in the emulator.`);
    }
    records.forEach((record) => hurry(record, (at) => Math.min(at, now)));
    world.catchUp();
}

/** Multiplies the remaining time of all changes in progress. */
export function rescale(world: World, factor: number): void {
    world.catchUp();
    const { now } = world;
    world.all().forEach(({ record }) => hurry(record, (at) => (at > now ? now + (at - now) * factor : at)));
}

function hurry(record: Dated & { steps?: Step<object>[]; backupAt?: number }, to: (at: number) => number) {
    record.steps?.forEach((step) => (step.at = to(step.at)));
    for (const time of ["visibleAt", "listedAt", "backupAt"] as const) {
        const at = record[time];
        if (at !== undefined) {
            record[time] = to(at);
        }
    }
}
