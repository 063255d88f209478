import type { Planned, Unknown } from "../base/fields";
import type { Unobserved } from "./state";

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

/** A resource that this run replaces. */
export interface Replaced {
    /** Its id. Unknown if an option requires the replacement and no diff has shown the id. */
    readonly id: string | Unknown;
    /** Whether it is deleted before its replacement is created. */
    readonly isDeletedFirst: boolean;
    /** The URNs of those that are deleted first after it, because it uses them. */
    readonly first?: readonly string[];
    /** Its state, until the program declares it. */
    readonly state?: object;
    /** Whether reads have shown that it can be deleted, and its replacement created. */
    readonly isPossible?: boolean;
}

/** What this run knows about one resource of the program. */
export interface Row {
    readonly urn: string;
    readonly declared?: Declaration | undefined;
    /** What it adopts or creates, until that is complete. */
    readonly adopts?: ResourceRef | undefined;
    /** In the state, or created or adopted in this run. Undefined while the resource is replaced. */
    readonly manages?: ResourceRef | undefined;
    /** Its entry in the state, as far as this run has checked the resource with its old inputs. */
    readonly before?: Pick<Unobserved, "deletionProtection" | "record"> | undefined;
    /** Whether a diff has shown changes in place, which a replacement makes unnecessary. */
    readonly changesInPlace?: boolean;
    /** The resource that it replaces in this run. */
    readonly replaced?: Replaced | undefined;
    /** The present name and the new one, if this run renames it. */
    readonly renamed?: { readonly from: unknown; readonly to: unknown } | undefined;
}

/**
 * Which resource of the program manages which one of the API, by URN, as far as the calls of the engine to this process
 * have shown it. It can only keep a resource from being deleted: the permission is in the state. Calls without a URN, which only
 * tests make, are not recorded.
 */
export class Registry {
    private readonly rows = new Map<string, Row>();
    /** The resources that this run has deleted, as messages name them. */
    readonly deleted: string[] = [];

    update(urn: string | undefined, changes: Omit<Row, "urn">): void {
        if (urn !== undefined) {
            this.rows.set(urn, { ...this.row(urn), ...changes });
        }
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
        return this.all((row) => row.urn !== urn && (isSame(row.manages, ref) || isSame(row.adopts, ref)))[0];
    }

    /** The resources that this run replaces and that a value refers to: an id, or an object that holds one. */
    replacedIn(value: unknown): readonly Row[] {
        const found: unknown[] = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return this.all(({ replaced: { id } = {} }) => id !== undefined && found.includes(id));
    }

    /** The resources for which this predicate holds. */
    all(isWanted: (row: Row) => boolean): readonly Row[] {
        return [...this.rows.values()].filter(isWanted);
    }
}

function isSame(left: ResourceRef | undefined, right: ResourceRef): boolean {
    return left?.id === right.id && left.type === right.type && left.projectId === right.projectId;
}
