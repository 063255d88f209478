import { lastId } from "./engine";
import type { Failures } from "./engine";
import { deleteByHand } from "./drift";
import { idsIn } from "./ledger";
import type { Key } from "./program";
import { advisedIds, messageOf } from "./stack";
import type { Stack } from "./stack";
import type { World } from "./world";

/** More runs than any history needs: a run stops at the first failure, and each resource may need a run of its own. */
const mostRuns = 12;

/** The commands that a person runs until the program succeeds. */
export interface Commands {
    up: () => Promise<Failures>;
    refresh: () => Promise<Failures>;
}

/**
 * Runs the program until it succeeds, as a person does: first once more as it is, then with what the error messages ask
 * for, each time after a refresh. Returns how many resources needed such a step.
 */
export async function recover(stack: Stack, { up, refresh }: Commands, world: World): Promise<number> {
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
            }
        }
        for (const [key, error] of await refresh()) {
            throw new Error(`${key} fails in a refresh`, { cause: error });
        }
        failures = await up();
        if (failures.size === 0) {
            return helped.size;
        }
    }
}

/** Does what a message asks for; false where it asks for nothing but another run. */
function follow(stack: Stack, key: Key, error: unknown, world: World): boolean {
    const { ledger, emulator } = world;
    const { engine, existing, replaceable, renamed, unnamed } = stack;
    if (engine.entry(key)?.tainted) {
        engine.taint(key, false);
        return true;
    }
    if (messageOf(error).includes("allowReplace")) {
        replaceable.add(key);
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
    const ids = advisedIds(error).filter((id) => idsIn(emulator).has(lastId(id)));
    const own = ids.find((id) => ledger.owns(stack.stack, lastId(id)));
    if (own !== undefined && existing.get(key) !== own) {
        existing.set(key, own);
        return true;
    }
    if (ids.length > 0 && own === undefined) {
        // The other stack has it.
        renamed.add(key);
        return true;
    }
    if (/cannot be adopted.* Otherwise choose another name/.test(messageOf(error))) {
        unnamed.delete(key);
        renamed.add(key);
        return true;
    }
    const line = existing.get(key);
    if (!existing.delete(key)) {
        return false;
    }
    // What the line names cannot be adopted, and its name is taken: the resource needs another one.
    if (engine.entry(key) === undefined || engine.pendingDeletion().some(({ id }) => id === line)) {
        stack.former.push(...namesakesOf(key, stack, world));
        renamed.add(key);
    }
    return true;
}

interface Shared {
    readonly id: string;
    /** The resource whose error it is, and the other one. */
    readonly managers: readonly [Key, Key];
}

/** The service that two resources manage, according to the error of one of them. */
function sharedService(key: Key, message: string): Shared | undefined {
    const [, one, first, second] = /(\w+) is managed by "(\w+)" and by "(\w+)"/.exec(message) ?? [];
    const [, other, owner] =
        /existingId "(\w+)" cannot be adopted: it is managed by "(\w+)" of this program/.exec(message) ?? [];
    const id = one ?? other;
    return id === undefined ? undefined : { id, managers: (one ? [first, second] : [key, owner]) as [Key, Key] };
}

/** Leaves the service to the resource that did not adopt it. */
function separate(stack: Stack, { id, managers }: Shared, { emulator }: World): void {
    const { engine, existing, renamed, program } = stack;
    const [first, second] = managers;
    const [adopter, owner] = !existing.has(first) && existing.has(second) ? [second, first] : [first, second];
    existing.delete(adopter);
    if (lastId(engine.entry(adopter)?.id) === id) {
        engine.forget(adopter);
    }
    // The adoption may have set its password, also before a kill.
    const password = program[adopter as "orders"]?.password;
    if (password !== undefined) {
        stack.program = { ...program, [owner]: { ...program[owner], password } };
    }
    const taken = emulator.snapshot().services.find(({ service_id: one }) => one === id)?.name;
    if (taken !== undefined && taken === stack.declared().find(({ key }) => key === adopter)?.inputs.name) {
        renamed.add(adopter);
    }
}

/** The services that the stack created under the declared name: a person sees them before choosing another name. */
function namesakesOf(key: Key, stack: Stack, { ledger, emulator }: World): string[] {
    const declared = stack.declared().find((one) => one.key === key)?.inputs.name;
    return emulator
        .snapshot()
        .services.filter(({ service_id: id, name }) => name === declared && ledger.owns(stack.stack, id))
        .map(({ service_id: id }) => id);
}

/**
 * Detaches what a network contains and no stack has in its state: a run that adopted it was killed after it had attached it.
 * Returns the failures that have another cause.
 */
export function detachUnmanaged(failures: Failures, world: World): Failures {
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

const namedIds = (message: string): string[] => [...message.matchAll(/\((\w+)\)/g)].map(([, id = ""]) => id);

const managedIds = ({ dev, prod }: World): Set<string> =>
    new Set([dev, prod].flatMap(({ engine }) => engine.entries().map(({ id }) => lastId(id))));

/**
 * Deletes by hand what a message names and no stack has in its state; detaches services. An adopted service keeps the VPC
 * that the program does not declare, so that the stack has to adopt it again without it.
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
