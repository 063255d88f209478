import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, Interceptor, JournalEntry, Snapshot } from "../../../emulator";
import type { OperationId } from "../../../emulator/wire";
import { resourcesIn } from "../../model/ledger";
import { untypedKinds } from "../../support/cases";
import { filesBelow } from "../../support/engine";
import { passwordIn } from "../../support/passwords";
import { isProvider, kill, processesBelow, type RunningProcess } from "../../support/processes";
import type { Ended, Running } from "../../support/project";
import { destroy, nameOf, plainUp, planOf, unprotect, type CrashCase, type PhasePlan } from "./phases";
import { changedPassword, declared, type Declaration, type Existing } from "./program";
import { openSandbox, servicesIn, type Sandbox, type ServiceEntry } from "./sandbox";

const resultOf = (one: CrashCase) => ({
    name: nameOf(one),
    called: false,
    runs: 1,
    /** The messages that asked for a manual step. */
    humanSteps: [] as string[],
    problems: [] as string[],
});
export type CaseResult = ReturnType<typeof resultOf>;

/** More runs than any case needs. Each run can fail at another resource that must be adopted. */
const mostRuns = 6;
/** Longer than the provider takes to detect that its engine has ended, and to exit. */
const providerEndsMs = 15_000;

/** Runs a case, in a copy of the sandbox that its phase starts with, to the checks at its end. */
export async function runCase(one: CrashCase, start: Sandbox): Promise<CaseResult> {
    const sandbox = await openSandbox(start);
    const result = resultOf(one);
    const run = new Case(one, sandbox, result);
    await run.execute().catch((error: unknown) => result.problems.push(String(error)));
    await run.endLeftBehind();
    await sandbox.emulator.close();
    return result;
}

class Case {
    private readonly plan: PhasePlan;
    private readonly existing: Existing = {};
    private output = "";
    /** The number of databases that were deleted: of a killed run, or because they were replaced. */
    private others: number;
    private isUnprotected: boolean;
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
        this.isUnprotected = this.plan.variant?.isUnprotected ?? false;
        this.others = this.plan.replaces ? 1 : 0;
    }

    async execute(): Promise<void> {
        const { plan, sandbox, result } = this;
        if (plan.before !== undefined) {
            await sandbox.pulumi(...plan.before);
        }
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
        result.problems.push(...problemsIn(sandbox.emulator, plan.end, this.others));
        if (result.problems.length === 0 && plan.end !== undefined) {
            await this.check(plan.end);
        }
    }

    /** Our provider must end by itself after a kill. The other processes of the engine are ended. */
    async endLeftBehind(): Promise<void> {
        let left = this.leftBehind;
        for (const deadline = Date.now() + providerEndsMs; left.some(isProvider) && Date.now() < deadline;) {
            await sleep(200);
            const now = await processesBelow(1);
            left = left.filter(({ id, command }) => now.some((one) => one.id === id && one.command === command));
        }
        if (left.some(isProvider)) {
            this.result.problems.push("The provider is still running after its engine was killed");
        }
        kill(left);
    }

    /** Writes the program, by default that of the runs after the disrupted one. */
    private declare(program = this.plan.end ?? this.plan.program): void {
        const { isUnprotected } = this;
        this.sandbox.declare(program, this.existing, { ...this.plan.variant, isUnprotected });
    }

    private async run(...args: string[]): Promise<Ended> {
        return this.watched(() => this.sandbox.start(...args).ended);
    }

    /** Runs the engine, and checks what it deletes. */
    private async watched(running: () => Promise<Ended>): Promise<Ended> {
        const { sandbox, result } = this;
        const before = (this.entries = servicesIn(sandbox) ?? this.entries);
        sandbox.emulator.clearJournal();
        const run = await running();
        this.output += run.output;
        result.problems.push(...deletionProblems(before, sandbox.emulator.journal()));
        return run;
    }

    /** The run with the disruption. The emulator continues without it. */
    private async runWithDisruption(): Promise<Ended> {
        const { one, sandbox, result, plan } = this;
        const { operation, disruption } = one;
        const { emulator } = sandbox;
        let run: Running | undefined;
        if ("fault" in disruption) {
            emulator.addFaults([`${operation}#1:${disruption.fault}`]);
        } else {
            const effect: Interceptor = async (_, carryOut) => {
                if (result.called || run === undefined) {
                    return carryOut();
                }
                result.called = true;
                const engine = { id: run.id };
                this.leftBehind = await processesBelow(engine.id);
                const response = disruption.when === "after" ? await carryOut() : undefined;
                if (disruption.kill === "all") {
                    kill([engine, ...this.leftBehind], "SIGTERM");
                } else {
                    kill(disruption.kill === "engine" ? [engine] : this.leftBehind.filter(isProvider));
                }
                return response ?? { status: 503, headers: {}, body: "" };
            };
            emulator.addFaults([{ operation: operation as OperationId, times: "all", effect }]);
        }
        const ended = await this.watched(() => {
            run = sandbox.start(...plan.command);
            return run.ended;
        });
        result.called ||= emulator.faults().some(({ hits }) => hits > 0);
        emulator.clearFaults();
        return ended;
    }

    /** Recovers as a user does: unlocks the stack, runs again, and follows the messages. */
    private async recover(failed: Ended): Promise<void> {
        const { result, plan } = this;
        const command = plan.end === undefined ? plan.command : plainUp;
        let last = failed;
        while (last.code !== 0) {
            const hasFollowed = plan.end !== undefined && this.adoptsSuggested(last.output);
            this.declare();
            if (result.runs === mostRuns || (result.runs > 1 && !hasFollowed)) {
                result.problems.push(`The stack does not recover:\n${last.output}`);
                return;
            }
            await this.unlock(last);
            result.runs += 1;
            last = await this.run(...command);
        }
    }

    /** Makes the stack usable after a kill. */
    private async unlock({ code }: Pick<Ended, "code">): Promise<void> {
        if (code === undefined) {
            this.sandbox.restoreState();
            await this.sandbox.start("cancel", "--yes").ended;
        }
    }

    /** Follows the steps of the documentation. Checks that they delete each database in the state, in at most two runs. */
    private async deleteAsDocumented(failed: Ended, atOnce: boolean): Promise<void> {
        const { sandbox, result } = this;
        await this.unlock(failed);
        const ids = (servicesIn(sandbox) ?? []).map(({ id }) => id);
        let last = failed;
        if (atOnce) {
            result.runs += 1;
            await sandbox.start(...unprotect).ended;
            last = await this.run(...destroy);
        }
        if (!atOnce || last.code !== 0) {
            this.isUnprotected = true;
            this.declare();
            result.runs += 2;
            const permitted = await this.run(...plainUp);
            if (permitted.code !== 0 && this.adoptsSuggested(permitted.output)) {
                this.declare();
                await this.run(...plainUp);
            }
            last = await this.run(...destroy);
        }
        const left = sandbox.emulator.snapshot().services.filter(({ service_id: id }) => ids.includes(id));
        this.isDestroyed = last.code === 0;
        if (left.length > 0) {
            result.problems.push(`The documented steps do not delete ${ids.join(" and ")}:\n${this.output}`);
        }
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
        const state = JSON.stringify(this.sandbox.resources());
        // Those that need others come first.
        const unmanaged = resourcesIn(emulator).filter(({ id }) => !state.includes(id));
        for (const { id, kind } of unmanaged.reverse()) {
            const report =
                (this.output.includes("warning:") ? lineWith(id, this.output) : undefined) ??
                // If the program no longer declares what an interrupted run has created, only this command finds it.
                (this.plan.deletion && lineWith(id, await this.sandbox.shell(listOrphans)));
            if (report === undefined) {
                this.result.problems.push(`${id} is not in the state, and no warning names it`);
                return;
            }
            this.result.humanSteps.push(report);
            kind.deleteByHand(emulator, id);
            this.others += kind === untypedKinds.Service ? 1 : 0;
        }
    }

    /** Checks that nothing is left to do, and that the secrets work and are encrypted. After several runs, also a destroy. */
    private async check(end: Declaration): Promise<void> {
        const { result, sandbox } = this;
        const { emulator, backend } = sandbox;
        const secrets = [changedPassword];
        const [database] = emulator.snapshot().services;
        // The password of an adopted database is known only if it is declared.
        if (end === "second" || !Object.values(this.existing).includes(database?.service_id ?? "")) {
            const { connectionString, replicaConnectionString, serviceId } = await sandbox.outputs();
            for (const url of [connectionString, replicaConnectionString]) {
                const password = passwordIn("connectionString", url) ?? "";
                secrets.push(password);
                if (!emulator.passwordMatches(String(serviceId), password)) {
                    result.problems.push(`the service rejects the password of ${String(url)}`);
                }
            }
        }
        const changes = await sandbox.start("preview", "--refresh", "--diff", "--expect-no-changes").ended;
        if (changes.code !== 0) {
            result.problems.push(`A preview with a refresh is not empty after a successful run:\n${changes.output}`);
        }
        const texts = [this.output, ...filesBelow(backend)];
        const found = secrets.filter((secret) => texts.some((text) => text.includes(secret)));
        result.problems.push(...found.map((secret) => `${secret} is in plain text in a backend file or in an output`));
        // removeDuplicates has compared the ids with the state, so a destroy after a single run is the same as without a fault.
        if (result.runs > 1) {
            await this.deleteAsDocumented({ code: 0, output: "" }, this.isUnprotected);
            result.problems.push(...problemsIn(emulator, undefined));
        }
    }
}

const listOrphans = "(pulumi stack export | npx --no-install clouddb-orphans -) || true";

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

/**
 * Describes how the existing resources differ from the program. Without a program, nothing may exist. `others` is the
 * number of deleted databases that a killed run had created.
 */
export function problemsIn(emulator: Emulator, program: Declaration | undefined, others = 0): string[] {
    const world = emulator.snapshot();
    if (program === undefined) {
        const left = [...world.vpcs, ...world.peerings, ...world.services];
        return left.map((one) => `destroy did not delete ${JSON.stringify(one)}`);
    }
    const { vpc, peering, service, set } = declared[program];
    const { made, removed } = world.counts.services;
    const found = {
        vpcs: world.vpcs.map(({ name, cidr }) => ({ name, cidr })),
        peerings: world.peerings.map(({ peer_vpc_id, status }) => ({ peer_vpc_id, status })),
        services: world.services.map((one) => ({ ...valuesOf(one, world), status: one.status })),
        sets: world.services.flatMap(({ read_replica_sets: sets = [] }) =>
            sets.map(({ name, status, nodes, cpu_millis, connection_pooler: pooler }) => {
                return { name, status, nodes, cpu_millis, pooler: pooler !== undefined };
            }),
        ),
        databases: [made, removed],
    };
    const services = [{ ...service, status: "READY" }];
    const expected = { vpcs: [vpc], peerings: [peering], services, sets: [set], databases: [1 + others, others] };
    const [are, should] = [JSON.stringify(found), JSON.stringify(expected)];
    return are === should ? [] : [`There are ${are} and should be ${should}`];
}

const valuesOf = (one: Snapshot["services"][number], { vpcs: [network] }: Snapshot) => ({
    name: one.name,
    cpu: one.resources[0]?.spec?.cpu_millis,
    replicas: one.ha_replicas?.replica_count,
    environment: one.metadata?.environment,
    pooler: one.connection_pooler !== undefined,
    attached: one.vpc_endpoint !== undefined && one.vpc_endpoint.vpc_id === network?.id,
});

/** The deletions that the states before the run did not permit. */
function deletionProblems(before: readonly ServiceEntry[], requests: readonly JournalEntry[]): string[] {
    return requests
        .filter(({ operationId }) => operationId === "deleteService")
        .map(({ path }) => /\/services\/(\w+)/.exec(path)?.[1])
        .filter((id) => !before.some((one) => one.id === id && one.deletionProtection === false))
        .map((id) => `The run deletes ${String(id)}, and the state before it was ${JSON.stringify(before)}`);
}
