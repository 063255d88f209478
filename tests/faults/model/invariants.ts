import type { Emulator } from "../../../emulator";
import { lastId } from "./engine/entry";
import type { Entry } from "./engine/entry";
import { idsIn } from "./ledger";
import type { Ledger } from "./ledger";
import type { Stack } from "./stack";

/** The situation before a run. */
export interface Before {
    readonly entries: readonly Entry[];
    /** The number of DELETE requests. */
    readonly deleteRequests: number;
}

export function noteBefore({ engine }: Stack, { deleteRequests }: Ledger): Before {
    return { entries: engine.entries(), deleteRequests: deleteRequests.length };
}

/** Passwords that programs declare. */
const declaredPasswords: readonly string[] = ["first-password", "second-password"];

/** Checks the invariants that hold after every run of every history. Returns the violations as text. */
export function violations(stack: Stack, before: Before, ledger: Ledger, emulator: Emulator): string[] {
    return [
        ...ledger.violations.splice(0),
        ...stack.engine.notes.slow.splice(0).map((text) => `${text}, which is too long`),
        ...lostResources(stack, before, emulator),
        ...replacedWithoutPermission(stack, before, ledger),
        ...plainSecrets(stack, ledger),
    ];
}

/**
 * The state keeps each existing resource, even if the engine has asked the provider to delete it. A refresh removes one that
 * is being deleted.
 */
function lostResources({ engine }: Stack, before: Before, emulator: Emulator): string[] {
    const known = new Set(engine.entries().map(({ id }) => lastId(id)));
    const alive = idsIn(emulator, (status) => status.toLowerCase() !== "deleting");
    return before.entries
        .filter(({ id }) => alive.has(lastId(id)) && !known.has(lastId(id)))
        .map(({ id, key }) => `${key} (${id}) is missing from the state, but exists`);
}

/**
 * A service that the program declares or adopts is not deleted if it does not allow a replacement, also not in a later run, when
 * another service has replaced it. With another resource name and another declared name, it is another service.
 */
function replacedWithoutPermission(stack: Stack, before: Before, ledger: Ledger): string[] {
    const deleted = new Set(ledger.deleteRequests.slice(before.deleteRequests));
    return stack.engine
        .program()
        .filter(({ type, inputs }) => type === "Service" && inputs.allowReplace !== true)
        .flatMap(({ key, inputs: { existingId, name } }) => {
            const isOther = ({ urn, inputs }: Entry) =>
                stack.identities.isRenamedFrom(key, urn) && inputs.values.name !== name;
            return before.entries.filter((one) => (one.key === key && !isOther(one)) || one.id === existingId);
        })
        .filter(({ id }) => deleted.has(id))
        .map(({ id, key }) => `${key} (${id}) was deleted, although its program does not allow a replacement`);
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
