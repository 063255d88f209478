import { CloudDbError, isNotFound } from "../api/errors";
import { ready, type Outcome } from "../wait/outcome";
import { describedActivity } from "./operation";
import { keepsLastCopy } from "./protection";
import { appearsWithinMs } from "../wait/schedule";
import { readItem } from "./reads";
import { noValidResponse, perform } from "./request";
import { inputsIn } from "./metadata";
import type { Checked, Create, Deletion, Kind, LastCopy, Resource, State } from "./resource";
import { waitUntilGone, type ResourceOperation } from "./steps";

/**
 * Deletes the resource and waits until it is gone. Succeeds if the resource is already gone. If the state asks for a
 * last copy of its data, it deletes the resource only after it has made that copy.
 */
export async function removeResource<K extends Kind>(
    resource: Resource<K>,
    deletion: Deletion<K>,
    state: State<K>,
    existing: ResourceOperation<K>,
    create: Create<K>,
): Promise<void> {
    const { context } = existing;
    const activity = describedActivity("deleting", `delete ${resource.noun}`);
    const operation: ResourceOperation<K> = { ...existing, activity };
    if (state.__unseen && (await readItem(operation, appearsWithinMs)) === undefined) {
        return;
    }
    if (deletion.lastCopy !== undefined && keepsLastCopy(resource, state)) {
        const item = await readItem(operation);
        // No request may delete what has not been copied, even if this read is wrong.
        if (item === undefined) {
            return;
        }
        if (resource.observation.isDeleting(item)) {
            await waitUntilGone(operation);
            return;
        }
        await makeLastCopy(item, deletion, deletion.lastCopy, existing, create);
    }
    context.status(activity.line());
    let isGone = false;
    await perform(
        {
            send: (options) => deletion.send(operation.path, context, options),
            findObstacle: async (failure, reaction) => {
                if (reaction === "fail") {
                    throw failure;
                }
                if (reaction === "readFirst" && !isNotFound(failure)) {
                    return noValidResponse;
                }
                // A single 404 does not prove that it is gone. If it is being deleted, the API rejects another deletion.
                const item = await readItem(operation);
                isGone = item === undefined;
                if (item === undefined || resource.observation.isDeleting(item)) {
                    return "inEffect";
                }
                return reaction === "readFirst"
                    ? noValidResponse
                    : obstacleToRemoval(item, resource, deletion, inputsIn(state), operation);
            },
        },
        () => (isGone ? Promise.resolve() : waitUntilGone(operation)),
        operation,
    );
    context.status("done");
}

/** Makes the last copy. Fails if the API would not delete the resource anyway. */
async function makeLastCopy<K extends Kind>(
    item: K["Item"],
    { dependants }: Deletion<K>,
    { make }: LastCopy<K>,
    operation: ResourceOperation<K>,
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
    resource: Resource<K>,
    deletion: Deletion<K>,
    inputs: Checked<K>,
    { path, context }: ResourceOperation<K>,
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
