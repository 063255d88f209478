import type { Failures } from "./engine/engine";
import { isIncomplete, lastId, ProtectedError } from "./engine/entry";
import type { Entry } from "./engine/entry";
import { deleteByHand } from "./drift";
import { idsIn } from "./ledger";
import { dependentsOf, otherEntryOf, permitDeletion } from "./permission";
import type { Key } from "./program";
import { messageOf, suggestedIdsIn } from "./stack";
import type { Stack } from "./stack";
import type { World } from "./world";

/** More runs than any history needs. A run stops at the first failure, so each resource may need its own run. */
const mostRuns = 12;

/** The commands that a person runs until the program succeeds. */
export interface Commands {
    up: () => Promise<Failures<Key>>;
    refresh: () => Promise<Failures<Key>>;
    /** `pulumi destroy --target` with the URN of a resource. */
    destroy: (target: string) => Promise<Failures<Key>>;
}

/**
 * Runs the program until it succeeds, as a person does: first unchanged, then with the steps that the error messages ask for
 * and a refresh. If the deletion of a database is refused, the person keeps it, or deletes it. Returns the number of resources
 * that needed such a step.
 */
export async function recover(
    stack: Stack,
    { up, refresh, destroy }: Commands,
    world: World,
    keeps: boolean,
): Promise<number> {
    const helped = new Set<Key>();
    dropPending(stack);
    let failures = await up();
    for (let runs = 1; ; runs++) {
        if (failures.size > 0) {
            for (const [key, error] of failures) {
                if (runs === mostRuns) {
                    throw new Error(`${key} does not recover`, { cause: error });
                }
                if (await follow(stack, key, error, world, keeps)) {
                    helped.add(key);
                }
                for (const dependant of ownDependants(stack, error)) {
                    await destroy(dependant);
                }
            }
        }
        for (const [key, error] of await refresh()) {
            if (!confirmedAsGone(stack, key, error, world)) {
                throw new Error(`${key} failed in a refresh`, { cause: error });
            }
        }
        dropPending(stack);
        failures = await up();
        const postponed = stack.engine.entries().filter(isIncomplete);
        if (failures.size === 0 && postponed.length === 0) {
            return helped.size;
        }
        if (runs > mostRuns) {
            throw new Error(`no run completes ${postponed.map(({ key }) => key).join(", ")}`);
        }
    }
}

/** Removes a resource from the state that a person deleted together with all others, so that the project seems to be empty. */
function confirmedAsGone({ engine }: Stack, key: Key, error: unknown, { emulator }: World): boolean {
    const exists = idsIn(emulator).has(lastId(engine.entry(key)?.id));
    if (exists || !messageOf(error).includes("shows no service and no VPC at all")) {
        return false;
    }
    engine.forget(key);
    return true;
}

/** Does what a message asks for. Returns false if only another run is needed. */
async function follow(stack: Stack, key: Key, error: unknown, world: World, keeps: boolean): Promise<boolean> {
    const { ledger, emulator } = world;
    const { engine, existing, renamed, unnamed } = stack;
    if (await resolveRefusal(stack, key, error, world, keeps)) {
        return true;
    }
    if (engine.entry(key)?.tainted) {
        engine.taint(key, false);
        return true;
    }
    const [, managedBy] = /remove existingId, and set its option aliases: \['([^']+)'\]/.exec(messageOf(error)) ?? [];
    if (managedBy !== undefined) {
        existing.delete(key);
        useEntry(stack, key, managedBy);
        return true;
    }
    const [, missing, adopter] = /declare (\w+) for "([^"]+)", and run/.exec(messageOf(error)) ?? [];
    if (missing !== undefined) {
        const target = keyOf(stack, adopter) ?? key;
        stack.program = { ...stack.program, [target]: { ...stack.program[target], [missing]: "second-password" } };
        return true;
    }
    const [, copy, source] = /set fork\.serviceId of "([^"]+)" to "(\w+)"/.exec(messageOf(error)) ?? [];
    if (source !== undefined) {
        stack.sources.set(keyOf(stack, copy) ?? key, source);
        return true;
    }
    if (deleteCopies(new Map([[key, error]]), world)) {
        return true;
    }
    if (asksForOldName(error)) {
        unnamed.add(key);
        renamed.delete(key);
        return true;
    }
    if (asksToDetach(error)) {
        removeDependants(messageOf(error), world);
        return true;
    }
    const shared = sharedService(stack, key, messageOf(error));
    if (shared !== undefined) {
        separate(stack, shared, world);
        return true;
    }
    if (differsFromMissing(messageOf(error), world)) {
        engine.forget(key);
        return true;
    }
    const ids = suggestedIdsIn(error).filter((id) => idsIn(emulator).has(lastId(id)));
    const own = ids.find((id) => ledger.owns(stack.stack, lastId(id)));
    if (own !== undefined && existing.get(key) !== own) {
        const entry = entryOfOtherProvider(stack, key, own);
        if (entry === undefined) {
            existing.set(key, own);
        } else {
            useEntry(stack, key, entry.urn);
        }
        return true;
    }
    if (ids.length > 0 && own === undefined) {
        // The other stack has it, so the program needs another name.
        unnamed.delete(key);
        renamed.add(key);
        return true;
    }
    if (/([Cc]hoose|[Dd]eclare) another `?name/.test(messageOf(error))) {
        unnamed.delete(key);
        renamed.add(key);
        return true;
    }
    const line = existing.get(key);
    if (!existing.delete(key)) {
        return false;
    }
    // The resource with this id cannot be adopted, and its name is in use, so the program needs another name.
    if (engine.entry(key) === undefined || engine.pendingDeletion().some(({ id }) => id === line)) {
        stack.former.push(...servicesWithNameOf(key, stack, world));
        renamed.add(key);
    }
    return true;
}

/**
 * Resolves the refusal of a deletion or of a replacement, by the provider or by Pulumi. Returns false if the error has another
 * cause.
 */
async function resolveRefusal(stack: Stack, key: Key, error: unknown, world: World, keeps: boolean): Promise<boolean> {
    const { engine } = stack;
    const message = messageOf(error);
    const [, id, successor] = refusedDeletion.exec(message) ?? [];
    const entry =
        error instanceof ProtectedError
            ? engine.entries().find(({ urn, id: one }) => urn === error.entry.urn && one === error.entry.id)
            : id !== undefined
              ? [...engine.pendingDeletion(), ...engine.entries()].find((one) => one.id === id)
              : message.includes(refusedReplacement)
                ? engine.entry(key)
                : undefined;
    if (entry === undefined) {
        return false;
    }
    if (engine.pendingDeletion().includes(entry)) {
        resolvePending(stack, entry, successor, world, keeps);
    } else if (entry.tainted) {
        engine.state.swap(entry, { ...entry, tainted: false });
    } else if (stack.declared().some((declared) => engine.entry(declared.key) === entry)) {
        await permitDeletion(entry, stack, world);
        permitInProgram(stack, key);
    } else if (entry.outputs.values.deletionProtection === false) {
        // The program declares another resource with the URN that the dynamic provider knows of this one.
        const [, urn] = /'(urn:[^']+)'/.exec(message) ?? [];
        permitInProgram(stack, stack.declared().find((one) => one.urn === urn)?.key ?? key);
    } else if (otherEntryOf(stack, entry) !== undefined) {
        // It was adopted under another name, so only the old entry must go.
        engine.state.drop(entry);
    } else {
        await resolveUndeclared(stack, entry, world, keeps);
    }
    return true;
}

/** The program of the run that replaces or deletes a service must not protect it. */
function permitInProgram(stack: Stack, key: Key): void {
    stack.program = { ...stack.program, [key]: { ...stack.program[key], deletionProtection: false } };
}

const refusedDeletion =
    /(\w+)\)? is not deleted: (?:its state|the program) has deletionProtection: true(?:, and (\w+) has taken its place)?/;
const refusedReplacement = "is protected, and this run would replace it";

/** Whether a run failed because the state or Pulumi protects a resource. */
export const isRefusal = (error: unknown): boolean =>
    error instanceof ProtectedError ||
    refusedDeletion.test(messageOf(error)) ||
    messageOf(error).includes(refusedReplacement);

/** An entry that the program may have renamed and given another provider: only an alias connects the two. */
function entryOfOtherProvider(stack: Stack, key: Key, id: string): Entry<Key> | undefined {
    const declared = stack.declared().find((one) => one.key === key);
    return stack.engine.state
        .liveEntries()
        .find((one) => lastId(one.id) === lastId(id) && one.provider !== declared?.provider);
}

/** Connects a resource with the entry of its service. If that is the entry of another resource, this one needs another name. */
function useEntry(stack: Stack, key: Key, urn: string): void {
    const { identities, unnamed, renamed } = stack;
    if (stack.declared().some((one) => one.key !== key && [one.urn, ...(one.aliases ?? [])].includes(urn))) {
        unnamed.delete(key);
        renamed.add(key);
    } else {
        identities.addAlias(key, urn);
    }
}

/** Deletes a last copy of each service that is not deleted because earlier runs have made too many. Returns whether there is one. */
export function deleteCopies(failures: Failures, world: World): boolean {
    const found = [...failures.values()].flatMap((error) => {
        const [, id] = /^Last copies: (\w+)/m.exec(messageOf(error)) ?? [];
        return id === undefined ? [] : [id];
    });
    found.forEach((id) => deleteByHand(id, world));
    return found.length > 0;
}

/**
 * Removes the entries that are pending deletion and whose resource the program adopts with another provider: providers do not
 * know of each other, so such an entry would still delete it.
 */
function dropPending(stack: Stack): void {
    const { engine, existing } = stack;
    const isAdopted = (entry: Entry) =>
        stack
            .declared()
            .some(({ key, provider }) => lastId(existing.get(key)) === lastId(entry.id) && provider !== entry.provider);
    engine
        .pendingDeletion()
        .filter(isAdopted)
        .forEach((one) => engine.state.drop(one));
}

/** Whether the API cannot rename a service. */
export const asksForOldName = (error: unknown): boolean => /declare name: "[^"]+" again/.test(messageOf(error));

/**
 * Another service has taken the place of one that is pending deletion: the person removes one of their entries. The old service
 * may not fit the program, so that it cannot be kept.
 */
function resolvePending(
    stack: Stack,
    entry: Entry<Key>,
    successor: string | undefined,
    world: World,
    keeps: boolean,
): void {
    const { engine, existing, keptIds } = stack;
    const live = engine.state.get(entry.urn);
    const canKeep = keeps && !keptIds.has(entry.id);
    if (canKeep && live !== undefined && live.id === successor && dependentsOf(stack, live).length === 0) {
        keptIds.add(entry.id);
        engine.state.drop(live);
        existing.set(live.key, entry.id);
        deleteUnmanaged(live.id, world);
    } else {
        engine.state.drop(entry);
        deleteUnmanaged(entry.id, world);
    }
}

/**
 * The program no longer declares a protected service, or declares it with another URN. To keep it, the person adds an alias in
 * place of the new, empty service, or only stops managing it.
 */
async function resolveUndeclared(stack: Stack, entry: Entry<Key>, world: World, keeps: boolean): Promise<void> {
    const { engine, existing, identities } = stack;
    const declared = stack.declared().find(({ key }) => key === entry.key);
    const created = declared && engine.state.get(declared.urn);
    const hasDependents = [entry, ...(created ? [created] : [])].some((one) => dependentsOf(stack, one).length > 0);
    if (!keeps || hasDependents) {
        await permitDeletion(entry, stack, world);
        return;
    }
    if (declared === undefined) {
        engine.state.drop(entry);
        stack.former.push(entry.id);
        return;
    }
    if (created !== undefined) {
        engine.state.drop(created);
        deleteUnmanaged(created.id, world);
    }
    existing.delete(declared.key);
    identities.addAlias(declared.key, entry.urn);
}

/** Deletes a service by hand that no state has any more. */
function deleteUnmanaged(id: string, world: World): void {
    if (!managedIds(world).has(id)) {
        deleteByHand(id, world);
    }
}

/** Whether the message asks to remove a resource from the state that no longer exists, so that another one can be adopted. */
function differsFromMissing(message: string, { emulator }: World): boolean {
    const [, managed] = /existingId "[^"]+" differs from ([^,]+), the /.exec(message) ?? [];
    return managed !== undefined && !idsIn(emulator).has(lastId(managed));
}

interface Shared {
    readonly id: string;
    /** The resource that failed, and the other one. */
    readonly managers: readonly [Key, Key];
}

/** The service that two resources manage, according to an error of either resource. */
function sharedService(stack: Stack, key: Key, message: string): Shared | undefined {
    const [, one, first, second] = /(\w+) is managed by "([^"]+)" and by "([^"]+)"/.exec(message) ?? [];
    const [, other, owner] =
        /existingId "(\w+)" cannot be adopted: "([^"]+)" of this program manages it/.exec(message) ?? [];
    const id = one ?? other;
    const managers = one === undefined ? [key, keyOf(stack, owner)] : [keyOf(stack, first), keyOf(stack, second)];
    return id === undefined ? undefined : { id, managers: managers as [Key, Key] };
}

/** The resource of the program that has this name. */
const keyOf = (stack: Stack, name = ""): Key | undefined =>
    stack.declared().find(({ urn }) => urn.endsWith(`::${name}`))?.key;

/** Removes the service from the resource that adopted it, so that only its owner manages it. */
function separate(stack: Stack, { id, managers }: Shared, { emulator }: World): void {
    const { engine, existing, renamed, program } = stack;
    const [first, second] = managers;
    const [adopter, owner] = !existing.has(first) && existing.has(second) ? [second, first] : [first, second];
    existing.delete(adopter);
    if (lastId(engine.entry(adopter)?.id) === id) {
        engine.forget(adopter);
    }
    // The adoption may have set the password, even if it was killed.
    const password = program[adopter as "orders"]?.password;
    if (password !== undefined) {
        stack.program = { ...program, [owner]: { ...program[owner], password } };
    }
    const usedName = emulator.snapshot().services.find(({ service_id: one }) => one === id)?.name;
    if (usedName !== undefined && usedName === stack.declared().find(({ key }) => key === adopter)?.inputs.name) {
        renamed.add(adopter);
    }
}

/** The services of the stack that have the declared name. A person sees them before choosing another name. */
function servicesWithNameOf(key: Key, stack: Stack, { ledger, emulator }: World): string[] {
    const declared = stack.declared().find((one) => one.key === key)?.inputs.name;
    return emulator
        .snapshot()
        .services.filter(({ service_id: id, name }) => name === declared && ledger.owns(stack.stack, id))
        .map(({ service_id: id }) => id);
}

/**
 * Detaches services from a network if no stack has them in its state: a run attached them and was killed before it recorded
 * the adoption.
 * Returns the failures that have another cause.
 */
export function detachUnmanaged(failures: Failures<Key>, world: World): Failures<Key> {
    const managed = managedIds(world);
    const others = new Map(failures);
    for (const [key, error] of failures) {
        if (asksToDetach(error) && namedIds(messageOf(error)).every((id) => !managed.has(id))) {
            removeDependants(messageOf(error), world);
            others.delete(key);
        }
    }
    return others;
}

const asksToDetach = (error: unknown): boolean => /Delete each .* first: |detach by hand/.test(messageOf(error));

/** The URNs of the stack's dependants that a message asks to delete with `--target`. */
export function ownDependants({ engine }: Stack, error: unknown): string[] {
    const named = messageOf(error).includes("`pulumi destroy --target 'URN'`") ? namedIds(messageOf(error)) : [];
    return engine
        .entries()
        .filter(({ id }) => named.includes(lastId(id)))
        .map(({ urn }) => urn);
}

/** The ids of other resources in a message, which begins with the name and the id of the one that failed. */
const namedIds = (message: string): string[] =>
    [...message.replace(/"[^"]*" \(\w+\)/, "").matchAll(/\(([\w/]+)\)/g)].map(([, id = ""]) => lastId(id));

const managedIds = ({ dev, prod }: World): Set<string> =>
    new Set([dev, prod].flatMap(({ engine }) => engine.entries().map(({ id }) => lastId(id))));

/**
 * Manually deletes the resources that a message names and no stack has in its state, and detaches services. An adopted
 * service keeps a VPC that the program does not declare, so the stack must adopt the service again after it is detached.
 */
function removeDependants(message: string, world: World): void {
    const { emulator, dev, prod } = world;
    const managed = managedIds(world);
    for (const id of namedIds(message)) {
        if (!idsIn(emulator).has(id)) {
            continue;
        }
        if (emulator.snapshot().services.some(({ service_id: one }) => one === id)) {
            emulator.updateService(id, { vpcId: null });
            for (const { engine, existing } of [dev, prod]) {
                const key = engine.entries().find((entry) => entry.id === id)?.key;
                if (key === undefined) {
                    continue;
                }
                engine.forget(key);
                existing.set(key, id);
            }
        } else if (!managed.has(id)) {
            deleteByHand(id, world);
        }
    }
}
