import type { EmulatorOptions, Interceptor } from "../../../emulator";
import { secretsProvider } from "../../support/engine";
import { lagOf, nameOf } from "./cases";
import type { CrashCase } from "./cases";
import { plainUp, planOf } from "./phases";
import type { PhasePlan } from "./phases";
import { kill, LeftBehind, providersOf } from "./processes";
import { changedPassword, otherCidr, otherStackName, urnOf } from "./program";
import type { Declaration, Existing } from "./program";
import { Stage } from "./stage";
import type { CommandRun } from "./stage";
import { plainTextProblems, problemsIn, secretProblems } from "./verdict";

/** How a case went. */
export interface Played {
    name: string;
    /** Whether the call was made at all: a run may need one read less than another. */
    met: boolean;
    runs: number;
    /** What a person had to do, with the message that asked for it. */
    humanSteps: string[];
    problems: string[];
}

/** More runs than any case needs; each may be stopped by another resource that has to be adopted. */
const mostRuns = 6;
/** A run waits for no time-out of a resource. */
const mostRunMs = 75_000;

/** Plays a case from the stage that its phase begins with to the end, where nothing may be left. */
export async function playCase(one: CrashCase, start: Stage): Promise<Played> {
    const stage = Stage.copyOf(start);
    const leftBehind = new LeftBehind();
    const played: Played = { name: nameOf(one), met: false, runs: 1, humanSteps: [], problems: [] };
    try {
        await new Case(one, stage, played, leftBehind).play();
        if (!(await leftBehind.providersEnd())) {
            played.problems.push("The provider lives on, and its engine is gone");
        }
        await stage.close();
        if (played.problems.length === 0) {
            stage.remove();
        }
    } catch (error) {
        played.problems.push(String(error));
        await stage.close();
    } finally {
        await leftBehind.end();
    }
    return played;
}

/** One case on its stage. */
class Case {
    private readonly plan: PhasePlan;
    private readonly existing: Existing = {};
    /** All that the runs have printed. */
    private output = "";
    /** Databases that another stack or a killed run created, and that are deleted. */
    private others = 0;
    /** Passwords, which no file and no output may show. */
    private readonly secrets = new Set<string>([changedPassword]);
    /** The state had the second program's password after the run that was killed. */
    private isChangeRecorded = true;

    constructor(
        private readonly one: CrashCase,
        private readonly stage: Stage,
        private readonly played: Played,
        private readonly leftBehind: LeftBehind,
    ) {
        this.plan = planOf(one.phase);
    }

    async play(): Promise<void> {
        const { plan, stage, played } = this;
        await stage.open();
        if (plan.adopts) {
            Object.assign(this.existing, { db: stage.databaseId() });
        }
        if (plan.beside) {
            await stage.succeed("stack", "init", otherStackName, "--secrets-provider", secretsProvider);
        }
        await stage.close();
        stage.declare(plan.program, this.existing);
        const first = await this.runWithMishap();
        if (this.one.phase === "revert" && "kill" in this.one.mishap) {
            const { output } = await stage.run("stack", "export", "--show-secrets");
            // Of an interrupted operation the state has the inputs, with the password, and no new outputs.
            this.isChangeRecorded = output.includes(`:${changedPassword}@`);
        }
        if (plan.then) {
            stage.declare(plan.then, this.existing);
        }
        if (first.code !== 0 || plan.then) {
            await this.recover(first);
        }
        await this.removeDuplicates();
        await this.judge();
        played.problems.push(...plainTextProblems([this.output, ...stage.files()], this.secrets));
    }

    private async run(...args: string[]): Promise<CommandRun> {
        const beganAt = Date.now();
        const run = await this.stage.run(...args);
        this.note(run, Date.now() - beganAt);
        return run;
    }

    private note({ output }: CommandRun, tookMs: number): void {
        this.output += output;
        if (tookMs > mostRunMs) {
            this.played.problems.push(`A run took ${tookMs / 1000} s`);
        }
    }

    /** The run in which it happens. The emulator lives on without the mishap. */
    private async runWithMishap(): Promise<CommandRun> {
        const { one, stage, played, plan } = this;
        const { operation, nth, mishap } = one;
        let run = { pid: 0, ended: Promise.resolve<CommandRun>({ code: 0, output: "" }) };
        let calls = 0;
        const killing: Interceptor = async (exchange, carryOut) => {
            if (exchange.operationId !== operation || (calls += 1) !== nth || !("kill" in mishap)) {
                return carryOut();
            }
            played.met = true;
            this.leftBehind.note(run.pid);
            const answer = mishap.when === "after" ? await carryOut() : undefined;
            if (mishap.kill === "engine") {
                kill(run.pid);
            } else {
                providersOf(run.pid).forEach(kill);
            }
            return answer ?? { status: 503, headers: {}, body: "" };
        };
        const options: EmulatorOptions =
            "fault" in mishap
                ? { faults: [`${operation}#${nth}:${mishap.fault}`] }
                : { faults: lagOf(one), intercept: killing };
        await stage.open(options);
        const beganAt = Date.now();
        run = stage.start(...plan.command);
        const other = plan.beside ? stage.run(...plainUp, "--stack", otherStackName) : undefined;
        const ended = await run.ended;
        this.note(ended, Date.now() - beganAt);
        if (other) {
            await this.endOther(await other);
        }
        played.met ||= stage.emulator.faults().some(({ hits }) => hits > 0);
        stage.emulator.clearFaults();
        stage.emulator.addFaults(lagOf(one));
        return ended;
    }

    /** The other stack deletes what it has: whatever is left belongs to this one. */
    private async endOther(run: CommandRun): Promise<void> {
        this.output += run.output;
        const { stage } = this;
        const { made, removed } = stage.emulator.snapshot().counts.services;
        await stage.succeed("destroy", "--yes", "--skip-preview", "--stack", otherStackName);
        const { counts, vpcs } = stage.emulator.snapshot();
        // A creation whose response was lost leaves a VPC that only a person can tell from one of another stack.
        for (const { id } of vpcs.filter(({ cidr }) => cidr === otherCidr)) {
            stage.emulator.deleteVpc(id);
        }
        const after = counts.services;
        this.others = after.removed - removed;
        if (made !== after.made) {
            this.played.problems.push("The destroy of the other stack creates a database");
        }
    }

    /** Does what a user does: unlocks, runs again, and follows the messages. */
    private async recover(failed: CommandRun): Promise<void> {
        const { played, stage, plan } = this;
        const command = plan.again ?? (plan.end === undefined ? plan.command : plainUp);
        let last = failed;
        do {
            if (played.runs === mostRuns) {
                played.problems.push(`It does not recover:\n${last.output}`);
                return;
            }
            if (played.runs > 1 && !(await this.helped(last.output))) {
                played.problems.push(`The run without the fault fails:\n${last.output}`);
                return;
            }
            // Without a lock it does nothing.
            if (last.code === undefined) {
                await stage.run("cancel", "--yes");
            }
            played.runs += 1;
            last = await this.run(...command);
        } while (last.code !== 0);
    }

    /** Follows the advice of a message; false where there is none. */
    private async helped(output: string): Promise<boolean> {
        const { stage, played, plan } = this;
        const broken = lineWith("failed to load checkpoint", output);
        if (broken !== undefined) {
            const how = "Pulumi's own file of the state; its backup beside it takes its place";
            played.humanSteps.push(`${broken} (${how})`);
            stage.restoreState();
            await stage.run("cancel", "--yes");
            return true;
        }
        if (plan.end === undefined) {
            return false;
        }
        const peeringFailed = lineWith("failed (failed)", output);
        if (peeringFailed !== undefined) {
            // Its other side refuses it for good: once that is mended, the program needs a new one.
            played.humanSteps.push(peeringFailed);
            await stage.succeed("destroy", "--yes", "--skip-preview", "--target", urnOf("Peering", "peer"));
            return true;
        }
        const advised = advisedIds(output);
        for (const { name, id, line } of advised) {
            Object.assign(this.existing, { [name]: id });
            if (!played.humanSteps.includes(line)) {
                played.humanSteps.push(line);
            }
        }
        stage.declare(this.plan.then ?? this.plan.program, this.existing);
        return advised.length > 0;
    }

    /** A second resource of the same name must be named in a warning, so that a person can delete it. */
    private async removeDuplicates(): Promise<void> {
        const { emulator } = this.stage;
        const { services, peerings } = emulator.snapshot();
        const sets = services.flatMap(({ read_replica_sets: some = [] }) => some);
        const deletions = [
            ...sets.map(({ id }) => [id, () => emulator.deleteReplicaSet(id)] as const),
            ...peerings.map(({ id }) => [id, () => emulator.deletePeering(id)] as const),
            ...services.map(({ service_id: id }) => [id, () => this.deleteDatabase(id)] as const),
        ];
        for (const [id, remove] of deletions.filter(([one]) => !this.stage.stored(one))) {
            const warning = this.output.includes("warning:") ? lineWith(id, this.output) : undefined;
            const report = warning ?? (await this.reportOfReverted(id));
            if (report === undefined) {
                this.played.problems.push(`${id} is not in the state, and no warning names it`);
                return;
            }
            this.played.humanSteps.push(report);
            remove();
        }
    }

    /** A creation that was interrupted and that the program no longer declares is known to `clouddb-orphans` alone. */
    private async reportOfReverted(id: string): Promise<string | undefined> {
        return this.one.phase === "revert" ? lineWith(id, await this.stage.unmanaged()) : undefined;
    }

    private deleteDatabase(id: string): void {
        this.stage.emulator.deleteService(id);
        this.others += 1;
    }

    /** The world is what is declared, the secrets work, and after more than one run a destroy leaves nothing. */
    private async judge(): Promise<void> {
        const { plan, played, stage } = this;
        played.problems.push(...problemsIn(stage.emulator, plan.end, this.others));
        if (played.problems.length > 0 || plan.end === undefined) {
            return;
        }
        if (this.knowsPassword(plan.end)) {
            const text = await stage.succeed("stack", "output", "--json", "--show-secrets");
            const outputs = JSON.parse(text) as Record<string, unknown>;
            played.problems.push(...secretProblems(stage.emulator, outputs));
            const [, password] = /:([^:@]+)@/.exec(String(outputs.connectionString)) ?? [];
            if (password !== undefined) {
                this.secrets.add(decodeURIComponent(password));
            }
        }
        // The ids in the state are those of the API (removeDuplicates): a single run that succeeds ends as it does without a fault.
        if (played.runs === 1) {
            return;
        }
        const { code, output } = await this.run("destroy", "--yes", "--skip-preview");
        played.problems.push(...(code === 0 ? problemsIn(stage.emulator, undefined) : [`destroy fails:\n${output}`]));
    }

    /**
     * Of an adopted database only a declared password is known. Nobody can know that a killed run has changed a password,
     * possibly after the engine ended, when the state does not have it and the program is reverted.
     */
    private knowsPassword(end: Declaration): boolean {
        const { emulator } = this.stage;
        const isLost = !this.isChangeRecorded && emulator.passwordMatches(this.stage.databaseId(), changedPassword);
        const isAdopted = this.played.humanSteps.some((message) => message.includes("Service"));
        return !isLost && (!(isAdopted || this.plan.adopts) || end === "second");
    }
}

/** The `existingId` lines that errors about existing resources name, by the resource that has the error. */
function advisedIds(output: string): { name: string; id: string; line: string }[] {
    let name = "";
    return output.split("\n").flatMap((line) => {
        name = /clouddb:(?:index:)?\w+ \((\w+)\)/.exec(line)?.[1] ?? name;
        const id = line.includes("already exists") ? /existingId: "([^"]+)"/.exec(line)?.[1] : undefined;
        return id === undefined ? [] : [{ name, id, line: line.replace(/^.*?error: /, "").trim() }];
    });
}

/** The line of a message that holds this, as the user saw it. */
const lineWith = (text: string, output: string): string | undefined =>
    output
        .split("\n")
        .find((line) => line.includes(text))
        ?.replace(/^.*?error: /, "")
        .trim();
