import { setTimeout as sleep } from "node:timers/promises";
import { addFaults } from "../../support/effects";
import { passwordIn } from "../../support/passwords";
import { isProvider, kill, processesBelow, type RunningProcess } from "../../support/processes";
import { lagMs, lagOf, nameOf, type CrashCase } from "./cases";
import { destroy, plainUp, planOf, unprotect, type PhasePlan } from "./phases";
import { changedPassword } from "./program";
import type { Declaration, Existing } from "./program";
import type { CommandRun, Running } from "./sandbox";
import { Sandbox } from "./sandbox";
import { deletionProblems, plainTextProblems, problemsIn, secretProblems } from "./checks";
import type { Protection, ServiceEntry } from "./checks";

/** The result of a case. */
export interface CaseResult {
    name: string;
    /** Whether the request was sent. */
    called: boolean;
    runs: number;
    /** The messages that asked for a manual step. */
    humanSteps: string[];
    problems: string[];
}

/** More runs than any case needs. Each run can fail at another resource that must be adopted. */
const mostRuns = 6;
/** Longer than the provider takes to detect that its engine has ended, and to exit. */
const providerEndsMs = 15_000;

/** Runs a case, in a copy of the sandbox that its phase starts with, to the checks at its end. */
export async function runCase(one: CrashCase, start: Sandbox): Promise<CaseResult> {
    const sandbox = await Sandbox.open(start);
    const result: CaseResult = { name: nameOf(one), called: false, runs: 1, humanSteps: [], problems: [] };
    const run = new Case(one, sandbox, result);
    await run.execute().catch((error: unknown) => result.problems.push(String(error)));
    await run.endLeftBehind();
    await sandbox.close();
    return result;
}

/** One case in its sandbox. */
class Case {
    private readonly plan: PhasePlan;
    private readonly existing: Existing = {};
    /** The output of all runs. */
    private output = "";
    /** The number of databases that were deleted: of a killed run, or because they were replaced. */
    private others: number;
    /** Passwords, which no file and no output may contain. */
    private readonly secrets = new Set<string>([changedPassword]);
    private protection: Protection;
    /** Whether the last destroy succeeded. */
    private isDestroyed = true;
    /** The services in the state before the present run. */
    private entries: readonly ServiceEntry[] = [];
    /** The processes of the engine when it was killed, which it can no longer end. */
    private leftBehind: readonly RunningProcess[] = [];

    constructor(
        private readonly one: CrashCase,
        private readonly sandbox: Sandbox,
        private readonly result: CaseResult,
    ) {
        this.plan = planOf(one.phase);
        this.protection = this.plan.protection ?? {};
        this.others = this.plan.replaces ? 1 : 0;
    }

    async execute(): Promise<void> {
        const { plan, sandbox, result } = this;
        if (plan.before !== undefined) {
            await sandbox.succeed(...plan.before);
        }
        await sandbox.protect(this.protection);
        this.declare(plan.program);
        const first = await this.runWithDisruption();
        this.declare();
        if (plan.deletion !== undefined) {
            await this.deleteAsDocumented(first, plan.deletion === "at once");
        } else {
            await this.recover(first);
        }
        await this.removeDuplicates();
        if (!this.isDestroyed) {
            // The duplicates may have prevented it.
            await this.run(...destroy);
        }
        await this.check();
        result.problems.push(...plainTextProblems([this.output, ...sandbox.files()], this.secrets));
    }

    /** Our provider must end by itself after a kill. The other processes of the engine are ended. */
    async endLeftBehind(): Promise<void> {
        const isSame = (one: RunningProcess, { id, command }: RunningProcess) =>
            one.id === id && one.command === command;
        let left = this.leftBehind;
        for (const deadline = Date.now() + providerEndsMs; left.some(isProvider) && Date.now() < deadline;) {
            await sleep(200);
            const now = await processesBelow(1);
            left = left.filter((one) => now.some((other) => isSame(one, other)));
        }
        if (left.some(isProvider)) {
            this.result.problems.push("The provider is still running after its engine was killed");
        }
        kill(left);
    }

    /** Writes the program, by default that of the runs after the disrupted one. */
    private declare(program = this.plan.end ?? this.plan.program): void {
        this.sandbox.declare(program, this.existing, this.plan.variant);
    }

    private async run(...args: string[]): Promise<CommandRun> {
        return this.watched(() => this.sandbox.run(...args));
    }

    /** Runs the engine, and checks what it deletes. */
    private async watched(running: () => Promise<CommandRun>): Promise<CommandRun> {
        const { sandbox, result } = this;
        const before = (this.entries = sandbox.serviceEntries() ?? this.entries);
        sandbox.emulator.clearJournal();
        const run = await running();
        this.output += run.output;
        result.problems.push(...deletionProblems(before, sandbox.emulator.journal()));
        return run;
    }

    /** The run with the disruption. The emulator continues without it. */
    private async runWithDisruption(): Promise<CommandRun> {
        const { one, sandbox, result, plan } = this;
        const { operation, disruption } = one;
        const { emulator } = sandbox;
        let run: Running | undefined;
        let calls = 0;
        if ("fault" in disruption) {
            addFaults(emulator, [`${operation}#1${disruption.lasts ? "+" : ""}:${disruption.fault}`]);
        } else {
            emulator.addFaults(lagOf(one));
            sandbox.hook.intercept = async (exchange, carryOut) => {
                if (exchange.operationId !== operation || (calls += 1) !== 1 || run === undefined) {
                    return carryOut();
                }
                result.called = true;
                const { id } = run;
                this.leftBehind = await processesBelow(id);
                const response = disruption.when === "after" ? await carryOut() : undefined;
                const engine = { id };
                if (disruption.kill === "all") {
                    kill([engine, ...this.leftBehind], "SIGTERM");
                } else {
                    kill(disruption.kill === "engine" ? [engine] : this.leftBehind.filter(isProvider));
                }
                return response ?? { status: 503, headers: {}, body: "" };
            };
        }
        const ended = await this.watched(() => {
            run = sandbox.start(...plan.command);
            return run.ended;
        });
        delete sandbox.hook.intercept;
        result.called ||= emulator.faults().some(({ hits }) => hits > 0);
        emulator.clearFaults();
        // A status that a fault has set lasts for a real time, which the next run may not take.
        emulator.snapshot().replicaSets.forEach(({ id }) => emulator.setReplicaSetStatus(id));
        emulator.addFaults(lagOf(one));
        return ended;
    }

    /** Recovers as a user does: unlocks the stack, runs again, and follows the messages. */
    private async recover(failed: CommandRun): Promise<void> {
        const { result, plan } = this;
        const command = plan.end === undefined ? plan.command : plainUp;
        let last = failed;
        while (last.code !== 0) {
            if (result.runs === mostRuns) {
                result.problems.push(`The stack does not recover:\n${last.output}`);
                return;
            }
            if (result.runs > 1 && !this.followed(last.output)) {
                result.problems.push(`The run without the fault fails:\n${last.output}`);
                return;
            }
            await this.unlock(last);
            result.runs += 1;
            last = await this.run(...command);
        }
    }

    /** Makes the stack usable after a kill. */
    private async unlock({ code }: CommandRun): Promise<void> {
        if (code === undefined) {
            this.sandbox.restoreState();
            await this.sandbox.run("cancel", "--yes");
        }
    }

    /** Follows the steps of the documentation. Checks that they delete each database in the state, in at most two runs. */
    private async deleteAsDocumented(failed: CommandRun, atOnce: boolean): Promise<void> {
        const { sandbox, result } = this;
        await this.unlock(failed);
        const ids = (sandbox.serviceEntries() ?? []).map(({ id }) => id);
        let last = failed;
        if (atOnce) {
            result.runs += 1;
            await sandbox.run(...unprotect);
            last = await this.run(...destroy);
        }
        if (!atOnce || last.code !== 0) {
            const { input } = this.protection;
            this.protection = input === undefined ? { config: false } : { ...this.protection, input: false };
            await sandbox.protect(this.protection);
            this.declare();
            result.runs += 2;
            let permitted = await this.run(...plainUp);
            if (permitted.code !== 0 && this.adoptsSuggested(permitted.output)) {
                this.declare();
                permitted = await this.run(...plainUp);
            }
            last = await this.run(...destroy);
            last.output = `${permitted.output}\n${last.output}`;
        }
        const left = sandbox.emulator.snapshot().services.filter(({ service_id: id }) => ids.includes(id));
        this.isDestroyed = last.code === 0;
        if (left.length > 0) {
            result.problems.push(`The documented steps do not delete ${ids.join(" and ")}:\n${last.output}`);
        }
    }

    /** Does what an error message asks for. Returns false if it asks for nothing. */
    private followed(output: string): boolean {
        const isFollowed = this.plan.end !== undefined && this.adoptsSuggested(output);
        this.declare();
        return isFollowed;
    }

    /** Adds the `existingId` lines that error messages ask for. Returns whether there are any. */
    private adoptsSuggested(output: string): boolean {
        const suggested = suggestedIds(output);
        for (const { name, id, line } of suggested) {
            Object.assign(this.existing, { [name]: id });
            if (!this.result.humanSteps.includes(line)) {
                this.result.humanSteps.push(line);
            }
        }
        return suggested.length > 0;
    }

    /** Deletes duplicates. A warning must name each of them, so that a person can delete it. */
    private async removeDuplicates(): Promise<void> {
        const { emulator } = this.sandbox;
        const { services, peerings, vpcs } = emulator.snapshot();
        const sets = services.flatMap(({ read_replica_sets: some = [] }) => some);
        const deletions: (readonly [string, () => void])[] = [
            ...sets.map(({ id }) => [id, () => emulator.deleteReplicaSet(id)] as const),
            ...peerings.map(({ id }) => [id, () => emulator.deletePeering(id)] as const),
            ...services.map(({ service_id: id }) => [id, () => this.deleteDatabase(id)] as const),
            ...vpcs.map(({ id }) => [id, () => emulator.deleteVpc(id)] as const),
        ];
        for (const [id, remove] of deletions.filter(([one]) => !this.sandbox.stored(one))) {
            const warning = this.output.includes("warning:") ? lineWith(id, this.output) : undefined;
            const report = warning ?? (await this.reportOfUnmanaged(id));
            if (report === undefined) {
                this.result.problems.push(`${id} is not in the state, and no warning names it`);
                return;
            }
            this.result.humanSteps.push(report);
            remove();
        }
    }

    /**
     * If a creation was interrupted, only `clouddb-orphans` finds the resource if the program no longer declares it, or if the
     * next run began before lists showed it.
     */
    private async reportOfUnmanaged(id: string): Promise<string | undefined> {
        const isUnlisted = lagOf(this.one).length > 0;
        if (isUnlisted) {
            await sleep(lagMs);
        }
        return this.plan.deletion !== undefined || isUnlisted
            ? lineWith(id, await this.sandbox.unmanaged())
            : undefined;
    }

    private deleteDatabase(id: string): void {
        this.sandbox.emulator.deleteService(id);
        this.others += 1;
    }

    /** Checks that the resources are as declared and that the secrets work. After several runs, also checks a destroy. */
    private async check(): Promise<void> {
        const { plan, result, sandbox } = this;
        result.problems.push(...problemsIn(sandbox.emulator, plan.end, this.others));
        if (result.problems.length > 0 || plan.end === undefined) {
            return;
        }
        if (this.knowsPassword(plan.end)) {
            const outputs = await sandbox.outputs();
            result.problems.push(...secretProblems(sandbox.emulator, outputs));
            const password = passwordIn("connectionString", outputs.connectionString);
            if (password !== undefined) {
                this.secrets.add(password);
            }
        }
        const changes = await sandbox.run("preview", "--refresh", "--diff", "--expect-no-changes");
        if (changes.code !== 0) {
            result.problems.push(`A preview with a refresh is not empty after a successful run:\n${changes.output}`);
        }
        // removeDuplicates has compared the ids with the state, so a destroy after a single run is the same as without a fault.
        if (result.runs === 1) {
            return;
        }
        const { input, config = true } = this.protection;
        await this.deleteAsDocumented({ code: 0, output: "" }, !(input ?? config));
        result.problems.push(...problemsIn(sandbox.emulator, undefined));
    }

    /** The password of an adopted database is known only if it is declared. */
    private knowsPassword(end: Declaration): boolean {
        const [database] = this.sandbox.emulator.snapshot().services;
        return end === "second" || !Object.values(this.existing).includes(database?.service_id ?? "");
    }
}

/** The `existingId` lines in errors about existing resources, with the name of the resource. */
function suggestedIds(output: string): { name: string; id: string; line: string }[] {
    let name = "";
    return output.split("\n").flatMap((line) => {
        // The name of a renamed database ends in its first name.
        name = /"(?:\w+-)?(\w+)" already exists/.exec(line)?.[1] ?? name;
        const [, id] =
            /Left by an interrupted run, or removed from the state: .*existingId: "([^"]+)"/.exec(line) ?? [];
        return id === undefined ? [] : [{ name, id, line: line.trim() }];
    });
}

/** The line of the output that contains this text, as the user sees it. */
const lineWith = (text: string, output: string): string | undefined =>
    output
        .split("\n")
        .find((line) => line.includes(text))
        ?.replace(/^.*?error: /, "")
        .trim();
