import type { JournalEntry } from "../../../emulator";
import { casesOf, type CrashCase } from "./cases";
import { phasesOfHost, planOf, type CallsOf, type PhasePlan, type Start } from "./phases";
import { runCase, type CaseResult } from "./runCase";
import { Sandbox } from "./sandbox";
import { problemsIn } from "./checks";

/** The sandboxes that phases start with, and all cases. */
export interface Matrix {
    starts: Readonly<Record<Start, Sandbox>>;
    cases: CrashCase[];
}

/** Runs some phases once without a fault. Records each call, and keeps the sandboxes that phases start with. */
export async function prepare(): Promise<Matrix> {
    const nothing = await Sandbox.empty();
    await nothing.close();
    const [created, shards] = [Sandbox.copyOf(nothing), Sandbox.copyOf(nothing)];
    const shardsPlan = { ...planOf("create"), variant: { shards: ["DEV", "PROD"] } } as const;
    const [create] = await Promise.all([pass(created, planOf("create")), pass(shards, shardsPlan)]);
    const [changed, unprotected] = [Sandbox.copyOf(created), Sandbox.copyOf(created)];
    const [change, refresh] = await Promise.all([
        pass(changed, planOf("permitByInput")),
        passCopy(created, planOf("refresh")),
        pass(unprotected, planOf("permitOnly")),
    ]);
    const [destroy, replace, rename] = await Promise.all([
        passCopy(changed, planOf("destroy")),
        passCopy(changed, planOf("replace")),
        passCopy(unprotected, planOf("rename")),
    ]);
    const ofDatabase = ({ path }: JournalEntry) => /\/services\/\w+(\/\w+)?$/.test(path);
    const ofOthers = (one: JournalEntry) => !ofDatabase(one);
    const calls: Readonly<Record<CallsOf, readonly JournalEntry[]>> = {
        create,
        change,
        destroy,
        refresh,
        replace,
        rename,
        none: [],
        database: change.filter(ofDatabase),
        others: change.filter(ofOthers),
        removals: destroy.filter(ofOthers),
        reads: refresh.filter(ofDatabase),
        environment: change.filter(({ operationId }) => operationId === "setEnvironment"),
    };
    const cases = phasesOfHost.flatMap((phase, index) =>
        casesOf(phase, calls[planOf(phase).calls ?? (phase as CallsOf)], index),
    );
    return { starts: { nothing, created, shards, unprotected, changed }, cases };
}

/** Runs a phase without a fault. */
async function pass(sandbox: Sandbox, plan: PhasePlan): Promise<JournalEntry[]> {
    const { program, adopts = [], variant, protection, command, replaces } = plan;
    await sandbox.open();
    try {
        await sandbox.protect(protection);
        sandbox.declare(program, sandbox.existing(adopts), variant);
        await sandbox.succeed(...command);
        const end = command[0] === "destroy" ? undefined : program;
        const problems = variant?.shards ? [] : problemsIn(sandbox.emulator, end, replaces ? 1 : 0);
        if (problems.length > 0) {
            throw new Error(`Without any fault, pulumi ${command.join(" ")}: ${problems.join("\n")}`);
        }
        return sandbox.emulator.journal();
    } finally {
        await sandbox.close();
    }
}

async function passCopy(start: Sandbox, plan: PhasePlan): Promise<JournalEntry[]> {
    const sandbox = Sandbox.copyOf(start);
    const calls = await pass(sandbox, plan);
    sandbox.remove();
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
