import { pick, show, valueOf, hasComputed } from "../base/fields";
import { refusalOfSteps } from "./check";
import { converge } from "./update";
import { AdoptionError, inOperation } from "./errors";
import { messages } from "./messages";
import { subjectOf, adoptedId, parentIdOf } from "../model/identity";
import { isDeleting } from "../model/outcome";
import { assemble, declaredNames, rememberedWith, unshown } from "../model/remembered";
import { emptyRecord } from "../model/state";
import { waitActivity, type KnownInputs, type Resource, type Stored } from "../model/resource";
import type { Context } from "../model/context";
import { lineOf } from "../model/step";
import { planInPlace, whyNotAdopted } from "./plan";
import { Operation } from "../model/operation";
import { readItem } from "../observe/reads";

/** Adopts an existing resource and brings it to the declared state. */
export async function adopt(resource: Resource, inputs: KnownInputs, context: Context): Promise<Stored> {
    const operation = new Operation(resource, adoptedId(resource, inputs.existingId ?? "", inputs), inputs, context);
    const creation = { subject: subjectOf(resource, inputs), context };
    const { item, remembered } = await inOperation("created", creation, () => inspect(operation));
    const stored = await converge(operation, item, waitActivity, "adoption", remembered);
    warnUnshown(operation, declaredNames(inputs), pick(stored.state, Object.keys(stored.state)));
    return stored;
}

/** The steps of an adoption, from the current state of the resource. Fails if the resource cannot be adopted. */
export async function describeAdoption(operation: Operation): Promise<readonly string[]> {
    const { resource, id, inputs: declared } = operation;
    const { item, remembered } = await inspect(operation);
    const shown = operation.observe(item);
    warnUnshown(operation, declaredNames(declared), shown);
    const found = assemble(resource, shown, remembered);
    // An adoption replaces nothing: a value that is unknown now is either the current one, or an error.
    const { steps } = planInPlace(resource, found, declared);
    const refusal = refusalOfSteps(resource, declared, steps, operation.context.ledger);
    if (refusal !== undefined) {
        throw new AdoptionError(declared.existingId ?? "", refusal);
    }
    const remark = resource.creation.adoptionRemark?.(declared);
    return [`adopt ${resource.noun} ${show(id)}${remark === undefined ? "" : `; ${remark}`}`, ...steps.map(lineOf)];
}

/** Reads an existing resource and checks that it can be adopted. In a preview, inputs may be unknown. */
async function inspect(operation: Operation) {
    const { resource, inputs } = operation;
    const { existingId = "" } = inputs;
    const item = await readItem(operation);
    if (item === undefined) {
        throw new AdoptionError(existingId, `there is no such ${resource.noun} in project ${inputs.projectId}`);
    }
    const found = operation.observe(item);
    const refusal = isDeleting(resource, item)
        ? "it is being deleted"
        : (resource.otherKind?.(item) ??
          (hasComputed(inputs) ? undefined : (otherParent(operation) ?? whyNotAdopted(resource, item, found, inputs))));
    if (refusal !== undefined) {
        throw new AdoptionError(existingId, refusal);
    }
    // Its defaults are found at rest.
    const record = { ...emptyRecord, defaults: undefined };
    return { item, remembered: rememberedWith(resource, found, record, inputs) };
}

/** Warns about inputs that reads do not show: the values that they have shown lack them. */
export function warnUnshown(
    { resource, subject, context }: Operation,
    inputs: readonly string[],
    values: object,
): void {
    const names = unshown(resource, inputs, values);
    if (names.length > 0) {
        context.warn(messages.notShown(subject, names.join(" and ")).what);
    }
}

/** Whether the resource is in another parent than the declared one. */
function otherParent({ resource, path, inputs }: Operation): string | undefined {
    const { parent } = resource;
    const id = parentIdOf(resource, path);
    return parent === undefined || id === valueOf(inputs, parent.input)
        ? undefined
        : `it is in ${parent.kind.noun} ${id}, and the program declares ${parent.kind.noun} ${String(valueOf(inputs, parent.input))}`;
}
