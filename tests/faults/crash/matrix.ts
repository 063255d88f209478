import type { JournalEntry } from "../../../emulator";
import { casesOf, type CrashCase } from "./cases";
import { planOf, type Phase, type PhasePlan, type Start } from "./phases";
import { runCase, type CaseResult } from "./runCase";
import { Sandbox } from "./sandbox";
import { problemsIn } from "./checks";

/** The sandboxes that phases start with, and all cases. */
export interface Matrix {
    starts: Readonly<Record<Start, Sandbox>>;
    cases: CrashCase[];
}

/** Runs the phases of all requests once without a fault. Records each request, and keeps the sandboxes that phases start with. */
export async function prepare(): Promise<Matrix> {
    const nothing = await Sandbox.open();
    await nothing.close();
    const [created, create] = await pass(nothing, planOf("create"));
    const [[changed, change], [unprotected]] = await Promise.all([
        pass(created, { ...planOf("change"), protection: { input: false } }),
        pass(created, planOf("permissionOnly")),
    ]);
    const [, destroy] = await pass(changed, planOf("destroy"));
    const requests: readonly [Phase, JournalEntry[]][] = [
        ["create", create],
        ["change", change],
        ["destroy", destroy],
    ];
    return { starts: { nothing, created, unprotected, changed }, cases: casesOf(new Map(requests)) };
}

/** Runs a phase without a fault in a copy of a sandbox. */
async function pass(start: Sandbox, { program, variant, protection, command }: PhasePlan) {
    const sandbox = await Sandbox.open(start);
    await sandbox.protect(protection);
    sandbox.declare(program, {}, variant);
    await sandbox.succeed(...command);
    const problems = problemsIn(sandbox.emulator, command[0] === "destroy" ? undefined : program);
    if (problems.length > 0) {
        throw new Error(`Without any fault, pulumi ${command.join(" ")}: ${problems.join("\n")}`);
    }
    const journal = sandbox.emulator.journal();
    await sandbox.close();
    return [sandbox, journal] as const;
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
