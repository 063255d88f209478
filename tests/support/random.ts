import fc from "fast-check";
import { operations } from "../../provider/api/operations.gen";
import { valueOf, type Field } from "../../provider/base/fields";
import { untypedResources, type ResourceType } from "../../provider/resources";
import { propertiesOf, untypedKinds } from "./cases";
import { outside, passwordVariables, symbols, type Form } from "./cases/kind";
import { changeOf, isStateOnly, type PropertyCase, type Values } from "./cases/property";
import { nameFrom, namesFrom, recordOf } from "./streams";

// The generator of random programs. References in them are symbols, which `filled` replaces.

/** The number of cases for each property. `.ci/run release` runs more. */
export const propertyRuns = Number(process.env.CLOUDDB_PROPERTY_RUNS ?? 30);

passwordVariables.forEach((name, index) => (process.env[name] = `${outside}${index}`));

/** Random values of each input that a change updates in place, or in the state only, and of these. Those of a group have none. */
export function valuesOf(type: ResourceType, also: readonly string[] = []): Record<string, fc.Arbitrary<unknown>> {
    const isAlone = (name: string, one: PropertyCase<unknown>) =>
        (one.announced !== undefined || isStateOnly(one)) && one.group === undefined && name !== "name";
    return Object.fromEntries(
        propertiesOf(type)
            .filter(([name, one]) => also.includes(name) || isAlone(name, one))
            .map(([name, one]) => {
                const declared = changeOf(name, one, symbols).filter((inputs) => name in inputs);
                return [name, fc.constantFrom(...declared.map((inputs) => inputs[name]))];
            }),
    );
}

/** Random inputs of a kind, declared or omitted: those of `valuesOf` and the groups. */
export function inputsOf(type: ResourceType, also: readonly string[] = []): fc.Arbitrary<Values> {
    const { together = {} } = untypedKinds[type];
    const groups = Object.entries(together).map(([name, values]) => [
        name,
        fc.constantFrom(...(values as readonly Values[])),
    ]);
    const values = valuesOf(type, also);
    const { fields } = untypedResources[type];
    const required = Object.keys(values).filter((name) => (valueOf(fields, name) as Field).required);
    return fc
        .tuple(
            recordOf(values, { requiredKeys: required }),
            recordOf(Object.fromEntries(groups) as Record<string, fc.Arbitrary<Values>>),
        )
        .map(([alone, grouped]) => Object.assign({}, alone, ...Object.values(grouped)) as Values);
}

/** Every form of a program with one resource. */
export const forms = (Object.keys(untypedKinds) as ResourceType[]).flatMap((type) =>
    untypedKinds[type].forms.map((form) => ({ type, form })),
);

/** Random programs of a form, with each required input. */
export function programsOf(type: ResourceType, { also = [], fixed }: Form): fc.Arbitrary<Values> {
    const required = Object.entries(untypedKinds[type].inputs(symbols, 0)).filter(
        ([name]) => (valueOf(untypedResources[type].fields, name) as Field).required,
    );
    return fc
        .tuple(inputsOf(type, also), fc.constantFrom(...fixed))
        .map(([inputs, more]) => ({ ...Object.fromEntries(required), ...inputs, ...more }));
}

/** What happens to the resource between its creation and the preview. An update is cut after the first request that it sends. */
type Event = "nothing" | "refresh" | "upgrade" | "failure" | "failedUpdate" | "cutUpdate" | "failedCreation";

/** A random state of a resource, and the program of the preview. */
export interface Change {
    /** The inputs of the creation. Null if the preview is that of the creation. */
    readonly from: Values | null;
    /** The inputs of the update that fails, if the event is that. */
    readonly between: Values;
    readonly to: Values;
    readonly event: Event;
    /** The operation that the API rejects in a failed update or creation. */
    readonly fails: string;
    /** The properties of `to` that are unknown in the preview, or the paths of what is unknown within them. */
    readonly unknowns: readonly string[];
}

const events = fc.constantFrom<Event>(
    "nothing",
    "nothing",
    "refresh",
    "upgrade",
    "failure",
    "failedCreation",
    "failedUpdate",
);
/** The operations that change a resource which exists. */
const updates = Object.keys(operations).filter((id) => !/^(get|list|create|fork|delete)/.test(id));

/** Random changes of one resource. */
export function changesOf(type: ResourceType, form: Form): fc.Arbitrary<Change> {
    const inputs = programsOf(type, form);
    const names = propertiesOf(type).map(([name]) => name);
    // What lists and objects contain can be unknown on its own.
    const parts = Object.entries(untypedResources[type].fields).flatMap(([name, { test, properties = {} }]) => [
        ...(test([]) === undefined ? [`${name}.0`, `${name}.1`] : []),
        ...Object.keys(properties).map((inner) => `${name}.${inner}`),
    ]);
    return fc.record({
        from: fc.option(inputs),
        between: inputs,
        to: inputs,
        event: events,
        fails: nameFrom(...updates),
        unknowns: fc.oneof(fc.constant([]), namesFrom([...names, ...parts])),
    });
}
