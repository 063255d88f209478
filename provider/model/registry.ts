import { unknown, type Planned, type Unknown } from "../base/fields";
import type { Unobserved } from "./state";
import type { Step } from "./step";

/** A resource of the API. */
export interface ResourceRef {
    readonly type: string;
    readonly projectId: string;
    readonly id: string;
}

/** What a program declares for one resource. */
export interface Declaration {
    readonly type: string;
    readonly inputs: object;
    /** A text of the values that no other resource of the program may share. Undefined while one is unknown. */
    readonly identity: string | undefined;
}

/** An entry of the state: after a diff all of it, after a check only its protection, with the record of a complete resource. */
export type Entry = Pick<Unobserved, "deletionProtection" | "record"> & { readonly name?: unknown };

/** What the calls of the engine for one URN have shown so far, in one run. */
export type Phase =
    /** Only checks without old inputs: the resource is new, or an option replaces it, such as `--replace`. */
    | { readonly is: "checked" }
    /** In the state. A diff has shown what it manages, and its steps. */
    | {
          readonly is: "existing";
          readonly entry: Entry;
          readonly diff?: { readonly ref: ResourceRef; readonly steps: readonly Step[] };
      }
    /** The resource with this id is replaced, or was deleted. The id is unknown if only an option requires it, and no diff has shown it. */
    | {
          readonly is: "replacing";
          readonly id: string | Unknown;
          /** Whether it is deleted before the creation: the provider has asked for that, what it uses is deleted first, or it has happened. */
          readonly isDeletedFirst: boolean;
          /** Its entry, if it is deleted together with what it uses. Absent once the program has declared it or the run deleted it. */
          readonly entry?: Entry;
      }
    /** This run has created, adopted, replaced or updated it. */
    | { readonly is: "managing"; readonly ref: ResourceRef; readonly by: "creation" | "replacement" | "update" };

/** A call of the engine for one URN. */
export type EngineCall =
    /**
     * The old inputs are absent for a new resource, and for one that is replaced. `mayAdoptItself`: `existingId` names the resource
     * of this entry, or is unknown. A forced replacement then adopts the same resource again, and `Guard.beforeDeletion` removes the
     * old entry without a deletion: there is nothing to refuse.
     */
    | { readonly call: "check"; readonly entry: Entry | undefined; readonly mayAdoptItself: boolean }
    /** `isDeclared`: a check of this run precedes it. */
    | {
          readonly call: "diff";
          readonly ref: ResourceRef;
          readonly state: Unobserved;
          readonly steps: readonly Step[];
          readonly isReplaced: boolean;
          readonly isDeletedFirst: boolean;
          readonly isDeclared: boolean;
      }
    /** A creation, an adoption or an update that has succeeded. */
    | { readonly call: "create" | "update"; readonly ref: ResourceRef }
    /** A deletion that has succeeded. */
    | { readonly call: "delete"; readonly id: string };

/** What is known of a resource after a call. The same object if the call shows nothing new. */
export function nextPhase(phase: Phase | undefined, call: EngineCall): Phase | undefined {
    switch (call.call) {
        case "check":
            return afterCheck(phase, call);
        case "diff": {
            const { ref, state, steps, isReplaced, isDeletedFirst } = call;
            if (call.isDeclared) {
                return isReplaced
                    ? { is: "replacing", id: ref.id, isDeletedFirst }
                    : { is: "existing", entry: state, diff: { ref, steps } };
            }
            // A refresh, or `pulumi up` of a peering whose VPC is deleted first: the engine diffs it with an unknown vpcId,
            // deletes it, and then checks it as a new one.
            return isReplaced ? { is: "replacing", id: ref.id, isDeletedFirst: true, entry: state } : phase;
        }
        case "create":
            return { is: "managing", ref: call.ref, by: phase?.is === "replacing" ? "replacement" : "creation" };
        case "update":
            return { is: "managing", ref: call.ref, by: "update" };
        case "delete": {
            // After the creation of a replacement, and for an entry whose deletion an earlier run has left, another id is deleted.
            const id = knownId(phase);
            return id === undefined || id === call.id ? { is: "replacing", id: call.id, isDeletedFirst: true } : phase;
        }
    }
}

function afterCheck(phase: Phase | undefined, { entry, mayAdoptItself }: EngineCall & { call: "check" }): Phase {
    if (entry !== undefined) {
        return { is: "existing", entry };
    }
    if (phase?.is === "existing" && !mayAdoptItself) {
        // `replaceOnChanges` after an update in place: the engine checks the same inputs again, without the old ones.
        return { is: "replacing", id: phase.diff?.ref.id ?? unknown, isDeletedFirst: false };
    }
    if (phase?.is === "replacing" && phase.entry !== undefined) {
        return { is: "replacing", id: phase.id, isDeletedFirst: phase.isDeletedFirst };
    }
    return phase ?? { is: "checked" };
}

/** The id that the resource has or had at the API, as far as it is known. */
function knownId(phase: Phase | undefined): string | undefined {
    const id = phase?.is === "replacing" ? phase.id : managedIn(phase)?.id;
    return id === unknown ? undefined : id;
}

/** What the program manages with a resource in this phase. */
export function managedIn(phase: Phase | undefined): ResourceRef | undefined {
    return phase?.is === "existing" ? phase.diff?.ref : phase?.is === "managing" ? phase.ref : undefined;
}

/** What this run knows about one resource of the program. */
export interface Row {
    readonly urn: string;
    readonly declared?: Declaration | undefined;
    /** What it adopts, until that is complete. */
    readonly adopts?: ResourceRef | undefined;
    readonly phase?: Phase | undefined;
}

/** A row of a resource that this run replaces. */
type ReplacedRow = Row & { readonly phase: Phase & { readonly is: "replacing" } };

/**
 * Which resource of the program manages which one of the API, by URN, as far as the calls of the engine to this process
 * have shown it. It can only keep a resource from being deleted: the permission is in the state. Calls without a URN, which only
 * tests make, are not recorded.
 */
export class Registry {
    private readonly rows = new Map<string, Row>();

    update(urn: string | undefined, changes: Omit<Row, "urn">): void {
        if (urn !== undefined) {
            this.rows.set(urn, { ...this.row(urn), ...changes });
        }
    }

    /** Records a call of the engine. */
    record(urn: string | undefined, call: EngineCall): void {
        this.update(urn, { phase: nextPhase(this.row(urn).phase, call) });
    }

    row(urn = ""): Row {
        return this.rows.get(urn) ?? { urn };
    }

    /**
     * Whether the engine has checked the resource. It does so before the diff of an update. It checks nothing in a refresh, which
     * diffs with the inputs of the last update, and one that it deletes together with what it uses only after that.
     */
    isDeclared(urn: string | undefined): boolean {
        return this.row(urn).declared !== undefined;
    }

    /** The inputs of all other resources of a kind. */
    othersOf<Inputs>(type: string, urn: string | undefined): readonly Planned<Inputs>[] {
        return this.all((row) => row.declared?.type === type && row.urn !== urn).map(
            ({ declared }) => declared?.inputs as Planned<Inputs>,
        );
    }

    /** Another resource with the same identity. */
    duplicateOf(urn: string | undefined, { identity }: Declaration): Row | undefined {
        return urn === undefined || identity === undefined
            ? undefined
            : this.all((row) => row.urn !== urn && row.declared?.identity === identity)[0];
    }

    /** The resource, other than this one, that manages it, or is about to. */
    managerOf(ref: ResourceRef, urn?: string): Row | undefined {
        return this.all((row) => row.urn !== urn && (isSame(managedIn(row.phase), ref) || isSame(row.adopts, ref)))[0];
    }

    /** The resources that this run replaces and that a value refers to: an id, or an object that holds one. */
    replacedIn(value: unknown): readonly ReplacedRow[] {
        const found: unknown[] = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return this.all(({ phase }) => phase?.is === "replacing" && found.includes(phase.id)) as readonly ReplacedRow[];
    }

    /** Those that this run deletes before it creates them again. What is only deleted is in the same phase, but not declared. */
    deletedFirstIn(value: unknown): readonly ReplacedRow[] {
        return this.replacedIn(value).filter(({ declared, phase }) => declared !== undefined && phase.isDeletedFirst);
    }

    /** The resources for which this predicate holds. */
    all(isWanted: (row: Row) => boolean): readonly Row[] {
        return [...this.rows.values()].filter(isWanted);
    }
}

function isSame(left: ResourceRef | undefined, right: ResourceRef): boolean {
    return left?.id === right.id && left.type === right.type && left.projectId === right.projectId;
}
