import { CloudDbError, isNotFound } from "../api/errors";
import { ready, type Outcome } from "../wait/outcome";
import { describedActivity } from "./operation";
import { keepsLastCopy } from "./protection";
import { appearsWithinMs } from "../wait/schedule";
import { readResource } from "./reads";
import { inEffect, noValidResponse, perform } from "./request";
import type { Create, Deletion, Kind, LastCopy, Operation, State } from "./resource";
import { waitUntilGone } from "./steps";

/**
 * Deletes the resource and waits until it is gone. Succeeds if the resource is already gone. If the state asks for a
 * last copy of its data, it deletes the resource only after it has made that copy.
 */
export async function removeResource<K extends Kind>(
    deletion: Deletion<K>,
    state: State<K>,
    existing: Operation<K>,
    create: Create<K>,
): Promise<void> {
    const { resource, path, context } = existing;
    const { isDeleting, lock } = resource.observation;
    const operation: Operation<K> = { ...existing, activity: describedActivity("deleting") };
    if (state.__interrupted === "unseen" && (await readResource(operation, appearsWithinMs)) === undefined) {
        return;
    }
    if (deletion.lastCopy !== undefined && keepsLastCopy(resource, state)) {
        const item = await readResource(operation);
        // No request may delete what has not been copied, even if this read is wrong.
        if (item === undefined) {
            return;
        }
        if (isDeleting(item)) {
            await waitUntilGone(operation);
            return;
        }
        await makeLastCopy(item, deletion, deletion.lastCopy, existing, create);
    }
    context.status(operation.activity());
    let isGone = false;
    /** The resource, unless it is gone or being deleted. A single 404 does not prove that it is gone. */
    const remaining = async () => {
        const item = await readResource(operation);
        isGone = item === undefined;
        return item === undefined || isDeleting(item) ? undefined : item;
    };
    await perform(
        {
            method: "DELETE",
            send: (options) => deletion.send(path, context, options),
            // If it is being deleted, the API rejects another deletion.
            afterConflict: async () => {
                const item = await remaining();
                return item === undefined ? inEffect : obstacleToRemoval(item, deletion, operation);
            },
            afterLoss: async (failure) =>
                isNotFound(failure) && (await remaining()) === undefined ? inEffect : noValidResponse,
        },
        () => (isGone ? Promise.resolve() : waitUntilGone(operation)),
        operation,
        lock?.(path),
    );
    context.status("done");
}

/** Makes the last copy. Fails if the API would not delete the resource anyway. */
async function makeLastCopy<K extends Kind>(
    item: K["Item"],
    { dependants }: Deletion<K>,
    { make }: LastCopy<K>,
    operation: Operation<K>,
    create: Create<K>,
): Promise<void> {
    const { path, context, subject } = operation;
    const obstacle = await dependants?.(path, context);
    if (obstacle?.kind === "failed") {
        throw new CloudDbError(`${subject} is neither copied nor deleted: ${obstacle.reason}`);
    }
    await make(item, operation, create);
}

/** Why the API rejects the deletion: dependants, the resource's own status, or the resource that it belongs to. */
async function obstacleToRemoval<K extends Kind>(
    item: K["Item"],
    deletion: Deletion<K>,
    { resource, path, context, inputs }: Operation<K>,
): Promise<Outcome> {
    const dependants = (await deletion.dependants?.(path, context)) ?? ready;
    if (dependants.kind !== "ready") {
        return dependants;
    }
    const own = resource.observation.readiness(item, inputs);
    return own.kind === "pending" || resource.observation.obstacle === undefined
        ? own
        : resource.observation.obstacle(path, context);
}
