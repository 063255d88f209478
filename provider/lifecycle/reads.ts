import { DeadlineError } from "../api/errors";
import { malformedOf, type Listing, type Source } from "../wait/listing";
import { readListing } from "../wait/read";
import { notFoundPollMs, notFoundsThatMeanGone } from "../wait/schedule";
import { callOptions, type OperationContext } from "./operation";

/** A resource that an operation reads. */
export interface Readable<Item> {
    /** The id by which the source knows the resource. */
    readonly id: string;
    readonly source: Source<Item>;
    readonly context: OperationContext;
}

/**
 * Reads a resource; undefined only once the API confirms that it is gone. One 404 is not proof: the resource is read
 * again after a pause, for `appearsMs` if it may not be visible to reads yet, and the list must not contain it either.
 */
export async function read<Item>({ id, source, context }: Readable<Item>, appearsMs = 0): Promise<Item | undefined> {
    const { clock } = context.wait;
    const { get } = source;
    const find = () => readList(source, context, (listing) => itemOf(listing, id, source));
    const readOnce = get === undefined ? find : () => get(id, callOptions(context));
    let giveUpAt: number | undefined;
    for (let misses = 1; ; misses++) {
        const item = await readOnce();
        // Counted from the first response.
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
    return readListing(source, use, callOptions(context), context.wait);
}

function itemOf<Item>(listing: Listing<Item>, id: string, source: Source<Item>): Item | undefined {
    const item = listing.items.find((one) => source.idOf(one) === id);
    const malformed = item === undefined ? malformedOf(listing, id) : undefined;
    if (malformed !== undefined) {
        throw malformed.error;
    }
    return item;
}
