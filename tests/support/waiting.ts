import { History } from "../../provider/wait/schedule";
import { failed, pending, ready } from "../../provider/wait/outcome";
import { Poller } from "../../provider/wait/poller";
import { waitFor, type Progress, type Wait } from "../../provider/wait/wait";
import { Collection, type Item } from "./collection";
import { fateOf, TestClock, type Fate } from "./virtualClock";

/** A wait and its status lines. */
export interface Begun {
    readonly fate: Fate<Item | undefined>;
    readonly progress: readonly Progress[];
    /** The status of the item at each read. */
    readonly seen: readonly string[];
}

/** Waits on a collection with a virtual clock. */
export interface Waiting {
    readonly clock: TestClock;
    readonly things: Collection;
    readonly history: History;
    /** Waits until the item is READY, or another condition is met, for one hour by default. */
    readonly begin: (id: string, changes?: Partial<Wait<Item>>) => Begun;
}

/** READY is ready, BROKEN is failed, and every other status is pending. */
export const judge: Wait<Item>["judge"] = ({ status }) => {
    switch (status) {
        case "READY":
            return ready;
        case "BROKEN":
            return failed(status, "it broke");
        case "SLOW":
            return pending(status, "two of three steps done");
        default:
            return pending(status);
    }
};

/** The default random value is 0.5, so that there is no jitter. */
export function startWaiting(random: () => number = () => 0.5): Waiting {
    const clock = new TestClock(1_000_000);
    const things = new Collection(clock);
    const history = new History();
    const context = { clock, random, poller: new Poller(clock, random), history };
    const begin: Waiting["begin"] = (id, changes = {}) => {
        const progress: Progress[] = [];
        const seen: string[] = [];
        const wait: Wait<Item> = {
            subject: `Thing "${id}"`,
            source: things.source,
            id,
            kind: "create",
            until: "ready",
            judge,
            deadlineAt: clock.now() + 3_600_000,
            setting: "customTimeouts.create",
            onSeen: ({ status }) => seen.push(status),
            onPoll: (step) => progress.push(step),
            ...changes,
        };
        return { fate: fateOf(waitFor(wait, context)), progress, seen };
    };
    return { clock, things, history, begin };
}

/** The times of the reads, relative to a start time. */
export function looksSince(beganAt: number, { looks }: Collection): number[] {
    return looks.map(({ at }) => at - beganAt);
}
