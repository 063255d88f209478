import { isConflict, isNotFound } from "../api/errors";
import { pending, ready, type Outcome } from "../wait/outcome";
import { ProtectedError } from "./errors";
import { about, perform, waiting } from "./operation";
import { deletionRefusal } from "./protection";
import { readConfirmed, readWithGrace } from "./reads";
import type { Checked, CommonInputs, Deletion, Resource, StateMetadata } from "./resource";
import { untilGone, type ResourceOperation } from "./steps";

/** Deletes the resource and waits until it is gone. A resource that is already gone is no error. */
export async function removeResource<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    deletion: Deletion<Inputs, Observed>,
    state: Observed & StateMetadata,
    existing: ResourceOperation<Item>,
): Promise<void> {
    const { context, subject } = existing;
    const activity = about(`delete ${resource.noun}`, "deleting");
    const operation = { ...existing, activity };
    const refusal = deletionRefusal(subject, state);
    if (refusal !== undefined) {
        throw new ProtectedError(refusal);
    }
    if (state.__unseen && (await readWithGrace(operation)) === undefined) {
        return;
    }
    context.status(activity.line());
    await perform(
        {
            method: "DELETE",
            send: () => beginRemoval(resource, deletion, operation),
            readsFirst: true,
            obstacle: () => obstacleToRemoval(resource, deletion, state as unknown as Checked<Inputs>, operation),
        },
        (begun) =>
            begun === "gone"
                ? Promise.resolve()
                : untilGone(() => pending("deleting"), { ...operation, activity: waiting(activity.kind) }),
        operation,
    );
    context.status("done");
}

/** Whether the deletion has begun, or the resource was already gone. One 404 alone does not prove that it is gone. */
async function beginRemoval<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    deletion: Deletion<Inputs, Observed>,
    operation: ResourceOperation<Item>,
): Promise<"deleting" | "gone"> {
    try {
        await deletion.send(operation.path, operation.context);
    } catch (error) {
        // The API rejects the deletion of a resource that is already being deleted.
        if (!isConflict(error) && !isNotFound(error)) {
            throw error;
        }
        const item = await readConfirmed(operation);
        if (item === undefined) {
            return "gone";
        }
        if (!resource.state.isDeleting(item)) {
            throw error;
        }
    }
    return "deleting";
}

/** Why the API rejects the deletion: dependants, the resource's own status, or the resource that it belongs to. */
async function obstacleToRemoval<Inputs extends CommonInputs, Observed extends object, Item>(
    resource: Resource<Inputs, Observed, Item>,
    deletion: Deletion<Inputs, Observed>,
    inputs: Checked<Inputs>,
    operation: ResourceOperation<Item>,
): Promise<Outcome> {
    const { path, context } = operation;
    const dependants = (await deletion.dependants?.(path, context)) ?? ready;
    if (dependants.kind !== "ready") {
        return dependants;
    }
    const item = await readConfirmed(operation);
    const own = item === undefined ? ready : resource.state.readiness(item, inputs);
    return own.kind === "pending" || resource.state.obstacle === undefined
        ? own
        : resource.state.obstacle(path, context);
}
