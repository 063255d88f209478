import { isDeepStrictEqual } from "node:util";
import { applyDrift, deleteByHand } from "./drift";
import type { Failures } from "./engine/engine";
import { lastId } from "./engine/entry";
import type { UpOptions } from "./engine/update";
import { differences } from "./expectations";
import { wrongIds } from "./invariants";
import { idsIn, lastCopiesIn } from "./ledger";
import type { Key, Program, ServiceDeclaration } from "./program";
import { deleteServices } from "./deletion";
import { asksForOldName, detachUnmanaged, isRefusal, recover } from "./recovery";
import { areHarmless, longMs } from "./scenario";
import type { Adoption, Edit, Round, Scenario } from "./scenario";
import type { Stack } from "./stack";
import { moveReports } from "./stateMove";
import { World } from "./world";

/** Figures of a history. */
export interface ScenarioResult {
    /** Runs of the engine. */
    runs: number;
    /** Resources that needed a manual step. */
    helped: number;
    /** What a person wanted to do, and the state or the program made impossible. */
    skipped: readonly string[];
}

/** Runs a scenario. Throws if an invariant is violated, or if the final resources are not as declared. */
export async function runScenario({ setting, rounds, ending, lastFaults }: Scenario): Promise<ScenarioResult> {
    const world = await World.start(setting);
    try {
        const course: Course = { smooth: true, calm: true };
        for (const round of rounds) {
            await runRound(round, world, course);
            if (setting.hasOldState && round === rounds[0]) {
                world.dev.engine.downgrade();
            }
            if (world.ledger.undecidable) {
                return { runs: world.runs, helped: 0, skipped: world.skipped };
            }
        }
        world.clock.skip(longMs);
        if (ending.does === "delete") {
            await deleteServices(world.dev, world, ending.isAlone);
            await deleteServices(world.prod, world, ending.isAlone);
            return { runs: world.runs, helped: 0, skipped: world.skipped };
        }
        const helped = await settle(world.dev, world, ending.keeps);
        const stacks = [world.dev];
        if (world.prod.engine.entries().length > 0 || rounds.some(({ concurrent }) => concurrent !== undefined)) {
            stacks.push(world.prod);
            await settle(world.prod, world, ending.keeps);
        }
        removeDuplicates(world);
        for (const stack of stacks) {
            expectNone(differences(stack, world.emulator));
        }
        for (const stack of stacks) {
            await expectNothingToDo(stack, world);
        }
        expectOnlyIntendedDeletions(world);
        for (const stack of stacks) {
            await destroyAll(stack, world, lastFaults);
        }
        expectNothingLeft(world);
        return { runs: world.runs, helped, skipped: world.skipped };
    } finally {
        await world.emulator.close();
    }
}

/** The progress of a history. */
interface Course {
    /** Only faults occurred that a run must survive. */
    smooth: boolean;
    /** No fault occurred, and no other stack ran. */
    calm: boolean;
}

async function runRound(round: Round, world: World, course: Course): Promise<void> {
    const { dev, prod, emulator, clock, operator } = world;
    const { drifts, refresh, faults, death, cancellation, hasOldToken, concurrent, restartMs } = round;
    for (const drift of drifts) {
        await applyDrift(drift, dev.engine, emulator, operator, world.gone);
    }
    const isMoved = round.moved && concurrent === undefined && moveReports(world);
    declare(dev, round.reverted ? dev.previous : round.edited ? edited(dev, round.edited) : round.program);
    for (const change of round.identities) {
        if (!dev.identities.change(change, dev.engine)) {
            world.skipped.push(change.does);
        }
    }
    if (round.forgotten) {
        forget(dev, world);
    }
    if (round.unprotected) {
        dev.engine.unprotect();
    }
    if (round.defaults !== undefined) {
        dev.defaults = prod.defaults = round.defaults;
    }
    if (round.tainted) {
        (isMoved && round.tainted === "reports" ? prod : dev).engine.taint(round.tainted);
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
    course.calm &&= faults.length === 0 && concurrent === undefined;
    course.smooth &&=
        drifts.length === 0 &&
        [round.tainted, round.adoption, concurrent].every((one) => one === undefined) &&
        round.identities.length === 0 &&
        isPlain(round) &&
        !isMoved &&
        !hasOldToken &&
        !round.forgotten &&
        areHarmless(faults);
    emulator.addFaults([...faults, ...(concurrent?.faults ?? [])]);
    dev.engine.notes.quiet = prod.engine.notes.quiet = course.calm;
    const runs = [
        world.run(
            dev,
            async (engine, provider) => {
                if (refresh) {
                    await engine.refresh(provider);
                }
                if (provider.isDead() || provider.cancelledAt() !== undefined) {
                    return new Map();
                }
                return engine.up(dev.declared(), provider, optionsOf(round, dev));
            },
            { death, cancellation, hasOldToken },
        ),
    ];
    if (concurrent) {
        declare(prod, concurrent.program);
        const start = clock.sleep(concurrent.afterMs);
        runs.push(start.then(() => world.run(prod, (engine, provider) => engine.up(prod.declared(), provider))));
    }
    const ended = await Promise.allSettled(runs);
    for (const one of ended) {
        if (one.status === "rejected") {
            throw one.reason;
        }
    }
    emulator.clearFaults();
    if (isMoved) {
        await world.run(prod, (engine, provider) => engine.up(prod.declared(), provider));
    }
    clock.skip(restartMs);
    const [first] = ended;
    if (first?.status !== "fulfilled") {
        return;
    }
    const { failures, interrupted } = first.value;
    if (failures.size === 0 && !interrupted && round.target === undefined && round.excluded === undefined) {
        expectNone(wrongIds(dev));
    }
    course.smooth &&= !interrupted;
    if (course.smooth) {
        expectNoFailures("a run that must succeed", withoutExpected(failures));
    }
    course.smooth &&= failures.size === 0;
}

/** Whether the run has no options. */
const isPlain = ({ target, replaced, excluded, continueOnError }: Round): boolean =>
    [target, replaced, excluded].every((one) => one === undefined) && !continueOnError;

function optionsOf({ target, replaced, excluded, continueOnError }: Round, stack: Stack): UpOptions {
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
function declare(stack: Stack, next: Program): void {
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

/** Runs `pulumi state delete` for reports, and detaches it from the network of the stack. */
function forget(stack: Stack, { emulator }: World): void {
    const id = stack.engine.forget("reports");
    if (id === undefined) {
        return;
    }
    stack.former.push(id);
    stack.existing.delete("reports");
    // The program declares it until a run finds it again.
    stack.engine.notes.inDoubt.add("reports");
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

/** Adds an `existingId` line. Returns false if there is no id for it. */
async function adopt(
    { key, of, isNamed }: Adoption,
    stack: Stack,
    { operator, ledger, emulator }: World,
): Promise<boolean> {
    const { engine, existing, unnamed, program } = stack;
    const other = key === "orders" ? "reports" : key === "reports" ? "orders" : undefined;
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

/** Runs a stack until its program succeeds. Returns the number of resources that needed a manual step. */
async function settle(stack: Stack, world: World, keeps: boolean): Promise<number> {
    const { engine } = stack;
    engine.notes.quiet = true;
    const up = async () => (await world.run(stack, (it, provider) => it.up(stack.declared(), provider))).failures;
    const refresh = async () => (await world.run(stack, (it, provider) => it.refresh(provider))).failures;
    const destroy = async (target: string) =>
        (await world.run(stack, (it, provider) => it.destroy(provider, [target]))).failures;
    const helped = await recover(stack, { up, refresh, destroy }, world, keeps);
    expectNone(wrongIds(stack));
    stack.existing.clear();
    return helped;
}

/** Deletes resources that a stack created but that are not in its state. A warning or an error must name each of them. */
function removeDuplicates({ dev, prod, emulator, ledger, gone }: World): void {
    for (const stack of [dev, prod]) {
        const known = new Set(stack.engine.entries().map(({ id }) => lastId(id)));
        const alive = idsIn(emulator);
        const copies = lastCopiesIn(emulator);
        const left = ledger
            .createdBy(stack.stack)
            .filter((id) => !copies.has(id))
            .filter((id) => alive.has(id) && !known.has(id) && !stack.former.includes(id));
        expectNone(
            left
                .filter((id) => !stack.warnings.includes(id) && stack.engine.notes.interruptedReplacements.size === 0)
                .map((id) => `${stack.stack} created ${id}, but it is not in its state, and no warning names it`),
        );
        for (const id of [...left, ...stack.former.filter((one) => !known.has(one))]) {
            if (idsIn(emulator).has(id)) {
                deleteByHand(id, emulator);
            }
            gone.add(id);
        }
    }
}

async function expectNothingToDo(stack: Stack, world: World): Promise<void> {
    const { emulator } = world;
    emulator.clearJournal();
    // The `existingId` lines are removed at this point.
    const again = await world.run(stack, (engine, provider) => engine.up(stack.declared(), provider));
    expectNoFailures("the run after recovery", again.failures);
    const calls = emulator.journal().filter(({ method }) => method !== "GET");
    expectNone(calls.map(({ operationId }) => `the run after recovery still sends ${String(operationId)}`));
    const { failures } = await world.run(stack, (engine, provider) => engine.refresh(provider));
    expectNoFailures("a refresh", failures);
}

/** Every deleted database was deleted by its stack or by hand. */
function expectOnlyIntendedDeletions({ dev, prod, ledger, emulator, gone }: World): void {
    const alive = idsIn(emulator);
    const intended = new Set([...dev.engine.notes.deletions, ...prod.engine.notes.deletions, ...gone]);
    const created = (["dev", "prod", "operator"] as const).flatMap((sender) => ledger.createdBy(sender));
    const lost = created.filter((id) => /^[a-z]/.test(id) && !alive.has(id) && !intended.has(id));
    expectNone(lost.map((id) => `${id} was deleted unexpectedly`));
}

async function destroyAll(stack: Stack, world: World, faults: readonly string[]): Promise<void> {
    const { emulator, clock } = world;
    emulator.clearJournal();
    stack.isPermitted = true;
    const permitted = await world.run(stack, (engine, provider) => engine.up(stack.declared(), provider));
    expectNoFailures("the run that permits the deletions", permitted.failures);
    const calls = emulator
        .journal()
        .map(({ method, path }) => `the run that permits the deletions sends ${method} ${path}`);
    expectNone(calls);
    stack.engine.notes.quiet = false;
    emulator.addFaults(faults);
    const destroy = () => world.run(stack, (engine, provider) => engine.destroy(provider));
    const { failures } = await destroy();
    emulator.clearFaults();
    clock.skip(longMs);
    if (failures.size > 0) {
        const { failures: remaining } = await destroy();
        expectNoFailures("the second destroy", detachUnmanaged(remaining, world));
        if (remaining.size > 0) {
            expectNoFailures("the destroy after a service was detached manually", (await destroy()).failures);
        }
    }
    expectNone(stack.engine.entries().map(({ key }) => `destroy did not remove ${key} from the state`));
}

/** After both stacks are destroyed, only resources that belong to no stack exist, and last copies. */
function expectNothingLeft({ emulator, operator, dev, prod, ledger }: World): void {
    const foreign = [...operator.own].filter((id) => !ledger.owns(dev.stack, id) && !ledger.owns(prod.stack, id));
    const copies = lastCopiesIn(emulator);
    const left = [...idsIn(emulator)].filter((id) => !operator.own.has(id) && !copies.has(id));
    const missing = foreign.filter((id) => !idsIn(emulator).has(id));
    expectNone([
        ...left.map((id) => `destroy did not delete ${id}`),
        ...missing.map((id) => `${id} belonged to no stack and was deleted`),
    ]);
}

/** Removes the failures of programs that delete or replace a protected service, or rename one that the API cannot rename. */
const withoutExpected = (failures: Failures): Failures =>
    new Map([...failures].filter(([, error]) => !isRefusal(error) && !asksForOldName(error)));

function expectNoFailures(what: string, failures: Failures): void {
    for (const [key, error] of failures) {
        throw new Error(`${key} failed in ${what}`, { cause: error });
    }
}

function expectNone(problems: readonly string[]): void {
    if (problems.length > 0) {
        throw new Error(problems.join("\n"));
    }
}
