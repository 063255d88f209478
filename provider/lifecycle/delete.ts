import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import type { Timeouts } from "../inputs/finding";
import { isConflict, type CallFailure } from "../api/errors";
import { reconcile, send, type Decision } from "../reconcile/reconcile";
import { lockOf, waitForParent } from "../reconcile/references";
import { pending, ready, type Outcome, isDeleting } from "../contract/outcome";
import { dependentsOf } from "./dependents";
import { replacementImpossible } from "./errors";
import { operationOn, subjectOf } from "./subject";
import { contextOf, type Managed } from "./managed";
import { inputsIn } from "./metadata";
import { describedActivity } from "../observe/progress";
import { errorOf } from "./timeLimit";
import { assertReadable, planCreation } from "./plan";
import { appearsWithinMs } from "../observe/schedule";
import { readResource, targetOf, waitUntilGone } from "../observe/reads";
import type { Operation, State } from "../contract/resource";

/** Deletes a resource, if its state permits that, and waits until it is gone. Succeeds if it is already gone. */
export async function deleteResource(managed: Managed, id: string, state: State, timeouts?: Timeouts): Promise<void> {
    const { resource, session, guard, kinds } = managed;
    const { delete: request } = resource.operations;
    if (request === undefined) {
        return;
    }
    const kept = guard.beforeDeletion(id, state);
    if (kept !== undefined) {
        session.engine.warn(state.__urn, kept);
        return;
    }
    const replacement = guard.inputsReplacing(id, state);
    if (replacement !== undefined) {
        try {
            assertReadable(planCreation(resource, replacement));
        } catch (error) {
            throw replacementImpossible(subjectOf(resource, replacement, id), error);
        }
    }
    const context = contextOf(managed, "delete", state, resource.times(undefined), timeouts);
    const operation = operationOn(resource, id, inputsIn(state), context);
    const obstacle = () => dependentsOf(operation, kinds);
    await remove(request, state, operation, obstacle).catch((error: unknown) => {
        throw errorOf(error, operation.subject, "deleted", context);
    });
    guard.onDelete(state);
}

/** Sends the request to delete the resource, and waits until it is gone. */
async function remove(
    request: OperationId,
    state: State,
    existing: Operation,
    obstacle: () => Promise<Outcome>,
): Promise<void> {
    const operation: Operation = { ...existing, activity: describedActivity("deleting") };
    const { path, context } = operation;
    if (state.__interrupted === "unseen" && (await readResource(operation, appearsWithinMs)) === undefined) {
        return;
    }
    await reconcile<unknown, undefined>(
        {
            method: "DELETE",
            locks: lockOf(operation),
            observe: (failure) =>
                failure === undefined ? Promise.resolve(send) : observeRemoval(failure, operation, obstacle),
            // The operation has the path of the resource.
            send: (options) => context.client.call(request, { path } as unknown as CallArguments<OperationId>, options),
            effect: async () => {
                await waitUntilGone(targetOf(operation));
                return undefined;
            },
        },
        operation,
    );
    context.done();
}

/** Waits until the API accepts the deletion, unless the resource is gone. A single 404 does not prove that it is. */
async function observeRemoval(
    failure: CallFailure,
    operation: Operation,
    obstacle: () => Promise<Outcome>,
): Promise<Decision<undefined>> {
    const { resource, inputs } = operation;
    const target = targetOf(operation);
    const done = { kind: "done", result: undefined } as const;
    const item = await readResource(operation);
    if (item === undefined) {
        return done;
    }
    if (isDeleting(resource, item)) {
        await waitUntilGone(target);
        return done;
    }
    if (!isConflict(failure)) {
        return send;
    }
    const dependents = await obstacle();
    if (dependents.kind !== "ready") {
        const isTransient = dependents.kind === "pending";
        return isTransient
            ? { kind: "blocked", reason: dependents.detail ?? "", isTransient }
            : { kind: "blocked", reason: dependents.reason, ways: dependents.ways ?? [], isTransient };
    }
    const evaluate = (seen: unknown): Outcome => {
        const outcome = isDeleting(resource, seen)
            ? pending("deleting")
            : resource.observation.readiness(seen, inputs, "rest");
        // Only another request shows whether the API deletes a resource that failed.
        return outcome.kind === "failed" ? ready : outcome;
    };
    const hasWaited = evaluate(item).kind === "pending";
    if (hasWaited && (await waitUntilGone(target, evaluate)) === undefined) {
        return done;
    }
    const acceptance = await waitForParent(operation);
    return hasWaited ? { ...acceptance, hasWaited } : acceptance;
}
