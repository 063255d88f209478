import { isDeepStrictEqual } from "node:util";
import { applyDrift } from "./drift";
import { lastId } from "./engine/entry";
import type { Entry } from "./engine/entry";
import type { UpOptions } from "./engine/update";
import { nameIn, type IdentityChange } from "./identities";
import { idsIn } from "./ledger";
import type { Key, Program, ServiceDeclaration } from "./program";
import type { Adoption, Edit, Round } from "./scenario";
import type { Stack } from "./stack";
import { moveReports } from "./stateMove";
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

/** Prepares the run of a round. Returns the commands, in order, and whether reports has moved to the other stack. */
export async function prepare(
    round: Round,
    world: World,
): Promise<{ readonly commands: readonly Command[]; readonly isMoved: boolean }> {
    const { dev, prod, emulator, operator } = world;
    const commands: Command[] = [];
    for (const drift of round.drifts) {
        await applyDrift(drift, dev.engine, emulator, operator, world.gone);
    }
    if (round.repeated) {
        return { commands, isMoved: false };
    }
    const isMoved = round.moved && round.concurrent === undefined && moveReports(world);
    declare(dev, round.reverted ? dev.previous : round.edited ? edited(dev, round.edited) : round.program);
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
    if (round.defaults !== undefined) {
        dev.defaults = prod.defaults = round.defaults;
    }
    if (round.tainted) {
        const { urn } = (isMoved && round.tainted === "reports" ? prod : dev).engine.taint(round.tainted) ?? {};
        commands.push(...(urn === undefined ? [] : [{ does: "taint" as const, urn }]));
    }
    if (round.linesRemoved) {
        removeLines(dev);
    }
    if (round.moved && !isMoved) {
        world.skipped.push("a move to another stack");
    }
    if (round.adoption && !(await adopt(round.adoption, dev, world))) {
        world.skipped.push("an adoption");
    }
    if (!(dev.isTypeScript && dev.readsState)) {
        moveByAlias(dev);
    }
    return { commands, isMoved };
}

/** The command of a change that was made. `old` was the URN of its resource. */
function commandsOf({ does, ...rest }: IdentityChange, old: string, stack: Stack): readonly Command[] {
    switch (does) {
        case "stateRename":
            return "key" in rest ? [{ does: "rename", urn: old, to: nameIn(stack.urnOf(rest.key)) }] : [];
        case "renameStack":
            return [{ does, to: stackIn(stack.urnOf("orders")) }];
        default:
            return [];
    }
}

/** The stack of a resource. */
export const stackIn = (urn: string): string => urn.split(":")[2] ?? "";

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
    stack.program = withPasswords(stack, withDoubtful(stack, next));
    if (!isDeepStrictEqual(program, stack.program)) {
        stack.previous = program;
    }
}

/** The current program without an input, or with the value that was removed. */
function edited({ program, removed }: Stack, { on, input }: Edit): Program {
    const service = program[on];
    if (service === undefined) {
        return program;
    }
    const name = `${on}.${input}`;
    const { [input]: value, ...rest } = service;
    if (value !== undefined) {
        removed.set(name, value);
        return { ...program, [on]: rest };
    }
    return removed.has(name) ? { ...program, [on]: { ...service, [input]: removed.get(name) } } : program;
}

/**
 * A resource that may have been created stays declared until a run resolves that. Only `clouddb-orphans` would find it. So does
 * one with a password that may have been set.
 */
function withDoubtful(stack: Stack, next: Program): Program {
    const { inDoubt, unsettled } = stack.engine.notes;
    const doubtful = stack
        .declared()
        .filter(({ key }) => inDoubt.has(key) || (unsettled.has(key) && next[key] === undefined))
        .flatMap(({ key, needs }) => [key, ...Object.values(needs)]);
    const kept = Object.entries(stack.program).filter(([key]) => doubtful.some((one) => one === key));
    return { ...next, ...(Object.fromEntries(kept) as Program) };
}

/**
 * A new password that may have been set stays declared until a run resolves that, because nothing else contains it. So does
 * the password that an adoption has set, if the program returns to the resource that managed the service before.
 */
function withPasswords({ program, engine }: Stack, next: Program): Program {
    const keep = (key: "orders" | "reports", other: "orders" | "reports"): Program => {
        const isShared = engine.entry(key) !== undefined && engine.entry(key)?.id === engine.entry(other)?.id;
        const holder = engine.notes.unsettled.has(key)
            ? key
            : isShared && next[other] === undefined
              ? other
              : undefined;
        const password = holder && program[holder]?.password;
        return next[key] && password !== undefined ? { [key]: { ...next[key], password } } : {};
    };
    return { ...next, ...keep("orders", "reports"), ...keep("reports", "orders") };
}

/** Runs `pulumi state delete` for reports, and detaches it from the network of the stack. Returns the entry. */
function forget(stack: Stack, { emulator }: World): Pick<Entry, "id" | "urn"> | undefined {
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
 * Removes the `existingId` lines of what another provider manages for the program, as the documentation asks: an alias moves it.
 * Only the classes that read the state detect such an adoption.
 */
function moveByAlias(stack: Stack): void {
    const { engine, existing } = stack;
    const declared = stack.declared();
    const declaredKeys = declared.map(({ key }) => key);
    for (const { key, provider } of declared) {
        const isManaged = (entry: Entry) => declaredKeys.includes(entry.key as Key) && entry.provider !== provider;
        if (engine.entries().some((entry) => isManaged(entry) && lastId(entry.id) === lastId(existing.get(key)))) {
            existing.delete(key);
        }
    }
}

/** Adds an `existingId` line. Returns false if there is no id for it. */
async function adopt(
    { key: given, of, isNamed }: Adoption,
    stack: Stack,
    { operator, ledger, emulator }: World,
): Promise<boolean> {
    const { engine, existing, unnamed, program } = stack;
    const otherOf = (one: Key) => (one === "orders" ? "reports" : one === "reports" ? "orders" : undefined);
    const isReversed = of === "other" && engine.entry(otherOf(given) ?? given) === undefined;
    const key = isReversed ? (otherOf(given) ?? given) : given;
    const other = otherOf(key);
    const ids = {
        // A resource that may have been created is not replaced by its former one.
        itself: () => (engine.notes.inDoubt.has(key) ? undefined : engine.entry(key)?.id),
        // Unsettled resources and their dependencies stay as they are declared.
        other: () => (other && engine.notes.unsettled.size === 0 ? engine.entry(other)?.id : undefined),
        suggested: () => stack.suggestedIds.get(key)?.find((id) => ledger.owns(stack.stack, lastId(id))),
        former: () =>
            (key === "reports" ? stack.former.at(-1) : undefined) ??
            engine.pendingDeletion().find((one) => one.key === key)?.id,
        // A resource that may have been created is not replaced by a manual one.
        manual: () =>
            other && !engine.notes.inDoubt.has(key) && program[key as "orders"]
                ? operator.database(`manual-${key}`)
                : undefined,
    };
    const id = (await ids[of]()) ?? undefined;
    if (id === undefined || !idsIn(emulator).has(lastId(id))) {
        return false;
    }
    existing.set(key, id);
    if (!isNamed && (of === "manual" || of === "other")) {
        unnamed.add(key);
    }
    if (of === "other" && other) {
        // The program renames the resource.
        const { [other]: old, ...rest } = program;
        stack.program = { ...rest, [key]: { ...old, ...program[key] } as ServiceDeclaration };
        existing.delete(other);
    }
    return true;
}
