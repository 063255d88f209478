import { unknownWord } from "../../emulator/dialect/members";
import { ProtectedError, isIncomplete, lastId, type Entry, type Failure } from "./engine/entry";
import { deleteByHand } from "./drift";
import { idsIn } from "./ledger";
import { dependentsOf, otherEntryOf, messageOf, suggestedIdsIn, type Stack } from "./stack";
import { permitDeletion } from "./permission";
import type { Key, ServiceDeclaration } from "./program";
import type { World } from "./world";

/** The third invariant: the steps of a message lead out of its failure in at most this number of runs. */
const mostRuns = 2;
/** More runs than any history needs. A run stops at the first failure, so each resource may need its own runs. */
const mostRunsOfAll = 16;

/**
 * Runs the program until it succeeds, as a person does: with the steps that the error messages and their page ask for, and a
 * refresh. If the deletion of a database is refused, the person keeps it, or deletes it. Returns the number of resources that
 * needed such a step.
 */
export async function recover(stack: Stack, world: World, keeps: boolean): Promise<number> {
    const helped = new Set<Key>();
    const seen = new Map<string, number>();
    for (let runs = 0; runs < mostRunsOfAll; runs++) {
        const { failures } = await world.run(stack, (engine, provider) => engine.up(stack.declared(), provider));
        // Only a refresh shows manual changes, and a person who reads a status that nobody knows repeats it.
        const isShown = !stack.engine.state.liveEntries().some(({ outputs }) => outputs.values.status === unknownWord);
        if (failures.length === 0 && runs > 0 && isShown && !stack.engine.state.entries().some(isIncomplete)) {
            return helped.size;
        }
        for (const { key, error } of failures) {
            const [what = ""] = messageOf(error).split("\n");
            const before = seen.get(what) ?? 0;
            if (before === mostRuns) {
                throw new Error(`${mostRuns} runs do not lead out of a failure of ${key}`, { cause: error });
            }
            seen.set(what, before + 1);
            if (await follow(stack, key, error, world, keeps)) {
                helped.add(key);
            }
            for (const dependant of ownDependants(stack, error)) {
                await world.run(stack, (engine, provider) => engine.destroy(provider, [dependant]));
            }
        }
        const { failures: ofRefresh } = await world.run(stack, (engine, provider) => engine.refresh(provider));
        for (const { key, error } of ofRefresh) {
            if (!confirmedAsGone(stack, key, error, world)) {
                throw new Error(`${key} failed in a refresh`, { cause: error });
            }
        }
    }
    throw new Error(`${mostRunsOfAll} runs do not complete ${stack.stack}`);
}

/** Removes a resource from the state that a person deleted together with all others, so that the project seems to be empty. */
function confirmedAsGone({ engine }: Stack, key: Key, error: unknown, { emulator }: World): boolean {
    const exists = idsIn(emulator).has(lastId(engine.entry(key)?.id));
    if (exists || !messageOf(error).includes("at all to this token")) {
        return false;
    }
    engine.forget(key);
    return true;
}

/** Does what a message asks for. Returns false if only another run is needed. */
async function follow(stack: Stack, key: Key, error: unknown, world: World, keeps: boolean): Promise<boolean> {
    const { ledger, emulator } = world;
    const { engine, existing, renamed, unnamed } = stack;
    const message = messageOf(error);
    if (await resolveRefusal(stack, key, error, world, keeps)) {
        return true;
    }
    if (engine.entry(key)?.tainted && !message.includes(" cannot be adopted: ")) {
        engine.taint(key, false);
        return true;
    }
    if (asksToDetach(error)) {
        removeUnmanaged(message, world);
        await detachManaged(message, world);
        return true;
    }
    const [, owner] = /cannot be adopted: "([^"]+)" of this program manages it/.exec(message) ?? [];
    if (owner !== undefined) {
        separate(stack, key, owner);
        return true;
    }
    const [, managed] = /existingId "[^"]+" differs from ([^,]+), the /.exec(message) ?? [];
    if (managed !== undefined && !idsIn(emulator).has(lastId(managed))) {
        engine.forget(key);
        return true;
    }
    if (/ cannot be adopted: (its type|it is not a fork) /.test(message) && engine.entry(key) !== undefined) {
        amend(stack, key, asItIs);
        return true;
    }
    if (message.includes("declare paused: false together with this change")) {
        amend(stack, key, { paused: false });
        return true;
    }
    const [, paused] = / needs service (\S+), which is PAUSED/.exec(message) ?? [];
    const needed = engine.state.liveEntries().find(({ id }) => id === paused);
    if (needed !== undefined) {
        amend(stack, needed.key, { paused: false });
        return true;
    }
    // A refresh whose token saw nothing has removed the entry: its warning has the id.
    const [, inTheWay = ""] = / overlaps \S+ of VPC (\d+)/.exec(message) ?? [];
    if (ledger.owns(stack.stack, inTheWay) && existing.get(key) !== inTheWay) {
        adopt(stack, key, inTheWay);
        return true;
    }
    const ids = suggestedIdsIn(error).filter((id) => idsIn(emulator).has(lastId(id)));
    const own = ids.find((id) => ledger.owns(stack.stack, lastId(id)));
    if (own !== undefined && existing.get(key) !== own) {
        adopt(stack, key, own);
        return true;
    }
    if ((ids.length > 0 && own === undefined) || /(choose|declare) another `?name/i.test(message)) {
        // The other stack or another resource has it, so the program needs another name.
        unnamed.delete(key);
        renamed.add(key);
        return true;
    }
    return existing.delete(key);
}

/**
 * Adopts a service that an interrupted run has created, or that the stack has under another URN: then the resource was renamed or
 * moved, and only an alias connects the two.
 */
function adopt(stack: Stack, key: Key, id: string): void {
    const { engine, existing, identities, renamed, unnamed } = stack;
    const entry = engine.state.liveEntries().find((one) => lastId(one.id) === lastId(id));
    const { provider } = identities.of(key);
    // The provider of the other host does not know of the adoption.
    engine.state
        .pendingDeletion()
        .filter((one) => lastId(one.id) === lastId(id) && one.provider !== provider)
        .forEach((one) => engine.state.drop(one));
    if (entry === undefined) {
        existing.set(key, id);
    } else if (stack.declared().some(({ urn, aliases = [] }) => [urn, ...aliases].includes(entry.urn))) {
        unnamed.delete(key);
        renamed.add(key);
    } else {
        identities.addAlias(key, entry.urn);
    }
}

/**
 * Resolves the refusal of a deletion or of a replacement, by the provider or by Pulumi, as the page about protection describes
 * each case. Returns false if the error has another cause.
 */
async function resolveRefusal(stack: Stack, key: Key, error: unknown, world: World, keeps: boolean): Promise<boolean> {
    const { engine } = stack;
    const entry = refusedEntry(stack, key, error);
    if (entry === undefined) {
        return false;
    }
    keepPassword(stack, entry);
    if (engine.state.pendingDeletion().includes(entry)) {
        resolvePending(stack, entry, world, keeps);
    } else if (entry.tainted) {
        engine.state.swap(entry, { ...entry, tainted: false });
    } else if (stack.declared().some((declared) => engine.entry(declared.key) === entry)) {
        await permitDeletion(entry, stack, world);
        // The program of the run that replaces or deletes a service must not protect it.
        amend(stack, key, { deletionProtection: false });
    } else if (otherEntryOf(stack, entry) !== undefined) {
        // It was adopted under another name, so only the old entry must go.
        engine.state.drop(entry);
    } else {
        await resolveUndeclared(stack, entry, world, keeps);
    }
    return true;
}

/** Only one of two entries of a database has its password: the program of the one that stays declares it. */
function keepPassword(stack: Stack, entry: Entry): void {
    const { password } = entry.outputs.values;
    const other = otherEntryOf(stack, entry);
    if (typeof password === "string" && other !== undefined && stack.program[other.key] !== undefined) {
        amend(stack, other.key, { password });
    }
}

/** The entry whose deletion or replacement was refused. */
function refusedEntry({ engine }: Stack, key: Key, error: unknown): Entry | undefined {
    const message = messageOf(error);
    const [, id] =
        /([\w-]+)\)? is not deleted: its entry in the state has deletionProtection: true/.exec(message) ?? [];
    if (error instanceof ProtectedError) {
        const { urn, id: refused } = error.entry;
        return engine.state.entries().find((one) => one.urn === urn && one.id === refused);
    }
    return id !== undefined
        ? [...engine.state.pendingDeletion(), ...engine.state.entries()].find((one) => one.id === id)
        : message.includes("is protected, and this run would replace it")
          ? engine.entry(key)
          : undefined;
}

function amend(stack: Stack, key: Key, inputs: Partial<ServiceDeclaration>): void {
    stack.program = { ...stack.program, [key]: { ...stack.program[key], ...inputs } };
}

/** The inputs of an existing service that has no others. */
const asItIs: Partial<ServiceDeclaration> = { fork: false, ai: false };

/** Another service has taken the place of one that is pending deletion: the person removes one of their entries. */
function resolvePending(stack: Stack, entry: Entry, world: World, keeps: boolean): void {
    const { engine, existing, program } = stack;
    const live = engine.state.get(entry.urn);
    const isWanted = ({ key }: Entry) => keeps && program[key] !== undefined && !existing.has(key);
    if (live !== undefined && isWanted(live) && dependentsOf(stack, live).length === 0) {
        amend(stack, live.key, asItIs);
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
async function resolveUndeclared(stack: Stack, entry: Entry, world: World, keeps: boolean): Promise<void> {
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
        deleteByHand(id, world.emulator);
    }
}

/** Removes the service from the resource that adopts it, so that only its owner manages it. */
function separate(stack: Stack, adopter: Key, ownerName: string): void {
    const { engine, existing, renamed, unnamed, program } = stack;
    const owner = stack.declared().find(({ urn }) => urn.endsWith(`::${ownerName}`))?.key;
    existing.delete(adopter);
    if (engine.entry(adopter)?.id === (owner && engine.entry(owner)?.id)) {
        engine.forget(adopter);
    }
    // The adoption may have set the password, even if it was killed.
    const password = program[adopter as "orders"]?.password;
    if (password !== undefined && owner !== undefined) {
        amend(stack, owner, { password });
    }
    unnamed.delete(adopter);
    renamed.add(adopter);
}

/**
 * Detaches services from a network if no stack has them in its state: a run attached them and was killed before it recorded
 * the adoption.
 * Returns the failures that have another cause.
 */
export function detachUnmanaged(failures: readonly Failure[], world: World): readonly Failure[] {
    const managed = managedIds(world);
    const isToDetach = ({ error }: Failure) =>
        asksToDetach(error) && namedIds(messageOf(error)).every((id) => !managed.has(id));
    for (const { error } of failures.filter(isToDetach)) {
        removeUnmanaged(messageOf(error), world);
    }
    return failures.filter((one) => !isToDetach(one));
}

const asksToDetach = (error: unknown): boolean => /Delete each .* first: |detach by hand/.test(messageOf(error));

/** The URNs of the stack's dependants that a message asks to delete with `--target`. */
export function ownDependants({ engine }: Stack, error: unknown): string[] {
    const named = messageOf(error).includes("`pulumi destroy --target 'URN'`") ? namedIds(messageOf(error)) : [];
    return engine.state
        .entries()
        .filter(({ id }) => named.includes(lastId(id)))
        .map(({ urn }) => urn);
}

/** The ids of other resources in a message, which begins with the name and the id of the one that failed. Others may have no name. */
const namedIds = (message: string): string[] =>
    [...message.replace(/"[^"]*" \([\w-]+\)/, "").matchAll(/\(([\w/-]+)\)|(?:set|peering) ([\w-]+\/[\w-]+)/g)].map(
        ([, id = "", nameless = id]) => lastId(nameless),
    );

const managedIds = ({ dev, prod }: World): Set<string> =>
    new Set([dev, prod].flatMap(({ engine }) => engine.state.entries().map(({ id }) => lastId(id))));

/** Manually deletes the resources that a message names and no stack has in its state, and detaches such services. */
function removeUnmanaged(message: string, world: World): void {
    const { emulator } = world;
    const managed = managedIds(world);
    for (const id of namedIds(message).filter((one) => idsIn(emulator).has(one) && !managed.has(one))) {
        if (emulator.snapshot().services.some(({ service_id: one }) => one === id)) {
            emulator.updateService(id, { vpcId: null });
        } else {
            deleteByHand(id, emulator);
        }
    }
}

/**
 * Detaches the services of the stacks that a message names, as docs/networks.md says: one that was adopted keeps its VPC until a
 * run has declared it, so `vpcId` is declared in one run and removed in the next one.
 */
async function detachManaged(message: string, world: World): Promise<void> {
    const { emulator, dev, prod } = world;
    for (const stack of [dev, prod]) {
        for (const { key, id } of stack.engine.state.liveEntries()) {
            const { program } = stack;
            const service = emulator.snapshot().services.find((one) => one.service_id === id);
            const vpcId = service?.vpc_endpoint?.vpc_id;
            if (vpcId === undefined || program[key] === undefined || !namedIds(message).includes(id)) {
                continue;
            }
            amend(stack, key, { vpcId, inNetwork: false });
            await world.run(stack, (engine, provider) => engine.up(stack.declared(), provider));
            stack.program = program;
        }
    }
}
