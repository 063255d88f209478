import { casesOf } from "./cases";
import type { CrashCase } from "./cases";
import { phasesOfHost, planOf } from "./phases";
import type { Phase, Start } from "./phases";
import { runCase } from "./runCase";
import type { CaseResult } from "./runCase";
import { Sandbox } from "./sandbox";
import { problemsIn } from "./checks";

/** The sandboxes that phases start with, and all cases. */
export interface Matrix {
    starts: Readonly<Record<Start, Sandbox>>;
    cases: CrashCase[];
}

/** Runs the phases once without a fault. Records each call, and keeps the sandboxes that phases start with. */
export async function prepare(): Promise<Matrix> {
    const nothing = await Sandbox.empty();
    await nothing.close();
    const created = Sandbox.copyOf(nothing);
    const create = await pass(created, "create");
    const changed = Sandbox.copyOf(created);
    const passCopy = async (phase: Phase, start: Sandbox) => {
        const sandbox = Sandbox.copyOf(start);
        const calls = await pass(sandbox, phase);
        sandbox.remove();
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
        stackRename: change,
        replaceRenamed: replace,
        taintRenamed: replace,
        excludeRenamed: change.filter(({ path }) => !/\/services\/\w+(\/\w+)?$/.test(path)),
        continueOnError: change,
        parallel: create,
        secondBackend: create,
        stateMove: change,
        successor: create.filter(({ operationId }) => operationId === "createService"),
        // The old entry and the adoption: as for a replacement.
        provider: replace,
        rotation: change,
        unanswered: change,
        unansweredCreation: create,
    };
    const cases = phasesOfHost.flatMap((phase, index) => casesOf(phase, calls[phase], index));
    return { starts: { nothing, created, changed }, cases };
}

async function pass(sandbox: Sandbox, phase: Phase) {
    const { program, adopts, command, end } = planOf(phase);
    await sandbox.open();
    sandbox.declare(program, adopts ? { db: sandbox.databaseId() } : {});
    await sandbox.succeed(...command);
    const problems = problemsIn(sandbox.emulator, end);
    if (problems.length > 0) {
        throw new Error(`Without any fault, ${phase}: ${problems.join("\n")}`);
    }
    const calls = sandbox.emulator.journal();
    await sandbox.close();
    return calls;
}

/** Runs the cases, `atATime` of them in parallel. */
export async function runAll(
    cases: readonly CrashCase[],
    { starts }: Matrix,
    options: { atATime: number; onResult: (result: CaseResult) => void },
): Promise<CaseResult[]> {
    const queue = [...cases];
    const results: CaseResult[] = [];
    const work = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
            const one = await runCase(next, starts[planOf(next.phase).start]);
            results.push(one);
            options.onResult(one);
        }
    };
    await Promise.all(Array.from({ length: options.atATime }, work));
    return results;
}
