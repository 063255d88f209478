import type { CrashCase } from "./cases";
import { casesOf } from "./cases";
import { playCase } from "./play";
import type { Played } from "./play";
import type { Phase } from "./program";
import { Stage } from "./stage";
import { problemsIn } from "./verdict";

/** The stage before each phase, and all cases. */
export interface Matrix {
    before: Readonly<Record<Phase, Stage>>;
    cases: CrashCase[];
}

/** Goes through all phases once without a fault: notes each call, and keeps the stage before each phase. */
export async function prepare(): Promise<Matrix> {
    const create = await Stage.empty();
    await create.close();
    const change = Stage.copyOf(create);
    const cases = await pass(change, "create");
    const destroy = Stage.copyOf(change);
    cases.push(...(await pass(destroy, "change")));
    const end = Stage.copyOf(destroy);
    cases.push(...(await pass(end, "destroy")));
    end.remove();
    return { before: { create, change, destroy }, cases };
}

async function pass(stage: Stage, phase: Phase): Promise<CrashCase[]> {
    await stage.open();
    stage.declare(phase === "destroy" ? "change" : phase);
    await stage.succeed(phase === "destroy" ? "destroy" : "up", "--yes", "--skip-preview");
    const problems = problemsIn(stage.emulator, phase);
    if (problems.length > 0) throw new Error(`Without any fault: ${problems.join("\n")}`);
    const cases = casesOf(phase, stage.emulator.journal());
    await stage.close();
    return cases;
}

/** Plays the cases, some at a time, until all are played or the time is up. */
export async function playAll(
    cases: readonly CrashCase[],
    { before }: Matrix,
    options: { atATime: number; timeMs: number; onPlayed: (played: Played) => void },
): Promise<Played[]> {
    const until = Date.now() + options.timeMs;
    const queue = [...cases];
    const played: Played[] = [];
    const work = async () => {
        for (let next = queue.shift(); next && Date.now() < until; next = queue.shift()) {
            const one = await playCase(next, before[next.phase]);
            played.push(one);
            options.onPlayed(one);
        }
    };
    await Promise.all(Array.from({ length: options.atATime }, work));
    return played;
}
