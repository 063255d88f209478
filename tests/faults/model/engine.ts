import { isUncertain } from "../../../provider/api/errors";
import { decode, encode } from "../../../provider/hosts/codec";
import { lifecycles } from "../../../provider/resources";
import type { ResourceType } from "../../../provider/resources";
import type { CommonInputs, Memory } from "../../../provider/resources/contract";
import { PartialFailure } from "../../../provider/resources/errors";
import type { Checked } from "../../../provider/resources/contract";
import type { Lifecycle } from "../../../provider/resources/lifecycle";
import type { Mortal } from "./mortal";
import { urnOf } from "./program";
import type { Declared, Key } from "./program";

type Values = Readonly<Record<string, unknown>>;
type AnyLifecycle = Lifecycle<CommonInputs, object, unknown>;
type State = Memory & object;

/** One resource in the state of a stack. */
export interface Entry {
    readonly key: Key;
    readonly type: ResourceType;
    readonly id: string;
    /** As it is written down. */
    readonly outputs: string;
    /** The last operation on it failed half way: the next run updates it in any case. */
    readonly unfinished: boolean;
}

/** What became of a run: the resources that failed, with their errors. */
export type Failures = ReadonlyMap<Key, unknown>;

const lifecycleOf = (type: ResourceType): AnyLifecycle => lifecycles[type] as unknown as AnyLifecycle;

const stateOf = ({ outputs }: Entry): State => decode(JSON.parse(outputs) as Values) as unknown as State;

/** As much of Pulumi's engine as matters here: a state, and which calls of the provider follow from it and a program. */
export class Engine {
    private state = new Map<Key, Entry>();
    /** Replaced, and not deleted yet. */
    private outdated: Entry[] = [];
    /** The ids of everything whose deletion the program wanted. */
    readonly meantToGo = new Set<string>();
    /** Resources that were being made when the provider died, or whose creation ended without a certain answer, and that no later run has settled. */
    readonly inDoubt = new Set<Key>();

    /** Resources of which the last operation did not succeed. */
    readonly unsettled = new Set<Key>();

    constructor(private readonly projectId: string) {}

    entries(): Entry[] {
        return [...this.state.values(), ...this.outdated];
    }

    entry(key: Key): Entry | undefined {
        return this.state.get(key);
    }

    /** What the program can read of a resource. */
    outputsOf(key: Key): Values {
        const entry = this.state.get(key);
        return entry ? (JSON.parse(entry.outputs) as Values) : {};
    }

    /** Brings everything to what is declared: first what is new or changed, each after what it needs, then what has to go. */
    async up(program: readonly Declared[], provider: Mortal): Promise<Failures> {
        const failures = new Map<Key, unknown>();
        /** Answers whether it is there now. */
        const done = new Map<Key, Promise<boolean>>();
        for (const declared of program) {
            const needed = Object.values(declared.needs).flatMap((key) => done.get(key) ?? []);
            const work = Promise.all(needed).then(async (there) => {
                if (!there.every(Boolean)) return false;
                await this.bring(declared, provider);
                return true;
            });
            const noted = work.catch((error: unknown) => {
                failures.set(declared.key, error);
                return false;
            });
            done.set(declared.key, noted);
        }
        await provider.whileAlive(Promise.all(done.values()));
        if (failures.size > 0 || provider.isDead()) return failures;
        const undeclared = [...this.state.values()].filter(({ key }) => !program.some((one) => one.key === key));
        return this.remove([...this.outdated, ...undeclared], provider);
    }

    /** Looks at what is really there. */
    async refresh(provider: Mortal): Promise<Failures> {
        const failures = new Map<Key, unknown>();
        const looks = [...this.state.values()].map(async (entry) => {
            const lifecycle = lifecycleOf(entry.type);
            const seen = await lifecycle.read(entry.id, stateOf(entry), provider.run());
            if (provider.isDead()) return;
            if (seen === undefined) this.state.delete(entry.key);
            else this.keep({ ...entry, outputs: written(seen.state) });
        });
        const keys = [...this.state.keys()];
        const settled = await provider.whileAlive(Promise.allSettled(looks));
        settled?.forEach((one, index) => {
            const key = keys[index];
            if (one.status === "rejected" && key !== undefined) failures.set(key, one.reason);
        });
        return failures;
    }

    /** Deletes everything. */
    destroy(provider: Mortal): Promise<Failures> {
        return this.remove([...this.outdated, ...this.state.values()], provider);
    }

    private async bring({ key, type, inputs, needs }: Declared, provider: Mortal): Promise<void> {
        const lifecycle = lifecycleOf(type);
        const ids = Object.entries(needs).map(([input, needed]) => [input, this.state.get(needed)?.id]);
        const checked = {
            projectId: this.projectId,
            __urn: urnOf(key, type),
            ...inputs,
            ...(Object.fromEntries(ids) as Values),
        } as Checked<CommonInputs>;
        const entry = this.state.get(key);
        if (!entry) {
            await this.create({ key, type }, checked, provider, undefined);
            return;
        }
        const { plan } = lifecycle.describe(stateOf(entry), checked);
        if (plan.replace.length > 0) {
            const refusal = lifecycle.resource.irreplaceable?.(stateOf(entry), checked, plan.replace);
            if (refusal !== undefined) throw new Error(refusal);
            await this.create(entry, checked, provider, entry);
        } else if (entry.unfinished || plan.steps.length + plan.remember.length > 0) {
            await this.keepingTrack(entry, provider, async () => ({
                id: entry.id,
                state: await lifecycle.update(entry.id, stateOf(entry), checked, provider.run()),
            }));
        }
    }

    private async create(
        { key, type }: Pick<Entry, "key" | "type">,
        checked: Checked<CommonInputs>,
        provider: Mortal,
        replaced: Entry | undefined,
    ): Promise<void> {
        const wasInDoubt = this.inDoubt.has(key);
        this.inDoubt.add(key);
        const run = provider.run(replaced && { replacing: replaced.id });
        try {
            await this.keepingTrack({ key, type }, provider, () => lifecycleOf(type).create(checked, run));
        } catch (error) {
            if (!provider.isDead() && !wasInDoubt && !isUncertain(error)) this.inDoubt.delete(key);
            throw error;
        }
    }

    /** Writes down what came of an operation, also when it failed half way. */
    private async keepingTrack(
        { key, type }: Pick<Entry, "key" | "type">,
        provider: Mortal,
        work: () => Promise<{ id: string; state: object }>,
    ): Promise<void> {
        const write = (id: string, state: object, unfinished: boolean) => {
            if (provider.isDead()) return;
            const old = this.state.get(key);
            this.inDoubt.delete(key);
            if (old && old.id !== id) this.outdated.unshift(old);
            this.keep({ key, type, id, outputs: written(state), unfinished });
        };
        this.unsettled.add(key);
        try {
            const { id, state } = await work();
            write(id, state, false);
            if (!provider.isDead()) this.unsettled.delete(key);
        } catch (error) {
            if (error instanceof PartialFailure) write(error.id, error.state, true);
            throw error;
        }
    }

    /** Deletes from the last to the first: what needs something goes before it. */
    private async remove(entries: readonly Entry[], provider: Mortal): Promise<Failures> {
        const failures = new Map<Key, unknown>();
        const order: readonly ResourceType[] = ["ReadReplicaSet", "Peering", "Service", "Vpc"];
        for (const type of order) {
            const some = entries.filter((entry) => entry.type === type);
            some.forEach(({ id }) => this.meantToGo.add(id));
            const work = some.map(async (entry) => {
                try {
                    await lifecycleOf(type).remove(entry.id, stateOf(entry), provider.run());
                    if (!provider.isDead()) this.forget(entry);
                } catch (error) {
                    failures.set(entry.key, error);
                }
            });
            await provider.whileAlive(Promise.all(work));
            if (failures.size > 0 || provider.isDead()) break;
        }
        return failures;
    }

    private keep(entry: Entry): void {
        this.state.set(entry.key, entry);
    }

    private forget(entry: Entry): void {
        this.outdated = this.outdated.filter(({ id }) => id !== entry.id);
        if (this.state.get(entry.key)?.id === entry.id) this.state.delete(entry.key);
    }
}

/** What goes through the dynamic host and Pulumi's state. */
function written(state: object): string {
    return JSON.stringify(encode(state));
}
