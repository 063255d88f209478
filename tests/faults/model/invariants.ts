import type { Emulator } from "../../../emulator";
import { isInAdoption, lastId } from "./engine/entry";
import type { Entry } from "./engine/entry";
import { idsIn } from "./ledger";
import type { Ledger } from "./ledger";
import { protectionOf } from "./program";
import type { Stack } from "./stack";

/** Passwords that programs declare. */
const declaredPasswords: readonly string[] = ["first-password", "second-password"];

/** Checks the invariants that hold after every run of every history. Returns the violations as text. */
export function violations(stack: Stack, before: readonly Entry[], ledger: Ledger, emulator: Emulator): string[] {
    return [
        ...ledger.violations.splice(0),
        ...stack.engine.notes.slow.splice(0).map((text) => `${text}, which is too long`),
        ...lostResources(stack, before, emulator),
        ...unrecorded(stack),
        ...plainSecrets(stack, ledger),
    ];
}

/**
 * The state keeps each existing resource, even if the engine has asked the provider to delete it. A refresh removes one that
 * is being deleted, and a deletion only releases one whose adoption is not complete.
 */
function lostResources({ engine }: Stack, before: readonly Entry[], emulator: Emulator): string[] {
    const known = new Set(engine.entries().map(({ id }) => lastId(id)));
    const alive = idsIn(emulator, (status) => status.toLowerCase() !== "deleting");
    return before
        .filter(({ id, ...entry }) => alive.has(lastId(id)) && !known.has(lastId(id)) && !isInAdoption(entry))
        .map(({ id, key }) => `${key} (${id}) is missing from the state, but exists`);
}

/**
 * The state has the `deletionProtection` of each service that the run has created or tried to update, even if the update failed:
 * a broken service could otherwise never be deleted. An entry of an earlier version has no value and is protected.
 */
function unrecorded({ engine, defaults }: Stack): string[] {
    return engine.program().flatMap((declared) => {
        const { key, type, urn } = declared;
        const entry = engine.state.get(urn) ?? engine.entry(key);
        if (type !== "Service" || entry === undefined || !engine.notes.stored.has(urn)) {
            return [];
        }
        const { deletionProtection: recorded = true } = entry.outputs.values;
        const expected = protectionOf(declared, defaults);
        return recorded === expected
            ? []
            : [`${key} has deletionProtection: ${String(recorded)} in the state, but should have ${String(expected)}`];
    });
}

/** No password is in a backend file or in the output. */
function plainSecrets({ engine, printed }: Stack, { secrets }: Ledger): string[] {
    const passwords = [...declaredPasswords, ...secrets];
    const found = (text: string, where: string) =>
        passwords.filter((one) => text.includes(one)).map((one) => `the password ${one} is in plain text in ${where}`);
    return [...found(engine.state.stored(), "the state"), ...found(printed, "the output")];
}

/** After a successful run, each declared `existingId` is the id of the resource. */
export function wrongIds(stack: Stack): string[] {
    return stack.declared().flatMap(({ key, inputs: { existingId } }) => {
        const id = stack.engine.entry(key)?.id;
        return typeof existingId === "string" && lastId(id) !== lastId(existingId)
            ? [`${key} declares existingId ${existingId} but is ${String(id)} after a successful run`]
            : [];
    });
}
