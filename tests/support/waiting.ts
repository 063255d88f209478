import { History } from "../../provider/wait/schedule";
import { failed, pending, ready } from "../../provider/wait/outcome";
import { Poller } from "../../provider/wait/poller";
import { waitFor, type Progress, type Wait } from "../../provider/wait/wait";
import { Collection, type Item } from "./collection";
import { fateOf, TestClock, type Fate } from "./virtualClock";

/** A wait that was begun, and all that it said. */
export interface Begun {
    readonly fate: Fate<Item | undefined>;
    readonly progress: readonly Progress[];
    /** The statuses of the item each time it was seen. */
    readonly seen: readonly string[];
}

/** Waits on a collection whose time a test moves. */
export interface Waiting {
    readonly clock: TestClock;
    readonly things: Collection;
    readonly history: History;
    /** Waits for the item to be READY, or as told otherwise, for an hour at most. */
    readonly begin: (id: string, changes?: Partial<Wait<Item>>) => Begun;
}

/** READY is what is waited for, BROKEN never becomes it, everything else is on its way. */
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

/** By default chance is in the middle, so that nothing is spread. */
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

/** When looks were taken, counted from a time. */
export function looksSince(beganAt: number, { looks }: Collection): number[] {
    return looks.map(({ at }) => at - beganAt);
}
