import { casesOf } from "./cases";
import type { CrashCase } from "./cases";
import { phases, planOf } from "./phases";
import type { Phase, Start } from "./phases";
import { playCase } from "./play";
import type { Played } from "./play";
import { Stage } from "./stage";
import { problemsIn } from "./verdict";

/** The stages that phases start with, and all cases. */
export interface Matrix {
    starts: Readonly<Record<Start, Stage>>;
    cases: CrashCase[];
}

/** Runs the phases once without a fault. Records each call, and keeps the stages that phases start with. */
export async function prepare(): Promise<Matrix> {
    const nothing = await Stage.empty();
    await nothing.close();
    const created = Stage.copyOf(nothing);
    const create = await pass(created, "create");
    const changed = Stage.copyOf(created);
    const passCopy = async (phase: Phase, start: Stage) => {
        const stage = Stage.copyOf(start);
        const calls = await pass(stage, phase);
        stage.remove();
        return calls;
    };
    const [change, refresh, replace] = await Promise.all([
        pass(changed, "change"),
        passCopy("refresh", created),
        passCopy("replace", created),
    ]);
    const calls: Readonly<Record<Phase, typeof create>> = {
        create,
        change,
        refresh,
        replace,
        destroy: await passCopy("destroy", changed),
        target: change.filter(({ path }) => /\/services\/\w+(\/\w+)?$/.test(path)),
        revert: change,
        aliasRename: change,
        stateRename: change,
        componentRename: change,
        parallel: create,
    };
    const cases = (Object.keys(phases) as Phase[]).flatMap((phase, index) => casesOf(phase, calls[phase], index));
    return { starts: { nothing, created, changed }, cases };
}

async function pass(stage: Stage, phase: Phase) {
    const { program, adopts, command, end } = planOf(phase);
    await stage.open();
    stage.declare(program, adopts ? { db: stage.databaseId() } : {});
    await stage.succeed(...command);
    const problems = problemsIn(stage.emulator, end);
    if (problems.length > 0) {
        throw new Error(`Without any fault, ${phase}: ${problems.join("\n")}`);
    }
    const calls = stage.emulator.journal();
    await stage.close();
    return calls;
}

/** Runs the cases, `atATime` of them in parallel. */
export async function playAll(
    cases: readonly CrashCase[],
    { starts }: Matrix,
    options: { atATime: number; onPlayed: (played: Played) => void },
): Promise<Played[]> {
    const queue = [...cases];
    const played: Played[] = [];
    const work = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
            const one = await playCase(next, starts[planOf(next.phase).start]);
            played.push(one);
            options.onPlayed(one);
        }
    };
    await Promise.all(Array.from({ length: options.atATime }, work));
    return played;
}
