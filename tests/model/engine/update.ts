import type { Key } from "../program";
import { CallError } from "../../../provider/api/callErrors";
import type { Provider } from "../provider";
import type { Result } from "../../support/calls";
import { interruptionOf, ProtectedError } from "./entry";
import type { Entry, Failure } from "./entry";
import type { Notes } from "./notes";
import { properties, type Properties } from "../../support/properties";
import { registeredInputs, unknownValue } from "./registration";
import type { Declared } from "./registration";
import type { State } from "./state";

/** Options of `pulumi up`. */
export interface UpOptions {
    /** `--target`: the run does not change other resources. */
    readonly target?: string | undefined;
    /** `--exclude`: the run does not change these resources. */
    readonly exclude?: readonly string[];
    /** `--replace`. */
    readonly replace?: readonly string[];
    /** `--continue-on-error`. */
    readonly continueOnError?: boolean | undefined;
    /** The program awaits each resource before it declares the next one. */
    readonly sequential?: boolean;
}

/** Whether a resource exists after its registration. Later registrations may need its id. */
type Outcome = "done" | "failed" | "absent";

/** The registrations of one `pulumi up`, without the deletions at its end. */
export class Update {
    readonly failures: Failure[] = [];
    /** Old URNs whose resource has another URN in this program. */
    readonly aliased = new Map<string, string>();
    /** The URNs of the state that must not be deleted at the end, because a registration has used them. */
    readonly used = new Set<string>();
    /** The old entries of resources whose step failed with `continueOnError`. What they depend on stays. */
    readonly failed: Entry[] = [];
    /** An error has ended the run. */
    stopped = false;
    private readonly before: readonly Entry[];
    private readonly declaredUrns = new Set<string>();
    /** Resources that were deleted because one that they depend on is deleted before its replacement. */
    private readonly recreated = new Set<string>();
    private readonly outcomes = new Map<Key, Promise<Outcome>>();
    /** Resources whose creation failed, also that of a replacement, and those that were skipped. */
    private readonly unknownIds = new Set<Key>();

    constructor(
        private readonly program: readonly Declared[],
        private readonly state: State,
        private readonly provider: Provider,
        private readonly notes: Notes,
        private readonly options: UpOptions,
    ) {
        this.before = state.liveEntries();
    }

    /** Registers all resources, each after those that it depends on. */
    async run(): Promise<void> {
        let previous: Promise<unknown> = Promise.resolve();
        for (const declared of this.program) {
            const needed = Object.values(declared.needs).flatMap((key) => this.outcomes.get(key) ?? []);
            const before = this.options.sequential ? [...needed, previous] : needed;
            const outcome = Promise.all(before).then(() => this.register(declared, needed));
            this.outcomes.set(declared.key, outcome);
            previous = outcome;
        }
        await this.provider.whileAlive(Promise.all(this.outcomes.values()));
    }

    private async register(declared: Declared, needed: readonly Promise<Outcome>[]): Promise<Outcome> {
        const { sequential = false, continueOnError = false } = this.options;
        const outcomes = await Promise.all(needed);
        if ((sequential && this.stopped) || this.isCancelled()) {
            return "failed";
        }
        if (outcomes.includes("failed") && !continueOnError) {
            return "failed";
        }
        try {
            const steps = await this.generate(declared);
            if (outcomes.includes("absent") && this.options.target === declared.urn) {
                throw new Error(`${declared.urn} needs a resource that --target does not include.`);
            }
            if (outcomes.includes("failed")) {
                this.unknownIds.add(declared.key);
                return "failed";
            }
            const old = this.old(declared);
            try {
                for (const step of steps) {
                    if (this.isCancelled()) {
                        return "failed";
                    }
                    await step();
                }
            } catch (error) {
                if (!continueOnError) {
                    throw error;
                }
                this.failures.push({ key: declared.key, error });
                this.failed.push(...(old === undefined ? [] : [old]));
                return "failed";
            }
            return this.state.get(declared.urn) === undefined ? "absent" : "done";
        } catch (error) {
            this.failures.push({ key: declared.key, error });
            this.stopped = true;
            return "failed";
        }
    }

    private isCancelled(): boolean {
        return this.provider.cancelledAt() !== undefined;
    }

    private old({ urn, aliases = [] }: Declared): Entry | undefined {
        return this.state.find([urn, ...aliases]);
    }

    /** The entry before the run, which another registration may have used. */
    private original({ urn, aliases = [] }: Declared): Entry | undefined {
        return [urn, ...aliases].flatMap((one) => this.before.find((entry) => entry.urn === one) ?? [])[0];
    }

    private isIncluded({ urn }: Declared): boolean {
        const { target, exclude = [] } = this.options;
        return (target === undefined || target === urn) && !exclude.includes(urn);
    }

    /** The steps of a registration. */
    private async generate(declared: Declared): Promise<(() => Promise<void>)[]> {
        const { urn } = declared;
        const old = this.old(declared);
        const problem = this.claim(declared, old);
        if (!this.isIncluded(declared)) {
            this.assertProviderRegistered(declared, old);
            return [];
        }
        if (problem !== undefined) {
            await this.check(declared, this.original(declared));
            throw new Error(problem);
        }
        if (old !== undefined && this.recreated.has(urn)) {
            const inputs = await this.check(declared);
            return [() => this.create(declared, inputs, old)];
        }
        const isForced = old !== undefined && (old.tainted || this.options.replace?.includes(urn) === true);
        if (old === undefined || isForced) {
            const inputs = await this.check(declared);
            if (old === undefined) {
                return [() => this.create(declared, inputs)];
            }
            assertReplaceable(declared, old);
            return this.replacement(declared, inputs, old, declared.deleteBeforeReplace ?? false);
        }
        const inputs = await this.check(declared, old);
        const diff = await this.callsOf(declared).diff({ urn, id: old.id, olds: old.outputs, news: inputs });
        if (old.deletedFirst || (diff.changes && diff.replaces)) {
            assertReplaceable(declared, old);
            const checked = await this.check(declared);
            const deleteFirst = declared.deleteBeforeReplace ?? diff.deleteBeforeReplace;
            return this.replacement(declared, checked, old, deleteFirst);
        }
        return diff.changes || old.unfinished
            ? [() => this.update(declared, inputs, old)]
            : [() => this.keep(declared, inputs, old)];
    }

    /** A resource that the run leaves out keeps its provider, which the program must still use before it. */
    private assertProviderRegistered({ urn }: Declared, old: Entry | undefined): void {
        const registered = this.program
            .slice(0, this.program.findIndex((one) => one.urn === urn) + 1)
            .map(({ provider }) => provider);
        if (old !== undefined && !registered.includes(old.provider)) {
            throw new Error(`${urn} has the provider ${old.provider}, which the program no longer uses.`);
        }
    }

    /** Records the use of the old entry. Returns an error if another registration of the run has used it. */
    private claim(declared: Declared, old: Entry | undefined): string | undefined {
        const { urn } = declared;
        this.declaredUrns.add(urn);
        const original = this.original(declared)?.urn ?? urn;
        const isDeclared = old !== undefined && old.urn !== urn && this.declaredUrns.has(old.urn);
        if (this.aliased.has(urn) || this.aliased.has(original) || isDeclared) {
            return `Two resources have the URN ${original} as their own or as an alias.`;
        }
        if (old !== undefined) {
            this.used.add(old.urn);
            if (old.urn !== urn) {
                this.aliased.set(old.urn, urn);
            }
        }
        return undefined;
    }

    /** The declared inputs, as the provider returns them from `check`. */
    private async check(declared: Declared, old?: Entry): Promise<Properties> {
        const news = registeredInputs(declared, (key, output) => this.valueOf(key, output));
        this.notes.checked.add(declared.urn);
        return this.callsOf(declared).check({ urn: declared.urn, olds: old?.inputs ?? none, news });
    }

    /** The id, or an output, that the engine passes to a resource that needs it. It omits unknown ones. */
    private valueOf(key: string, output?: string): unknown {
        const needed = this.program.find((one) => one.key === key);
        const entry = needed === undefined || this.unknownIds.has(needed.key) ? undefined : this.old(needed);
        return output === undefined ? entry?.id : entry?.outputs.values[output];
    }

    /** The steps of a replacement. An entry that is already deleted is not deleted again. */
    private async replacement(
        declared: Declared,
        inputs: Properties,
        old: Entry,
        deleteFirst: boolean,
    ): Promise<(() => Promise<void>)[]> {
        const dependents = deleteFirst ? await this.replacedDependents(old) : [];
        const locked = [...dependents].reverse().find(({ protect }) => protect);
        if (locked !== undefined) {
            throw new ProtectedError(locked);
        }
        this.notes.interruptedReplacements.add(declared.key);
        if (!deleteFirst) {
            return [() => this.create(declared, inputs, old)];
        }
        for (const { urn } of dependents) {
            this.recreated.add(urn);
        }
        const deleted = [old, ...dependents].reverse().filter((entry) => !entry.deletedFirst);
        return [
            ...deleted.map((entry) => () => this.deleteFirst(entry)),
            () => this.create(declared, inputs, this.old(declared)),
        ];
    }

    /** The entries that must be replaced because an output of the deleted resource becomes unknown. */
    private async replacedDependents(root: Entry): Promise<Entry[]> {
        const replaced = new Set([root.urn]);
        const found: Entry[] = [];
        for (const entry of this.state.entries()) {
            const { urn, type, provider, id, inputs, outputs, dependencies } = entry;
            const unknown = Object.entries(dependencies).filter(([, needed]) => replaced.has(needed));
            if (unknown.length === 0 || this.used.has(urn)) {
                continue;
            }
            const names = unknown.map(([input]) => [input.split(".")[0] ?? "", unknownValue] as const);
            const news = properties({ ...inputs.values, ...Object.fromEntries(names) }, inputs.secrets);
            const calls = this.provider.calls(type, provider);
            const diff = await calls.diff({ urn, id, olds: outputs, news });
            if (diff.replaces) {
                replaced.add(urn);
                found.push(entry);
            }
        }
        return found;
    }

    private async deleteFirst(entry: Entry): Promise<void> {
        await remove(entry, this.provider, this.notes);
        if (!this.provider.isDead()) {
            this.state.swap(entry, { ...entry, deletedFirst: true });
        }
    }

    private async create(declared: Declared, inputs: Properties, old?: Entry): Promise<void> {
        const { key, urn, timeouts } = declared;
        const { inDoubt, interruptedReplacements } = this.notes;
        const wasInDoubt = inDoubt.has(key);
        inDoubt.add(key);
        this.unknownIds.add(key);
        const work = async () => {
            const result = await this.callsOf(declared).create({ urn, timeouts, news: inputs });
            this.unknownIds.delete(key);
            return result;
        };
        try {
            await this.storing(declared, inputs, "create", old, work);
            if (!this.provider.isDead()) {
                interruptedReplacements.delete(key);
            }
        } catch (error) {
            const { cause } = error as Error;
            const isSettled =
                ![error, cause, (cause as Error | undefined)?.cause].some(
                    (one) => one instanceof CallError && one.failureClass === "noResponse",
                ) && !String(error).includes("existingId:");
            // A cancelled request may have had an effect.
            if (!this.provider.isDead() && !this.isCancelled() && !wasInDoubt && isSettled) {
                inDoubt.delete(key);
            }
            throw error;
        }
    }

    private update(declared: Declared, inputs: Properties, old: Entry): Promise<void> {
        const { urn, timeouts } = declared;
        const { id, outputs: olds } = old;
        return this.storing(declared, inputs, "update", old, () =>
            this.callsOf(declared).update({ urn, id, olds, news: inputs, timeouts }),
        );
    }

    /** An unchanged resource keeps its outputs and stores its inputs. */
    private keep(declared: Declared, inputs: Properties, old: Entry): Promise<void> {
        if (!this.provider.isDead()) {
            this.state.put({ ...old, ...this.entryOf(declared), inputs, declared: declaredSince(declared, old) }, old);
        }
        return Promise.resolve();
    }

    /** Stores the result of an operation, including a partial failure. */
    private async storing(
        declared: Declared,
        inputs: Properties,
        operation: "create" | "update",
        old: Entry | undefined,
        work: () => Promise<Result>,
    ): Promise<void> {
        const { key } = declared;
        const { unsettled, inDoubt } = this.notes;
        const store = ({ id, outputs }: Result, unfinished: boolean) => {
            if (this.provider.isDead()) {
                return;
            }
            inDoubt.delete(key);
            const isKept = operation === "update" || old?.deletedFirst === true;
            if (old !== undefined && !isKept) {
                this.state.replace(old);
            }
            const adopted = operation === "create" ? declared.inputs.existingId !== undefined : (old?.adopted ?? false);
            // A resource whose update failed does not have the new inputs.
            const kept = unfinished && operation === "update" ? (old?.inputs ?? inputs) : inputs;
            const before = operation === "update" ? old : undefined;
            const known = {
                adopted,
                // What a failed run has declared does not count.
                declared: unfinished ? before?.declared : declaredSince(declared, before),
                ...(before?.found && { found: before.found }),
            };
            const entry = { ...this.entryOf(declared), id, inputs: kept, outputs, unfinished, ...known };
            this.state.put(entry, isKept ? old : undefined);
        };
        unsettled.add(key);
        const result = await work();
        store(result, result.error !== undefined);
        if (result.error !== undefined) {
            throw result.error;
        }
        // An update can record deletionProtection alone, and leave the rest to the next one.
        if (!this.provider.isDead() && interruptionOf(result.outputs) === undefined) {
            unsettled.delete(key);
        }
    }

    /** The parts of an entry that come from the program. */
    private entryOf({ key, type, urn, provider, needs, timeouts, knownProtection: protect = false }: Declared) {
        const urnOf = (needed: Key) => this.program.find((one) => one.key === needed)?.urn ?? "";
        const dependencies = Object.fromEntries(Object.entries(needs).map(([input, needed]) => [input, urnOf(needed)]));
        const marks = { unfinished: false, tainted: false, deletedFirst: false };
        return { key, type, urn, provider, dependencies, timeouts, protect, ...marks };
    }

    private callsOf({ type, provider }: Declared) {
        return this.provider.calls(type, provider);
    }
}

/** The inputs that the runs have declared since an entry was created, this one included. */
const declaredSince = ({ inputs, needs }: Declared, old?: Entry): ReadonlySet<string> =>
    new Set([...(old?.declared ?? []), ...Object.keys(inputs), ...Object.keys(needs)]);

/** The program or the state must permit a replacement. */
function assertReplaceable({ knownProtection }: Declared, old: Entry): void {
    if (knownProtection && old.protect) {
        throw new ProtectedError(old);
    }
}

/** Asks the provider of the entry to delete it. */
export async function remove(entry: Entry, provider: Provider, notes: Notes): Promise<void> {
    const { type, urn, provider: name, id, outputs: olds, timeouts } = entry;
    notes.deleting.add(entry);
    try {
        await provider.calls(type, name).delete({ urn, id, olds, timeouts });
    } finally {
        notes.deleting.delete(entry);
    }
}

const none: Properties = properties({});
