import { isConflict, isUncertain } from "../api/errors";
import { WaitGoneError } from "../wait/errors";
import { pending } from "../wait/outcome";
import type { Checked, CommonInputs, HiddenInputs, Memory, Path, Plan, Resource } from "./contract";
import { AdoptionError, PartialFailure, ProtectedError } from "./errors";
import { entriesOf, show, valueOf } from "./fields";
import { firstMemory, nextMemory, withName } from "./memory";
import type { Run } from "./run";
import { about, type Activity } from "./activity";
import { inTurn, insist, mayPass } from "./send";
import { look, lookPatiently, observeUntil, runSteps, until, untilGone, type Target } from "./steps";
import { Twins } from "./twins";
import type { Planned } from "./unknown";

/** A plan in words: one line a call, in order. */
export interface Described<Item> {
    readonly plan: Plan<Item>;
    readonly lines: readonly string[];
}

/** A wait by itself needs no words but the status. */
function waiting(kind?: string): Activity {
    return { kind, line: (now) => now ?? "waiting" };
}

/** What was made only just may not be there for reads yet. */
function lookFor<Item>(target: Target<Item>, { __unseen }: Memory, run: Run): Promise<Item | undefined> {
    return __unseen ? lookPatiently(target, run) : look(target, run);
}

type Note<Item> = (item: Item, remembers?: Readonly<Record<string, unknown>>) => void;

/** Create, read, update and delete of one kind of resource, made from its facts. */
export class Lifecycle<Inputs extends CommonInputs, Observed extends object, Item> {
    private readonly twins: Twins<Inputs, Observed, Item>;

    constructor(readonly resource: Resource<Inputs, Observed, Item>) {
        this.twins = new Twins(resource, (inputs) => this.subject(inputs));
    }

    /** Pure: what an update, or a creation where there is no state, is going to do. */
    describe(state: (Observed & Memory) | undefined, declared: Planned<Inputs> & HiddenInputs): Described<Item> {
        const { resource } = this;
        if (state !== undefined) {
            const plan = resource.plan(state, declared);
            return { plan, lines: plan.steps.map(({ text }) => text) };
        }
        if (declared.existingId !== undefined) {
            const text = `take over ${resource.noun} ${show(declared.existingId)} and bring it to the declared state`;
            return { plan: { replace: [], steps: [], remember: [] }, lines: [text] };
        }
        const named = withName(resource, declared);
        const { text, observed } = resource.birth(named);
        const memory = firstMemory(resource.fields, declared, {});
        const plan = resource.plan({ ...memory, ...observed } as Observed & Memory, named);
        return { plan, lines: [text, ...plan.steps.map((step) => step.text)] };
    }

    /** Makes it, or takes an existing one over, and brings it to the declared state. */
    async create(inputs: Checked<Inputs>, run: Run): Promise<{ id: string; state: Observed & Memory }> {
        return inputs.existingId === undefined ? this.make(inputs, run) : this.adopt(inputs, inputs.existingId, run);
    }

    /** Brings it from the state to the declared one, by the plan that the preview showed. */
    async update(id: string, state: Observed & Memory, inputs: Checked<Inputs>, run: Run): Promise<Observed & Memory> {
        const { resource } = this;
        const target = this.target(state.projectId, id, inputs, run);
        const memory = nextMemory(resource.fields, resource.keeps, state, inputs);
        return this.guarded(
            target,
            { ...state, ...memory, __unseen: undefined },
            memory,
            run,
            async (watched, note) => {
                let item = await lookFor(watched, state, run);
                if (item === undefined) {
                    throw new WaitGoneError(target.subject);
                }
                note(item);
                let before = state;
                if (state.__interrupted) {
                    // What the last run began may change what is there after that run looked at it last.
                    item = await until(item, (seen) => resource.settled(seen, inputs), watched, run, waiting());
                    before = this.assemble(item, target.path, memory);
                }
                const { steps } = resource.plan(before, inputs);
                const last = await runSteps(steps, watched, item, run, note);
                return until(last, (seen) => resource.settled(seen, inputs), watched, run, waiting());
            },
        );
    }

    /** What is there now, under what is remembered, and the inputs that say so; undefined if it is gone or on its way out. */
    async read(
        id: string,
        memory: Memory,
        run: Run,
    ): Promise<{ state: Observed & Memory; inputs: Record<string, unknown> } | undefined> {
        const target = this.target(memory.projectId, id, memory as unknown as Inputs, run);
        const item = await lookFor(target, memory, run);
        if (item === undefined || this.resource.leaving(item)) {
            return undefined;
        }
        const state = this.assemble(item, target.path, { ...memory, __unseen: undefined });
        return { state, inputs: this.inputsOf(state, Object.keys(this.resource.observe(item, target.path))) };
    }

    /** The inputs that would lead to this state: without them each refresh would show the same drift again. */
    private inputsOf(state: Observed & Memory, observed: readonly string[]): Record<string, unknown> {
        const pick = (names: readonly string[]) =>
            Object.fromEntries(Object.entries(state).filter(([name]) => names.includes(name)));
        const names = [...state.__declared, "projectId", "__urn", "__timeouts"];
        const declared = pick(names);
        if (state.__declared.length === 0) {
            // It is only read, and nothing of it is declared.
            return declared;
        }
        // What the program leaves open may have been changed too: then the plan would be another one if it were declared.
        const lines = (inputs: object) => this.linesOf(state, inputs).join("\n");
        const left = lines(declared);
        const drifted = observed.filter(
            (name) => !names.includes(name) && left !== lines({ ...declared, ...pick([name]) }),
        );
        return { ...declared, ...pick(drifted) };
    }

    private linesOf(state: Observed & Memory, inputs: object): readonly string[] {
        const { fields, plan } = this.resource;
        const known = Object.entries(inputs).filter(([name]) => name in fields);
        return plan(state, Object.fromEntries(known) as unknown as Planned<Inputs>).steps.map(({ text }) => text);
    }

    /** Deletes it and waits until it is gone; one that is gone already is no error. */
    async remove(id: string, state: Observed & Memory, run: Run): Promise<void> {
        const { resource } = this;
        if (resource.remove === undefined) {
            return;
        }
        const protection = resource.protectedBy?.(state);
        if (protection !== undefined) {
            throw new ProtectedError(protection);
        }
        const target = this.target(state.projectId, id, state as unknown as Inputs, run);
        if (state.__unseen && (await lookPatiently(target, run)) === undefined) {
            return;
        }
        const activity = about(`delete ${resource.noun}`, "deleting");
        run.say(activity.line());
        await insist(() => this.removeUnlessLeaving(target, run, activity), target.subject, run, activity, mayPass);
        await untilGone(() => pending("deleting"), target, run, waiting(activity.kind));
        run.say("done");
    }

    private async make(declared: Checked<Inputs>, run: Run): Promise<{ id: string; state: Observed & Memory }> {
        const { resource } = this;
        const inputs = withName(resource, declared);
        const home = resource.home(inputs.projectId, inputs);
        await resource.prepare?.(inputs, home, run);
        const before = await this.twins.refuse(inputs, home, run);
        run.say(resource.birth(inputs).text);
        const made = await resource.make(inputs, home, run).catch((error: unknown) => {
            if (!isUncertain(error)) {
                throw error;
            }
            return this.twins.find(inputs, home, before, error, run);
        });
        const id = resource.idOf(made.item, home);
        // A name that was made up stays, also when the URN, from which it was made, changes.
        const defaults = "name" in resource.fields ? { name: resource.nameOf(inputs) } : {};
        const memory: Memory = {
            ...firstMemory(resource.fields, declared, defaults),
            ...made.remembers,
            __unseen: true,
        };
        const state = await this.finish(id, made.item, made.operation, memory, inputs, run);
        await this.twins.tell(id, inputs, home, run);
        return { id, state };
    }

    private async adopt(
        inputs: Checked<Inputs>,
        existingId: string,
        run: Run,
    ): Promise<{ id: string; state: Observed & Memory }> {
        const { resource } = this;
        const id = resource.adoptedId(existingId, inputs);
        const target = this.target(inputs.projectId, id, inputs, run);
        if (id === run.replacing) {
            throw new AdoptionError(existingId, "it is the one that is being replaced");
        }
        const item = await look(target, run);
        if (item === undefined) {
            throw new AdoptionError(existingId, `there is no such ${resource.noun} in project ${inputs.projectId}`);
        }
        const unfit = resource.leaving(item) ? "it is being deleted" : resource.unfit(item, target.path, inputs);
        if (unfit !== undefined) {
            throw new AdoptionError(existingId, unfit);
        }
        // What the program leaves open stays as it was found.
        const found = resource.observe(item, target.path);
        const defaults = entriesOf(resource.fields)
            .filter(([name, { effect }]) => effect === "update" && valueOf(inputs, name) === undefined)
            .map(([name]) => [name, valueOf(found, name)] as const)
            .filter(([, value]) => value !== undefined);
        const memory = firstMemory(resource.fields, inputs, Object.fromEntries(defaults));
        return { id, state: await this.finish(id, item, undefined, memory, inputs, run) };
    }

    /** What making and taking over have in common: it is there, now it is brought to the declared state. */
    private async finish(
        id: string,
        item: Item,
        kind: string | undefined,
        memory: Memory,
        inputs: Checked<Inputs>,
        run: Run,
    ): Promise<Observed & Memory> {
        const { resource } = this;
        const target = this.target(inputs.projectId, id, inputs, run);
        return this.guarded(target, this.assemble(item, target.path, memory), memory, run, async (watched, note) => {
            // What was just made may not be there for others yet: it is done once it has been seen.
            const settled = await observeUntil((seen) => resource.settled(seen, inputs), watched, run, waiting(kind));
            const { steps } = resource.plan(this.assemble(settled, target.path, memory), inputs);
            return runSteps(steps, watched, settled, run, note);
        });
    }

    /** Runs what may fail half way; a failure carries the last that was known, so that the state loses nothing. */
    private async guarded(
        target: Target<Item>,
        before: Observed & Memory,
        memory: Memory,
        run: Run,
        work: (watched: Target<Item>, note: Note<Item>) => Promise<Item>,
    ): Promise<Observed & Memory> {
        let known = before;
        let remembered = memory;
        const note: Note<Item> = (item, remembers) => {
            remembered = { ...remembered, ...remembers, __unseen: undefined };
            known = this.assemble(item, target.path, remembered);
        };
        try {
            note(await work({ ...target, onSeen: note }, note));
            run.say("done");
            return known;
        } catch (error) {
            throw new PartialFailure(target.id, { ...known, __interrupted: true }, error);
        }
    }

    private assemble(item: Item, path: Path, memory: Memory): Observed & Memory {
        const state = { ...memory, ...this.resource.observe(item, path) };
        return { ...state, ...this.resource.derive?.(state) };
    }

    /** The deletion of one that is on its way out already is refused for ever. */
    private async removeUnlessLeaving(target: Target<Item>, run: Run, activity: Activity): Promise<void> {
        const { turn, subject } = target;
        const send = async () => this.resource.remove?.(target.path, run);
        try {
            await (turn === undefined ? send() : inTurn(turn.serviceId, send, subject, run, activity));
        } catch (error) {
            const item = isConflict(error) ? await look(target, run) : undefined;
            if (item === undefined || !this.resource.leaving(item)) {
                throw error;
            }
        }
    }

    private target(projectId: string, id: string, inputs: Planned<Inputs>, run: Run): Target<Item> {
        const path = this.resource.pathOf(projectId, id);
        const { source, turn } = this.resource;
        return { subject: this.subject(inputs, id), id, path, source: source(path, run.client), turn: turn?.(path) };
    }

    private subject(inputs: Planned<Inputs>, id?: string): string {
        const noun = this.resource.noun.charAt(0).toUpperCase() + this.resource.noun.slice(1);
        return `${noun} ${JSON.stringify(this.resource.nameOf(inputs) ?? id)}`;
    }
}
