import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import { isUncertain } from "../api/errors";
import type { Outcome } from "../wait/outcome";
import type { Source } from "../wait/poller";
import { appearsWithinMs, missingLookMs } from "../wait/schedule";
import { waitFor } from "../wait/wait";
import { about, reporter, stepOf, type Activity } from "./activity";
import type { Path, Step } from "./contract";
import type { Run } from "./run";
import { inTurn, insist, mayPass, patience } from "./send";
import { hasUnknown } from "./unknown";

/** What steps are about. */
export interface Target<Item> {
    /** The thing in words: `Service "orders"`. */
    readonly subject: string;
    /** The id of the resource, by which the source knows it too. */
    readonly id: string;
    readonly path: Path;
    readonly source: Source<Item>;
    readonly turn?: { readonly serviceId: string; readonly lasts: "answered" | "done" } | undefined;
    /** Hears of every observation, also of one that ends a wait. */
    readonly onSeen?: (item: Item) => void;
}

/**
 * Carries the steps out, one after the other, each to its visible end. `onDone` hears what a finished step leaves behind,
 * so that a failure in a later one loses nothing.
 */
export async function runSteps<Item>(
    steps: readonly Step<Item>[],
    target: Target<Item>,
    first: Item,
    run: Run,
    onDone: (item: Item, remembers?: Readonly<Record<string, unknown>>) => void,
): Promise<Item> {
    let item = first;
    for (const [index, step] of steps.entries()) {
        const activity = stepOf(about(step.call.operation, step.text), index, steps.length);
        item = await until(item, step.before, target, run, { ...activity, kind: undefined });
        if (step.unseen || step.after(item).kind !== "ready") {
            const onLost = () => {
                onDone(item, step.doubts);
            };
            item = await carryOut(step, target, run, activity, onLost);
        }
        onDone(item, step.remembers);
    }
    return item;
}

/** Sends the call and waits for its effect, while no other change to the same service is under way. */
async function carryOut<Item>(
    step: Step<Item>,
    target: Target<Item>,
    run: Run,
    activity: Activity,
    onLost: () => void,
): Promise<Item> {
    const begin = () => {
        run.say(activity.line());
        return send(step, target, run, activity, onLost);
    };
    // What was known before the call proves nothing about its effect, so this looks in any case.
    const end = () => observeUntil(step.after, target, run, activity);
    const { turn } = target;
    if (turn?.lasts === "done") {
        return inTurn(turn.serviceId, () => begin().then(end), target.subject, run, activity);
    }
    await (turn === undefined ? begin() : inTurn(turn.serviceId, begin, target.subject, run, activity));
    return end();
}

/** Waits until the judge is content; an item that is already known to be right costs no look. */
export async function until<Item>(
    item: Item,
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    run: Run,
    activity: Activity,
): Promise<Item> {
    return judge(item).kind === "ready" ? item : observeUntil(judge, target, run, activity);
}

/** Waits until it is gone. */
export async function untilGone<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    run: Run,
    activity: Activity,
): Promise<void> {
    await waitFor({ ...waitOf(judge, target, run, activity), until: "gone" }, run.wait);
}

/** One look, right now; undefined if it is not there. A list may miss an entry for a moment, so it is asked again then. */
export async function look<Item>({ id, source }: Target<Item>, run: Run): Promise<Item | undefined> {
    if (source.get) {
        return source.get(id, patience(run));
    }
    const find = async () => (await listOf(source, run)).find((item) => source.idOf(item) === id);
    const found = await find();
    if (found !== undefined) {
        return found;
    }
    await run.wait.clock.sleep(missingLookMs, run.signal);
    return find();
}

/** The same of something that may have been made only just, and not be there for reads yet. */
export async function lookPatiently<Item>(target: Target<Item>, run: Run): Promise<Item | undefined> {
    const { clock } = run.wait;
    let giveUpAt: number | undefined;
    for (;;) {
        const item = await look(target, run);
        // Counted from the first answer, and whatever time the operation has: that time is up does not say that it is gone.
        giveUpAt ??= clock.now() + appearsWithinMs;
        if (item !== undefined || clock.now() >= giveUpAt) {
            return item;
        }
        run.say("not there for reads yet, looking again");
        await clock.sleep(missingLookMs, run.signal);
    }
}

/** The whole list, shared with others who ask for it right now. */
export function listOf<Item>(source: Source<Item>, run: Run): Promise<readonly Item[]> {
    return run.lists.ask(source.key, (options) => source.list(options), patience(run));
}

/** Looks, at least once, until the judge is content. */
export async function observeUntil<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    run: Run,
    activity: Activity,
): Promise<Item> {
    const item = await waitFor({ ...waitOf(judge, target, run, activity), until: "ready" }, run.wait);
    // A wait for an item to be ready only ever resolves with one.
    return item as Item;
}

function waitOf<Item>(judge: (item: Item) => Outcome, target: Target<Item>, run: Run, activity: Activity) {
    return {
        subject: target.subject,
        source: target.source,
        id: target.id,
        kind: activity.kind && `${activity.kind} in project ${target.path.project_id}`,
        judge,
        deadlineAt: run.deadlineAt,
        setting: run.timeoutSetting,
        signal: run.signal,
        onSeen: target.onSeen,
        onLook: reporter(run, activity),
    };
}

async function send<Item>(
    step: Step<Item>,
    target: Target<Item>,
    run: Run,
    activity: Activity,
    onLost: () => void,
): Promise<void> {
    const { operation, body } = step.call;
    if (hasUnknown(body)) {
        throw new Error(`${target.subject}: ${operation} was planned with a value that is not known.`);
    }
    const args = { path: target.path, body } as unknown as CallArguments<OperationId>;
    let lost = false;
    await insist(
        async () => {
            // The call whose answer was lost may have been carried out, and is then refused for ever.
            if (lost && !step.unseen && (await shows(step, target, run))) {
                return;
            }
            try {
                await run.client.call<OperationId>(operation, args, patience(run));
            } catch (error) {
                if (isUncertain(error)) {
                    lost = true;
                    onLost();
                }
                throw error;
            }
        },
        target.subject,
        run,
        activity,
        mayPass,
    );
}

async function shows<Item>(step: Step<Item>, target: Target<Item>, run: Run): Promise<boolean> {
    const item = await look(target, run);
    return item !== undefined && step.after(item).kind === "ready";
}
