import { valueOf } from "../../provider/base/fields";
import type { Entry } from "./engine/entry";
import type { Declared } from "./engine/registration";
import type { Stack } from "./stack";
import type { World } from "./world";

/**
 * Permits the deletion of a service, as the documentation describes it: the program declares it with
 * `deletionProtection: false`, and otherwise as it is in the state. The state must then have the permission, even if the update
 * fails.
 */
export async function permitDeletion(entry: Entry, stack: Stack, world: World): Promise<void> {
    const { engine } = stack;
    const left = isUnset(entry) ? /^__|^existingId$|^password/ : /^__|^existingId$/;
    const values = Object.entries(entry.inputs.values).filter(([name]) => !left.test(name));
    // Another resource may have the URN of the one that it depended on.
    const needs = Object.entries(entry.dependencies).flatMap(([input, urn]) => {
        const needed = engine.state.get(urn);
        const [outer = "", inner] = input.split(".");
        const value = entry.inputs.values[outer];
        const id = inner === undefined ? value : valueOf(value as object, inner);
        return needed?.id === id && needed !== undefined ? [[input, needed] as const] : [];
    });
    const declared: Declared = {
        ...asDeclared(entry),
        inputs: { ...Object.fromEntries(values), deletionProtection: false },
        needs: Object.fromEntries(needs.map(([input, { key }]) => [input, key])),
    };
    const program = [...needs.map(([, needed]) => asDeclared(needed)), declared];
    if (entry.tainted) {
        // Two entries can have the key.
        engine.state.swap(entry, { ...entry, tainted: false });
    }
    const { failures } = await world.run(stack, (it, provider) => it.up(program, provider, { target: entry.urn }));
    const permitted = engine.state.get(entry.urn);
    if (permitted?.outputs.values.deletionProtection !== false) {
        throw new Error(`deletionProtection: false of ${entry.urn} does not reach the state`, {
            cause: failures[0]?.error,
        });
    }
}

/** Whether a refresh, after a creation that did not set the password, returned its source without a version. */
const isUnset = ({ inputs: { values } }: Entry): boolean =>
    (values.passwordVariable ?? values.passwordFile) !== undefined && values.passwordVersion === undefined;

/** A resource that the run leaves as it is in the state. */
function asDeclared({ key, type, urn, provider, timeouts }: Entry): Declared {
    return { key, type, urn, inputs: {}, needs: {}, provider, ...(timeouts && { timeouts }) };
}
