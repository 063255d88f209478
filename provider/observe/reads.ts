import { DeadlineError, undefinedIfNotFound } from "../api/callErrors";
import { Absence, appearsWithinMs, notFoundPollMs, provesLossAfterMs } from "./schedule";
import { gone, Waiter, type Wait } from "./wait";
import { way } from "../base/message";
import type { Collection } from "../model/collection";
import { formatDuration } from "../base/time";
import { pending } from "../model/outcome";
import type { Condition } from "./conditions";
import { callOptions, progressReporter } from "./progress";
import type { Operation, Reading } from "../model/operation";
import { waitActivity, type Path, type ObservableKind } from "../model/resource";
import { fillIn, idIn, type Client } from "../api/client";
import { operations } from "../api/operations.gen";
import { ownIdOf, parentIdOf, pathOf } from "../model/identity";

/**
 * Reads a resource of the state; undefined only once the API confirms that it is gone. Reads may not show one yet that was just
 * created.
 */
export function readStored(operation: Operation, mayBeMissing = false): Promise<unknown> {
    const { clock, client } = operation.context;
    const provesMs = operation.resource.hasData ? Math.min(provesLossAfterMs, client.listLagMs) : undefined;
    return readItem(operation, new Absence(clock, provesMs, mayBeMissing ? appearsWithinMs : 0));
}

/** Reads a resource that must exist. Fails if it is gone. */
export async function readExisting(operation: Operation, mayBeMissing?: boolean): Promise<void> {
    if ((await readStored(operation, mayBeMissing)) === undefined) {
        throw gone(operation.subject);
    }
}

/** Reads a resource; undefined only once the API confirms that it is gone. */
export async function readItem(reading: Reading, absence = new Absence(reading.context.clock)): Promise<unknown> {
    const { kind, path, id, context } = reading;
    const { clock, lists } = context;
    const collection = collectionAt(kind, path, context.client);
    for (;;) {
        const { needsList } = absence;
        const options = callOptions(context);
        const item = await (collection.get === undefined || needsList
            ? lists.find(collection, id, { ...options, needsList })
            : undefinedIfNotFound(collection.get(id, options)));
        if (item !== undefined) {
            reading.observed(item);
            return item;
        }
        if (absence.missing()) {
            return undefined;
        }
        if (absence.doubtMs > notFoundPollMs) {
            context.status(`not found, reading again for ${formatDuration(absence.doubtMs)}`);
        }
        await clock.sleep(notFoundPollMs, context.signal);
        if (clock.now() >= context.deadlineAt) {
            // A timeout does not prove that the resource is gone.
            throw new DeadlineError({
                what: `${reading.subject} was not found, but too little time has passed to rule out an error.`,
                ways: [way("Continue", "repeat the command")],
            });
        }
    }
}

/** Waits until `evaluate` finds the resource ready: without a read if the last one shows it. */
export async function waitUntilReady(evaluate: Condition, reading: Reading): Promise<void> {
    if (reading.item === undefined || evaluate(reading.item).phase !== "ready") {
        await waitForRead(evaluate, reading);
    }
}

/** The same by a new read: the last one may show the resource as it was before a request. */
export const waitForRead = (evaluate: Condition, reading: Reading): Promise<unknown> =>
    wait("ready", evaluate, reading);

/** A deletion in progress, with the status that the API shows. */
export const inDeletion: Condition = (item) => {
    const { status } = item as { readonly status?: string };
    return pending("deleting", status && `status ${status}`);
};

/** Waits until the resource is gone, or until `evaluate` finds it ready, which it does not by default. */
export function waitUntilGone(reading: Reading, evaluate: Condition = inDeletion): Promise<unknown> {
    return wait("gone", evaluate, reading, waitActivity);
}

function wait(
    until: Wait<unknown>["until"],
    evaluate: Wait<unknown>["evaluate"],
    reading: Reading,
    activity = reading.activity,
): Promise<unknown> {
    const { kind, path, id, subject, context } = reading;
    const { deadlineAt, timeoutSetting, signal, lists } = context;
    const watched = { collection: collectionAt(kind, path, context.client), id, subject };
    const onSeen = (item: unknown) => reading.observed(item);
    const onPoll = progressReporter({ context, activity });
    return new Waiter({ ...watched, until, evaluate, deadlineAt, timeoutSetting, signal, onSeen, onPoll }, lists).run();
}

/** A collection of resources of a kind. Leaves out the entries of other kinds. */
export function collectionAt<Item>(
    kind: ObservableKind<Item> & { readonly parent?: { readonly kind: ObservableKind<unknown> } },
    path: Path,
    client: Client,
): Collection<Item> {
    const { parent } = kind;
    const { list, get } = kind.operations;
    return {
        key: fillIn(operations[list].path, path),
        list: async (options) =>
            ((await client.at(list, { path }, options)) as Item[]).filter(
                (item) => kind.otherKind?.(item) === undefined,
            ),
        ...(get && {
            get: (id, options) => client.at(get, { path: pathOf(kind, path.project_id, id) }, options) as Promise<Item>,
        }),
        idOf: (entry) => ownIdOf(kind, entry as object),
        parent:
            parent === undefined
                ? { collection: projectsAt(client), id: path.project_id }
                : { collection: collectionAt(parent.kind, path, client), id: parentIdOf(kind, path) },
    };
}

/** The projects, to which all other collections belong. */
function projectsAt(client: Client): Collection<object> {
    const list = "listProjects";
    return {
        key: operations[list].path,
        list: (options) => client.call(list, {}, options),
        idOf: (entry) => idIn(entry as object),
    };
}
