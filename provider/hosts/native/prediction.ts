import { onChangeOf, valueOf, computed } from "../../base/fields";
import { withName } from "../../model/identity";
import { derivedFrom, outputsWhere, withDefaults, withDerived } from "../../model/outputs";
import { wasAtRest } from "../../model/outcome";
import { planInPlace } from "../../lifecycle/plan";
import type { Declared, Resource, State } from "../../model/resource";
import { valuesAfter } from "../../model/step";

type Outputs = Readonly<Record<string, unknown>>;

/**
 * The outputs of an update in place: those that a step changes have the planned value or are unknown, and each other one
 * keeps its value. Only the plugin can show them in a preview.
 */
export function predictUpdate(resource: Resource, state: State, declared: Declared): State {
    const { isStateOnly, remembered, steps } = planInPlace(resource, state, declared);
    return withDerived(resource, {
        ...state,
        ...remembered,
        ...(isStateOnly ? {} : staleOutputs(resource, state, declared)),
        ...valuesAfter(steps),
    });
}

/**
 * The outputs of a creation. Only those that follow from the inputs are known. Of an adopted resource, and of one that may be
 * updated instead, only the declared ones are known, because it keeps what the program does not declare.
 */
export function predictCreation(resource: Resource, declared: Declared, mayBeUpdate = false): Outputs {
    const { sets } = resource.creation.describe(withName(resource, declared));
    const isNew = declared.existingId === undefined && !mayBeUpdate;
    const observed = isNew ? withDefaults(resource.outputs, sets) : {};
    const fromInputs = Object.entries(resource.fields)
        .filter(([name, { onChange }]) => onChange !== "ignore" && valueOf(declared, name) !== undefined)
        .map(([name]) => [name, valueOf(declared, name)] as const);
    const certain = { ...observed, ...Object.fromEntries(fromInputs) };
    return { ...certain, ...derivedFrom(resource.outputs, { ...unknownOutputs(resource), ...certain }) };
}

/** The outputs of reads that a state may show as they were before requests of an earlier run, or before a change in progress. */
function staleOutputs(resource: Resource, state: State, declared: Declared): Outputs {
    const { fields, outputs } = resource;
    if (!state.record.interruption && wasAtRest(resource, state)) {
        return {};
    }
    const isCertain = (name: string) => {
        const onChange = onChangeOf(fields, name);
        return onChange === "update" ? valueOf(declared, name) !== undefined : onChange !== undefined;
    };
    const shown = outputsWhere(outputs, (output) => "read" in output && !output.fromId);
    return asUnknown(shown.filter((name) => !isCertain(name)));
}

/** All outputs, except the id, as unknown values. */
function unknownOutputs({ outputs }: Resource): Outputs {
    return asUnknown(outputsWhere(outputs, ({ fromId }) => !fromId));
}

const asUnknown = (names: readonly string[]): Outputs => Object.fromEntries(names.map((name) => [name, computed]));
