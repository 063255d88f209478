import type { Emulator } from "../../../emulator";
import { lastId } from "./engine";
import type { Entry } from "./engine";
import { idsIn } from "./ledger";
import type { Ledger } from "./ledger";
import type { Stack } from "./stack";

/** What was true before a run. */
export interface Before {
    readonly entries: readonly Entry[];
    readonly deletions: ReadonlySet<string>;
    /** Ids that exist and stay unless somebody deletes them. */
    readonly alive: ReadonlySet<string>;
}

export function noteBefore({ engine }: Stack, emulator: Emulator): Before {
    return { entries: engine.entries(), deletions: new Set(engine.deletions), alive: idsIn(emulator) };
}

/** Passwords that programs declare. */
const declaredPasswords: readonly string[] = ["first-password", "second-password"];

/** What must be true after every run of every history, whatever went wrong in it; returns the violations in words. */
export function violations(stack: Stack, before: Before, ledger: Ledger, emulator: Emulator): string[] {
    return [
        ...ledger.violations.splice(0),
        ...stack.engine.late.splice(0).map((text) => `${text}, which is longer than it may take`),
        ...lostResources(stack, before, emulator),
        ...replacedWithoutPermission(stack, before, emulator),
        ...plainSecrets(stack, ledger),
    ];
}

/** The state keeps what exists, unless the run was about to delete it. */
function lostResources({ engine }: Stack, before: Before, emulator: Emulator): string[] {
    const known = new Set(engine.entries().map(({ id }) => lastId(id)));
    const alive = idsIn(emulator);
    return before.entries
        .filter(({ id }) => alive.has(lastId(id)) && !known.has(lastId(id)) && !engine.deletions.has(lastId(id)))
        .map(({ id, key }) => `${key} (${id}) left the state, but it exists`);
}

/** A service whose program does not allow a replacement stays as long as it is declared. */
function replacedWithoutPermission(stack: Stack, before: Before, emulator: Emulator): string[] {
    const alive = idsIn(emulator);
    const isDeleted = (id: string) =>
        before.alive.has(id) && !before.deletions.has(id) && stack.engine.deletions.has(id) && !alive.has(id);
    return stack.engine
        .program()
        .filter(({ type, inputs }) => type === "Service" && inputs.allowReplace !== true)
        .flatMap(({ key }) => before.entries.find((one) => one.key === key) ?? [])
        .filter(({ id }) => isDeleted(id))
        .map(({ id, key }) => `${key} (${id}) was deleted, although its program does not allow a replacement`);
}

/** No password is in a file of the backend or in the output. */
function plainSecrets({ engine, printed }: Stack, { secrets }: Ledger): string[] {
    const passwords = [...declaredPasswords, ...secrets];
    const found = (text: string, where: string) =>
        passwords.filter((one) => text.includes(one)).map((one) => `the password ${one} is in plain text in ${where}`);
    return [...found(engine.stored(), "the state"), ...found(printed, "the output")];
}

/** After a run without a failure every `existingId` line names what the resource is. */
export function wrongIds(stack: Stack): string[] {
    return stack.declared().flatMap(({ key, inputs: { existingId } }) => {
        const id = stack.engine.entry(key)?.id;
        return typeof existingId === "string" && lastId(id) !== lastId(existingId)
            ? [`${key} declares existingId ${existingId} and is ${String(id)}, and the run succeeded`]
            : [];
    });
}
