import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import type { Timeouts } from "../inputs/finding";
import { sentence } from "../inputs/message";
import { CloudDbError, isConflict, type CallFailure } from "../api/errors";
import { reconcile, send, type Decision } from "../reconcile/reconcile";
import { assertReferences, lockOf, referencesIn, waitForParent } from "../reconcile/references";
import { pending, ready, type Outcome, isDeleting } from "../contract/outcome";
import { emptySource } from "./copies";
import { createResource } from "./create";
import { dependentsOf } from "./dependents";
import { Duplicates } from "./duplicates";
import { replacementImpossible } from "./errors";
import type { Replacing } from "./guard";
import { operationOn, subjectOf } from "./subject";
import { contextOf, type Managed } from "./managed";
import { inputsIn, withName } from "./metadata";
import { describedActivity } from "../observe/progress";
import { errorOf } from "./timeLimit";
import type { OperationContext } from "../contract/operation";
import { assertReadable, planCreation } from "./plan";
import { fateOfData, keepsLastCopy } from "./protection";
import { appearsWithinMs } from "../observe/schedule";
import { readResource, targetOf, waitUntilGone } from "../observe/reads";
import type { Create, Kind, Operation, Resource, State, Times } from "../contract/resource";

/** Deletes a resource, if its state permits that. */
export async function deleteResource<K extends Kind>(
    managed: Managed<K>,
    id: string,
    state: State<K>,
    timeouts?: Timeouts,
): Promise<void> {
    const { resource, session, guard } = managed;
    if (resource.operations.delete === undefined) {
        return;
    }
    const kept = guard.beforeDeletion(id, state);
    if (kept !== undefined) {
        session.engine.warn(state.__urn, kept);
        return;
    }
    session.announceDeletion(state);
    const context = contextOf(managed, "delete", state, timesOfDeletion(resource, state), timeouts);
    const replacing = guard.replacing(id, state);
    if (replacing !== undefined && replacing.manages === undefined) {
        await assertCreatable(managed, id, replacing, context);
    }
    const fate = fateOfData(resource, state);
    if (guard.isReplaced(id, state) && fate !== undefined) {
        const subject = subjectOf(resource, inputsIn<K>(state), id);
        context.warn(`${subject} is deleted, because this run replaces it: its data will ${fate}`);
    }
    await removeResource(managed, id, state, context);
    guard.onDelete(id, state);
}

/** Fails if the replacement of a resource that is deleted first cannot be created, as far as a read shows that. */
async function assertCreatable<K extends Kind>(
    managed: Managed<K>,
    id: string,
    { inputs, declared }: Replacing<K>,
    context: OperationContext,
): Promise<void> {
    const { resource } = managed;
    const subject = subjectOf(resource, withName(resource, inputs));
    const references = inputs.existingId === undefined ? referencesIn(resource, inputs) : [];
    try {
        assertReadable(planCreation(resource, inputs));
        await assertReferences(references, subject, inputs.projectId, context);
        if (inputs.existingId === undefined && declared?.identity !== undefined) {
            await new Duplicates(resource, subject, withName(resource, inputs), context).assertUnique(id);
        }
        managed.guard.assertSourceIsKept(inputs);
        const { refusal } = await emptySource(managed, inputs, () => context);
        if (refusal !== undefined) {
            throw refusal;
        }
    } catch (error) {
        throw replacementImpossible(subjectOf(resource, inputs, id), errorOf(error, subject, "created", context));
    }
}

/** The times of a deletion. */
export function timesOfDeletion<K extends Kind>(resource: Resource<K>, state: State<K>): Times {
    const times = keepsLastCopy(resource, state) ? resource.deletion?.lastCopy?.times : undefined;
    return { ...resource.times(undefined), ...times };
}

/** Deletes the resource and waits until it is gone. Succeeds if the resource is already gone. */
export async function removeResource<K extends Kind>(
    { resource, kinds }: Pick<Managed<K>, "resource" | "kinds">,
    id: string,
    state: State<K>,
    context: OperationContext,
): Promise<void> {
    const { delete: request } = resource.operations;
    if (request !== undefined) {
        const operation = operationOn(resource, id, inputsIn<K>(state), context);
        const obstacle = () => dependentsOf(operation, kinds);
        await remove(request, state, operation, obstacle).catch((error: unknown) => {
            throw errorOf(error, operation.subject, "deleted", context);
        });
    }
}

/** If the state asks for a last copy of its data, deletes the resource only after it has made that copy. */
async function remove<K extends Kind>(
    request: OperationId,
    state: State<K>,
    existing: Operation<K>,
    obstacle: () => Promise<Outcome>,
): Promise<void> {
    const { resource } = existing;
    const { lastCopy } = resource.deletion ?? {};
    const operation: Operation<K> = { ...existing, activity: describedActivity("deleting") };
    if (state.__interrupted === "unseen" && (await readResource(operation, appearsWithinMs)) === undefined) {
        return;
    }
    if (lastCopy !== undefined && keepsLastCopy(resource, state)) {
        const item = await unlessGone(operation);
        // No request may delete what has not been copied, even if this read is wrong.
        if (item === undefined) {
            return;
        }
        await assertNoDependents(operation, obstacle);
        const create: Create<K> = (inputs, within) => createResource(resource, inputs, within);
        const deletion = () => sendDeletion(request, operation, obstacle);
        await lastCopy.keep(item, existing, create, deletion).catch(async (error: unknown) => {
            // The provider of a run that was killed may have deleted it meanwhile.
            if ((await unlessGone(operation).catch(() => item)) !== undefined) {
                throw error;
            }
        });
    } else {
        await sendDeletion(request, operation, obstacle);
    }
    existing.context.done();
}

/** The resource. Undefined if it is gone. If it is being deleted, waits until it is gone. */
async function unlessGone<K extends Kind>(operation: Operation<K>): Promise<K["Item"] | undefined> {
    const item = await readResource(operation);
    return item === undefined || !isDeleting(operation.resource, item) ? item : waitUntilGone(targetOf(operation));
}

/** Sends the request to delete the resource, and waits until it is gone. */
async function sendDeletion<K extends Kind>(
    request: OperationId,
    operation: Operation<K>,
    obstacle: () => Promise<Outcome>,
): Promise<void> {
    const { path, context } = operation;
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
}

/** Waits until the API accepts the deletion, unless the resource is gone. A single 404 does not prove that it is. */
async function observeRemoval<K extends Kind>(
    failure: CallFailure,
    operation: Operation<K>,
    obstacle: () => Promise<Outcome>,
): Promise<Decision<undefined>> {
    const { resource, inputs } = operation;
    const { readiness } = resource.observation;
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
    const evaluate = (seen: K["Item"]): Outcome => {
        const outcome = isDeleting(resource, seen) ? pending("deleting") : readiness(seen, inputs, "rest");
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

/** Fails before a last copy if the API would not delete the resource anyway. */
async function assertNoDependents<K extends Kind>(
    { subject }: Operation<K>,
    obstacle: () => Promise<Outcome>,
): Promise<void> {
    const dependents = await obstacle();
    if (dependents.kind === "failed") {
        const { reason, ways = [] } = dependents;
        throw new CloudDbError({ what: sentence(`${subject} is neither copied nor deleted: ${reason}`), ways });
    }
}
