import { startEmulator } from "../../../emulator";
import type { Emulator } from "../../../emulator";
import { TwinError } from "../../../provider/resources/errors";
import { AutoClock } from "../../support/autoClock";
import { applyDrift } from "./drift";
import { Engine } from "./engine";
import type { Failures } from "./engine";
import { differences } from "./expectations";
import { mortalProvider } from "./mortal";
import type { Mortal } from "./mortal";
import { resourcesOf } from "./program";
import type { Declared, Key, Program } from "./program";
import type { Scenario } from "./scenario";

/** Longer than any fault that passes. */
const longMs = 24 * 3_600_000;

/** Nobody is back so soon that what was made just before a kill is not to be seen yet. */
const restartMs = 10_000;

/** What a scenario needed beyond a second run. */
export interface Played {
    /** Resources that a person had to give an `existingId`. */
    takenOver: number;
}

/** Plays a scenario; throws where the end is not what it must be. */
export async function play({ rounds, lastFaults }: Scenario): Promise<Played> {
    const clock = new AutoClock();
    const emulator = await startEmulator({ clock, seed: 1 });
    try {
        const engine = new Engine(emulator.projectId);
        const gone = new Set<string>();
        const start = (death?: (typeof rounds)[number]["death"]) => mortalProvider(emulator, clock, death);
        let program: Program = {};
        const generations = new Map<string, number>();
        for (const { drifts, refresh, program: next, faults, death } of rounds) {
            program = keepingDoubtful(program, notGoingBack(next, generations), engine);
            for (const drift of drifts) applyDrift(drift, engine, emulator, gone);
            emulator.addFaults(faults);
            const provider = start(death);
            if (refresh) await engine.refresh(provider);
            if (!provider.isDead()) await engine.up(resourcesOf(program), provider);
            emulator.clearFaults();
            clock.advance(restartMs);
        }
        clock.advance(longMs);
        const last = resourcesOf(program);
        const takenOver = await recover(last, engine, start);
        expectNone(differences(last, takenOver, engine, emulator));
        await expectNothingToDo(last, takenOver, engine, emulator, start());
        expectOnlyMeantDeletions(engine, emulator, gone);
        await destroyAll(engine, emulator, lastFaults, start, clock);
        return { takenOver: takenOver.size };
    } finally {
        await emulator.close();
    }
}

/** What nobody knows whether it was made stays declared until a run has settled that; where it does not, clouddb-orphans finds it. */
function keepingDoubtful(before: Program, next: Program, engine: Engine): Program {
    const doubtful = resourcesOf(before)
        .filter(({ key }) => engine.inDoubt.has(key))
        .flatMap(({ key, needs }) => [key, ...Object.values(needs)]);
    const kept = Object.entries(before).filter(([key]) => doubtful.some((one) => one === key));
    return withPasswords(before, { ...next, ...(Object.fromEntries(kept) as Program) }, engine);
}

/** A new password that may be in force already stays declared until a run has settled that: nobody else knows it. */
function withPasswords(before: Program, next: Program, { unsettled }: Engine): Program {
    const keep = (key: "orders" | "reports"): Program => {
        const password = unsettled.has(key) ? before[key]?.password : undefined;
        return next[key] && password !== undefined ? { [key]: { ...next[key], password } } : {};
    };
    return { ...next, ...keep("orders"), ...keep("reports") };
}

/** What replaced something is not replaced by that again, which may be there still and wait for its deletion. */
function notGoingBack(next: Program, highest: Map<string, number>): Program {
    const entries = Object.entries(next).map(([key, value]: [string, object]) => {
        if (!("generation" in value)) return [key, value];
        const generation = Math.max(highest.get(key) ?? 0, Number(value.generation));
        highest.set(key, generation);
        return [key, { ...value, generation }];
    });
    return Object.fromEntries(entries) as Program;
}

/** Runs the program without faults as a user would, with what its errors ask for, until it succeeds. */
async function recover(program: readonly Declared[], engine: Engine, start: () => Mortal): Promise<Map<Key, string>> {
    const takenOver = new Map<Key, string>();
    expectNoFailures("refresh", await engine.refresh(start()));
    // A run stops at the first failure, so each resource may need one of its own.
    for (let left = program.length; ; left--) {
        const failures = await engine.up(withExistingIds(program, takenOver), start());
        if (failures.size === 0) return takenOver;
        for (const [key, error] of failures) {
            const isDocumented = error instanceof TwinError && engine.inDoubt.has(key) && !takenOver.has(key);
            if (left === 0 || !isDocumented) throw new Error(`${key} does not recover`, { cause: error });
            takenOver.set(key, error.existingId);
        }
    }
}

const withExistingIds = (program: readonly Declared[], existing: ReadonlyMap<Key, string>): Declared[] =>
    program.map((one) => {
        const existingId = existing.get(one.key);
        return existingId === undefined ? one : { ...one, inputs: { ...one.inputs, existingId } };
    });

async function expectNothingToDo(
    program: readonly Declared[],
    takenOver: ReadonlyMap<Key, string>,
    engine: Engine,
    emulator: Emulator,
    provider: Mortal,
): Promise<void> {
    emulator.clearJournal();
    // The line that took something over may go once it has.
    expectNoFailures("the run after", await engine.up(program, provider));
    const calls = emulator.journal().filter(({ method }) => method !== "GET");
    expectNone(calls.map(({ operationId }) => `the run after still sends ${String(operationId)}`));
    if (takenOver.size === 0) expectNoFailures("a refresh", await engine.refresh(provider));
}

function expectOnlyMeantDeletions(engine: Engine, emulator: Emulator, gone: ReadonlySet<string>): void {
    const meant = [...engine.meantToGo, ...gone];
    const { services } = emulator.snapshot().counts;
    const unmeant = services.removed - meant.filter((id) => /^[a-z][a-z0-9]{9}$/.test(id)).length;
    expectNone(unmeant > 0 ? [`${unmeant} services were deleted that nobody wanted to be deleted`] : []);
}

async function destroyAll(
    engine: Engine,
    emulator: Emulator,
    faults: readonly string[],
    start: () => Mortal,
    clock: AutoClock,
): Promise<void> {
    emulator.addFaults(faults);
    const failures = await engine.destroy(start());
    emulator.clearFaults();
    clock.advance(longMs);
    if (failures.size > 0) expectNoFailures("the second destroy", await engine.destroy(start()));
    const { vpcs, peerings, services } = emulator.snapshot();
    expectNone([...vpcs, ...peerings, ...services].map((left) => `destroy leaves ${JSON.stringify(left)}`));
    expectNone(engine.entries().map(({ key }) => `destroy leaves ${key} in the state`));
}

function expectNoFailures(what: string, failures: Failures): void {
    for (const [key, error] of failures) throw new Error(`${key} fails in ${what}`, { cause: error });
}

function expectNone(problems: readonly string[]): void {
    if (problems.length > 0) throw new Error(problems.join("\n"));
}
