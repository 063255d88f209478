import { deleteByHand, serviceOf } from "./drift";
import type { Failures } from "./engine/engine";
import { lastId } from "./engine/entry";
import { eventsAfter, eventsBefore } from "./events";
import { differences } from "./expectations";
import { wrongIds } from "./invariants";
import { idsIn, lastCopiesIn } from "./ledger";
import { deleteServices } from "./deletion";
import { declare, optionsOf, prepare } from "./preparation";
import { asksForOldName, deleteCopies, detachUnmanaged, isRefusal, recover } from "./recovery";
import { areHarmless, longMs } from "./scenario";
import type { Round, Scenario } from "./scenario";
import type { Stack } from "./stack";
import { World } from "./world";

/** Figures of a history. */
export interface ScenarioResult {
    /** Runs of the engine. */
    runs: number;
    /** Resources that needed a manual step. */
    helped: number;
    /** What a person wanted to do, and the state or the program made impossible. */
    skipped: readonly string[];
    /** What happened. */
    events: ReadonlySet<string>;
}

/** Runs a scenario. Throws if an invariant is violated, or if the final resources are not as declared. */
export async function runScenario({ setting, rounds, ending, lastFaults }: Scenario): Promise<ScenarioResult> {
    const world = await World.start(setting);
    const course: Course = { smooth: true, calm: true, failed: false, events: new Set() };
    const ended = (): ScenarioResult => ({
        runs: world.runs,
        helped: 0,
        skipped: world.skipped,
        events: course.events,
    });
    try {
        for (const round of rounds) {
            await runRound(round, world, course);
            if (setting.hasOldState && round === rounds[0]) {
                world.dev.engine.downgrade();
            }
            if (world.ledger.undecidable || world.dev.isShared()) {
                return ended();
            }
        }
        world.clock.skip(longMs);
        if (ending.does === "delete") {
            await deleteServices(world.dev, world, ending.isAlone);
            await deleteServices(world.prod, world, ending.isAlone);
            return ended();
        }
        const helped = await settle(world.dev, world, ending.keeps);
        if (world.dev.isShared()) {
            return ended();
        }
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
        return { runs: world.runs, helped, skipped: world.skipped, events: course.events };
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
    /** The last run failed or was interrupted. */
    failed: boolean;
    readonly events: Set<string>;
}

async function runRound(round: Round, world: World, course: Course): Promise<void> {
    const { dev, prod, emulator, clock } = world;
    const { drifts, refresh, faults, death, cancellation, hasOldToken, concurrent, restartMs } = round;
    const { isMoved } = await prepare(round, world);
    eventsBefore({ round, stack: dev, afterFailure: course.failed }).forEach((name) => course.events.add(name));
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
    eventsAfter(dev).forEach((name) => course.events.add(name));
    const [first] = ended;
    if (first?.status !== "fulfilled") {
        return;
    }
    const { failures, interrupted } = first.value;
    course.failed = failures.size > 0 || interrupted;
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

/**
 * Deletes resources that a stack created but that are not in its state. A warning or an error must name each of them, or the service
 * that has it.
 */
function removeDuplicates(world: World): void {
    const { dev, prod, emulator, ledger } = world;
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
                .filter((id) => ![id, serviceOf(id, emulator)].some((one) => stack.warnings.includes(one)))
                .filter(() => stack.engine.notes.interruptedReplacements.size === 0)
                .map((id) => `${stack.stack} created ${id}, but it is not in its state, and no warning names it`),
        );
        for (const id of [...left, ...stack.former.filter((one) => !known.has(one))]) {
            deleteByHand(id, world);
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
        deleteCopies(failures, world);
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
