import type { Failures } from "./engine/engine";
import { lastId } from "./engine/entry";
import { deleteByHand } from "./drift";
import { idsIn } from "./ledger";
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
    /** `pulumi destroy --target`. */
    destroy: (target: Key) => Promise<Failures<Key>>;
}

/**
 * Runs the program until it succeeds, as a person does: first unchanged, then with the steps that the error messages ask for
 * and a refresh. Returns the number of resources that needed such a step.
 */
export async function recover(stack: Stack, { up, refresh, destroy }: Commands, world: World): Promise<number> {
    const helped = new Set<Key>();
    let failures = await up();
    for (let runs = 1; ; runs++) {
        if (failures.size > 0) {
            for (const [key, error] of failures) {
                if (runs === mostRuns) {
                    throw new Error(`${key} does not recover`, { cause: error });
                }
                if (follow(stack, key, error, world)) {
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
        failures = await up();
        if (failures.size === 0) {
            return helped.size;
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
function follow(stack: Stack, key: Key, error: unknown, world: World): boolean {
    const { ledger, emulator } = world;
    const { engine, existing, replaceable, renamed, unnamed } = stack;
    if (engine.entry(key)?.tainted) {
        engine.taint(key, false);
        return true;
    }
    const [, copy] = /begun several last copies: (\w+)/.exec(messageOf(error)) ?? [];
    if (copy !== undefined) {
        deleteByHand(copy, emulator);
        world.gone.add(copy);
        return true;
    }
    if (messageOf(error).includes("allowReplace")) {
        // After a move or a rename without an alias, the new resource needs the permission.
        const [, urn] = /--target '([^']+)'/.exec(messageOf(error)) ?? [];
        replaceable.add(stack.declared().find((one) => one.urn === urn)?.key ?? key);
        return true;
    }
    if (asksToDetach(error)) {
        removeDependants(messageOf(error), world);
        return true;
    }
    const shared = sharedService(key, messageOf(error));
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
        existing.set(key, own);
        return true;
    }
    if (ids.length > 0 && own === undefined) {
        // The other stack has it, so the program needs another name.
        unnamed.delete(key);
        renamed.add(key);
        return true;
    }
    if (/cannot be adopted.* [Cc]hoose another name|[Dd]eclare another `name`/.test(messageOf(error))) {
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
function sharedService(key: Key, message: string): Shared | undefined {
    const [, one, first, second] = /(\w+) is managed by "(\w+)" and by "(\w+)"/.exec(message) ?? [];
    const [, other, owner] =
        /existingId "(\w+)" cannot be adopted: it is managed by "(\w+)" of this program/.exec(message) ?? [];
    const id = one ?? other;
    return id === undefined ? undefined : { id, managers: (one ? [first, second] : [key, owner]) as [Key, Key] };
}

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

const asksToDetach = (error: unknown): boolean => /[Dd]elete them first/.test(messageOf(error));

/** The dependants of the stack that a message asks to delete with `--target`. */
function ownDependants({ engine }: Stack, error: unknown): Key[] {
    const named = messageOf(error).includes("`pulumi destroy --target`") ? namedIds(messageOf(error)) : [];
    return engine
        .entries()
        .filter(({ id }) => named.includes(lastId(id)))
        .map(({ key }) => key);
}

const namedIds = (message: string): string[] => [...message.matchAll(/\((\w+)\)/g)].map(([, id = ""]) => id);

const managedIds = ({ dev, prod }: World): Set<string> =>
    new Set([dev, prod].flatMap(({ engine }) => engine.entries().map(({ id }) => lastId(id))));

/**
 * Manually deletes the resources that a message names and no stack has in its state, and detaches services. An adopted
 * service keeps a VPC that the program does not declare, so the stack must adopt the service again after it is detached.
 */
function removeDependants(message: string, world: World): void {
    const { emulator, dev, prod, gone } = world;
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
            deleteByHand(id, emulator);
            gone.add(id);
        }
    }
}
