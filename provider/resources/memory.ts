import type { CommonInputs, HiddenInputs, Memory, Resource } from "./contract";
import { entriesOf, valueOf, type Fields } from "./fields";
import { nameFrom } from "./names";
import type { Planned } from "./unknown";

type Named = Readonly<Record<string, unknown>>;

/** What is remembered of something that is about to be made or taken over. */
export function firstMemory<I extends CommonInputs>(
    fields: Fields<I>,
    declared: Planned<I> & HiddenInputs,
    defaults: Named,
): Memory {
    return memoryOf(fields, {}, declared, defaults);
}

/** What is remembered once an update has begun: new declarations, and of what a step has still to set the old value. */
export function nextMemory<I extends CommonInputs>(
    fields: Fields<I>,
    keeps: readonly string[],
    state: Memory,
    declared: Planned<I> & HiddenInputs,
): Memory {
    const old = state as unknown as Named;
    const kept = Object.fromEntries(keeps.map((name) => [name, old[name]]));
    return { ...kept, ...memoryOf(fields, old, declared, state.__defaults) };
}

function memoryOf<I extends CommonInputs>(
    fields: Fields<I>,
    old: Named,
    declared: Planned<I> & HiddenInputs,
    defaults: Named,
): Memory {
    const given = declared as Named;
    const values = entriesOf(fields).map(([name, { effect }]) => {
        switch (effect) {
            case "replace":
                return [name, given[name] ?? old[name]];
            case "update":
                return [name, old[name]];
            case "remember":
            case "ignore":
                return [name, given[name]];
        }
    });
    return {
        ...(Object.fromEntries(values) as { projectId: string }),
        __urn: declared.__urn,
        __timeouts: declared.__timeouts,
        __declared: entriesOf(fields)
            .map(([name]) => name)
            .filter((name) => given[name] !== undefined),
        __defaults: defaults,
    };
}

/** What stands for an input in a plan: what is declared, else what was settled when it came to be, else the documented default. */
export function wanted<I, Key extends keyof I & string>(
    state: Memory,
    declared: Planned<I>,
    key: Key,
    documentedDefault: I[Key],
): Planned<I>[Key] | I[Key] {
    return declared[key] ?? (state.__defaults[key] as I[Key] | undefined) ?? documentedDefault;
}

/** The inputs with a name made from the URN where the program gives none. */
export function withName<I extends CommonInputs, Declared extends Planned<I> & HiddenInputs>(
    resource: Pick<Resource<I, object, unknown>, "fields">,
    declared: Declared,
): Declared {
    return "name" in resource.fields && valueOf(declared, "name") === undefined && declared.__urn !== undefined
        ? { ...declared, name: nameFrom(declared.__urn) }
        : declared;
}
