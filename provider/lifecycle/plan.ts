import { partsOf } from "../api/callErrors";
import { onChangeOf, same, sameIn, show, valueOf, computed, type Field } from "../base/fields";
import { declaredNames, protectionInput, stateChanges, rememberedOnCreate, rememberedWith } from "../model/remembered";
import { withName } from "../model/identity";
import { warning, type Notice, info } from "../base/message";
import { shownNames, withDefaults } from "../model/outputs";
import type { KnownInputs, Declared, Plan, Replacement, Resource, State } from "../model/resource";
import { isSameCall, lineOf, type Step } from "../model/step";
import {
    isProtected,
    interruptionIn,
    unconfirmedValues,
    without,
    type StateRecord,
    type Remembered,
} from "../model/state";

/** The plan from a state to the declared one. A resource that is replaced has no steps. */
export function planFor(resource: Resource, state: State, declared: Declared): Plan {
    const changes = replacementsIn(resource.fields, state, declared);
    const showable = shownNames(resource.outputs);
    // No response has shown the input yet, for example after an adoption: then nothing follows from it.
    const isUnseen = ({ property, from }: Replacement) => from === undefined && showable.includes(property);
    const replace = changes.filter((change) => !isUnseen(change) && !resource.alreadyHas?.(state, change));
    return planned(resource, state, declared, replace.concat(resource.mustReplace?.(state, declared) ?? []));
}

/** The plan of a resource that is not replaced, such as a new one. If its protection is recorded first, it has no steps yet. */
export function planInPlace(resource: Resource, state: State, declared: Declared): Plan {
    return planned(resource, state, declared, []);
}

function planned(resource: Resource, state: State, declared: Declared, replace: readonly Replacement[]): Plan {
    const remembered = rememberedWith(resource, state, state.record, declared);
    const changed = stateChanges(resource, state, remembered);
    const { defaults } = remembered.record;
    // What the state lacks has the default of the resource kind. `wanted` (resources/property.ts) decides what an undeclared input becomes:
    // what an adoption has found (`record.defaults`), otherwise the same default.
    const from = {
        ...withDefaults(resource.outputs, state),
        record: { ...state.record, defaults: defaults && without(defaults, declaredNames(declared)) },
    };
    const { resumes, isInCreation } = interruptionIn(state.record);
    // While a creation or an adoption is open, a changed protection is recorded alone, and without a read: it may never complete, such
    // as that of a peering which nobody accepts, and a user must be able to permit the deletion. An update that fails records it, too.
    // While the new value is unknown, the plan has all steps that the update may send.
    const isRecordedFirst =
        isInCreation && changed.includes(protectionInput) && declared.deletionProtection !== computed;
    const steps = replace.length > 0 || isRecordedFirst ? [] : (resource.steps?.(from, declared) ?? []);
    // Two updates without a step still read: one without any change, whose preview did not know a value that turns out to be the old one,
    // and one that only changes what to wait for (`await`).
    const onlyStateChanges =
        changed.length > 0 && changed.every((name) => onChangeOf(resource.fields, name) !== "await");
    // After an interruption, the state may not show what the interrupted run has changed: the update reads, too.
    const needsNoRead = steps.length === 0 && onlyStateChanges && !resumes;
    return { replace, steps, stateChanges: changed, isStateOnly: isRecordedFirst || needsNoRead, remembered };
}

/** The state, with those unconfirmed values that a later state has. */
export function withObservedEffects(state: State, observed: State): State {
    const requested = Object.entries(unconfirmedValues(state.record));
    return {
        ...state,
        ...Object.fromEntries(requested.filter(([name, value]) => same(value, valueOf(observed, name)))),
    };
}

/**
 * The changes that require a replacement. An undeclared input never does, nor another form of the same value, such as a region in
 * capital letters.
 */
function replacementsIn(
    fields: Readonly<Record<string, Field>>,
    state: object,
    declared: object,
): readonly Replacement[] {
    return Object.entries(fields).flatMap(([property, field]) => {
        const [from, to] = [valueOf(state, property), valueOf(declared, property)];
        return field.onChange !== "replace" || to === undefined || sameIn(field, from, to)
            ? []
            : [{ property, from, to }];
    });
}

/** Why an existing resource cannot be adopted with these inputs, as far as they are known; undefined if it can. */
export function whyNotAdopted(
    resource: Resource,
    item: unknown,
    found: object,
    declared: KnownInputs,
): string | undefined {
    const [other] = replacementsIn(resource.fields, found, declared).filter(({ property }) => property in found);
    return other === undefined
        ? resource.creation.adoptionRefusal?.(item, declared)
        : `its ${other.property} is ${show(other.from)}, and the program declares ${show(other.to)}`;
}

/** Formats replacements with their old and new values, as a list in a sentence. */
export function formatReplacements(replace: readonly Replacement[]): string {
    // Most programs have the project only in their settings.
    const nameOf = (property: string) => (property === "projectId" ? "project" : property);
    return replace.map(({ property, from, to }) => `${nameOf(property)} ${show(from)} -> ${show(to)}`).join(", ");
}

/** The steps that are only necessary if interrupted requests have taken effect. */
export function stepsIfApplied(
    resource: Resource,
    state: State,
    declared: Declared,
    { replace, steps }: Plan,
): readonly Step[] {
    const requested = unconfirmedValues(state.record);
    if (replace.length > 0 || Object.keys(requested).length === 0) {
        return [];
    }
    const changed = { ...state, ...requested };
    return planFor(resource, changed, declared).steps.filter(
        ({ call }) => !steps.some((planned) => isSameCall(planned.call, call)),
    );
}

/** The lines of a creation or an adoption in a preview: one for each request, in order. */
export function describeCreation(resource: Resource, declared: Declared): readonly string[] {
    if (declared.existingId !== undefined) {
        return [`adopt ${resource.noun} ${show(declared.existingId)} and update it to the declared state`];
    }
    const { text, steps } = planCreation(resource, declared);
    return [text, ...steps.map(lineOf)];
}

/** The line of the create request, and the steps that follow it. */
export function planCreation(
    resource: Resource,
    declared: Declared,
): { readonly text: string; readonly steps: readonly Step[] } {
    const named = withName(resource, declared);
    const { text, sets } = resource.creation.describe(named);
    const created = { ...rememberedOnCreate(resource, declared), ...sets };
    return { text, steps: planInPlace(resource, created, named).steps };
}

/**
 * Fails if a step cannot read its body from outside of program and state. Called before the first request, so that nothing
 * is changed by a plan that cannot be completed.
 */
export function assertBodiesReadable({ steps }: { readonly steps: readonly Step[] }): void {
    steps.forEach(({ readBody }) => readBody?.());
}

/** Warnings of a preview about what the update reads from outside of program and state, and the preview cannot. */
export function unreadableBodies({ steps }: { readonly steps: readonly Step[] }): readonly Notice[] {
    return steps.flatMap((step) => {
        try {
            assertBodiesReadable({ steps: [step] });
            return [];
        } catch (error) {
            return [warning(`${partsOf(error).what} Unless that changes, the update fails.`)];
        }
    });
}

/** The line of a change of the protection: a warning if it permits the deletion of data. */
export function protectionNotices(
    { hasData, noun }: Resource,
    state: Pick<Remembered, "deletionProtection">,
    { deletionProtection: to }: Declared,
): readonly Notice[] {
    if (to === undefined || to === isProtected({ hasData }, state)) {
        return [];
    }
    if (to === true) {
        return [info("deletion protection on")];
    }
    const text =
        to === computed
            ? "deletion protection may change (known after apply)"
            : `deletion protection off: a later run can delete this ${hasData ? "database" : noun}`;
    return [hasData ? warning(text) : info(text)];
}

/** What the preview of a creation adds if the new resource replaces one with data, and has no protection. */
export function unprotectedReplacement(
    { hasData, noun }: Resource,
    { deletionProtection }: Declared,
): string | undefined {
    return hasData && deletionProtection === false
        ? `the new ${noun} is not protected: a later run can delete it`
        : undefined;
}

/** What a replacement does with the old resource, whose id may be unknown. */
export function replacementLine(
    { noun, hasData }: Resource,
    record: Pick<StateRecord, "interruption">,
    cause: string,
    id?: string,
): string {
    const deleted = `deleted${hasData ? ", and its data will be lost" : ""}, unless retainOnDelete keeps it`;
    const end = interruptionIn(record).isOwned ? deleted : "kept, because no run has completed its adoption";
    return `is replaced (${cause}): the old ${noun}${id === undefined ? "" : ` ${id}`} is ${end}`;
}
