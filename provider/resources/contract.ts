import type { Client } from "../api/client";
import type { BodyOf, OperationId } from "../api/contract";
import type { Outcome } from "../wait/outcome";
import type { Source } from "../wait/poller";
import type { Fields } from "./fields";
import type { Run } from "./run";
import type { Planned } from "./unknown";

/** Inputs that every resource has. */
export interface CommonInputs {
    /**
     * The project that it belongs to; a change replaces it.
     * @default `clouddb:projectId` of the stack's config, or CLOUDDB_PROJECT_ID
     */
    projectId?: string;
    /**
     * The id of an existing one to take over instead of making a new one; it is then brought to the declared state.
     * What the program leaves open stays as it was found. Only read at creation: it may be removed afterwards, which changes nothing.
     */
    existingId?: string;
}

/** What the host and the SDK add to the inputs; no plan reads it. */
export interface HiddenInputs {
    /** The URN of the resource: its name is made from it, and its live status is shown under it. */
    readonly __urn?: string | undefined;
    /** The `customTimeouts` of the resource. */
    readonly __timeouts?: Timeouts | undefined;
}

/** Inputs after the check: the project is known. */
export type Checked<Inputs> = Inputs & HiddenInputs & { readonly projectId: string };

/** Times in the form of `customTimeouts`, for example `30m`. */
export interface Timeouts {
    readonly create?: string;
    readonly update?: string;
    readonly delete?: string;
}

/** What the state remembers that no look at the service can tell. */
export interface Memory {
    readonly projectId: string;
    readonly __urn?: string | undefined;
    readonly __timeouts?: Timeouts | undefined;
    /** The names of the inputs that the program declared. */
    readonly __declared: readonly string[];
    /** What stands for inputs that the program leaves open, where that is not the documented default. */
    readonly __defaults: Readonly<Record<string, unknown>>;
    /** The last run ended in an error, and what it began may still change what is there. */
    readonly __interrupted?: true | undefined;
    /** No look has seen it yet: it was made only just when the run ended. */
    readonly __unseen?: true | undefined;
}

/** An API call as data; which thing it is about is known to whoever carries it out. */
export type Call = {
    [Id in OperationId]: { readonly operation: Id; readonly body?: BodyOf<Id> | undefined };
}[OperationId];

/** One call of a plan: what a person reads of it, when it may be sent, and what must be true afterwards. */
export interface Step<Item> {
    readonly call: Call;
    readonly text: string;
    /** Whether the thing is in a state in which the call is accepted. */
    readonly before: (item: Item) => Outcome;
    /** Whether the call has had its effect; a step whose effect is already there is not sent. */
    readonly after: (item: Item) => Outcome;
    /** The effect cannot be seen, so the call is sent in any case. */
    readonly unseen?: true;
    /** What the state remembers from then on. */
    readonly remembers?: Readonly<Record<string, unknown>>;
    /** What the state remembers while nobody knows whether the call was carried out. */
    readonly doubts?: Readonly<Record<string, unknown>>;
}

/** A property whose change cannot be made in place. */
export interface Replacement {
    readonly property: string;
    readonly from: unknown;
    /** The new value; the unknown marker where a preview cannot know it, and the replacement is only possible. */
    readonly to: unknown;
}

/** The whole difference between what is and what is declared; `diff`, the preview and the update all read this. */
export interface Plan<Item> {
    readonly replace: readonly Replacement[];
    readonly steps: readonly Step<Item>[];
    /** Properties that change nothing but what the state remembers. */
    readonly remember: readonly string[];
}

/** The path parameters of anything that a call can be about. */
export type Path = Readonly<Record<string, string>> & { readonly project_id: string };

/** What a call that makes something answered. */
export interface Made<Item> {
    readonly item: Item;
    /** The operation that made it; absent where it was made before. */
    readonly operation?: string | undefined;
    /** What only this answer tells. */
    readonly remembers?: Readonly<Record<string, unknown>>;
}

/** How long things may take, in milliseconds. */
export interface Times {
    /** Until a creation, an update and a deletion are given up, unless `customTimeouts` says otherwise. */
    readonly create: number;
    readonly update: number;
    readonly delete: number;
    /** What takes longer than this is worth a word. */
    readonly usual: number;
}

/** What a time-out belongs to. */
export type Operation = keyof Timeouts;

/**
 * One kind of resource: facts and pure functions, from which `lifecycle.ts` makes create, read, update and delete.
 * `Observed` is what a look at the service tells, under the names of the inputs and outputs.
 */
export interface Resource<Inputs extends CommonInputs, Observed extends object, Item> {
    readonly type: string;
    /** What a person calls it: `service`. */
    readonly noun: string;
    readonly fields: Fields<Inputs>;
    /**
     * Finds contradictions between inputs, and what is worth a warning; `others` are the inputs of the same kind that
     * the program has declared so far. Values may be unknown.
     */
    readonly examine: (inputs: Planned<Inputs>, others: () => readonly Planned<Inputs>[]) => Findings;
    /** What no two of a program may have in common; values may be unknown or left out, which is in common with none. */
    readonly identity?: (inputs: Planned<Inputs>) => readonly unknown[];
    /** Inputs are there for a creation and an update. */
    readonly times: (inputs: Inputs | undefined) => Times;

    /** The path of the thing with this id; the collection's path where there is no id yet. */
    readonly pathOf: (projectId: string, id: string) => Path;
    readonly idOf: (item: Item, path: Path) => string;
    /** The full id of an existing one, whose `existingId` may leave out what the other inputs tell. */
    readonly adoptedId: (existingId: string, inputs: Inputs) => string;
    readonly source: (path: Path, client: Client) => Source<Item>;
    /** The name by which people know it, in messages. */
    readonly nameOf: (inputs: Planned<Inputs>) => string | undefined;

    /** The one mapping from an answer to outputs. */
    readonly observe: (item: Item, path: Path) => Observed;
    /** Outputs that only one answer told and that stay in the state through every update. */
    readonly keeps: readonly string[];
    /** Outputs that follow from what is observed and remembered together. */
    readonly derive?: (state: Observed & Memory) => Record<string, unknown>;
    /** Whether it is there and at rest, whatever it looks like. */
    readonly settled: (item: Item, inputs: Inputs) => Outcome;
    /**
     * The service that is changed by a change to this, which takes one at a time; its turn lasts until the change is
     * answered, or done where the service itself is what changes.
     */
    readonly turn?: (path: Path) => { readonly serviceId: string; readonly lasts: "answered" | "done" };
    /** Whether it is on its way out. */
    readonly leaving: (item: Item) => boolean;

    /** Pure: what has to be done to get from a state to the declared one. */
    readonly plan: (state: Observed & Memory, declared: Planned<Inputs>) => Plan<Item>;
    /** The state that the call which makes it leads to, and that call in words; what is missing to the declared state follows as a plan. */
    readonly birth: (declared: Planned<Inputs>) => { readonly text: string; readonly observed: Partial<Observed> };
    /** Path of the collection that it is made in. */
    readonly home: (projectId: string, inputs: Inputs) => Path;
    /** Whether an existing thing is what these inputs would make a second time; absent where making makes nothing new. */
    readonly sameAs?: (item: Item, inputs: Inputs) => boolean;
    /** Waits for what has to be there first. */
    readonly prepare?: (inputs: Inputs, home: Path, run: Run) => Promise<void>;
    readonly make: (inputs: Inputs, home: Path, run: Run) => Promise<Made<Item>>;
    /** What stands for that which only the answer to the creation told, where that answer was lost. */
    readonly unheard?: (inputs: Inputs) => Readonly<Record<string, unknown>>;
    /** Why an existing thing cannot be taken over under these inputs, or undefined if it can. */
    readonly unfit: (item: Item, path: Path, inputs: Inputs) => string | undefined;
    /** Begins its deletion; absent where there is nothing to delete. */
    readonly remove?: (path: Path, run: Run) => Promise<void>;
    /** Why it must not be deleted, or undefined if it may. */
    readonly protectedBy?: (state: Observed & Memory) => string | undefined;
    /** Why another one must not take its place, or undefined if it may. */
    readonly irreplaceable?: (
        state: Observed & Memory,
        declared: Planned<Inputs>,
        replace: readonly Replacement[],
    ) => string | undefined;
    /** Why the old one has to go before the new one can be made, or undefined if both can be there for a while. */
    readonly deleteFirst?: (state: Observed & Memory, declared: Planned<Inputs>) => string | undefined;
}

/** A problem with a property, or advice about it. */
export interface Finding {
    readonly property: string;
    readonly text: string;
}

/** What a check found. */
export interface Findings {
    readonly problems: readonly Finding[];
    readonly advice: readonly Finding[];
}
