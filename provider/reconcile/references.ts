import { onChangeOf, valueOf } from "../base/fields";
import { CloudDbError } from "../api/callErrors";
import { logicalName, described, withPeriod, subjectIn, way } from "../base/message";
import type { Context } from "../model/context";
import { describedActivity } from "../observe/progress";
import { readStored, waitUntilReady } from "../observe/reads";
import { createsAgain } from "../observe/wait";
import type { Row } from "../model/ledger";
import { Reading, type Operation, type AnyOperation } from "../model/operation";
import type { CommonInputs, Parent, Reference, Resource } from "../model/resource";
import { ready, type Outcome, pending } from "../model/outcome";
import type { LockScope, Accepting } from "./cases";

/** A resource that an input refers to. */
interface Referred extends Reference, Pick<Parent, "mayReject"> {
    readonly id: string;
}

/** A resource that refers to others. */
type Referring = Pick<AnyOperation, "subject" | "projectId" | "context">;

/** What the inputs of a resource refer to: its parent first. */
export function referencesIn(resource: Resource, inputs: object): readonly Referred[] {
    const all = referencesOf(resource);
    return all.map((reference) => referredBy(reference, inputs)).filter((referred) => referred !== undefined);
}

/** The inputs that refer to other resources. */
export const referencesOf = ({ parent, references = [] }: Resource): readonly Parent[] =>
    parent === undefined ? references : [parent, ...references];

function referredBy(reference: Parent, inputs: object): Referred | undefined {
    const id = valueAt(inputs, reference.input);
    return typeof id === "string" ? { ...reference, id } : undefined;
}

/** The references whose change updates the resource in place. */
export function updatableReferences(resource: Resource, inputs: CommonInputs): readonly Referred[] {
    return referencesIn(resource, inputs).filter(({ input }) => onChangeOf(resource.fields, input) === "update");
}

/** The resource that a creation changes as well, and that has to accept it. */
export function acceptingIn(references: readonly Referred[]): Referred | undefined {
    return references.find((one) => one.accepts !== undefined);
}

/** What a change of an existing resource locks: its parent, if that changes with it, otherwise itself. */
export function lockOf({ resource, id, inputs }: Operation): LockScope {
    const parent = parentThatAccepts(resource, inputs);
    return parent === undefined ? { id, until: "effect" } : { id: parent.id, until: "response" };
}

/** The parent of a resource, if it rejects changes of it: a service those of its replica sets, but not a VPC those of its peerings. */
function parentThatAccepts({ parent }: Resource, inputs: CommonInputs): Referred | undefined {
    return parent?.rejectsChanges && referredBy(parent, inputs);
}

/**
 * Fails if an input contains the id of a resource that does not exist. A resource that this run creates is not read,
 * because its creation has read it, or because reads may not show it yet.
 */
export async function assertReferences(references: readonly Referred[], referring: Referring): Promise<void> {
    for (const reference of references) {
        if (!isCreatedNow(managerOf(reference, referring))) {
            await readReferred(reference, referring);
        }
    }
}

/** Whether one of these resources is new, so that not every server of the API may know it yet. */
export function someNew(references: readonly Referred[], within: Within): boolean {
    return references.some((reference) => isCreatedNow(managerOf(reference, within)));
}

/** Waits until the parent of a resource accepts a change of it. */
export function waitForParent(operation: Operation): Promise<Accepting> {
    return waitForReferred(parentThatAccepts(operation.resource, operation.inputs), operation);
}

/** Waits until another resource, if there is one, accepts the creation of one that refers to it. Fails if it does not exist. */
export async function waitForReferred(referred: Referred | undefined, referring: Referring): Promise<Accepting> {
    if (referred === undefined) {
        return { verdict: "send" };
    }
    const { id, kind } = referred;
    const { subject, projectId, context } = referring;
    let hasWaited = false;
    const evaluate = (item: unknown): Outcome => {
        const outcome = unlessChanging(referred.accepts?.(item) ?? ready, id, context);
        if (outcome.phase === "failed") {
            const { status, reason, ways = [] } = outcome;
            const what = withPeriod(`${subject} needs ${kind.noun} ${id}, which is ${status}: ${reason}`);
            throw new CloudDbError({ what, ways });
        }
        hasWaited ||= outcome.phase === "pending";
        return outcome;
    };
    const reading = new Reading(kind, projectId, id, subjectIn(kind, undefined, id), context);
    if (!isCreatedNow(managerOf(referred, referring))) {
        reading.item = await readReferred(referred, referring);
    }
    await waitUntilReady(evaluate, reading.setActivity(describedActivity(`waiting for ${kind.noun} ${id}`)));
    return { verdict: "send", hasWaited, reason: referred.mayReject?.(reading.item, context.clock.now()) };
}

/** The run in which a resource is looked for. */
interface Within extends Pick<Referring, "projectId"> {
    readonly context: Pick<Context, "ledger">;
}

function managerOf({ kind, id }: Referred, { projectId, context }: Within): Row | undefined {
    return context.ledger.managerOf({ type: kind.type, projectId, id });
}

/** A resource of the program that another one refers to, in messages. */
const inProgram = ({ kind, id }: Referred, urn: string): string => described(kind, logicalName(urn), id);

/** Whether this run has created or adopted what this resource manages, or is about to. */
const isCreatedNow = (manager: Row | undefined): boolean => manager?.manages?.isNew === true;

async function readReferred(referred: Referred, referring: Referring): Promise<unknown> {
    const { input, id, kind } = referred;
    const { subject, projectId, context } = referring;
    context.showRow(`checking that ${kind.noun} ${id} exists`);
    const item = await readStored(new Reading(kind, projectId, id, subject, context));
    if (item === undefined) {
        const manager = managerOf(referred, referring);
        if (manager !== undefined) {
            const what = `${subject} needs ${inProgram(referred, manager.urn)}, which no longer exists.`;
            throw new CloudDbError({ what, ways: [createsAgain] });
        }
        throw new CloudDbError({
            what: `${subject}: ${input} ${JSON.stringify(id)} is not the id of a ${kind.noun} in project ${JSON.stringify(projectId)}.`,
            ways: [way("Correct", `${input} in the program, or set projectId to the project of that ${kind.noun}`)],
        });
    }
    return item;
}

/** The value at the path of an input: `fork.serviceId`. */
export function valueAt(inputs: object, path: string): unknown {
    return path
        .split(".")
        .reduce<unknown>(
            (value, name) => (typeof value === "object" && value !== null ? valueOf(value, name) : undefined),
            inputs,
        );
}

/** A failed outcome is pending while this program changes the resource: the change may remove the cause. */
export function unlessChanging(outcome: Outcome, id: string, context: Context): Outcome {
    return outcome.phase === "failed" && context.locks.isBusy(id) ? pending(outcome.status, outcome.reason) : outcome;
}
