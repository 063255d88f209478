import { failed, pending, ready } from "../../provider/model/outcome";
import { Lists } from "../../provider/observe/lists";
import { goneAfterMs } from "../../provider/observe/schedule";
import { Absence } from "../../provider/observe/watch";
import { longestListLagMs } from "../../provider/api/settings";
import { waitFor, type Wait } from "../../provider/observe/wait";
import type { Progress } from "../../provider/observe/progress";
import { FakeCollection, type Item } from "./collection";
import { fateOf, TestClock } from "./virtualClock";

export type Waiting = ReturnType<typeof startWaiting>;
export type Begun = ReturnType<Waiting["begin"]>;

/** READY is ready, BROKEN has failed, and all other statuses are pending. */
export const judge: Wait<Item>["evaluate"] = ({ status }) =>
    new Map([
        ["READY", ready],
        ["BROKEN", failed(status, "it broke")],
        ["SLOW", pending(status, "two of three steps done")],
    ]).get(status) ?? pending(status);

/** A collection with a clock that the test controls. By default, the random value is in the middle, so there is no jitter. */
export function startWaiting(random: () => number = () => 0.5) {
    const clock = new TestClock(1_000_000);
    const things = new FakeCollection(clock);
    const lists = new Lists(clock, random);
    /** Waits until the item is READY, for at most an hour, unless `changes` has other values. Returns what it reported. */
    const begin = (id: string, changes: Partial<Wait<Item>> = {}) => {
        const progress: Progress[] = [];
        /** The status of the item in each poll that returned it. */
        const seen: string[] = [];
        const absence =
            changes.until === "gone" ? new Absence(clock) : new Absence(clock, goneAfterMs, longestListLagMs);
        const wait: Wait<Item> = {
            subject: `Thing "${id}"`,
            collection: things.collection,
            id,
            until: "ready",
            absence,
            evaluate: judge,
            deadlineAt: clock.now() + 3_600_000,
            timeoutSetting: "customTimeouts.create",
            onSeen: ({ status }) => seen.push(status),
            onPoll: (step) => progress.push(step),
            ...changes,
        };
        const waiting = waitFor(wait, lists);
        const begun = { fate: fateOf(waiting), progress, seen, endedAt: NaN };
        const end = () => (begun.endedAt = clock.now());
        waiting.then(end, end);
        return begun;
    };
    return { clock, things, begin };
}
