import type { Key } from "../program";
import type { Provider } from "../provider";
import { deleteEntries } from "./deletions";
import type { Entry, Failure } from "./entry";
import { Notes } from "./notes";
import type { Declared } from "./registration";
import { properties } from "../../support/properties";
import { State } from "./state";
import { Update } from "./update";
import type { UpOptions } from "./update";

/**
 * A model of Pulumi's engine: a state, and the provider calls that result from the state and a program.
 *
 * It follows `pkg/resource/deploy` of version 3.250. A comparison with the real engine is in tests/model/differential.
 * - A resource is found by its URN or by an alias. The calls have the new URN. Only the deletion of a replaced resource has
 *   the old one.
 * - A replacement is created first, unless the provider or the program wants it otherwise. The old resource is deleted at the
 *   end of the run or, after a failure, of a later run, by the provider in the state.
 * - A run with a failure deletes nothing, except with `--continue-on-error`, which only continues after failed operations.
 * - `--replace` and a taint cause a `check` without the old inputs and no `diff`.
 * - A replacement is checked again, without the old inputs.
 * - A refresh also reads resources that are pending deletion, clears the mark of a failed operation and calls `diff`.
 * - Deletions need no program.
 * - A protected entry is not deleted, unless it is pending deletion, and not replaced, unless the program no longer protects it.
 * - A cancelled run begins no further operation, and stores the results of those in progress.
 */
export class Engine {
    readonly notes = new Notes();
    readonly state = new State();
    private declared: readonly Declared[] = [];

    /** What the last program declares for a resource. */
    declaration(key: Key): Declared | undefined {
        return this.declared.find((one) => one.key === key);
    }

    /** The state's live entry of a program's resource. */
    entry(key: Key): Entry | undefined {
        const pending = this.state.pendingDeletion();
        const { urn = "", aliases = [] } = this.declaration(key) ?? {};
        return (
            this.state.find([urn, ...aliases]) ??
            this.state.entries().find((one) => one.key === key && !pending.includes(one))
        );
    }

    /** `pulumi state taint`. Returns the entry. */
    taint(key: Key, tainted = true): Entry | undefined {
        const entry = this.entry(key);
        if (entry) {
            this.state.swap(entry, { ...entry, tainted });
        }
        return entry;
    }

    /** `pulumi state unprotect --all`. */
    unprotect(): void {
        for (const entry of this.state.entries()) {
            this.state.swap(entry, { ...entry, protect: false });
        }
    }

    /** `pulumi state delete`: removes the resource from the state without deleting it. Returns its entry. */
    forget(key: Key): Entry | undefined {
        const entry = this.entry(key);
        if (entry) {
            this.state.drop(entry);
        }
        return entry;
    }

    /** `pulumi import --protect=false`. */
    async import(
        { key, type, urn, provider: name, timeouts }: Declared,
        id: string,
        provider: Provider,
    ): Promise<readonly Failure[]> {
        const calls = provider.calls(type, name);
        const found = await calls.read({ urn, id });
        if (found !== undefined) {
            const { inputs: olds = properties({}), outputs } = found;
            const inputs = await calls.check({ urn, olds, news: olds });
            const isNot = { unfinished: false, tainted: false, deletedFirst: false, protect: false };
            const entry = { key, type, urn, provider: name, id, inputs, outputs, timeouts, ...isNot };
            this.state.put({ ...entry, dependencies: {}, adopted: true });
        }
        return [];
    }

    async up(program: readonly Declared[], provider: Provider, options: UpOptions = {}): Promise<readonly Failure[]> {
        const { target, exclude = [], continueOnError = false } = options;
        this.declared = program;
        const before = this.state.liveEntries();
        const update = new Update(program, this.state, provider, this.notes, options);
        await update.run();
        const { failures, used, failed } = update;
        const isBlocked = failures.length > 0 && (update.stopped || !continueOnError);
        if (!isBlocked && !provider.isDead() && provider.cancelledAt() === undefined) {
            const pending = this.state.pendingDeletion();
            const isOld = (entry: Entry) => before.some(({ urn, id }) => urn === entry.urn && id === entry.id);
            const isLeft = (entry: Entry) => pending.includes(entry) || (isOld(entry) && !used.has(entry.urn));
            const kept = this.withDependencies(exclude);
            const toDelete = this.state
                .entries()
                .filter(
                    (entry) => isLeft(entry) && (target === undefined || target === entry.urn) && !kept.has(entry.urn),
                );
            const after = { continueOnError, failed };
            failures.push(...(await deleteEntries(toDelete, this.state, provider, this.notes, after)));
        }
        // A resource whose step failed keeps its old URN.
        this.state.follow(new Map([...update.aliased].filter(([, urn]) => this.state.get(urn) !== undefined)));
        return failures;
    }

    async refresh(provider: Provider): Promise<readonly Failure[]> {
        const failures: Failure[] = [];
        const entries = this.state.entries();
        const reads = entries.map((entry) => this.read(entry, provider));
        const settled = await provider.whileAlive(Promise.allSettled(reads));
        settled?.forEach((one, index) => {
            const key = entries[index]?.key;
            if (one.status === "rejected" && key !== undefined) {
                failures.push({ key, error: one.reason });
            }
        });
        return failures;
    }

    /** `pulumi destroy`, optionally with `--target`: without a program. */
    destroy(provider: Provider, targets?: readonly string[]): Promise<readonly Failure[]> {
        this.declared = [];
        const entries = this.state.entries().filter(({ urn }) => targets === undefined || targets.includes(urn));
        return deleteEntries(entries, this.state, provider, this.notes);
    }

    private async read(entry: Entry, provider: Provider): Promise<void> {
        const { type, id, urn, provider: name } = entry;
        if (entry.deletedFirst) {
            return;
        }
        const calls = provider.calls(type, name);
        const seen = await calls.read({ urn, id, olds: entry.outputs, inputs: entry.inputs });
        if (provider.isDead()) {
            return;
        }
        if (seen === undefined) {
            this.state.drop(entry);
            return;
        }
        const { outputs, inputs = entry.inputs } = seen;
        await calls.diff({ urn, id, olds: outputs, news: entry.inputs });
        if (!provider.isDead()) {
            this.state.swap(entry, { ...entry, inputs, outputs, unfinished: false });
        }
    }

    /** The excluded URNs, with those that they depend on. */
    private withDependencies(urns: readonly string[]): ReadonlySet<string> {
        const found = new Set<string>();
        const add = (urn: string) => {
            if (!found.has(urn)) {
                found.add(urn);
                Object.values(this.state.get(urn)?.dependencies ?? {}).forEach(add);
            }
        };
        urns.forEach(add);
        return found;
    }
}
