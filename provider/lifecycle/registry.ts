import { createHash } from "node:crypto";
import { noFacts, type Fact, type RunFacts } from "./runFacts";
import { baseUrn, logicalName } from "../inputs/names";
import { hasUnknown, type Planned } from "../inputs/unknown";

/** A resource of the API. */
export interface Physical {
    readonly type: string;
    readonly projectId: string;
    readonly id: string;
}

/** What a program declares for one resource. */
export interface Declaration {
    readonly type: string;
    readonly inputs: object;
    /** The values of the inputs that other processes may see: without secrets and unknown values. */
    readonly shared: object;
    /** Values that no other resource of the program may share. */
    readonly identity: readonly unknown[];
    /** The URNs that the resource had before, as far as the program declares them. */
    readonly aliases: readonly string[];
}

/** What this run knows of one resource of the program. */
interface Entry {
    /** The kind and the inputs, once the program has declared the resource. */
    declared?: { readonly type: string; readonly inputs: object };
    /** Values that no other resource of the program may share, as a hash: they may be secret. */
    identity?: string | undefined;
    /** The URNs that the resource had before: those that the program declares, and those in the state. */
    aliases?: readonly string[];
    isPreview?: boolean;
    /** Declared with existingId. */
    adopts?: Physical | undefined;
    /** Declared with existingId, by the program itself: the engine may not call a provider for it. */
    announces?: { readonly type: string; readonly id: unknown; readonly projectId?: unknown };
    /** In the state and not replaced, or created or adopted in this run. */
    manages?: Physical | undefined;
    /** Imported in this run, or by an earlier one that no update has followed: its id. */
    importedId?: string;
    /** In the state when it was refreshed, live or pending deletion. */
    refreshed?: Physical | undefined;
    /** The id before the replacement in this run. */
    replacedId?: string | undefined;
    /** Whether it is deleted before its replacement is created. */
    isDeletedFirst?: boolean;
    /** Physical resources that are certainly not an earlier form of this one, by their ids. */
    distinctFrom?: readonly string[] | undefined;
    /** The address of the API, if another process of the run uses another one. */
    elsewhere?: string | undefined;
}

/** What a deletion knows of the resource in the state. */
export interface Old extends Physical {
    readonly urn: string;
    readonly distinctFrom: readonly string[];
}

/**
 * What the program declares and manages, by URN, as far as the calls of the engine have shown in this run, to any process of
 * the run. The engine deletes by id, and the state can hold an id twice, even under one URN: live, and pending deletion. A
 * physical resource in use must not be deleted. Calls without a URN, which only tests make, record nothing.
 */
export class Registry {
    private readonly own = new Map<string, Entry>();
    /** What the other processes of the run have recorded. */
    private readonly others = new Map<string, Entry>();

    constructor(
        private readonly facts: RunFacts = noFacts,
        /** The address of the API. Ids and names at another address are those of other resources. */
        private readonly platform: () => string = () => "",
    ) {}

    /** Records a declaration. Returns the URN of another resource with the same identity, if there is one. */
    declare(urn: string | undefined, { type, inputs, shared, identity, aliases }: Declaration): string | undefined {
        if (urn === undefined) {
            return undefined;
        }
        const isComplete = identity.length > 0 && !identity.includes(undefined) && !hasUnknown(identity);
        const key = isComplete ? hashOf([type, ...identity]) : undefined;
        const other = key === undefined ? undefined : this.find((entry, one) => one !== urn && entry.identity === key);
        const known = { aliases, identity: other === undefined ? key : undefined };
        this.record(urn, { declared: { type, inputs }, ...known }, { declared: { type, inputs: shared }, ...known });
        return other;
    }

    /** The inputs of the resource with this URN; undefined if the program has not declared it yet. */
    inputsOf<Inputs>(urn: string | undefined): Planned<Inputs> | undefined {
        return this.declarationOf(urn)?.inputs as Planned<Inputs> | undefined;
    }

    /** The inputs of all other resources of a kind at the same address. */
    othersOf<Inputs>(type: string, urn: string | undefined): readonly Planned<Inputs>[] {
        return this.entries()
            .filter(([other, { declared, elsewhere }]) => other !== urn && declared?.type === type && !elsewhere)
            .map(([, { declared }]) => declared?.inputs as Planned<Inputs>);
    }

    /** Records whether a resource is only previewed. The program reports this, because the engine does not. */
    setPreview(urn: string | undefined, isPreview: boolean): void {
        this.record(urn, { isPreview }, {});
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

    /** Records what the state of a resource says about its earlier URNs, and about what it is certainly not. */
    remembers(urn: string | undefined, formerUrns: readonly string[], distinctFrom: readonly string[]): void {
        if (formerUrns.length + distinctFrom.length > 0) {
            const { aliases = [] } = this.entry(urn);
            this.record(urn, { aliases: [...new Set([...aliases, ...formerUrns])], distinctFrom });
        }
    }

    /** The URNs that the resource had before, as far as the program and the state tell. */
    aliasesOf(urn: string): readonly string[] {
        return this.entry(urn).aliases ?? [];
    }

    /** Records that the state has the resource only because the program imports it. */
    imports(urn: string | undefined, id: string): void {
        this.record(urn, { importedId: id });
    }

    /** The id that the program imports for a declared resource. */
    importedBy(urn: string): string | undefined {
        this.receive();
        return this.own.get(urn)?.importedId ?? this.others.get(urn)?.importedId;
    }

    /** Records what the state held when it was refreshed. */
    refreshed(urn: string | undefined, physical: Physical): void {
        this.record(urn, { refreshed: physical });
    }

    /** Records a replacement, so that the old resource is not reported as a duplicate of the new one. */
    replaces(urn: string | undefined, id: string, isDeletedFirst = false): void {
        this.record(urn, { replacedId: id, isDeletedFirst, ...nothing });
    }

    /** Discards the replacement that an earlier diff recorded. */
    keeps(urn: string | undefined): void {
        if (this.entry(urn).replacedId !== undefined) {
            this.record(urn, { replacedId: undefined });
        }
    }

    /** Records that the resource is replaced or deleted, and no longer manages anything. */
    leaves(urn: string | undefined): void {
        this.record(urn, nothing);
    }

    /** The id of the resource before its replacement in this run. */
    replacedId(urn: string | undefined): string | undefined {
        return this.entry(urn).replacedId;
    }

    /** Whether this value, an id or an object that holds one, refers to a resource that this run replaces. */
    refersToReplaced(value: unknown): boolean {
        const ids = new Set(this.entries().map(([, { replacedId }]) => replacedId));
        const found = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return found.some((item) => typeof item === "string" && ids.has(item));
    }

    /** Whether this is the id of a resource that this run deletes before it creates its replacement. */
    isDeletedFirst(id: unknown): boolean {
        return this.find((entry) => entry.isDeletedFirst === true && entry.replacedId === id) !== undefined;
    }

    /** What the resource manages now, as far as this run knows. */
    managedBy(urn: string): Physical | undefined {
        this.receive();
        return this.own.get(urn)?.manages ?? this.others.get(urn)?.manages;
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

    /** Whether the program declares another resource. */
    declaresOthers(urn: string): boolean {
        return this.find(({ declared }, one) => one !== urn && declared !== undefined) !== undefined;
    }

    /** The URN of a resource that manages it. */
    managerOf(physical: Physical): string | undefined {
        return this.managerBeside(undefined, physical);
    }

    /** The URN of a resource that declares it with existingId. The URN is that of the resource that the engine deletes. */
    adopterOf(physical: Physical, urn?: string): string | undefined {
        return this.find(
            ({ adopts, announces }, one) =>
                isSame(adopts, physical) || (one !== urn && isAnnounced(announces, physical)),
        );
    }

    /** The URN of a declared resource that has this URN, or had it before. */
    successorOf(old: Old): string | undefined {
        return this.declarationOf(old.urn) === undefined
            ? this.find(
                  (entry, urn) =>
                      entry.declared?.type === old.type &&
                      [urn, ...(entry.aliases ?? [])].some((one) => baseUrn(one) === baseUrn(old.urn)) &&
                      !this.areDistinct(entry, old),
              )
            : old.urn;
    }

    /** The URNs of declared resources with the same resource name under other parents, unless they are certainly others. */
    movedFrom(old: Old): readonly string[] {
        return this.entries()
            .filter(
                ([urn, entry]) =>
                    entry.declared?.type === old.type &&
                    logicalName(urn) === logicalName(old.urn) &&
                    !this.areDistinct(entry, old),
            )
            .map(([urn]) => urn);
    }

    /**
     * The ids of other declared resources whose names alone could mean that they are the same resource before or after a
     * move. The state records them, because the program cannot declare one resource twice.
     */
    distinctFrom(urn: string): readonly string[] {
        const { declared, aliases = [] } = this.entry(urn);
        const names = new Set([urn, ...aliases].map(baseUrn));
        return this.entries().flatMap(([other, entry]) => {
            const isRelated =
                logicalName(other) === logicalName(urn) ||
                [other, ...(entry.aliases ?? [])].some((one) => names.has(baseUrn(one)));
            const isOther = other !== urn && entry.declared !== undefined && entry.declared.type === declared?.type;
            return isOther && isRelated && entry.manages !== undefined ? [entry.manages.id] : [];
        });
    }

    /** Whether the program declares a resource of a kind that fulfils a condition. */
    hasDeclared(type: string, matches: (urn: string) => boolean): boolean {
        return this.find(({ declared }, urn) => declared?.type === type && matches(urn)) !== undefined;
    }

    /** Fails if this run may not know all resources that the program declares. */
    assertComplete(): void {
        this.receive();
        if (this.facts.problem !== undefined) {
            throw this.facts.problem;
        }
    }

    /** Whether the program has declared both of them at the same time. */
    private areDistinct({ manages, distinctFrom = [] }: Entry, old: Old): boolean {
        return distinctFrom.includes(old.id) || (manages !== undefined && old.distinctFrom.includes(manages.id));
    }

    private declarationOf(urn: string | undefined): Entry["declared"] {
        this.receive();
        return this.entry(urn).declared ?? this.others.get(urn ?? "")?.declared;
    }

    private entry(urn: string | undefined): Entry {
        return this.own.get(urn ?? "") ?? {};
    }

    private entries(): [string, Entry][] {
        this.receive();
        return [...this.own, ...this.others];
    }

    /** Records facts about a resource, and shares them with the other processes of the run. */
    private record(urn: string | undefined, facts: Entry, shared: Entry = facts): void {
        if (urn === undefined) {
            return;
        }
        this.own.set(urn, { ...this.entry(urn), ...facts });
        const values = Object.entries(shared).map(([name, value]) => [name, (value as unknown) ?? null] as const);
        if (values.length > 0) {
            this.facts.publish({ urn, platform: this.platform(), ...Object.fromEntries(values) });
        }
    }

    /** Adds what the other processes have recorded. */
    private receive(): void {
        for (const fact of this.facts.received()) {
            const { urn, platform, ...rest } = fact as Fact & { urn: string; platform?: string };
            // The program does not know the addresses of its providers.
            const elsewhere = platform === this.platform() ? undefined : platform;
            const known = Object.entries(rest)
                .filter(([name]) => elsewhere === undefined || !ofPlatform.has(name))
                .map(([name, value]) => [name, value ?? undefined]);
            this.others.set(urn, { ...this.others.get(urn), ...(Object.fromEntries(known) as Entry), elsewhere });
        }
    }

    private find(matches: (entry: Entry, urn: string) => boolean): string | undefined {
        this.receive();
        for (const entries of [this.own, this.others]) {
            for (const [urn, entry] of entries) {
                if (matches(entry, urn)) {
                    return urn;
                }
            }
        }
        return undefined;
    }
}

/** What a resource manages after its replacement or deletion. */
const nothing = { manages: undefined, refreshed: undefined } as const;

/** Facts that name a resource of the API. */
const ofPlatform: ReadonlySet<string> = new Set<keyof Entry>(["identity", "adopts", "manages", "refreshed"]);

function hashOf(values: readonly unknown[]): string {
    return createHash("sha256").update(JSON.stringify(values)).digest("base64");
}

/** Whether the program adopts it. The id in the program may be relative to that of the parent. */
function isAnnounced(announces: Entry["announces"], { type, projectId, id }: Physical): boolean {
    return (
        announces?.type === type &&
        (announces.projectId === undefined || announces.projectId === null || announces.projectId === projectId) &&
        (announces.id === id || id.endsWith(`/${String(announces.id)}`))
    );
}

function isSame(left: Physical | undefined, right: Physical): boolean {
    return left?.type === right.type && left.projectId === right.projectId && left.id === right.id;
}
