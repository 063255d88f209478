import { previewReadMs } from "../api/client";
import type { Timeouts } from "../base/time";
import {
    CloudDbError,
    ConnectionError,
    DeadlineError,
    isInvalidRequest,
    isNotFound,
    mayHaveHappened,
    partsOf,
} from "../api/callErrors";
import { reconcile } from "../reconcile/reconcile";
import { assertReferences, acceptingIn, referencesIn, someNew, waitForReferred } from "../reconcile/references";
import { adopt, describeAdoption } from "./adopt";
import { converge } from "./update";
import { Duplicates } from "./duplicates";
import { AdoptionError, inOperation } from "./errors";
import { assertSingleManager, onStored } from "./guard";
import { messages } from "./messages";
import { adoptedBy, subjectOf, collectionPath, idOf, withName } from "../model/identity";
import type { Managed } from "./managed";
import { rememberedOnCreate } from "../model/remembered";
import { byVisibility } from "../model/outputs";
import { planNotice, type Notice } from "../base/message";
import { describedActivity, stepActivity } from "../observe/progress";
import { waitActivity } from "../model/resource";
import type { KnownInputs, Declared, Path, Resource, Stored } from "../model/resource";
import type { Activity, Context } from "../model/context";
import { Operation, type AnyOperation } from "../model/operation";
import { sent, type Remembered } from "../model/state";
import { assertBodiesReadable, describeCreation, planCreation, unreadableBodies, unprotectedReplacement } from "./plan";
import { readContextOf } from "./read";

/** Creates a resource of a program, or adopts an existing one, and brings it to the declared state. */
export async function create(managed: Managed, declared: Declared, timeouts?: Timeouts): Promise<Stored> {
    const { resource, session } = managed;
    const inputs = declared as KnownInputs;
    assertSingleManager(managed, inputs);
    const context = session.contextFor("create", inputs, resource.times(inputs).create, timeouts);
    // A missing password file must fail before the request.
    assertBodiesReadable(planCreation(resource, inputs));
    const stored = await (inputs.existingId === undefined ? createNew : adopt)(resource, inputs, context);
    onStored(managed, stored.id, inputs, true);
    return stored;
}

/** The plan of a creation in a preview. Fails if an adoption will fail. Only an adoption reads from the API. */
export async function previewCreation(managed: Managed, inputs: Declared): Promise<readonly Notice[]> {
    const { resource, session } = managed;
    const lines = describeCreation(resource, inputs);
    const warnings = unreadableBodies(planCreation(resource, inputs));
    const planned = (text: readonly string[], remark?: string) => [...warnings, ...planNotice(text, remark)];
    if (inputs.existingId === undefined) {
        const { replaces } = session.ledger.row(inputs.__urn);
        return planned(lines, replaces && unprotectedReplacement(resource, inputs));
    }
    assertSingleManager(managed, inputs);
    const adopted = adoptedBy(resource, inputs);
    const undescribed = (reason: string) => planned(lines, `the steps of the update are not known yet: ${reason}`);
    if (adopted === undefined) {
        return undescribed("the id is known after apply");
    }
    try {
        const context = readContextOf(managed, inputs, previewReadMs);
        return planned(await describeAdoption(new Operation(resource, adopted.id, inputs as KnownInputs, context)));
    } catch (error) {
        if (error instanceof AdoptionError) {
            throw error;
        }
        return undescribed(whyUnread(error));
    }
}

/** Why a preview could not read a resource. */
function whyUnread(error: unknown): string {
    const cause = error instanceof DeadlineError ? error.cause : error;
    return cause instanceof ConnectionError ? "the API cannot be reached" : partsOf(error).what;
}

async function createNew(resource: Resource, declared: KnownInputs, context: Context): Promise<Stored> {
    const named = withName(resource, declared);
    const lines = describeCreation(resource, declared);
    const inFirstStep = (activity: Activity) => stepActivity(activity, 0, lines.length);
    const subject = subjectOf(resource, named);
    const path = collectionPath(resource, named.projectId, named);
    const { projectId } = named;
    const creation = { subject, projectId, context, activity: inFirstStep(describedActivity(lines[0] ?? "")) };
    const created = await inOperation("created", creation, () => requestCreation(resource, named, path, creation));
    const operation = new Operation(resource, idOf(resource, created, path), named, context);
    // The record lists what the program declares, so without a generated name.
    const initial = rememberedOnCreate(resource, declared);
    // A list shows no password: if the response was lost, this makes one.
    const { held, uncertain } = resource.creation.heldAfter?.(created, named) ?? {};
    // What the request itself sets: what reads will show, and secrets, if it contains any.
    const { shown, held: ofRequest } = byVisibility(resource.outputs, resource.creation.describe(named).sets);
    const remembered: Remembered = {
        ...initial,
        ...ofRequest,
        ...held,
        record: sent(initial.record, shown, uncertain),
    };
    // `unseen`, also if a list has found it after a lost response: another server may not know it yet.
    return converge(operation, created, inFirstStep(waitActivity), "unseen", remembered);
}

/** Sends the create request, once what it refers to accepts it. Returns the resource, even if the response was lost. */
async function requestCreation(
    resource: Resource,
    inputs: KnownInputs,
    path: Path,
    creation: AnyOperation,
): Promise<unknown> {
    const { subject, context } = creation;
    const references = referencesIn(resource, inputs);
    // Undefined without such a reference, as for a service that is no fork: no lock, and no wait.
    const mustAccept = acceptingIn(references);
    const others = references.filter((reference) => reference !== mustAccept);
    await assertReferences(others, creation);
    const duplicates = new Duplicates(resource, subject, inputs, context);
    /** Whether the API may have carried out a request whose response was not received. */
    let mayExist = false;
    const first = () => waitForReferred(mustAccept, creation);
    const refersToNew = someNew(references, creation);
    return reconcile(
        {
            locks: mustAccept && { id: mustAccept.id, until: "response" },
            hasParent: resource.parent !== undefined,
            refersToNew,
            first,
            afterFailure: async (failure) => {
                if (!mayHaveHappened(failure)) {
                    return first();
                }
                const created = await duplicates.recoverCreated(failure);
                if (created !== undefined) {
                    return { verdict: "done", result: created };
                }
                // What a gateway does not find has not been created. It may not know yet what the request refers to.
                if (!(refersToNew && isNotFound(failure))) {
                    throw failure;
                }
                return first();
            },
            send: async (options) => {
                await duplicates.assertUnique();
                return resource.creation
                    .send(inputs, path, context, {
                        ...options,
                        isCreation: true,
                        contradiction: (response) => duplicates.contradiction(response),
                    })
                    .catch(async (error: unknown) => {
                        mayExist = mayHaveHappened(error);
                        const rejection = isInvalidRequest(error) ? await duplicates.rejection() : undefined;
                        throw rejection === undefined
                            ? error
                            : new CloudDbError(messages.creationPrevented(subject, rejection, error));
                    });
            },
            effect: (response) => Promise.resolve(response),
        },
        creation,
    ).catch((error: unknown) => {
        throw mayExist && context.signal?.aborted
            ? new CloudDbError(messages.creationCancelled(subject, error))
            : error;
    });
}
