import { DeadlineError } from "../api/errors";
import { Absence } from "../wait/absence";
import { getItem, type Listing, type Source } from "../wait/listing";
import { notFoundPollMs } from "../wait/schedule";
import { callOptions, type OperationContext } from "./operation";

/** A resource that an operation reads. */
export interface Readable<Item> {
    /** The id by which the source knows the resource. */
    readonly id: string;
    readonly source: Source<Item>;
    readonly context: OperationContext;
}

/**
 * Reads a resource; undefined only once the API confirms that it is gone. A resource that may not be visible to reads yet
 * is read again for `appearsMs`, counted from the first response.
 */
export async function readItem<Item>(
    { id, source, context }: Readable<Item>,
    appearsMs = 0,
): Promise<Item | undefined> {
    const { clock, lists } = context.wait;
    const absence = new Absence(clock, appearsMs);
    for (;;) {
        const { needsList } = absence;
        const options = callOptions(context);
        const item = await (source.get === undefined || needsList
            ? lists.find(source, id, { ...options, needsList })
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

/** Reads the whole list. If `use` throws for a malformed entry, the list is read again for a while. */
export function readList<Item, Result>(
    source: Source<Item>,
    context: OperationContext,
    use: (listing: Listing<Item>) => Result,
): Promise<Result> {
    return context.wait.lists.read(source, callOptions(context), use);
}
