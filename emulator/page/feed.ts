import type { Controlled } from "../controls";
import { latestOf, type About, type Message } from "./messages";
import { removedOf, resourcesOf } from "./resources";

/** The parts of an emulator that the page shows. */
export interface FeedSource {
    about: () => About;
    controlled: Pick<Controlled, "faults" | "journal" | "speed" | "world">;
}

/** The state of an emulator for the page. */
export function messageOf({ about, controlled }: FeedSource): Message {
    const { faults, journal, speed, world } = controlled;
    world.catchUp();
    return {
        now: world.now,
        about: about(),
        resources: resourcesOf(world),
        removed: removedOf(world),
        journal: latestOf(journal.newestFirst()),
        faults: faults.selection.report(),
        speed,
    };
}
