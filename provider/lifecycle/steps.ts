import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import { InvalidResponseError, inBrief, isUncertain, isUnknownOperation } from "../api/errors";
import { LastingFailures } from "../api/retry";
import { WaitFailedError, WaitGoneError } from "../wait/errors";
import { confirmedListing, listingOf, malformedOf, type Listing } from "../wait/listing";
import { pending, ready, type Outcome } from "../wait/outcome";
import type { Source } from "../wait/poller";
import {
    appearsWithinMs,
    notFoundsThatMeanGone,
    notFoundPollMs,
    nextPoll,
    showsWithinMs,
    unsupportedAfterMs,
} from "../wait/schedule";
import { waitFor, type Wait } from "../wait/wait";
import {
    about,
    reporter,
    stepOf,
    type Activity,
    withLock,
    retryUntilAccepted,
    isTransient,
    retryBudget,
} from "./operation";
import type { Path, Step } from "./resource";
import { IneffectiveError, UnsupportedError } from "./errors";
import type { OperationContext } from "./operation";
import { hasUnknown } from "../inputs/unknown";

/** What steps are about. */
export interface Target<Item> {
    /** The thing in words: `Service "orders"`. */
    readonly subject: string;
    /** The id of the resource, by which the source knows it too. */
    readonly id: string;
    readonly path: Path;
    readonly source: Source<Item>;
    readonly lock?: { readonly serviceId: string; readonly lasts: "answered" | "done" } | undefined;
    /** What outside of it makes the API reject a change. */
    readonly obstacle?: (() => Promise<Outcome>) | undefined;
    /** Steps of the plan that came before: a preview counts a creation or an adoption as the first one. */
    readonly stepsBefore?: number;
    /** Hears of every observation, also of one that ends a wait. */
    readonly onSeen?: (item: Item) => void;
}

/**
 * Carries the steps out, one after the other, each to its visible end. `onDone` hears what a finished step leaves behind,
 * so that a failure in a later one loses nothing; it hears of a step only once it is finished.
 */
export async function runSteps<Item>(
    steps: readonly Step<Item>[],
    target: Target<Item>,
    first: Item,
    context: OperationContext,
    onDone: (item: Item, records?: Readonly<Record<string, unknown>>, finished?: Step<Item>) => void,
): Promise<Item> {
    let item = first;
    const { stepsBefore = 0 } = target;
    for (const [index, step] of steps.entries()) {
        const activity = stepOf(about(step.call.operation, step.text), stepsBefore + index, stepsBefore + steps.length);
        item = await until(item, step.before, target, context, { ...activity, kind: undefined });
        if (!isInEffect(step, item)) {
            const onLost = () => {
                onDone(item, step.onUncertain);
            };
            item = await carryOut(step, target, context, activity, onLost);
        }
        onDone(item, step.records, step);
    }
    return item;
}

/** Sends the call and waits for its effect, while no other change to the same service is under way. */
async function carryOut<Item>(
    step: Step<Item>,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
    onLost: () => void,
): Promise<Item> {
    const begin = () => {
        context.status(activity.line());
        return send(step, target, context, activity, onLost);
    };
    // What was known before the call proves nothing about its effect, so this looks in any case.
    const end = () => observeUntil(effectOf(step, target, context), target, context, activity);
    const { lock } = target;
    if (lock?.lasts === "done") {
        return withLock(lock.serviceId, () => begin().then(end), target.subject, context, activity);
    }
    await (lock === undefined ? begin() : withLock(lock.serviceId, begin, target.subject, context, activity));
    return end();
}

/** Judges whether the step has its effect; a resource at rest that does not show it ends the wait with an error. */
function effectOf<Item>(
    step: Step<Item>,
    { subject }: Target<Item>,
    context: OperationContext,
): (item: Item) => Outcome {
    const { clock } = context.wait;
    let restingSince: number | undefined;
    return (item) => {
        const outcome = step.after(item);
        const missing = outcome.kind === "pending" && step.before(item).kind === "ready" ? step.differs?.(item) : [];
        if (missing === undefined || missing.length === 0) {
            restingSince = undefined;
            return outcome;
        }
        restingSince ??= clock.now();
        const restMs = clock.now() - restingSince;
        if (restMs >= showsWithinMs) {
            throw IneffectiveError.after(subject, step, missing, restMs);
        }
        return outcome;
    };
}

/** Waits until the judge is content; an item that is already known to be right costs no look. */
export async function until<Item>(
    item: Item,
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
): Promise<Item> {
    return judge(item).kind === "ready" ? item : observeUntil(judge, target, context, activity);
}

/** Waits until it is gone. */
export async function untilGone<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
): Promise<void> {
    await waitFor({ ...waitOf(judge, target, context, activity), until: "gone" }, context.wait);
}

/**
 * Reads a resource; undefined only once the API confirms that it is gone. One 404 proves nothing, so it reads again after a
 * pause, for `appearsMs` if the resource may not be visible to reads yet, and then the list has to answer without it.
 */
export async function readConfirmed<Item>(
    { id, source }: Target<Item>,
    context: OperationContext,
    appearsMs = 0,
): Promise<Item | undefined> {
    const { clock } = context.wait;
    const { get } = source;
    const find = () => readList(source, context, (listing) => itemOf(listing, id, source));
    const read = get === undefined ? find : () => get(id, retryBudget(context));
    let giveUpAt: number | undefined;
    for (let misses = 1; ; misses++) {
        const item = await read();
        // Counted from the first answer, and whatever time the operation has: that time is up does not say that it is gone.
        giveUpAt ??= clock.now() + appearsMs;
        if (item !== undefined) {
            return item;
        }
        if (misses >= notFoundsThatMeanGone && clock.now() >= giveUpAt) {
            return get === undefined ? undefined : find();
        }
        if (appearsMs > 0) {
            context.status("not visible to reads yet, reading again");
        }
        await clock.sleep(notFoundPollMs, context.signal);
    }
}

/** The same for a resource that may have been created only just. */
export function readWithGrace<Item>(target: Target<Item>, context: OperationContext): Promise<Item | undefined> {
    return readConfirmed(target, context, appearsWithinMs);
}

/**
 * Reads the whole list, shared with others who ask for it right now. Where the reader fails for an entry that is malformed,
 * the list is read again for a while: such an entry may be half written.
 */
export async function readList<Item, Result>(
    source: Source<Item>,
    context: OperationContext,
    read: (listing: Listing<Item>) => Result,
): Promise<Result> {
    const { clock } = context.wait;
    const lasting = new LastingFailures();
    for (;;) {
        const listing = await confirmedListing(
            source,
            (one) => context.lists.call(one.key, (options) => listingOf(one, options), retryBudget(context)),
            () => clock.sleep(notFoundPollMs, context.signal),
        );
        try {
            return read(listing);
        } catch (error) {
            const now = clock.now();
            if (
                !(error instanceof InvalidResponseError) ||
                now >= Math.min(lasting.endAt(error, now), context.deadlineAt)
            ) {
                throw error;
            }
            await clock.sleep(notFoundPollMs, context.signal);
        }
    }
}

function itemOf<Item>(listing: Listing<Item>, id: string, source: Source<Item>): Item | undefined {
    const item = listing.items.find((one) => source.idOf(one) === id);
    const malformed = item === undefined ? malformedOf(listing, id) : undefined;
    if (malformed !== undefined) {
        throw malformed.error;
    }
    return item;
}

/** Looks, at least once, until the judge is content. */
export async function observeUntil<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
): Promise<Item> {
    const item = await waitFor({ ...waitOf(judge, target, context, activity), until: "ready" }, context.wait);
    // A wait for an item to be ready only ever resolves with one.
    return item as Item;
}

function waitOf<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
): Omit<Wait<Item>, "until"> {
    return {
        subject: target.subject,
        source: target.source,
        id: target.id,
        kind: activity.kind && `${activity.kind} in project ${target.path.project_id}`,
        judge,
        deadlineAt: context.deadlineAt,
        setting: context.timeoutSetting,
        signal: context.signal,
        onSeen: target.onSeen,
        onPoll: reporter(context, activity),
    };
}

async function send<Item>(
    step: Step<Item>,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
    onLost: () => void,
): Promise<void> {
    const { operation, body } = step.call;
    if (hasUnknown(body)) {
        throw new Error(`${target.subject}: ${operation} was planned with a value that is not known.`);
    }
    const args = { path: target.path, body } as unknown as CallArguments<OperationId>;
    let lost = false;
    let inEffect = false;
    const obstacle = async (): Promise<Outcome> => {
        const item = await readConfirmed(target, context);
        if (item === undefined) {
            return ready;
        }
        target.onSeen?.(item);
        inEffect = isInEffect(step, item);
        if (inEffect) {
            return pending("in effect");
        }
        const cause = (step.obstacle ?? step.before)(item);
        if (cause.kind === "failed" && cause.property !== undefined) {
            throw new WaitFailedError(target.subject, cause.status, cause.reason, cause.property);
        }
        return cause.kind === "ready" && target.obstacle !== undefined ? target.obstacle() : cause;
    };
    await retryUntilAccepted(
        async () => {
            // The call whose answer was lost may have been carried out, and is then rejected for ever.
            if (inEffect || (lost && (await showsEffect(step, target, context)))) {
                return;
            }
            try {
                await request(step, args, target, context, activity);
            } catch (error) {
                if (isUncertain(error)) {
                    lost = true;
                    onLost();
                }
                throw error;
            }
        },
        target.subject,
        context,
        activity,
        { again: isTransient, obstacle },
    );
}

/**
 * Sends the call of a step once. Where not every version of the API has the operation, 404 and 405 are ambiguous: a read
 * tells an unknown operation from an unknown resource. One such response proves nothing, so it is sent again for a while.
 */
async function request<Item>(
    step: Step<Item>,
    args: CallArguments<OperationId>,
    target: Target<Item>,
    context: OperationContext,
    activity: Activity,
): Promise<void> {
    const { clock, random } = context.wait;
    const { call, ifUnsupported } = step;
    let unknownSince: number | undefined;
    for (;;) {
        try {
            await context.client.call<OperationId>(call.operation, args, retryBudget(context));
            return;
        } catch (error) {
            if (ifUnsupported === undefined || !isUnknownOperation(error)) {
                throw error;
            }
            const item = await readConfirmed(target, context);
            if (item === undefined) {
                throw new WaitGoneError(target.subject);
            }
            if (isInEffect(step, item)) {
                return;
            }
            unknownSince ??= clock.now();
            const elapsed = clock.now() - unknownSince;
            if (elapsed >= unsupportedAfterMs) {
                throw new UnsupportedError(target.subject, call, error.status, ifUnsupported, error);
            }
            if (clock.now() >= context.deadlineAt) {
                throw error;
            }
            context.status(activity.line(`${inBrief(error)}, trying again`));
            await clock.sleep(nextPoll(elapsed, random), context.signal);
        }
    }
}

/** Whether the resource shows the effect of the step; never where the effect cannot be read, such as that of a new password. */
function isInEffect<Item>({ differs, after }: Step<Item>, item: Item): boolean {
    return differs !== undefined && after(item).kind === "ready";
}

async function showsEffect<Item>(step: Step<Item>, target: Target<Item>, context: OperationContext): Promise<boolean> {
    const item = step.differs === undefined ? undefined : await readConfirmed(target, context);
    return item !== undefined && isInEffect(step, item);
}
