import { hashed, type ResourceRef } from "../lifecycle/program";
import { baseUrn, logicalName } from "../inputs/names";

/** What this run knows about one resource of the program. */
export interface Facts {
    /** The kind and the inputs, once the program has declared the resource. */
    readonly declared?: { readonly type: string; readonly inputs: object };
    /** Values that no other resource of the program may share, hashed because they may be secret. */
    readonly identity?: string | undefined;
    /** The URNs that the resource had before: those that the program declares, and those in the state. */
    readonly aliases?: readonly string[] | undefined;
    /** Whether it is only previewed. The program reports this on one of the hosts, because the engine does not. */
    readonly isPreview?: boolean;
    /** Declared with existingId, or with an adoption that no run has completed. */
    readonly adopts?: ResourceRef | undefined;
    /** Declared by the program itself: the engine calls no provider for a resource that --target or --exclude leaves out. */
    readonly announces?: Announced;
    /** In the state and not replaced, or created or adopted in this run. */
    readonly manages?: ResourceRef | undefined;
    /** Imported in this run, or by an earlier one that no update has followed: its id. */
    readonly importedId?: string;
    /** The import of this resource has begun in this run. */
    readonly imports?: ResourceRef;
    /** In the state when it was refreshed, live or pending deletion. */
    readonly refreshed?: ResourceRef | undefined;
    /**
     * The id before the replacement in this run, so that the old resource is not reported as a duplicate of the new
     * one.
     */
    readonly replacedId?: string | undefined;
    /** Whether it is deleted before its replacement is created. */
    readonly isDeletedFirst?: boolean;
    /** Whether the program has constructed it, and the engine has not completed its registration. */
    readonly isRegistering?: boolean;
    /** Whether this run creates, updates, replaces or imports it, and has not completed that. */
    readonly isUnfinished?: boolean;
    /** The ids of resources that are certainly not an earlier form of this one. */
    readonly distinctFrom?: readonly string[] | undefined;
    /** The address of the API, if another process of the run uses another one. */
    readonly elsewhere?: string | undefined;
}

/** What the program announces about a resource. A value that is not known is left out. */
export interface Announced {
    readonly type: string;
    /** In the state, or created or adopted in this run. */
    readonly id?: unknown;
    /** The URNs that the resource had before. */
    readonly aliases?: readonly string[] | undefined;
    readonly existingId?: unknown;
    /** The id of its project, hashed because it may be secret; absent for the default project. */
    readonly project?: unknown;
    readonly allowReplace?: unknown;
}

export function announcement({
    projectId,
    ...others
}: Omit<Announced, "project"> & { readonly projectId: unknown }): Announced {
    return { ...others, project: typeof projectId === "string" ? hashed(projectId) : projectId };
}

/** The facts about the resource with this URN. */
export interface Row {
    readonly urn: string;
    facts: Facts;
}

/** The keys that find rows. */
export const keyOf = {
    declared: "declared",
    unfinished: "unfinished",
    type: (type: string) => `type ${type}`,
    name: (urn: string) => `name ${logicalName(urn)}`,
    urn: (urn: string) => `urn ${baseUrn(urn)}`,
    identity: (hash: string) => `identity ${hash}`,
    manages: ({ type, project, id }: ResourceRef) => `manages ${type} ${project} ${id}`,
    adopts: ({ type, project, id }: ResourceRef) => `adopts ${type} ${project} ${id}`,
    imports: ({ type, project, id }: ResourceRef) => `imports ${type} ${project} ${id}`,
    announces: (type: string) => `announces ${type}`,
    announcesId: (type: string, id: string) => `announces ${type} ${id}`,
    replaces: (id: string) => `replaces ${id}`,
} as const;

/** The keys that find a resource by the names and places that it has and had. */
export const keysOfUrns = (urn: string, aliases: readonly string[] = []): readonly string[] =>
    [urn, ...aliases].flatMap((one) => [keyOf.name(one), keyOf.urn(one)]);

/** Facts by URN, with an index, so that a question does not search all resources. */
export class Table {
    private readonly rows = new Map<string, Row>();
    private readonly index = new Map<string, Set<Row>>();

    get(urn: string | undefined): Facts {
        return this.rows.get(urn ?? "")?.facts ?? {};
    }

    add(urn: string, facts: Facts): void {
        const row = this.rows.get(urn) ?? { urn, facts: {} };
        this.rows.set(urn, row);
        for (const key of keysOf(row)) {
            this.index.get(key)?.delete(row);
        }
        row.facts = { ...row.facts, ...facts };
        for (const key of keysOf(row)) {
            this.index.set(key, (this.index.get(key) ?? new Set()).add(row));
        }
    }

    with(key: string): readonly Row[] {
        return [...(this.index.get(key) ?? [])];
    }
}

function keysOf({ urn, facts }: Row): readonly string[] {
    const { declared, identity, aliases, adopts, imports, announces, manages, replacedId } = facts;
    return [
        ...keysOfUrns(urn, [...(aliases ?? []), ...(announces?.aliases ?? [])]),
        ...(declared === undefined ? [] : [keyOf.declared, keyOf.type(declared.type)]),
        ...(identity === undefined ? [] : [keyOf.identity(identity)]),
        ...(manages === undefined ? [] : [keyOf.manages(manages)]),
        ...(adopts === undefined ? [] : [keyOf.adopts(adopts)]),
        ...(imports === undefined ? [] : [keyOf.imports(imports)]),
        ...(announces?.existingId === undefined ? [] : [keyOf.announces(announces.type)]),
        ...(typeof announces?.id === "string" ? [keyOf.announcesId(announces.type, announces.id)] : []),
        ...(facts.isUnfinished || facts.isRegistering ? [keyOf.unfinished] : []),
        ...(replacedId === undefined ? [] : [keyOf.replaces(replacedId)]),
    ];
}
