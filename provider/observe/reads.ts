import { DeadlineError, undefinedIfNotFound } from "../api/callErrors";
import { goneAfterMs } from "./schedule";
import { Absence, lastReadMs, watch } from "./watch";
import { gone, waitFor, type Wait } from "./wait";
import { way } from "../base/message";
import type { Collection } from "../model/collection";
import type { Context } from "../model/context";
import { formatDuration } from "../base/time";
import { pending } from "../model/outcome";
import type { Condition } from "./conditions";
import { callOptions, progressReporter } from "./progress";
import type { Operation, Reading } from "../model/operation";
import { waitActivity, type Path, type ObservableKind } from "../model/resource";
import { fillIn, idIn, type Client } from "../api/client";
import { operations } from "../api/operations.gen";
import { ownIdOf, parentIdOf, pathOf } from "../model/identity";

/** Reads a resource; undefined only once the API confirms that it is gone. */
export function readItem(reading: Reading, absence = new Absence(reading.context.clock)): Promise<unknown> {
    const { kind, path, id, context } = reading;
    const collection = collectionAt(kind, path, context.client);
    const options = callOptions(context);
    return watch({
        ...context,
        // The last read ends at the deadline, because other work follows. The last poll of a wait begins at the deadline.
        deadlineAt: context.deadlineAt - lastReadMs,
        absence,
        read: async () => {
            const { needsList } = absence;
            const item = await (collection.get === undefined || needsList
                ? context.lists.find(collection, id, { ...options, needsList })
                : undefinedIfNotFound(collection.get(id, options)));
            if (item !== undefined) {
                reading.observed(item);
            }
            return item;
        },
        onPause: () => {
            if (absence.doubtMs > 0) {
                context.showRow(`not found, reading again for ${formatDuration(absence.doubtMs)}`);
            }
        },
        // A timeout does not prove that the resource is gone.
        timedOut: () =>
            new DeadlineError({
                what: `${reading.subject} was not found, but too little time has passed to rule out an error.`,
                ways: [way("Continue", "repeat the command")],
            }),
    });
}

/**
 * Reads a resource of the state, or one that it refers to; undefined only once it is gone. Reads may not show one yet that was just
 * created.
 */
export function readStored(reading: Reading, mayBeMissing = false): Promise<unknown> {
    return readItem(reading, absenceOf(reading.context, mayBeMissing));
}

/** Decides when a resource is gone that this run does not delete. */
function absenceOf({ clock, client }: Context, mayBeNew: boolean): Absence {
    return new Absence(clock, Math.min(goneAfterMs, client.listLagMs), mayBeNew ? client.listLagMs : 0);
}

/** Reads a resource that must exist, for what observes the operation. Fails if it is gone. */
export async function readExisting(operation: Operation, mayBeMissing?: boolean): Promise<void> {
    if ((await readStored(operation, mayBeMissing)) === undefined) {
        throw gone(operation.subject);
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
    const collection = collectionAt(kind, path, context.client);
    // One that no read has shown yet was just created.
    const absence = until === "gone" ? new Absence(context.clock) : absenceOf(context, reading.item === undefined);
    const onSeen = (item: unknown) => reading.observed(item);
    const onPoll = progressReporter({ context, activity });
    const wanted = { until, evaluate, absence, onSeen, onPoll };
    return waitFor({ ...context, subject, id, collection, ...wanted }, context.lists);
}

/** A collection of resources of a kind. Leaves out the entries of other kinds, and those that no longer exist. */
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
                (item) => kind.otherKind?.(item) === undefined && kind.isGone?.(item) !== true,
            ),
        ...(get && {
            get: async (id, options) => {
                const item = (await client.at(get, { path: pathOf(kind, path.project_id, id) }, options)) as Item;
                return kind.isGone?.(item) ? undefined : item;
            },
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
