import { DeadlineError } from "../api/errors";
import { Absence } from "./absence";
import { WaitGoneError } from "./errors";
import { repeated } from "./lists";
import { getItem, sourceOf } from "./source";
import type { Listing, Source } from "../contract/source";
import { appearsWithinMs, notFoundPollMs } from "./schedule";
import { pending, type Outcome } from "../contract/outcome";
import { Waiter, type Wait } from "./wait";
import { callOptions, progressReporter, waitActivity } from "./progress";
import type { OperationContext } from "../contract/operation";
import type { Operation } from "../contract/resource";

/** A resource that is read. */
export interface Target<Item> extends Pick<Operation, "id" | "subject" | "activity" | "context"> {
    readonly source: Source<Item>;
    readonly onSeen?: ((item: Item) => void) | undefined;
}

/** The resource of an operation. */
export function targetOf(operation: Operation): Target<unknown> {
    const { resource, path, context, checkpoint } = operation;
    return { ...operation, source: sourceOf(resource, path, context.client), onSeen: checkpoint };
}

/** Reads the resource of an operation, like `readItem`. Reads may not show one yet that was just created. */
export async function readResource(operation: Operation, mayBeMissing = false): Promise<unknown> {
    const { source, id, context } = targetOf(operation);
    const item = await readItem(source, id, context, mayBeMissing ? appearsWithinMs : 0);
    if (item !== undefined) {
        operation.checkpoint(item);
    }
    return item;
}

/** The same for a resource that must exist. */
export async function readExisting(operation: Operation, mayBeMissing?: boolean): Promise<unknown> {
    const item = await readResource(operation, mayBeMissing);
    if (item === undefined) {
        throw new WaitGoneError(operation.subject);
    }
    return item;
}

/**
 * Reads a resource; undefined only once the API confirms that it is gone. A resource that may not be visible to reads yet
 * is read again for `appearsMs`, counted from the first response.
 */
export async function readItem<Item>(
    source: Source<Item>,
    id: string,
    context: OperationContext,
    appearsMs = 0,
): Promise<Item | undefined> {
    const { clock, lists } = context;
    const absence = new Absence(clock, appearsMs);
    for (;;) {
        const { needsList } = absence;
        const options = callOptions(context);
        const item = await (source.get === undefined || needsList
            ? repeated(lists, options, (read) => lists.find(source, id, { ...read, needsList }))
            : getItem(source, id, options));
        if (item !== undefined || absence.missing()) {
            return item;
        }
        if (appearsMs > 0) {
            context.status("not visible to reads yet, reading again");
        }
        await clock.sleep(notFoundPollMs, context.signal);
        if (clock.now() >= context.deadlineAt) {
            // A timeout does not prove that the resource is gone.
            throw new DeadlineError(
                `The API does not return ${id}, but too little time has passed to rule out an error.`,
            );
        }
    }
}

/**
 * Waits until `evaluate` finds the resource ready. Reads it at least once, unless it was already read as `known` and is
 * ready.
 */
export async function waitUntilReady<Item>(
    evaluate: (item: Item) => Outcome,
    target: Target<Item>,
    known?: Item,
): Promise<Item> {
    if (known !== undefined && evaluate(known).kind === "ready") {
        return known;
    }
    // A wait for readiness always resolves with an item.
    return (await wait("ready", evaluate, target)) as Item;
}

/** Waits until the resource is gone, or until `evaluate` finds it ready, which it does not by default. */
export function waitUntilGone<Item>(
    target: Target<Item>,
    evaluate: (item: Item) => Outcome = () => pending("deleting"),
): Promise<Item | undefined> {
    return wait("gone", evaluate, { ...target, activity: waitActivity });
}

function wait<Item>(
    until: Wait<Item>["until"],
    evaluate: Wait<Item>["evaluate"],
    { subject, source, id, onSeen, activity, context }: Target<Item>,
): Promise<Item | undefined> {
    const { deadlineAt, timeoutSetting, signal, lists } = context;
    const onPoll = progressReporter({ context, activity });
    const limits = { deadlineAt, timeoutSetting, signal };
    return new Waiter({ subject, source, id, until, evaluate, ...limits, onSeen, onPoll }, lists).run();
}

/** Reads the whole list. If `use` throws for a malformed entry, the list is read again for a while. */
export function readList<Item, Result>(
    source: Source<Item>,
    context: OperationContext,
    use: (listing: Listing<Item>) => Result,
): Promise<Result> {
    const { lists } = context;
    return repeated(lists, callOptions(context), async (options) => use(await lists.list(source, options)));
}
