import type { Client } from "../api/client";
import type { BodyOf, OperationId } from "../api/contract";
import type { Outcome } from "../wait/outcome";
import type { Source } from "../wait/poller";
import type { Difference } from "./differences";
import type { Fields } from "../inputs/fields";
import type { OperationContext } from "./operation";
import type { Planned } from "../inputs/unknown";
import type { Findings, Timeouts, Replacement } from "../inputs/finding";

/** Inputs that every resource has. */
export interface CommonInputs {
    /**
     * The project that it belongs to; a change replaces it.
     * @default `clouddb:projectId` of the stack's config, or CLOUDDB_PROJECT_ID
     */
    projectId?: string;
    /**
     * The id of an existing one to take over instead of making a new one; it is then brought to the declared state.
     * What the program leaves open stays as it was found. Only read at creation: it may be removed afterwards, which changes nothing; another id is an error.
     */
    existingId?: string;
    /**
     * Refuses to delete the resource, also as part of a replacement. A plain `true` also sets Pulumi's `protect` option
     * unless the program sets that option itself, so that `pulumi destroy` fails in its preview, before it deletes anything.
     * To remove the protection, set it to false or remove the line, and run `pulumi up` once; then delete the resource.
     * @default false
     */
    deletionProtection?: boolean;
}

/** What the host and the SDK add to the inputs; no plan reads it. */
export interface HiddenInputs {
    /** The URN of the resource: its name is made from it, and its live status is shown under it. */
    readonly __urn?: string | undefined;
    /** The `customTimeouts` of the resource. */
    readonly __timeouts?: Timeouts | undefined;
    /** The names of the inputs that the program marked as secret, in addition to those that are always secret. */
    readonly __secrets?: readonly string[] | undefined;
}

/** Inputs after the check: the project is known. */
export type Checked<Inputs> = Inputs & HiddenInputs & { readonly projectId: string };

/** What the state remembers that no look at the service can tell. */
export interface StateMetadata {
    readonly projectId: string;
    readonly __urn?: string | undefined;
    readonly __timeouts?: Timeouts | undefined;
    /** The names of the inputs that the program marked as secret when it last declared them. */
    readonly __secrets?: readonly string[] | undefined;
    /** Whether the resource refuses to be deleted. */
    readonly deletionProtection?: boolean | undefined;
    /** The names of the inputs that the program declared. */
    readonly __declared: readonly string[];
    /** What stands for inputs that the program leaves open, where that is not the documented default. */
    readonly __defaults: Readonly<Record<string, unknown>>;
    /**
     * The last run ended in an error, and what it began may still change the resource: in its creation, in an update, or in
     * an update that a change of the state alone has postponed since.
     */
    readonly __interrupted?: true | "creation" | "postponed" | undefined;
    /** What the API accepted in the last run without a visible effect. */
    readonly __ineffective?: readonly Call[] | undefined;
    /** The call that the last run could not make, because the API does not have its operation. */
    readonly __unsupported?: Call | undefined;
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
    /** Whether the resource is in a state in which the API accepts the call. */
    readonly before: (item: Item) => Outcome;
    /** After the API rejected the call with 409: what stands in the way. Defaults to `before`. */
    readonly obstacle?: (item: Item) => Outcome;
    /** Whether the call has had its effect; a step whose effect is already there is not sent. */
    readonly after: (item: Item) => Outcome;
    /** What does not show the effect yet; absent where the effect cannot be seen, so that the call is sent in any case. */
    readonly differs?: (item: Item) => readonly Difference[];
    /** What the state remembers from then on. */
    readonly records?: Readonly<Record<string, unknown>>;
    /** What the state remembers while nobody knows whether the call was carried out. */
    readonly onUncertain?: Readonly<Record<string, unknown>>;
    /** What the user has to do if an update is killed during the call, as the next run cannot see its effect. */
    readonly ifKilled?: string;
    /** What the user can do if the API does not have the operation; absent where every version of the API has it. */
    readonly ifUnsupported?: string;
}

/** The whole difference between what is and what is declared; `diff`, the preview and the update all read this. */
export interface Plan<Item> {
    readonly replace: readonly Replacement[];
    readonly steps: readonly Step<Item>[];
    /** Inputs and options whose change, addition or removal the state has to record. */
    readonly record: readonly string[];
}

/** The path parameters of anything that a call can be about. */
export type Path = Readonly<Record<string, string>> & { readonly project_id: string };

/** What a call that makes something answered. */
export interface Created<Item> {
    readonly item: Item;
    /** The operation that made it; absent where it was made before. */
    readonly operation?: string | undefined;
    /** What only this answer tells. */
    readonly records?: Readonly<Record<string, unknown>>;
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
export type OperationKind = keyof Timeouts;

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
    readonly validate: (inputs: Planned<Inputs>, others: () => readonly Planned<Inputs>[]) => Findings;
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
    readonly stickyOutputs: readonly string[];
    /** Outputs that are always secret. */
    readonly secretOutputs?: readonly string[];
    /** Outputs that follow from what is observed and remembered together. */
    readonly derive?: (state: Observed & StateMetadata) => Record<string, unknown>;
    /** Whether it is there and at rest, whatever it looks like. */
    readonly readiness: (item: Item, inputs: Inputs & HiddenInputs) => Outcome;
    /**
     * The service that is changed by a change to this, which takes one at a time; its turn lasts until the change is
     * answered, or done where the service itself is what changes.
     */
    readonly lock?: (path: Path) => { readonly serviceId: string; readonly lasts: "answered" | "done" };
    /** Whether it is on its way out. */
    readonly isDeleting: (item: Item) => boolean;

    /** Pure: what has to be done to get from a state to the declared one. */
    readonly plan: (state: Observed & StateMetadata, declared: Planned<Inputs>) => Plan<Item>;
    /** The state that the call which makes it leads to, and that call in words; what is missing to the declared state follows as a plan. */
    readonly describeCreate: (declared: Planned<Inputs>) => {
        readonly text: string;
        readonly observed: Partial<Observed>;
    };
    /** Path of the collection that it is made in. */
    readonly collectionPath: (projectId: string, inputs: Inputs) => Path;
    /** Whether an existing thing is what these inputs would make a second time; absent where making makes nothing new. */
    readonly matches?: (item: Item, inputs: Inputs) => boolean;
    /** Waits for what has to be there first. */
    readonly prepare?: (inputs: Inputs, collection: Path, context: OperationContext) => Promise<void>;
    readonly create: (inputs: Inputs, collection: Path, context: OperationContext) => Promise<Created<Item>>;
    /** What stands for that which only the answer to the creation told, where that answer was lost. */
    readonly fallbackSecrets?: (inputs: Inputs) => Readonly<Record<string, unknown>>;
    /** Why an existing thing cannot be taken over under these inputs, or undefined if it can. */
    readonly adoptionBlocker: (item: Item, path: Path, inputs: Inputs) => string | undefined;
    /** What outside of the resource makes the API reject a change or a deletion with 409. */
    readonly obstacle?: (path: Path, context: OperationContext) => Promise<Outcome>;
    /** What depends on the resource and makes the API reject its deletion with 409. */
    readonly dependants?: (path: Path, context: OperationContext) => Promise<Outcome>;
    /** Begins its deletion; absent where there is nothing to delete. */
    readonly delete?: (path: Path, context: OperationContext) => Promise<void>;
    /** Whether the program allows that its data is lost with a replacement; absent where there is no data. */
    readonly replaceable?: (declared: Planned<Inputs>) => boolean;
    /** Why these changes must not replace it, apart from deletion protection; undefined if they may. */
    readonly irreplaceable?: (
        state: Observed & StateMetadata,
        declared: Planned<Inputs>,
        replace: readonly Replacement[],
    ) => string | undefined;
    /** Why the old one has to go before the new one can be made, or undefined if both can be there for a while. */
    readonly deleteFirst?: (state: Observed & StateMetadata, declared: Planned<Inputs>) => string | undefined;
}
