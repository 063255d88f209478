import { DeadlineError } from "../api/errors";
import { Absence } from "../wait/absence";
import { repeated } from "../wait/lists";
import { getItem, type Listing, type Source } from "../wait/source";
import { notFoundPollMs } from "../wait/schedule";
import { callOptions, type OperationContext } from "./operation";
import type { Kind, Operation } from "./resource";

/** Reads the resource of an operation, like `readItem`. */
export function readResource<K extends Kind>(
    operation: Operation<K>,
    appearsMs?: number,
): Promise<K["Item"] | undefined> {
    return readItem(sourceOf(operation), operation.id, operation.context, appearsMs);
}

/** Where the resource of an operation is read. */
export function sourceOf<K extends Kind>({ resource, path, context }: Operation<K>): Source<K["Item"]> {
    return resource.collection.source(path, context.client);
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

/** Reads the whole list. If `use` throws for a malformed entry, the list is read again for a while. */
export function readList<Item, Result>(
    source: Source<Item>,
    context: OperationContext,
    use: (listing: Listing<Item>) => Result,
): Promise<Result> {
    const { lists } = context;
    return repeated(lists, callOptions(context), async (options) => use(await lists.list(source, options)));
}
