import type { EmulatorOptions, Interceptor } from "../../../emulator";
import { nameOf } from "./cases";
import type { CrashCase } from "./cases";
import { kill, LeftBehind, providersOf } from "./processes";
import { peeringUrn } from "./program";
import type { Existing, Phase } from "./program";
import { Stage } from "./stage";
import type { CommandRun } from "./stage";
import { problemsIn, secretProblems } from "./verdict";

/** How a case went. */
export interface Played {
    name: string;
    /** Whether the call came to be at all: a run may need one look less than another. */
    met: boolean;
    runs: number;
    /** What a person had to do, with the message that asked for it. */
    humanSteps: string[];
    problems: string[];
}

/** More runs than any case needs; each may be stopped by another resource that has to be taken over. */
const mostRuns = 6;
const command: Readonly<Record<Phase, string>> = { create: "up", change: "up", destroy: "destroy" };
const changing = (phase: Phase) => [command[phase], "--yes", "--skip-preview"];

/** Plays a case from a stage where all before its phase is done, to the very end, where nothing may be left. */
export async function playCase(one: CrashCase, before: Stage): Promise<Played> {
    const stage = Stage.copyOf(before);
    const leftBehind = new LeftBehind();
    const played: Played = { name: nameOf(one), met: false, runs: 1, humanSteps: [], problems: [] };
    try {
        await stage.open();
        await stage.close();
        stage.declare(one.phase === "destroy" ? "change" : one.phase);
        const first = await withMishap(one, stage, played, leftBehind);
        if (first.code !== 0) await recover(one.phase, stage, first, played);
        await judge(one.phase, stage, played);
        if (!(await leftBehind.providersEnd()))
            played.problems.push("The provider lives on although its engine is gone");
        await stage.close();
        if (played.problems.length === 0) stage.remove();
    } catch (error) {
        played.problems.push(String(error));
        await stage.close();
    } finally {
        await leftBehind.end();
    }
    return played;
}

/** The run in which it happens. The emulator lives on without the mishap. */
async function withMishap(one: CrashCase, stage: Stage, played: Played, leftBehind: LeftBehind): Promise<CommandRun> {
    const { operation, nth, mishap } = one;
    let run = { pid: 0, ended: Promise.resolve<CommandRun>({ code: 0, output: "" }) };
    let calls = 0;
    const killing: Interceptor = async (exchange, carryOut) => {
        if (exchange.operationId !== operation || (calls += 1) !== nth || !("kill" in mishap)) return carryOut();
        played.met = true;
        leftBehind.note(run.pid);
        const answer = mishap.when === "after" ? await carryOut() : undefined;
        if (mishap.kill === "engine") kill(run.pid);
        else providersOf(run.pid).forEach(kill);
        return answer ?? { status: 503, headers: {}, body: "" };
    };
    const options: EmulatorOptions =
        "fault" in mishap ? { faults: [`${operation}#${nth}:${mishap.fault}`] } : { intercept: killing };
    await stage.open(options);
    run = stage.start(...changing(one.phase));
    const ended = await run.ended;
    played.met ||= stage.emulator.faults().some(({ hits }) => hits > 0);
    stage.emulator.clearFaults();
    return ended;
}

/** Does what a user does: unlocks, runs again, takes over what the messages ask for. */
async function recover(phase: Phase, stage: Stage, failed: CommandRun, played: Played): Promise<void> {
    const existing: Existing = {};
    for (let last = failed; last.code !== 0;) {
        if (played.runs === mostRuns) {
            played.problems.push(`It does not recover:\n${last.output}`);
            return;
        }
        if (played.runs > 1 && !(await helped(last.output, phase, stage, existing, played))) {
            played.problems.push(`The run without the fault fails:\n${last.output}`);
            return;
        }
        // Without a lock it does nothing.
        if (last.code === undefined) await stage.run("cancel", "--yes");
        played.runs += 1;
        last = await stage.run(...changing(phase));
    }
}

/** Follows the advice of a message; false where there is none. */
async function helped(
    output: string,
    phase: Phase,
    stage: Stage,
    existing: Existing,
    played: Played,
): Promise<boolean> {
    const broken = lineWith("failed to load checkpoint", output);
    if (broken !== undefined) {
        played.humanSteps.push(`${broken} (Pulumi's own file of the state; its backup beside it is put in its place)`);
        stage.restoreState();
        await stage.run("cancel", "--yes");
        return true;
    }
    if (phase === "destroy") return false;
    const peeringFailed = lineWith("failed (failed)", output);
    if (peeringFailed !== undefined) {
        // Its other side refuses it for good: once that is mended, a new one is asked for.
        played.humanSteps.push(peeringFailed);
        await stage.succeed("destroy", "--yes", "--skip-preview", "--target", peeringUrn);
        return true;
    }
    const twins = [...output.matchAll(/clouddb:\w+ \((\w+)\)[\s\S]*?existingId: "([^"]+)"/g)];
    for (const [, name = "", id = ""] of twins) {
        Object.assign(existing, { [name]: id });
        played.humanSteps.push(lineWith(`existingId: "${id}"`, output) ?? id);
    }
    stage.declare(phase, existing);
    return twins.length > 0;
}

/** The line of a message that holds this, as the user saw it. */
const lineWith = (text: string, output: string): string | undefined =>
    output
        .split("\n")
        .find((line) => line.includes(text))
        ?.replace(/^.*?error: /, "")
        .trim();

/** The world is what is declared, the secrets work, and destroy leaves nothing. */
async function judge(phase: Phase, stage: Stage, played: Played): Promise<void> {
    played.problems.push(...problemsIn(stage.emulator, phase));
    if (played.problems.length > 0 || phase === "destroy") return;
    const outputs = JSON.parse(await stage.succeed("stack", "output", "--json", "--show-secrets")) as Record<
        string,
        unknown
    >;
    const wasTakenOver = played.humanSteps.some((message) => message.includes("Service"));
    // Of one that was taken over only a declared password is known.
    if (!wasTakenOver || phase === "change") played.problems.push(...secretProblems(stage.emulator, outputs));
    const { code, output } = await stage.run("destroy", "--yes", "--skip-preview");
    played.problems.push(...(code === 0 ? problemsIn(stage.emulator, "destroy") : [`destroy fails:\n${output}`]));
}
