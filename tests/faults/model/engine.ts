import type { Clock } from "../../../provider/api/clock";
import { verdictOf } from "../../../provider/api/errors";
import type { ResourceType } from "../../../provider/resources";
import { parseTimeout } from "../../../provider/inputs/fields";
import type { Declared, Key } from "./program";
import { asStored, properties, returned } from "./properties";
import type { Properties, Values } from "./properties";
import type { Provider } from "./provider";

/** One resource in the state of a stack. */
export interface Entry {
    readonly key: Key;
    readonly type: ResourceType;
    readonly id: string;
    readonly inputs: Properties;
    readonly outputs: Properties;
    /** The last operation failed after some of its steps. The next run updates the resource even without a diff. */
    readonly unfinished: boolean;
    /** `pulumi state taint`: the next run replaces the resource without a diff. */
    readonly tainted: boolean;
    /** It was adopted with `existingId`, not created. */
    readonly adopted: boolean;
}

/** The resources that failed in a run, with their errors. */
export type Failures = ReadonlyMap<Key, unknown>;

/** Options of `pulumi up`. */
export interface UpOptions {
    /** `--target`: the run does not change other resources. */
    readonly target?: Key | undefined;
    /** `--replace`. */
    readonly replace?: readonly Key[];
}

/** The tolerance for the duration of operations. A longer operation is a violation. */
const graceMs = 5_000;
/** A read has its own limit, independent of the time-outs of the resource. */
const longestReadMs = 300_000;
/** Without faults every operation of the emulator ends within seconds. */
const quietLimitMs = 180_000;

/** What the SDK declares as additional secret outputs. */
const secretOutputs: Readonly<Partial<Record<ResourceType, readonly string[]>>> = {
    Service: ["password", "initialPassword", "connectionString"],
};
const secretInputs: readonly string[] = ["password"];

/**
 * A model of Pulumi's engine: a state, and the provider calls that result from the state and a program.
 *
 * It follows `pkg/resource/deploy` of version 3.250:
 * - A replacement is created first. The old resource is deleted at the end of the run or, after a failure, of a later run.
 * - A run with a failure deletes nothing.
 * - `--replace` and a taint cause a `check` without the old inputs and no `diff`.
 * - A replacement is checked again, without the old inputs.
 * - A refresh also reads resources that are pending deletion, clears the mark of a failed operation and calls `diff`.
 * - Deletions need no program.
 */
export class Engine {
    private state = new Map<Key, Entry>();
    /** Replaced resources that are pending deletion. */
    private pending: Entry[] = [];
    /** The ids that the engine has asked the provider to delete. */
    readonly deletions = new Set<string>();
    /** Resources whose creation has an unknown result that no later run has resolved. */
    readonly inDoubt = new Set<Key>();
    /** Resources whose last operation did not succeed. */
    readonly unsettled = new Set<Key>();
    /**
     * Resources whose forced replacement (`--replace` or a taint) was killed during the creation, and that were not created
     * since. A later run without the replacement compares the old resource and does not search for duplicates. The engine
     * itself warns about the pending operation.
     */
    readonly interruptedReplacements = new Set<Key>();
    /** Operations that took too long. */
    readonly late: string[] = [];
    /** No faults occur, so each operation must be fast. */
    quiet = false;
    private declared: readonly Declared[] = [];

    constructor(private readonly clock: Clock) {}

    entries(): Entry[] {
        return [...this.state.values(), ...this.pending];
    }

    entry(key: Key): Entry | undefined {
        return this.state.get(key);
    }

    pendingDeletion(): readonly Entry[] {
        return this.pending;
    }

    /** The resources that the current run declares. Empty during a destroy. */
    program(): readonly Declared[] {
        return this.declared;
    }

    /** The resource of the current program that has this id in the state. */
    holds(id: string): Key | undefined {
        return this.declared.find(({ key }) => lastId(this.state.get(key)?.id) === id)?.key;
    }

    /** The resource properties that the backend files contain. */
    stored(): string {
        return this.entries()
            .flatMap(({ inputs, outputs }) => [asStored(inputs), asStored(outputs)])
            .join("\n");
    }

    /** `pulumi state taint`. */
    taint(key: Key, tainted = true): void {
        const entry = this.state.get(key);
        if (entry) {
            this.state.set(key, { ...entry, tainted });
        }
    }

    /** `pulumi state delete`: removes the resource from the state without deleting it. */
    forget(key: Key): string | undefined {
        const id = this.state.get(key)?.id;
        this.state.delete(key);
        return id;
    }

    /** `pulumi up`. */
    async up(program: readonly Declared[], provider: Provider, options: UpOptions = {}): Promise<Failures> {
        const { target } = options;
        this.declared = program;
        const failures = new Map<Key, unknown>();
        /** Whether the resource exists after its operation. */
        const done = new Map<Key, Promise<boolean>>();
        for (const declared of program) {
            const needed = Object.values(declared.needs).flatMap((key) => done.get(key) ?? []);
            const work = Promise.all(needed).then(async (exist) => {
                if (!exist.every(Boolean)) {
                    return false;
                }
                if (target !== undefined && target !== declared.key) {
                    return this.state.has(declared.key);
                }
                await this.apply(declared, provider, options);
                return true;
            });
            const noted = work.catch((error: unknown) => {
                failures.set(declared.key, error);
                return false;
            });
            done.set(declared.key, noted);
        }
        await provider.whileAlive(Promise.all(done.values()));
        if (failures.size > 0 || provider.isDead()) {
            return failures;
        }
        const undeclared = [...this.state.values()].filter(({ key }) => !program.some((one) => one.key === key));
        const toDelete = [...this.pending, ...undeclared].filter(({ key }) => target === undefined || target === key);
        return this.remove(toDelete, provider);
    }

    /** `pulumi refresh`. */
    async refresh(provider: Provider): Promise<Failures> {
        const failures = new Map<Key, unknown>();
        const entries = this.entries();
        const reads = entries.map((entry) => this.read(entry, provider));
        const settled = await provider.whileAlive(Promise.allSettled(reads));
        settled?.forEach((one, index) => {
            const key = entries[index]?.key;
            if (one.status === "rejected" && key !== undefined) {
                failures.set(key, one.reason);
            }
        });
        return failures;
    }

    /** `pulumi destroy`: without a program. */
    destroy(provider: Provider): Promise<Failures> {
        this.declared = [];
        return this.remove(this.entries(), provider);
    }

    private async apply(declared: Declared, provider: Provider, { replace = [] }: UpOptions): Promise<void> {
        const { key, type } = declared;
        const entry = this.state.get(key);
        const isReplaced = entry !== undefined && (entry.tainted || replace.includes(key));
        const checked = await this.check(declared, isReplaced ? undefined : entry, provider);
        if (entry === undefined || isReplaced) {
            if (isReplaced) {
                this.interruptedReplacements.add(key);
            }
            await this.create(declared, checked, provider);
            if (!provider.isDead()) {
                this.interruptedReplacements.delete(key);
            }
            return;
        }
        const diff = await provider.host(type).diff(entry.id, entry.outputs.values, checked.values);
        if (provider.isDead()) {
            return;
        }
        if (diff.changes === true && (diff.replaces ?? []).length > 0) {
            if (diff.deleteBeforeReplace) {
                throw new Error(`The model has no deletion before a replacement (${key}).`);
            }
            await this.create(declared, await this.check(declared, undefined, provider), provider);
        } else if (diff.changes === true || entry.unfinished) {
            const work = () => provider.host(type).update(entry.id, entry.outputs.values, checked.values);
            await this.storingResult(declared, checked, provider, "update", async () => ({
                id: entry.id,
                outs: (await work()).outs,
            }));
        } else {
            this.state.set(key, { ...entry, inputs: checked });
        }
    }

    /** The declared inputs, as the provider returns them from `check`. */
    private async check(declared: Declared, old: Entry | undefined, provider: Provider): Promise<Properties> {
        const { type, inputs, needs, urn, timeouts } = declared;
        const ids = Object.entries(needs).map(([input, needed]) => [input, this.state.get(needed)?.id] as const);
        const given = { ...withIds(inputs, ids), __urn: urn, __timeouts: timeouts };
        const news = properties(given, secretInputs);
        const { inputs: checked, failures = [] } = await provider
            .host(type)
            .check(old?.inputs.values ?? {}, news.values);
        if (failures.length > 0) {
            throw new Error(failures.map(({ reason }) => reason).join("\n"));
        }
        return returned(checked as object, news);
    }

    private async create(declared: Declared, checked: Properties, provider: Provider): Promise<void> {
        const { key, type } = declared;
        const wasInDoubt = this.inDoubt.has(key);
        this.inDoubt.add(key);
        try {
            await this.storingResult(declared, checked, provider, "create", () =>
                provider.host(type).create(checked.values),
            );
        } catch (error) {
            const isSettled =
                ![error, (error as Error).cause].some((one) => verdictOf(one) === "missing") &&
                !String(error).includes("existingId:");
            if (!provider.isDead() && !wasInDoubt && isSettled) {
                this.inDoubt.delete(key);
            }
            throw error;
        }
    }

    /** Stores the result of an operation, including a partial failure. */
    private async storingResult(
        { key, type, timeouts, inputs: { existingId } }: Declared,
        checked: Properties,
        provider: Provider,
        operation: "create" | "update",
        work: () => Promise<{ id: string; outs?: unknown }>,
    ): Promise<void> {
        const store = (id: string, outs: object, unfinished: boolean) => {
            if (provider.isDead()) {
                return;
            }
            const old = this.state.get(key);
            this.inDoubt.delete(key);
            if (old && operation === "create") {
                this.pending.unshift(old);
            }
            const outputs = returned(outs, checked, secretOutputs[type]);
            const adopted = operation === "create" ? existingId !== undefined : (old?.adopted ?? false);
            this.state.set(key, { key, type, id, inputs: checked, outputs, unfinished, tainted: false, adopted });
        };
        this.unsettled.add(key);
        try {
            const { id, outs } = await this.timed(
                `${operation} of ${key}`,
                timeOf(timeouts[operation]),
                provider,
                work,
            );
            store(id, outs as object, false);
            if (!provider.isDead()) {
                this.unsettled.delete(key);
            }
        } catch (error) {
            const { id, properties: partial } = error as { id?: string; properties?: object };
            if (id !== undefined && partial !== undefined) {
                store(id, partial, true);
            }
            throw error;
        }
    }

    private async read(entry: Entry, provider: Provider): Promise<void> {
        const { type, id, key } = entry;
        const host = provider.host(type);
        const seen = await this.timed(`read of ${key}`, longestReadMs, provider, () =>
            host.read(id, entry.outputs.values as Record<string, unknown>),
        );
        if (provider.isDead()) {
            return;
        }
        if (seen.id === undefined || seen.id === "") {
            this.drop(entry);
            return;
        }
        const outputs = returned(seen.props ?? {}, entry.outputs, secretOutputs[type]);
        const inputs = seen.inputs === undefined ? entry.inputs : returned(seen.inputs, entry.inputs);
        await host.diff(id, outputs.values, entry.inputs.values);
        if (!provider.isDead()) {
            this.swap(entry, { ...entry, inputs, outputs, unfinished: false });
        }
    }

    /** Deletes each resource before those that it depends on. */
    private async remove(entries: readonly Entry[], provider: Provider): Promise<Failures> {
        const failures = new Map<Key, unknown>();
        const order: readonly ResourceType[] = ["ReadReplicaSet", "Peering", "Service", "Vpc"];
        for (const type of order) {
            const some = entries.filter((entry) => entry.type === type);
            const work = some.map(async (entry) => {
                const { id, key, outputs, inputs } = entry;
                this.deletions.add(lastId(id));
                const { delete: limit } = inputs.values.__timeouts as { delete?: string };
                try {
                    await this.timed(`deletion of ${key}`, timeOf(limit), provider, () =>
                        provider.host(type).delete(id, outputs.values as Record<string, unknown>),
                    );
                    if (!provider.isDead()) {
                        this.drop(entry);
                    }
                } catch (error) {
                    failures.set(key, error);
                }
            });
            await provider.whileAlive(Promise.all(work));
            if (failures.size > 0 || provider.isDead()) {
                break;
            }
        }
        return failures;
    }

    private async timed<T>(what: string, limitMs: number, provider: Provider, work: () => Promise<T>): Promise<T> {
        const beganAt = this.clock.now();
        const most = (this.quiet ? Math.min(limitMs, quietLimitMs) : limitMs) + graceMs;
        try {
            return await work();
        } finally {
            const tookMs = this.clock.now() - beganAt;
            if (!provider.isDead() && tookMs > most) {
                this.late.push(`the ${what} took ${tookMs / 1000} s`);
            }
        }
    }

    private swap(old: Entry, next: Entry): void {
        if (this.state.get(old.key) === old) {
            this.state.set(old.key, next);
        }
        this.pending = this.pending.map((one) => (one === old ? next : one));
    }

    private drop(entry: Entry): void {
        this.pending = this.pending.filter((one) => one !== entry);
        if (this.state.get(entry.key) === entry) {
            this.state.delete(entry.key);
        }
    }
}

/** The id within its parent. */
export const lastId = (id = ""): string => id.split("/").at(-1) ?? "";

const timeOf = (timeout: string | undefined): number => parseTimeout(timeout ?? "") ?? Infinity;

/** Inputs with the ids of other resources. A name such as `fork.serviceId` is a field of another input. */
function withIds(inputs: Values, ids: readonly (readonly [string, string | undefined])[]): Values {
    return ids.reduce<Values>((result, [name, id]) => {
        const [outer = "", inner] = name.split(".");
        const value = inner === undefined ? id : { ...(result[outer] as object), [inner]: id };
        return { ...result, [outer]: value };
    }, inputs);
}
