import type { Planned } from "../base/fields";
import type { Remembered } from "./state";

/**
 * What this process has seen of the resources of the program, by URN. It can only keep a resource from being deleted: the permission
 * is in the state. Calls without a URN, which only tests make, are not recorded.
 *
 * The engine (Pulumi 3.250.0) makes these calls for one resource. `check old` is a check with the old inputs.
 *
 * | run                                 | calls                                    | host    |
 * |-------------------------------------|------------------------------------------|---------|
 * | creation                            | check, create                            | both    |
 * | no change                           | check old, diff                          | both    |
 * | update                              | check old, diff, update                  | both    |
 * | replacement                         | check old, diff, check, create, delete   | both    |
 * | replacement that deletes first      | check old, diff, check, delete, create   | both    |
 * | dependent of what is deleted first  | diff, delete, check, create              | both    |
 * | replaceOnChanges                    | check old, diff, check, delete, create   | plugin  |
 * | --replace                           | check, delete, create                    | both    |
 * | taint                               | check, delete, create                    | both    |
 * | refresh                             | read, diff                               | both    |
 * | destroy                             | delete                                   | both    |
 * | import                              | read, check old                          | plugin  |
 *
 * The rows of replaceOnChanges, --replace and a taint are those of a program with the option deleteBeforeReplace. Without it, the
 * creation comes before the deletion. A preview has a process of its own.
 */
export class Ledger {
    private readonly rows = new Map<string, Row>();
    private readonly deleted = new Set<string>();

    /** What a call of the engine has shown. */
    note(urn: string | undefined, seen: Partial<Row>): void {
        if (urn !== undefined) {
            this.rows.set(urn, { ...this.row(urn), ...seen, urn });
        }
    }

    /** This run has deleted the resource. A list may still show it. */
    noteDeletion(urn: string | undefined, ref: ResourceRef): void {
        this.deleted.add(keyOf(ref));
        if (isSame(this.row(urn).manages, ref)) {
            this.note(urn, { manages: undefined });
        }
    }

    row(urn = ""): Row {
        return this.rows.get(urn) ?? { urn };
    }

    /** Whether the engine has checked the resource in this run. A diff without a check before it is not a declared one. */
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
        return this.all((row) => row.urn !== urn && isSame(row.manages, ref))[0];
    }

    /** Whether this run replaces the resource with the one of this URN, or has deleted it. */
    isReplacedOrDeleted(ref: ResourceRef, urn: string | undefined): boolean {
        return this.row(urn).replaces?.id === ref.id || this.deleted.has(keyOf(ref));
    }

    /**
     * The resource of the program with this id, if it is deleted before its replacement is created. That is a VPC or a peering, and no
     * other kind has ids of their form.
     */
    deletedFirst(id: string): Row | undefined {
        return this.all(({ replaces }) => replaces?.isDeletedFirst === true && replaces.id === id)[0];
    }

    /** The resources for which this predicate holds. */
    all(isWanted: (row: Row) => boolean): readonly Row[] {
        return [...this.rows.values()].filter(isWanted);
    }
}

/** A resource of the API. */
export interface ResourceRef {
    readonly type: string;
    readonly projectId: string;
    readonly id: string;
}

/** What a program declares for one resource. */
interface Declaration {
    readonly type: string;
    readonly inputs: object;
    /** A text of the values that no other resource of the program may share. Undefined while one is unknown. */
    readonly identity: string | undefined;
}

/** What this run has seen of one resource of the program. */
export interface Row {
    readonly urn: string;
    /** Set by each check. */
    readonly declared?: Declaration | undefined;
    /**
     * Its protection in the state, as long as no replacement is known. Set by a check with old inputs, and again by a declared diff
     * without a replacement. Cleared by a replacement, a creation and an update.
     */
    readonly protectionInState?: Pick<Remembered, "deletionProtection"> | undefined;
    /**
     * What the resource will still manage after the run. Absent once a replacement is known, so that the old one can be deleted.
     *
     * - set by a check that announces an adoption, a declared diff without a replacement, a creation and an update
     * - cleared by any other check, unless existingId names what the entry manages; by a declared diff with a replacement; by a deletion
     * - never set by the diff of a refresh: a removed resource would be its own manager, and its deletion would only remove the entry
     */
    readonly manages?: (ResourceRef & Novelty) | undefined;
    /** What is replaced, from the diff or the check that shows it until the new one exists. */
    readonly replaces?: Replaced | undefined;
}

interface Novelty {
    /** Whether this run has created or adopted it, or is about to adopt it: not every server of the API may know it yet. */
    readonly isNew: boolean;
}

interface Replaced {
    /** Undefined if only an option requires the replacement, and no diff has shown the id. */
    readonly id: string | undefined;
    /** Whether the provider has asked for the deletion before the creation. */
    readonly isDeletedFirst: boolean;
}

const keyOf = ({ type, projectId, id }: ResourceRef): string => [type, projectId, id].join(" ");

function isSame(left: ResourceRef | undefined, right: ResourceRef): boolean {
    return left !== undefined && keyOf(left) === keyOf(right);
}
