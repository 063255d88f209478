import type { Emulator, Snapshot } from "../../emulator";
import { isObject } from "../../emulator/schema";
import { pick, same } from "../../provider/base/fields";
import { defaultsOf, propertiesOf, untypedKinds } from "../support/cases";
import { isIncomplete, lastId, type Entry } from "./engine/entry";
import type { Engine } from "./engine/engine";
import type { Declared } from "./engine/registration";
import type { Key } from "./program";
import type { Values } from "../support/cases/property";
import type { Stack } from "./stack";

/** Describes how the existing resources or the state of a stack differ from the program. */
export function differences(stack: Stack, emulator: Emulator): string[] {
    const world = emulator.snapshot();
    const program = stack.declared();
    return [
        ...program.flatMap((declared) => {
            const seen = actualOf(world, declared, stack.engine);
            const expected = expectedOf(declared, stack.engine, seen);
            return seen ? unlike(declared.key, expected, seen) : [`${declared.key} does not exist`];
        }),
        ...program.flatMap((one) => otherIdOf(one, stack.engine)),
        ...stack.engine.state
            .entries()
            .filter((entry) => !program.some(({ key }) => stack.engine.entry(key) === entry))
            .map(({ key, id }) => `${key} (${id}) is in the state but is not declared`),
    ];
}

function unlike(key: Key, expected: Values, seen: Values): string[] {
    return Object.entries(expected)
        .filter(([name, value]) => !same(value, within(value, seen[name])))
        .map(
            ([name, value]) =>
                `${key}.${name} is ${JSON.stringify(seen[name])}, but should be ${JSON.stringify(value)}`,
        );
}

/** Of an object, the members that the program declares. */
const within = (declared: unknown, seen: unknown): unknown =>
    isObject(declared) && isObject(seen) ? pick(seen, Object.keys(declared)) : seen;

function expectedOf(
    { key, type, inputs, needs, outputs = {} }: Declared,
    engine: Engine,
    seen: Values | undefined,
): Values {
    const { adopted, declared: declaredOnce, found } = engine.entry(key) ?? {};
    const visible = propertiesOf(type).filter(([, { wire }]) => wire !== undefined);
    const declared = Object.fromEntries(visible.flatMap(([name]) => (name in inputs ? [[name, inputs[name]]] : [])));
    const ids = Object.fromEntries(
        Object.entries(needs)
            .filter(([input]) => !input.includes(".") && !(input in outputs))
            .map(([input, needed]) => [input, engine.entry(needed)?.id]),
    );
    // An adopted resource keeps what the adoption has found, until a program has declared it.
    const isKept = (name: string) => adopted === true && declaredOnce?.has(name) !== true;
    const defaults = Object.entries(defaultsOf(type)).flatMap(([name, value]) =>
        isKept(name) ? (found === undefined ? [] : [[name, found[name]] as const]) : [[name, value] as const],
    );
    const expected: Values = { ...Object.fromEntries(defaults), ...declared, ...ids };
    const isUnknown = isKept("paused") && found === undefined;
    return { ...expected, status: isUnknown ? seen?.status : untypedKinds[type].settled(expected) };
}

/** Records what each adoption has found that a run has completed. An import is complete. */
export function recordFound({ engine }: Stack, emulator: Emulator): void {
    const world = emulator.snapshot();
    for (const entry of engine.state.liveEntries()) {
        const isSame = ({ urn, id }: Entry) => urn === entry.urn || id === entry.id;
        const isNew = entry.adopted && entry.found === undefined && !engine.notes.before.some(isSame);
        const found = isNew && !isIncomplete(entry) ? actualOf(world, entry, engine) : undefined;
        if (found !== undefined) {
            engine.state.swap(entry, { ...entry, found });
        }
    }
}

/** The existing resource, by input names. The test cases have a mapping that is independent of the provider's. */
function actualOf(world: Snapshot, { key, type }: Pick<Declared, "key" | "type">, engine: Engine): Values | undefined {
    const found = untypedKinds[type].items(world).find(({ id }) => id === lastId(engine.entry(key)?.id));
    if (found === undefined) {
        return undefined;
    }
    const values = propertiesOf(type).map(([name, { wire }]) => [name, wire?.(found.item)] as const);
    return { ...Object.fromEntries(values), status: found.status };
}

/** The existing resource must be the one that the program adopts. */
function otherIdOf({ key, inputs: { existingId } }: Declared, engine: Engine): string[] {
    const id = engine.entry(key)?.id;
    return typeof existingId === "string" && lastId(id) !== lastId(existingId)
        ? [`${key} declares existingId ${existingId} but is ${String(id)}`]
        : [];
}
