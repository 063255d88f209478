import { isDeepStrictEqual } from "node:util";
import { applyDrift } from "./drift";
import { lastId } from "./engine/entry";
import { hostOf, type Declared } from "./engine/registration";
import type { UpOptions } from "./engine/update";
import { nameIn, type IdentityChange } from "./identities";
import { idsIn } from "./ledger";
import type { Key, Program, ServiceDeclaration } from "./program";
import type { Adoption, Round } from "./scenario";
import { messageOf, type Stack } from "./stack";
import type { World } from "./world";

// What a person does before a run: manual changes, the next program, and commands that change the state.

/** A command that changes only the state. `forget`: a person also detaches the service from its VPC. */
export type Command =
    | { readonly does: "taint"; readonly urn: string }
    | { readonly does: "forget"; readonly urn: string; readonly id: string }
    | { readonly does: "rename"; readonly urn: string; readonly to: string }
    | { readonly does: "renameStack"; readonly to: string }
    /** `pulumi state unprotect --all`. */
    | { readonly does: "unprotect" };

/** Prepares the run of a round. Returns the commands, in order. */
export async function prepare(round: Round, world: World): Promise<readonly Command[]> {
    const { dev, prod, emulator, operator } = world;
    const commands: Command[] = [];
    world.hasDrift ||= round.drifts.length > 0;
    for (const drift of round.drifts) {
        await applyDrift(drift, dev.engine, emulator, operator);
    }
    if (round.repeated) {
        return commands;
    }
    declare(dev, nextProgram(round, dev));
    for (const change of round.identities) {
        const old = dev.urnOf("key" in change ? change.key : "orders");
        if (dev.identities.change(change, dev.engine)) {
            commands.push(...commandsOf(change, old, dev));
        } else {
            world.skipped.push(change.does);
        }
    }
    if (round.forgotten) {
        const forgotten = forget(dev, world);
        commands.push(...(forgotten === undefined ? [] : [{ does: "forget" as const, ...forgotten }]));
    }
    if (round.unprotected) {
        dev.engine.unprotect();
        commands.push({ does: "unprotect" });
    }
    if (round.isProtected !== undefined) {
        dev.isProtected = prod.isProtected = round.isProtected;
    }
    if (round.tainted) {
        const { urn } = dev.engine.taint(round.tainted) ?? {};
        commands.push(...(urn === undefined ? [] : [{ does: "taint" as const, urn }]));
    }
    if (round.linesRemoved) {
        removeLines(dev);
    }
    if (round.adoption && !(await adopt(round.adoption, dev, world))) {
        world.skipped.push("an adoption");
    }
    removeLinesOfOthers(dev);
    return commands;
}

/** The program of the round, or an earlier one with what a person has edited. */
function nextProgram({ program, reverted, edited }: Round, stack: Stack): Program {
    const before = reverted ? stack.previous : edited === undefined ? program : stack.program;
    const { orders, readers, reports } = before;
    const ofSet = Object.entries(edited ?? {}).filter(([name]) => !name.startsWith("password"));
    return {
        ...before,
        ...(orders && { orders: { ...orders, ...edited } }),
        ...(readers && { readers: { ...readers, ...Object.fromEntries(ofSet) } }),
        ...(reports && { reports: { ...reports, ...edited } }),
    };
}

/** The command of a change that was made. `old` was the URN of its resource. */
function commandsOf({ does, ...rest }: IdentityChange, old: string, stack: Stack): readonly Command[] {
    switch (does) {
        case "stateRename":
            return "key" in rest ? [{ does: "rename", urn: old, to: nameIn(stack.urnOf(rest.key)) }] : [];
        case "renameStack":
            return [{ does, to: stack.urnOf("orders").split(":")[2] ?? "" }];
        default:
            return [];
    }
}

/** The options of the run of a round. */
export function optionsOf({ target, replaced, excluded, continueOnError }: Round, stack: Stack): UpOptions {
    const { state } = stack.engine;
    const urns = (key: Key | undefined) => (key === undefined ? [] : [stack.urnOf(key)]);
    const isInState = (urn: string) => state.get(urn) !== undefined;
    return {
        target: target && (urnLeftOf(target, stack) ?? stack.urnOf(target)),
        // Pulumi rejects the URN of a resource that is not in the state.
        replace: urns(replaced).filter(isInState),
        exclude: urns(excluded),
        continueOnError,
    };
}

/** The URN of an entry that the program no longer declares, for example after a move without an alias. */
function urnLeftOf(key: Key, stack: Stack): string | undefined {
    const declared = stack.declared().flatMap(({ urn, aliases = [] }) => [urn, ...aliases]);
    return stack.engine.state.liveEntries().find((one) => one.key === key && !declared.includes(one.urn))?.urn;
}

/** Sets the next program of the stack. Resources whose creation has an unknown result stay declared. */
export function declare(stack: Stack, next: Program): void {
    const { program } = stack;
    stack.program = withDoubtful(stack, withOneManager(stack, next));
    if (!isDeepStrictEqual(program, stack.program)) {
        stack.previous = program;
    }
    stack.hasOutside ||= [stack.program.orders, stack.program.reports].some(
        (one) => one?.passwordOutside !== undefined,
    );
}

/**
 * A resource that may have been created stays declared until a run resolves that. Only `clouddb-orphans` would find it.
 */
function withDoubtful(stack: Stack, next: Program): Program {
    const { inDoubt } = stack.engine.notes;
    const doubtful = stack
        .declared()
        .filter(({ key }) => inDoubt.has(key))
        .flatMap(({ key, needs }) => [key, ...Object.values(needs)]);
    const kept = Object.entries(stack.program).filter(([key]) => doubtful.some((one) => one === key));
    return { ...next, ...(Object.fromEntries(kept) as Program) };
}

/** After a rename by adoption, the program does not return to the other resource: two would manage one service. */
function withOneManager({ program, engine, existing }: Stack, next: Program): Program {
    const idsOf = (key: Key) => [engine.entry(key)?.id, existing.get(key)].filter((id) => id !== undefined);
    const isShared = idsOf("orders").some((id) => idsOf("reports").includes(id));
    const former = program.orders === undefined ? "orders" : "reports";
    return isShared ? Object.fromEntries(Object.entries(next).filter(([key]) => key !== former)) : next;
}

/** Runs `pulumi state delete` for reports, and detaches it from the network of the stack. Returns the entry. */
function forget(stack: Stack, { emulator }: World): { readonly id: string; readonly urn: string } | undefined {
    const forgotten = stack.engine.forget("reports");
    if (forgotten === undefined) {
        return undefined;
    }
    const { id, urn } = forgotten;
    stack.former.push(id);
    stack.existing.delete("reports");
    // The program declares it until a run finds it again.
    stack.engine.notes.inDoubt.add("reports");
    detach(id, emulator);
    return { id, urn };
}

/** Detaches a service from its VPC, unless the service is gone. */
export function detach(id: string, emulator: World["emulator"]): void {
    if (idsIn(emulator).has(id)) {
        emulator.updateService(id, { vpcId: null });
    }
}

/** Removes the `existingId` lines of resources that a run has adopted. */
function removeLines({ existing, engine }: Stack): void {
    for (const key of existing.keys()) {
        if (!engine.notes.unsettled.has(key)) {
            existing.delete(key);
        }
    }
}

/**
 * Removes the `existingId` lines of what another resource of the program or the other host has: an alias moves a service, and
 * providers do not know of each other. Those of a tainted entry too: one host would adopt what the other one deletes.
 */
function removeLinesOfOthers(stack: Stack): void {
    const { state } = stack.engine;
    const declared = stack.declared();
    const entryOf = ({ urn, aliases = [] }: Declared) => state.find([urn, ...aliases]);
    for (const one of declared) {
        const line = lastId(stack.existing.get(one.key));
        const taken = declared.filter(({ key }) => key !== one.key).map(entryOf);
        const onOtherHost = stack.engine.state.entries().filter((entry) => entry.provider !== one.provider);
        const others = [...taken, ...onOtherHost.filter((entry) => entry.tainted || entry !== entryOf(one))];
        if (others.some((entry) => entry !== undefined && lastId(entry.id) === line)) {
            stack.existing.delete(one.key);
        }
    }
}

/** `pulumi import --protect=false`, if the plugin has the resource and the state does not. Returns whether there is an entry. */
async function importResource(key: Key, id: string, stack: Stack, world: World): Promise<boolean> {
    const declared = stack.declared().find((one) => one.key === key);
    if (declared === undefined || hostOf(declared.provider) === "dynamic") {
        return false;
    }
    // Another resource may have had its URN.
    const { urn, aliases = [] } = declared;
    if (stack.engine.entry(key) !== undefined || stack.engine.state.find([urn, ...aliases]) !== undefined) {
        return false;
    }
    world.ledger.adopt(stack.stack, id);
    const isNotAtRest = (error: unknown) => messageOf(error).includes(" was not imported: ");
    for (let isDone = false; !isDone;) {
        try {
            await world.clock.sleep(1_000);
            await world.run(stack, (engine, provider) => engine.import(declared, id, provider));
            isDone = true;
        } catch (error) {
            // A dialect has a status that nobody knows in some answers: the message says to repeat the command.
            if (!isNotAtRest(error)) {
                throw error;
            }
        }
    }
    return stack.engine.entry(key)?.id === id;
}

/** Adds an `existingId` line, or imports. Returns false if there is no id for it. */
async function adopt(adoption: Adoption, stack: Stack, world: World): Promise<boolean> {
    const { key: given, of, isNamed } = adoption;
    const { operator, ledger, emulator } = world;
    const { engine, existing, unnamed, program } = stack;
    const otherOf = (one: Key) => (one === "orders" ? "reports" : one === "reports" ? "orders" : undefined);
    const isReversed = of === "other" && engine.entry(otherOf(given) ?? given) === undefined;
    const key = isReversed ? (otherOf(given) ?? given) : given;
    const other = otherOf(key);
    // A resource that may have been created is not replaced by a manual one.
    const manual = () =>
        other && !engine.notes.inDoubt.has(key) && program[key as "orders"]
            ? operator.database(`manual-${key}`, adoption)
            : undefined;
    const ids = {
        // A resource that may have been created is not replaced by its former one.
        itself: () => (engine.notes.inDoubt.has(key) ? undefined : engine.entry(key)?.id),
        // Unsettled resources and their dependencies stay as they are declared.
        other: () => (other && engine.notes.unsettled.size === 0 ? engine.entry(other)?.id : undefined),
        suggested: () => stack.suggestedIds.get(key)?.find((id) => ledger.owns(stack.stack, lastId(id))),
        former: () =>
            (key === "reports" ? stack.former.at(-1) : undefined) ??
            engine.state.pendingDeletion().find((one) => one.key === key)?.id,
        manual,
        imported: manual,
    };
    const id = (await ids[of]()) ?? undefined;
    const isOfOther = of !== "other" && other !== undefined && engine.entry(other)?.id === id;
    if (id === undefined || isOfOther || !idsIn(emulator).has(lastId(id))) {
        return false;
    }
    if (!isNamed && of !== "itself" && of !== "suggested" && of !== "former") {
        unnamed.add(key);
    }
    if (of === "imported" && (await importResource(key, id, stack, world))) {
        return true;
    }
    existing.set(key, id);
    if (of === "other" && other) {
        // The program renames the resource.
        const { [other]: old, ...rest } = program;
        stack.program = { ...rest, [key]: { ...old, ...program[key] } as ServiceDeclaration };
        existing.delete(other);
    }
    return true;
}
