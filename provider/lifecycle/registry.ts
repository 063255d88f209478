import type { HiddenInputs } from "./resource";
import { hasUnknown, type Planned } from "../inputs/unknown";

/** A resource of the API. */
export interface Physical {
    readonly type: string;
    readonly projectId: string;
    readonly id: string;
}

/** What this run knows of one resource of the program. */
interface Entry {
    /** The kind and the inputs, once the program has declared the resource. */
    declared?: { readonly type: string; readonly inputs: object };
    /** Values that no other resource of the program may share, as one key. */
    identity?: string;
    isPreview?: boolean;
    /** Declared with existingId. */
    adopts?: Physical | undefined;
    /** In the state and not replaced, or created or adopted in this run. */
    manages?: Physical | undefined;
    /** In the state when it was refreshed, live or pending deletion. */
    refreshed?: Physical | undefined;
    /** The id before the replacement in this run. */
    replacedId?: string | undefined;
    /** Created in this run. */
    isCreated?: boolean;
}

/**
 * What the program declares and manages, by URN, as far as the calls of the engine have shown in this run. The engine deletes
 * by id, and the state can hold an id twice, even under one URN: live, and pending deletion. A physical resource in use must
 * not be deleted. Calls without a URN, which only tests make, record nothing.
 */
export class Registry {
    private readonly entries = new Map<string, Entry>();

    /** Records a declaration. Returns the URN of another resource with the same identity, if there is one. */
    declare(
        type: string,
        inputs: object & Pick<HiddenInputs, "__urn">,
        identity: readonly unknown[],
    ): string | undefined {
        const { __urn: urn } = inputs;
        if (urn === undefined) {
            return undefined;
        }
        this.record(urn, { declared: { type, inputs } });
        if (identity.length === 0 || identity.includes(undefined) || hasUnknown(identity)) {
            return undefined;
        }
        const key = JSON.stringify([type, ...identity]);
        const other = this.find((entry, one) => one !== urn && entry.identity === key);
        if (other === undefined) {
            this.record(urn, { identity: key });
        }
        return other;
    }

    /** The inputs of the resource with this URN; undefined if the program has not declared it yet. */
    inputsOf<Inputs>(urn: string | undefined): Planned<Inputs> | undefined {
        return this.entry(urn).declared?.inputs as Planned<Inputs> | undefined;
    }

    /** The inputs of all other resources of a kind. */
    othersOf<Inputs>(type: string, urn: string | undefined): readonly Planned<Inputs>[] {
        return [...this.entries]
            .filter(([other, { declared }]) => other !== urn && declared?.type === type)
            .map(([, { declared }]) => declared?.inputs as Planned<Inputs>);
    }

    /** Records whether a resource is only previewed. The program reports this, because the engine does not. */
    setPreview(urn: string | undefined, isPreview: boolean): void {
        this.record(urn, { isPreview });
    }

    isPreview(urn: string | undefined): boolean {
        return this.entry(urn).isPreview === true;
    }

    /** False only if the resource is certainly not just previewed. Not every host can tell. */
    mayBePreview(urn: string | undefined): boolean {
        return this.entry(urn).isPreview !== false;
    }

    /** Records what the program declares with existingId; undefined if it declares none. */
    adopts(urn: string | undefined, physical: Physical | undefined): void {
        this.record(urn, { adopts: physical });
    }

    /** Records that the resource manages it: it is in the state and not replaced, or this run created or adopted it. */
    manages(urn: string | undefined, physical: Physical): void {
        this.record(urn, { manages: physical });
    }

    /** Records what the state held when it was refreshed. */
    refreshed(urn: string | undefined, physical: Physical): void {
        this.record(urn, { refreshed: physical });
    }

    /** Records that this run created the resource. */
    creates(urn: string | undefined): void {
        this.record(urn, { isCreated: true });
    }

    /** Records a replacement, so that the old resource is not reported as a duplicate of the new one. */
    replaces(urn: string | undefined, id: string): void {
        this.record(urn, { replacedId: id });
        this.leaves(urn);
    }

    /** Discards the replacement that an earlier diff recorded. */
    keeps(urn: string | undefined): void {
        this.record(urn, { replacedId: undefined });
    }

    /** Records that the resource is replaced or deleted, and no longer manages anything. */
    leaves(urn: string | undefined): void {
        this.record(urn, { manages: undefined, refreshed: undefined });
    }

    /** The id of the resource before its replacement in this run. */
    replacedId(urn: string | undefined): string | undefined {
        return this.entry(urn).replacedId;
    }

    /** Whether this value, an id or an object that holds one, refers to a resource that this run replaces. */
    refersToReplaced(value: unknown): boolean {
        const ids = new Set([...this.entries.values()].map(({ replacedId }) => replacedId));
        const found = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return found.some((item) => typeof item === "string" && ids.has(item));
    }

    /** What the resource manages now, as far as this run knows. */
    managedBy(urn: string | undefined): Physical | undefined {
        return this.entry(urn).manages;
    }

    /** What the state holds for the resource, as far as this run knows. */
    inStateOf(urn: string | undefined): Physical | undefined {
        const { manages, refreshed } = this.entry(urn);
        return manages ?? refreshed;
    }

    /** The URN of another resource that manages it. */
    managerBeside(urn: string | undefined, physical: Physical): string | undefined {
        return this.find(({ manages }, one) => one !== urn && isSame(manages, physical));
    }

    /** The URN of another resource that manages or adopts it. */
    userBeside(urn: string | undefined, physical: Physical): string | undefined {
        return (
            this.managerBeside(urn, physical) ?? this.find(({ adopts }, one) => one !== urn && isSame(adopts, physical))
        );
    }

    /** The URN of a resource that manages or adopts it. */
    userOf(physical: Physical): string | undefined {
        return this.userBeside(undefined, physical);
    }

    /** The URN of a resource of a kind that this run created and that fulfils a condition. */
    createdWhere(type: string, matches: (urn: string) => boolean): string | undefined {
        return this.find(
            ({ isCreated, declared }, urn) => isCreated === true && declared?.type === type && matches(urn),
        );
    }

    private entry(urn: string | undefined): Entry {
        return this.entries.get(urn ?? "") ?? {};
    }

    private record(urn: string | undefined, facts: Entry): void {
        if (urn !== undefined) {
            this.entries.set(urn, { ...this.entry(urn), ...facts });
        }
    }

    private find(matches: (entry: Entry, urn: string) => boolean): string | undefined {
        for (const [urn, entry] of this.entries) {
            if (matches(entry, urn)) {
                return urn;
            }
        }
        return undefined;
    }
}

function isSame(left: Physical | undefined, right: Physical): boolean {
    return left?.type === right.type && left.projectId === right.projectId && left.id === right.id;
}
