import type { Timeouts } from "../base/time";
import { CloudDbError, isConflict, mayHaveHappened, type CallError } from "../api/callErrors";
import type { Accepting, Rejecting } from "../reconcile/cases";
import { reconcile, type Done } from "../reconcile/reconcile";
import { lockOf, waitForParent } from "../reconcile/references";
import { described, logicalName } from "../base/message";
import { interruptionIn } from "../model/state";
import { ready, type Outcome, isDeleting } from "../model/outcome";
import { rejectedByDependents } from "../reconcile/dependents";
import { beforeDeletion } from "./guard";
import { messages } from "./messages";
import { parentIdOf, refTo } from "../model/identity";
import { Operation } from "../model/operation";
import { inOperation } from "./errors";
import type { Managed } from "./managed";
import { inputsOf } from "../model/remembered";
import { describedActivity } from "../observe/progress";
import { inDeletion, readItem, readStored, waitUntilGone } from "../observe/reads";
import type { Resource, State } from "../model/resource";

/** Deletes a resource, if its state permits that, and waits until it is gone. Succeeds if it is already gone. */
export async function deleteResource(managed: Managed, id: string, state: State, timeouts?: Timeouts): Promise<void> {
    const { resource, session, kinds } = managed;
    const { delete: request } = resource.operations;
    const kept = request && beforeDeletion(managed, id, state);
    if (kept !== undefined) {
        session.engine.warn(state.record.urn, kept);
        return;
    }
    const inputs = inputsOf(resource, state);
    const context = session.contextFor("delete", inputs, resource.times(undefined).delete, timeouts);
    const operation = new Operation(resource, id, inputs, context).setActivity(describedActivity("deleting"));
    const { path } = operation;
    // Also for a peering activation, which the engine removes before the peering: a failure must come before anything is lost.
    await inOperation("deleted", operation, () => assertParentDeletable(managed, operation));
    if (request === undefined) {
        return;
    }
    session.announceDeletions(context, state.projectId);
    let mayBeDeleted = false;
    await inOperation("deleted", operation, async () => {
        const result = await reconcile(
            {
                locks: lockOf(operation),
                first: () => decideFirst(state, operation),
                afterFailure: (failure) => {
                    mayBeDeleted ||= mayHaveHappened(failure);
                    return decideAgain(failure, operation, kinds);
                },
                send: (options) => context.client.at(request, { path }, options),
                effect: () => waitUntilGone(operation),
            },
            operation,
        );
        if (result === notFound.result && !mayBeDeleted) {
            context.warn(messages.notFoundByDeletion(operation.subject, context.client.baseUrl, state.projectId).what);
        }
    });
    context.done();
    session.ledger.noteDeletion(state.record.urn, refTo(resource, state.projectId, id));
}

/**
 * Fails if the parent is deleted next, before its replacement is created, and something other than its children uses it: the API
 * would reject that deletion, and this resource would be gone. The diffs have refused the dependents that the engine knows
 * (`assertUsesNoneDeletedFirst`). This finds the others, such as a service of another stack.
 */
async function assertParentDeletable({ kinds }: Managed, operation: Operation): Promise<void> {
    const { resource, path, inputs, subject, context } = operation;
    // The whole definition of the kind: `resource.parent` has only what others know of it.
    const parent = kinds.find(({ type }) => type === resource.parent?.kind.type);
    const parentId = parentIdOf(resource, path);
    const row = parent && context.ledger.deletedFirst(parentId);
    if (parent === undefined || row === undefined) {
        return;
    }
    // Children are not asked for: a list does not say which of them this run deletes. One of another stack is only found when the API
    // rejects the deletion of the parent.
    const others = kinds.filter((kind) => kind.parent?.kind.type !== parent.type);
    const used = new Operation(parent, parentId, { projectId: inputs.projectId }, context);
    const dependents = await rejectedByDependents(used, others);
    if (dependents !== undefined) {
        const next = described(parent, logicalName(row.urn), parentId);
        throw new CloudDbError(messages.replacementImpossible(subject, next, dependents.reason, dependents.ways));
    }
}

const notFound = { verdict: "done", result: "not found" } as const;

/** Before the first request. A resource that no read has shown yet may not exist. */
async function decideFirst(state: State, operation: Operation): Promise<Done | Accepting> {
    const { mayBeMissing } = interruptionIn(state.record);
    return mayBeMissing && (await readStored(operation, mayBeMissing)) === undefined ? notFound : { verdict: "send" };
}

/** Waits until the API accepts the deletion, unless the resource is gone. A single 404 does not prove that it is. */
async function decideAgain(
    failure: CallError,
    operation: Operation,
    kinds: readonly Resource[],
): Promise<Done | Accepting | Rejecting> {
    const { resource, inputs } = operation;
    const item = await readItem(operation);
    if (item === undefined) {
        return notFound;
    }
    if (isDeleting(resource, item)) {
        return { verdict: "done", result: await waitUntilGone(operation) };
    }
    if (!isConflict(failure)) {
        return { verdict: "send" };
    }
    const dependents = await rejectedByDependents(operation, kinds);
    if (dependents !== undefined) {
        return dependents;
    }
    const evaluate = (item: unknown): Outcome => {
        const outcome = isDeleting(resource, item) ? inDeletion(item) : resource.observation.readiness(item, inputs);
        // Only another request shows whether the API deletes a resource that failed.
        return outcome.phase === "failed" ? ready : outcome;
    };
    const hasWaited = evaluate(item).phase === "pending";
    if (hasWaited && (await waitUntilGone(operation, evaluate)) === undefined) {
        return { verdict: "done", result: undefined };
    }
    return { ...(await waitForParent(operation)), ...(hasWaited && { hasWaited }) };
}
