import type { EmulatorOptions, Interceptor } from "../../../emulator";
import { secretsProvider } from "../../support/engine";
import { lagOf, nameOf } from "./cases";
import type { CrashCase } from "./cases";
import { plainUp, planOf } from "./phases";
import type { PhasePlan } from "./phases";
import { killProcesses, LeftBehind } from "./processes";
import { changedPassword, otherCidr, otherStackName, renamedDatabase, urnOf } from "./program";
import type { Declaration, Existing } from "./program";
import { Stage } from "./stage";
import type { CommandRun } from "./stage";
import { plainTextProblems, problemsIn, secretProblems } from "./verdict";

/** The result of a case. */
export interface Played {
    name: string;
    /** Whether the call was made. The number of reads can differ between runs. */
    called: boolean;
    runs: number;
    /** The messages that asked for a manual step. */
    humanSteps: string[];
    problems: string[];
}

/** More runs than any case needs. Each run can fail at another resource that must be adopted. */
const mostRuns = 6;
/** Shorter than the time-out of a resource: no run may time out. */
const mostRunMs = 75_000;

/** Runs a case, from the stage that its phase starts with to the checks at its end. */
export async function playCase(one: CrashCase, start: Stage): Promise<Played> {
    const stage = Stage.copyOf(start);
    const leftBehind = new LeftBehind();
    const played: Played = { name: nameOf(one), called: false, runs: 1, humanSteps: [], problems: [] };
    try {
        await new Case(one, stage, played, leftBehind).play();
        if (!(await leftBehind.providersEnd())) {
            played.problems.push("The provider still runs after its engine was killed");
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
    /** The output of all runs. */
    private output = "";
    /** The number of databases that another stack or a killed run created, and that were deleted. */
    private others = 0;
    /** Passwords, which no file and no output may contain. */
    private readonly secrets = new Set<string>([changedPassword]);
    /** Whether the state contained the second program's password after the killed run. */
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
        if (plan.rename === "stateRename") {
            await stage.succeed("state", "rename", urnOf("Service", "db"), renamedDatabase, "--yes");
        }
        if (plan.parallel) {
            await stage.succeed("stack", "init", otherStackName, "--secrets-provider", secretsProvider);
        }
        await stage.close();
        stage.declare(plan.program, this.existing, plan.rename);
        const first = await this.runWithMishap();
        if (this.one.phase === "revert" && "kill" in this.one.mishap) {
            const { output } = await stage.run("stack", "export", "--show-secrets");
            // After an interrupted operation, the state has the new inputs with the password, but no new outputs.
            this.isChangeRecorded = output.includes(`:${changedPassword}@`);
        }
        if (plan.then) {
            stage.declare(plan.then, this.existing, plan.rename);
        }
        if (first.code !== 0 || plan.then) {
            await this.recover(first);
        }
        await this.removeDuplicates();
        await this.check();
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

    /** The run with the mishap. The emulator continues without it. */
    private async runWithMishap(): Promise<CommandRun> {
        const { one, stage, played, plan } = this;
        const { operation, nth, mishap } = one;
        let run = { pid: 0, ended: Promise.resolve<CommandRun>({ code: 0, output: "" }) };
        let calls = 0;
        const killing: Interceptor = async (exchange, carryOut) => {
            if (exchange.operationId !== operation || (calls += 1) !== nth || !("kill" in mishap)) {
                return carryOut();
            }
            played.called = true;
            this.leftBehind.note(run.pid);
            const response = mishap.when === "after" ? await carryOut() : undefined;
            killProcesses(mishap.kill, run.pid);
            return response ?? { status: 503, headers: {}, body: "" };
        };
        const options: EmulatorOptions =
            "fault" in mishap
                ? { faults: [`${operation}#${nth}:${mishap.fault}`] }
                : { faults: lagOf(one), intercept: killing };
        await stage.open(options);
        const beganAt = Date.now();
        run = stage.start(...plan.command);
        const other = plan.parallel ? stage.run(...plainUp, "--stack", otherStackName) : undefined;
        const ended = await run.ended;
        this.note(ended, Date.now() - beganAt);
        if (other) {
            await this.endOther(await other);
        }
        played.called ||= stage.emulator.faults().some(({ hits }) => hits > 0);
        stage.emulator.clearFaults();
        stage.emulator.addFaults(lagOf(one));
        return ended;
    }

    /** Destroys the other stack. The remaining resources belong to this one. */
    private async endOther(run: CommandRun): Promise<void> {
        this.output += run.output;
        const { stage } = this;
        const { made, removed } = stage.emulator.snapshot().counts.services;
        await stage.succeed("destroy", "--yes", "--skip-preview", "--stack", otherStackName);
        const { counts, vpcs } = stage.emulator.snapshot();
        // If the response of a creation was lost, the VPC remains. Only a person can identify its stack.
        for (const { id } of vpcs.filter(({ cidr }) => cidr === otherCidr)) {
            stage.emulator.deleteVpc(id);
        }
        const after = counts.services;
        this.others = after.removed - removed;
        if (made !== after.made) {
            this.played.problems.push("The destroy of the other stack created a database");
        }
    }

    /** Recovers as a user does: unlocks the stack, runs again, and follows the messages. */
    private async recover(failed: CommandRun): Promise<void> {
        const { played, stage, plan } = this;
        const command = plan.again ?? (plan.end === undefined ? plan.command : plainUp);
        let last = failed;
        do {
            if (played.runs === mostRuns) {
                played.problems.push(`The stack does not recover:\n${last.output}`);
                return;
            }
            if (played.runs > 1 && !(await this.followed(last.output))) {
                played.problems.push(`The run without the fault fails:\n${last.output}`);
                return;
            }
            // Without a lock, this has no effect.
            if (last.code === undefined) {
                await stage.run("cancel", "--yes");
            }
            played.runs += 1;
            last = await this.run(...command);
        } while (last.code !== 0);
    }

    /** Does what an error message asks for. Returns false if it asks for nothing. */
    private async followed(output: string): Promise<boolean> {
        const { stage, played, plan } = this;
        const broken = lineWith("failed to load checkpoint", output);
        if (broken !== undefined) {
            const how = "Pulumi's state file; its backup replaces it";
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
            // The peer rejected the peering. After a fix there, the program needs a new peering.
            played.humanSteps.push(peeringFailed);
            await stage.succeed("destroy", "--yes", "--skip-preview", "--target", urnOf("Peering", "peer"));
            return true;
        }
        const suggested = suggestedIds(output);
        for (const { name, id, line } of suggested) {
            Object.assign(this.existing, { [name]: id });
            if (!played.humanSteps.includes(line)) {
                played.humanSteps.push(line);
            }
        }
        stage.declare(plan.then ?? plan.program, this.existing, plan.rename);
        return suggested.length > 0;
    }

    /** Deletes duplicates. A warning must name each of them, so that a person can delete it. */
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

    /** If a creation was interrupted and the program is reverted, only `clouddb-orphans` finds the resource. */
    private async reportOfReverted(id: string): Promise<string | undefined> {
        return this.one.phase === "revert" ? lineWith(id, await this.stage.unmanaged()) : undefined;
    }

    private deleteDatabase(id: string): void {
        this.stage.emulator.deleteService(id);
        this.others += 1;
    }

    /** Checks that the resources are as declared and that the secrets work. After several runs, also checks a destroy. */
    private async check(): Promise<void> {
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
        // removeDuplicates has compared the ids with the state, so a destroy after a single run is the same as without a fault.
        if (played.runs === 1) {
            return;
        }
        const { code, output } = await this.run("destroy", "--yes", "--skip-preview");
        played.problems.push(...(code === 0 ? problemsIn(stage.emulator, undefined) : [`destroy fails:\n${output}`]));
    }

    /**
     * The password of an adopted database is known only if it is declared. It is lost if a killed run has changed it, the
     * state does not contain it, and the program is reverted.
     */
    private knowsPassword(end: Declaration): boolean {
        const { emulator } = this.stage;
        const isLost = !this.isChangeRecorded && emulator.passwordMatches(this.stage.databaseId(), changedPassword);
        const isAdopted = this.played.humanSteps.some((message) => message.includes("Service"));
        return !isLost && (!(isAdopted || this.plan.adopts) || end === "second");
    }
}

/** The `existingId` lines in errors about existing resources, with the name of the resource that failed. */
function suggestedIds(output: string): { name: string; id: string; line: string }[] {
    let name = "";
    return output.split("\n").flatMap((line) => {
        // A renamed database ends in its first name.
        name = /clouddb:(?:index:)?\w+ \((?:\w+-)?(\w+)\)/.exec(line)?.[1] ?? name;
        const id = line.includes("already exists") ? /existingId: "([^"]+)"/.exec(line)?.[1] : undefined;
        return id === undefined ? [] : [{ name, id, line: line.replace(/^.*?error: /, "").trim() }];
    });
}

/** The line of the output that contains this text, as the user sees it. */
const lineWith = (text: string, output: string): string | undefined =>
    output
        .split("\n")
        .find((line) => line.includes(text))
        ?.replace(/^.*?error: /, "")
        .trim();
