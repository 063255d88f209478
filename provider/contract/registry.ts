import type { Planned, Unknown } from "../inputs/unknown";

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

/** What this run knows about one resource of the program. */
export interface Row {
    readonly urn: string;
    readonly declared?: Declaration | undefined;
    /** The URNs that the resource may have had before. */
    readonly aliases?: readonly string[] | undefined;
    /** Whether a refresh of this run has found that the resource does not exist. */
    readonly isGone?: boolean | undefined;
    /** What it adopts, until the adoption is complete. */
    readonly adopts?: ResourceRef | undefined;
    /** In the state, or created or adopted in this run. Undefined while the resource is replaced. */
    readonly manages?: ResourceRef | undefined;
    /** The old inputs, if this run has checked the resource with them. */
    readonly before?: object | undefined;
    /** The id that this run has created, without the data of another resource. */
    readonly created?: string | undefined;
    /** The id before the replacement in this run. Unknown if an option requires the replacement, and no diff has shown the id. */
    readonly replaced?: string | Unknown | undefined;
    /** The id that an earlier run has replaced by the present one, without its data. */
    readonly replacedEarlier?: string | undefined;
    /** Whether the provider asks the engine to delete that one before it creates the replacement. */
    readonly isDeletedFirst?: boolean | undefined;
    /** Whether that one was deleted before the replacement was created. */
    readonly isReplacedGone?: boolean | undefined;
    /** Imported in this run, or by an earlier one that no update has followed. */
    readonly imported?: string | undefined;
}

/**
 * Which resource of the program manages which one of the API, by URN, as far as the calls of the engine to this process
 * have shown it. It can only refuse a deletion: the permission is in the state. Calls without a URN, which only tests make, are
 * not recorded.
 */
export class Registry {
    private readonly rows = new Map<string, Row>();

    record(urn: string | undefined, known: Omit<Row, "urn">): void {
        if (urn !== undefined) {
            this.rows.set(placeOf(urn), { ...this.row(urn), urn, ...known });
        }
    }

    row(urn = ""): Row {
        return this.rows.get(placeOf(urn)) ?? { urn };
    }

    /** The resource of the program that replaces an entry of the state, or else the one with its URN. */
    replacing(id: string, urn = ""): Row {
        return this.find(({ replaced }) => replaced === id) ?? this.row(urn);
    }

    /** As `replacing`, or else a resource that may have had the URN: its entry keeps the old one if no update has followed. */
    heirOf(id: string, urn = ""): Row {
        const isFormer = ({ aliases = [] }: Row) => aliases.some((alias) => placeOf(alias) === placeOf(urn));
        const row = this.replacing(id, urn);
        return (row.declared === undefined ? this.find(isFormer) : undefined) ?? row;
    }

    /** The inputs of the resource with this URN; undefined if the program has not declared it yet. */
    inputsOf<Inputs>(urn: string | undefined): Planned<Inputs> | undefined {
        return this.row(urn).declared?.inputs as Planned<Inputs> | undefined;
    }

    /** The inputs of all other resources of a kind. */
    othersOf<Inputs>(type: string, urn: string | undefined): readonly Planned<Inputs>[] {
        return this.all((row) => row.declared?.type === type && row.urn !== urn).map(
            ({ declared }) => declared?.inputs as Planned<Inputs>,
        );
    }

    /** Another resource with the same identity. */
    twinOf(urn: string | undefined, { identity }: Declaration): Row | undefined {
        return urn === undefined || identity === undefined
            ? undefined
            : this.find((row) => row.urn !== urn && row.declared?.identity === identity);
    }

    /** The resource, other than this one, that manages it. */
    managerOf(ref: ResourceRef, urn?: string): Row | undefined {
        return this.find((row) => row.urn !== urn && isSame(row.manages, ref));
    }

    /** The resource, other than this one, that is about to adopt it. */
    adopterOf(ref: ResourceRef, urn?: string): Row | undefined {
        return this.find((row) => row.urn !== urn && isSame(row.adopts, ref));
    }

    /** A resource that manages or adopts it. */
    managerOrAdopterOf(ref: ResourceRef): Row | undefined {
        return this.managerOf(ref) ?? this.adopterOf(ref);
    }

    /** The resources that this run replaces and that a value refers to: an id, or an object that holds one. */
    replacedIn(value: unknown): readonly Row[] {
        const found: unknown[] = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return this.all(({ replaced }) => replaced !== undefined && found.includes(replaced));
    }

    /** The resources for which this predicate holds. */
    all(isWanted: (row: Row) => boolean): readonly Row[] {
        return [...this.rows.values()].filter(isWanted);
    }

    private find(isWanted: (row: Row) => boolean): Row | undefined {
        for (const row of this.rows.values()) {
            if (isWanted(row)) {
                return row;
            }
        }
        return undefined;
    }
}

/** A URN without its stack and project, because an entry can have the one from before `pulumi stack rename`. */
function placeOf(urn: string): string {
    return urn.replace(/^urn:pulumi:[^:]*::[^:]*::/, "");
}

function isSame(one: ResourceRef | undefined, other: ResourceRef): boolean {
    return one?.id === other.id && one.type === other.type && one.projectId === other.projectId;
}
