import type { Timeouts } from "../base/time";
import type { CallOptions } from "../api/client";
import type { AnswerOf, OperationId } from "../api/contract";
import type { Outcome } from "./outcome";
import type { Fields, Planned, Findings } from "../base/fields";
import type { OutputFields } from "./outputs";
import type { Activity, Context } from "./context";
import type { Remembered } from "./state";
import type { Need, Step } from "./step";
import type { Message } from "../base/message";

/** Inputs that every resource has. */
export interface CommonInputs {
    /**
     * The project that the resource belongs to. A change replaces the resource, a service by a **new, empty database**.
     * @default that of the stack; `clouddb:projectId`, CLOUDDB_PROJECT_ID or an explicit provider sets it
     */
    projectId?: string;
    /**
     * The id of an existing resource to adopt instead of creating a new one. The adoption updates the declared
     * properties; the others keep their values until a run has declared them. It matters only when the stack first creates the
     * resource: removing it later changes nothing, and changing it to another id is an error.
     */
    existingId?: string;
    /**
     * If true, the provider refuses to delete or replace the resource. To delete it, first set this to false and run
     * `pulumi up`. A change updates only the state.
     * @remarks In TypeScript, the class also sets Pulumi's `protect` option, so that a preview that deletes the resource fails,
     * unless the program sets `protect` or `retainOnDelete` itself.
     * @default for a service `clouddb:deletionProtection` or true; for other resources, which have no data, false
     */
    deletionProtection?: boolean;
}

/** Inputs that the host and the SDK add. Plans do not depend on them. */
export interface HiddenInputs {
    /** The URN of the resource, from which its name is generated and under which its status is shown. */
    readonly __urn?: string | undefined;
    /** The `customTimeouts` of the resource. */
    readonly __timeouts?: Timeouts | undefined;
    /** The name that the engine generates for a new resource whose program declares none. */
    readonly __generatedName?: string | undefined;
    /**
     * The inputs that programs have declared since an import, whose own inputs declare nothing: before the last run, and in it. Only
     * an import begins it.
     */
    readonly __declared?: readonly (readonly string[])[] | undefined;
    /** What only the program knows. Not stored. */
    readonly __program?: ProgramFacts | undefined;
}

/** The names of the hidden inputs. */
const hiddenInputs: Readonly<Record<keyof HiddenInputs, true>> = {
    __urn: true,
    __timeouts: true,
    __generatedName: true,
    __declared: true,
    __program: true,
};

/** The inputs without the hidden ones. */
export function withoutHidden(inputs: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(inputs).filter(([name]) => !Object.hasOwn(hiddenInputs, name)));
}

/** What the classes for TypeScript pass to both hosts, because no request of the engine has it. */
export interface ProgramFacts {
    /** Whether the run is a preview. The protocol of dynamic providers does not mark previews, that of the plugin no reads. */
    readonly isPreview?: true;
    /** Whether the program only reads the resource with `.get`, whose properties are not those of a state. */
    readonly isGet?: true | undefined;
    /** The names of the inputs from which the class itself derives outputs. */
    readonly derivedFrom?: readonly string[];
}

/** A property whose change cannot be made in place. */
export interface Replacement {
    readonly property: string;
    readonly from: unknown;
    /** The new value. If it is unknown, the replacement is possible but not certain. */
    readonly to: unknown;
}

/** The whole difference between the state and the declared inputs. Diff, preview and update use the same plan. */
export interface Plan {
    readonly replace: readonly Replacement[];
    readonly steps: readonly Step[];
    /** Inputs and options whose change, addition or removal the state has to record. */
    readonly stateChanges: readonly string[];
    /** Whether the update changes only the state: it sends no request and does not wait. */
    readonly isStateOnly: boolean;
    /** What the state holds during the update, apart from what reads show: also the last known value of each input. */
    readonly remembered: Remembered;
}

/** The path parameters of a resource or a collection. Only the definition of a resource knows their names. */
export type Path = Readonly<Record<string, string>> & { readonly project_id: string };

/** The types of one resource kind. */
export interface Kind<
    Inputs extends CommonInputs = CommonInputs,
    Observed extends object = object,
    Item = unknown,
    Parent extends Path = Path,
    Held extends object = object,
> {
    Inputs: Inputs;
    /** What the API returns, under the names of the inputs and outputs. */
    Observed: Observed;
    /** The resource in a response. */
    Item: Item;
    /** The path of the collection. */
    Parent: Parent;
    /** Inputs and outputs that no read shows: only the state holds them. */
    Held: Held;
}

/** The inputs of a program. Their values may be unknown. */
export type Declared<K extends Kind = Kind> = Planned<K["Inputs"]> & HiddenInputs;

/** The inputs of an operation: all values are known, and the project is set. */
export type KnownInputs<K extends Kind = Kind> = K["Inputs"] & HiddenInputs & { readonly projectId: string };

/** The state of a resource: what the API returned, and what only the state holds. */
export type State<K extends Kind = Kind> = K["Observed"] & Remembered<K["Held"], K["Inputs"]>;

/** The steps of one kind of resource. */
export type StepOf<K extends Kind> = Step<K["Observed"], K["Held"]>;

/** A resource after an operation. */
export interface Stored<K extends Kind = Kind> {
    readonly id: string;
    readonly state: State<K>;
}

/** The operations of the API with this response. */
type Returning<Answer> = { [Id in OperationId]: AnswerOf<Id> extends Answer ? Id : never }[OperationId];

/** The operations that have the path of the collection or of the resource alone. */
interface Operations {
    readonly list: OperationId;
    /** Absent if the API has no such operation. */
    readonly get?: OperationId;
    /** Absent if there is nothing to delete. */
    readonly delete?: OperationId;
}

/** The operations of a kind whose responses contain these items. */
export interface OperationsOn<Item> extends Operations {
    readonly list: Returning<readonly Item[]>;
    readonly get?: Returning<Item>;
}

/** A kind of resource, as far as others know it: they refer to it, or contain it. */
export interface ObservableKind<Item> {
    readonly type: string;
    /** The name of the kind in messages: `service`. */
    readonly noun: string;
    readonly operations: Operations;
    /** Why an item is not a resource of this kind. Absent if every item is one. */
    otherKind?(item: Item): string | undefined;
    /** Whether a response shows a resource that no longer exists. It counts as a 404. Absent: the API shows no such resource. */
    isGone?(item: Item): boolean;
}

/** An input that contains the id of another resource, which must exist. */
export interface Reference<Item = unknown> {
    /** The path of the input: `fork.serviceId`. */
    readonly input: string;
    readonly kind: ObservableKind<Item>;
    /**
     * Whether the other resource accepts the creation of the one that refers to it, and as a parent each other change of it.
     * The creation locks it until the response. Absent if it need only exist.
     */
    accepts?(item: Item): Outcome;
    /** Why the other resource will not accept such a request with these inputs of its own. */
    refusal?(inputs: object): string | undefined;
    /** Whether this one prevents the deletion of the other. A child always prevents that of its parent. */
    readonly blocksDeletion?: true;
}

/** The resource that contains the collection of another one. */
export interface Parent<Item = unknown> extends Reference<Item> {
    /** Whether it has to accept changes and the deletion, too, and is locked for them. Absent: only the creation. */
    readonly rejectsChanges?: true;
    /**
     * Why it may reject a creation for hours although it accepts changes, such as that of a replica set without a backup. No read
     * shows whether it does, so only another request shows when that ends.
     */
    mayReject?(item: Item, now: number): string | undefined;
}

/** Durations of the operations on a resource, in milliseconds. */
interface Times {
    /** The timeouts of creation, update and deletion, unless `customTimeouts` sets others. */
    readonly create: number;
    readonly update: number;
    readonly delete: number;
}

/** How a kind is updated in place. */
interface Updating<K extends Kind = Kind> {
    /** The steps from a state to the declared one. */
    steps(state: State<K>, declared: Declared<K>): readonly StepOf<K>[];
    /** Warnings of each preview and each update, although no step follows: what is not sent, and what nobody knows. */
    warnings?(state: State<K>, declared: Declared<K>): readonly string[];
}

/** What else decides whether and how a resource is replaced, apart from changed inputs. */
interface Replacing<K extends Kind = Kind> {
    /** Whether a resource already has a value whose change would replace it, although the state shows another one or none. */
    alreadyHas?(state: State<K>, change: Replacement): boolean;
    /** Why a resource without data is replaced although no input has changed: it can never become ready. */
    mustReplace?(state: State<K>, declared: Declared<K>): Replacement | undefined;
    /** Why the old resource has to be deleted before its replacement is created; undefined if both can exist. */
    deletesFirst?(state: State<K>, declared: Declared<K>): string | undefined;
}

/** Other resources that a kind needs. */
interface Related {
    /** Absent for a resource that belongs to the project itself. */
    readonly parent?: Parent;
    /** The other resources that inputs refer to. */
    readonly references?: readonly Reference[];
}

/**
 * One kind of resource: data and pure functions, from which `lifecycle/` implements the calls of the engine.
 */
export interface Resource<K extends Kind = Kind>
    extends ObservableKind<K["Item"]>, Partial<Updating<K>>, Replacing<K>, Related {
    /** Whether a deletion loses data of its own. The resource is then protected unless a program or a setting permits it. */
    readonly hasData: boolean;
    readonly fields: Fields<K["Inputs"]>;
    readonly outputs: OutputFields<K["Observed"] & Omit<K["Held"], keyof K["Inputs"]>>;
    /** The inputs are undefined for a read and a deletion. */
    times(inputs: K["Inputs"] | undefined): Times;
    /** Finds contradictions between inputs, and reasons for warnings. Values may be unknown. */
    validate?(inputs: Declared<K>, surroundings: CheckContext<K["Inputs"]>): Findings;
    readonly identity: Identity<K>;
    readonly observation: Observation<K>;
    readonly creation: Creation<K>;
}

/** What a check knows in addition to the inputs. */
export interface CheckContext<Inputs> {
    /** The inputs of the resources of this kind that the program has declared so far. */
    readonly others: () => readonly Planned<Inputs>[];
    /** The inputs of the program's resources of another kind that an input refers to, or may refer to while its id is unknown. */
    readonly referred: (type: string, property: string) => readonly object[];
    /** The time in milliseconds since 1970. */
    readonly now: number;
}

/** The form of an id. */
interface IdForm {
    readonly pattern: RegExp;
    readonly description: string;
}

/** Ids and names of a resource. */
interface Identity<K extends Kind = Kind> {
    readonly idForm: IdForm;
    /** The name of the resource at the API. By default, the input `name`. */
    nameOf?(inputs: Declared<K>): string | undefined;
    /** Values that no two resources of a program may share. They are compared once all are known. */
    unique?(inputs: Declared<K>): readonly unknown[];
}

/** What responses say about a resource. */
interface Observation<K extends Kind = Kind> {
    /** Maps a response to outputs, without those that it does not show. One that the resource does not have is undefined. */
    observe(item: K["Item"], path: K["Parent"], known?: object): Partial<K["Observed"]>;
    /** Whether the resource exists in the state that is needed, by default at rest, whatever its properties are. Also given a state. */
    readiness(item: K["Item"], inputs: Partial<Declared<K>>, needs?: Need): Outcome;
}

interface Creation<K extends Kind = Kind> {
    /**
     * The line of the create request in a preview, and what the request sets of the outputs that an update changes or
     * that are generated, secrets included. A plan follows for the rest.
     */
    describe(declared: Declared<K>): {
        readonly text: string;
        readonly sets: Partial<K["Observed"] & K["Held"]>;
        /** What else responses show of a resource that this request has created: another one has another value. */
        readonly proof?: Partial<K["Observed"]>;
    };
    /** Sends the create request, with these options. */
    send(inputs: K["Inputs"], collection: K["Parent"], context: Context, options: CallOptions): Promise<K["Item"]>;
    /**
     * Whether an existing resource is a duplicate of what these inputs would create, also if the API shows texts in another form.
     * Absent if nothing new is created.
     */
    matches?(item: K["Item"], inputs: K["Inputs"]): boolean;
    /** What the state holds from the response to the creation, or instead of it if that response was lost. */
    heldAfter?(item: K["Item"], inputs: K["Inputs"]): HeldAtCreation<K["Held"]>;
    /** Why the API rejects the creation while this resource of the same collection exists; undefined if both can exist. */
    rejectionBeside?(item: K["Item"], inputs: K["Inputs"]): Message | undefined;
    /** Why an existing resource cannot be adopted with those of these inputs that only a replacement changes and no read shows. */
    adoptionRefusal?(item: K["Item"], inputs: K["Inputs"]): string | undefined;
    /** What the plan of an adoption with these inputs adds to its line. */
    adoptionRemark?(inputs: Declared<K>): string | undefined;
}

/** What the state holds after a creation, apart from inputs. */
export interface HeldAtCreation<Held> {
    readonly held: Partial<Held>;
    /** The held values that are not in force, or may not be. The plan that follows sets or removes them. */
    readonly uncertain?: readonly (keyof Held & string)[];
}

/** A wait whose status row shows the status alone. */
export const waitActivity: Activity = (status = "") => status;
