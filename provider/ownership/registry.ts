import type { Declaration, Program, ResourceRef } from "../lifecycle/program";
import { keyOf, keysOfUrns, Table, type Announced, type Facts, type Row } from "./table";
import { noFacts, type Fact, type RunFacts } from "./runFacts";
import type { Planned } from "../inputs/unknown";

/** What a deletion knows about the resource in the state. */
export interface Old extends ResourceRef {
    readonly urn: string;
    readonly formerUrns: readonly string[];
    readonly distinctFrom: readonly string[];
}

/**
 * What the program declares and manages, by URN, as far as the calls of the engine have shown it to any process of this
 * run. The engine deletes by id, and the state can hold an id twice, even under one URN: live, and pending deletion. A
 * resource of the API that is in use must not be deleted. Calls without a URN, which only tests make, are not recorded.
 */
export class Registry implements Program {
    private readonly ownFacts = new Table();
    /** What the other processes of the run have recorded. */
    private readonly otherFacts = new Table();
    private isCurrent = false;

    constructor(
        private readonly run: RunFacts = noFacts,
        /** The address of the API. Ids and names at another address belong to other resources. */
        private readonly platform: () => string = () => "",
    ) {}

    /** Records facts about a resource, and shares them with the other processes of the run. */
    record(urn: string | undefined, facts: Facts, shared: Facts = facts): void {
        if (urn === undefined) {
            return;
        }
        this.ownFacts.add(urn, facts);
        const values = Object.entries(shared).map(([name, value]) => [name, (value as unknown) ?? null] as const);
        this.run.publish({ urn, platform: this.platform(), ...Object.fromEntries(values) });
    }

    /** Records a declaration, and the URNs that the program declares as earlier ones. */
    declare(
        urn: string | undefined,
        { type, inputs, shared, identity }: Declaration,
        aliases: readonly string[],
    ): void {
        const known = { aliases, identity: this.twinOf(urn, identity) === undefined ? identity : undefined };
        this.record(urn, { declared: { type, inputs }, ...known }, { declared: { type, inputs: shared }, ...known });
    }

    /** What this process has recorded about a resource. */
    own(urn: string | undefined): Facts {
        return this.ownFacts.get(urn);
    }

    /** A fact about a resource, from any process of the run. */
    fact<Name extends keyof Facts>(urn: string | undefined, name: Name): Facts[Name] {
        this.receive();
        return this.ownFacts.get(urn)[name] ?? this.otherFacts.get(urn)[name];
    }

    inputsOf<Inputs>(urn: string | undefined): Planned<Inputs> | undefined {
        return this.fact(urn, "declared")?.inputs as Planned<Inputs> | undefined;
    }

    othersOf<Inputs>(type: string, urn: string | undefined): readonly Planned<Inputs>[] {
        return this.rows(keyOf.type(type))
            .filter((row) => row.urn !== urn && !row.facts.elsewhere)
            .map(({ facts }) => facts.declared?.inputs as Planned<Inputs>);
    }

    twinOf(urn: string | undefined, identity: string | undefined): string | undefined {
        return urn === undefined || identity === undefined ? undefined : this.another(urn, keyOf.identity(identity));
    }

    /** The URN of a resource, other than this one, that manages it. */
    managerOf(ref: ResourceRef, urn?: string): string | undefined {
        return this.another(urn, keyOf.manages(ref));
    }

    userOf(ref: ResourceRef): string | undefined {
        return this.managerOf(ref) ?? this.adopterOf(ref);
    }

    /** The URN of a resource that adopts or imports it. `urn` is the resource that the engine deletes. */
    adopterOf(ref: ResourceRef, urn?: string): string | undefined {
        const announcing = this.rows(keyOf.announces(ref.type));
        // The plugin also imports what the program only reads with `.get`, and never declares.
        const importing = this.rows(keyOf.imports(ref)).filter(({ facts }) => facts.declared ?? facts.isUnfinished);
        return (
            this.another(undefined, keyOf.adopts(ref)) ??
            importing[0]?.urn ??
            announcing.find((row) => row.urn !== urn && isAnnounced(row.facts, ref))?.urn
        );
    }

    /** The resources that this run replaces and that a value refers to: an id, or an object that holds one. */
    replacedIn(value: unknown): readonly Row[] {
        const found: unknown[] = typeof value === "object" && value !== null ? Object.values(value) : [value];
        return this.rows(...found.filter((item) => typeof item === "string").map(keyOf.replaces));
    }

    /** The URNs of the declared resources that one of these keys finds, unless they are certainly not the one in the state. */
    candidatesFor(old: Old, ...keys: readonly string[]): readonly string[] {
        return this.rows(...keys)
            .filter((row) => mayBe(row, old))
            .map(({ urn }) => urn);
    }

    /**
     * The resources that the run leaves out, and that these names or the id of the old resource find: the program has
     * announced them, and the engine has called no provider for them. None if the program declares the old resource itself,
     * under its present URN, which `destroy --run-program` then deletes. An alias is no proof of that: the state can have an
     * entry under either URN.
     */
    leftOutFor(old: Old, ...names: readonly string[]): readonly (Announced & { readonly urn: string })[] {
        const announced = this.rows(keyOf.announcesId(old.type, old.id), ...names).flatMap(
            ({ urn, facts: { announces } }) => (announces?.type === old.type ? [{ ...announces, urn }] : []),
        );
        const isOld = (urn: string) => keyOf.urn(urn) === keyOf.urn(old.urn);
        const isDeclared = announced.some(({ urn, id }) => id === old.id && isOld(urn));
        return announced.filter(
            ({ urn, id }) =>
                !isDeclared &&
                !isOld(urn) &&
                this.inputsOf(urn) === undefined &&
                !old.distinctFrom.some((other) => other === id),
        );
    }

    /**
     * The ids of other declared resources whose names alone could mean that they are the same resource before or after
     * a move. The state records them, because the program cannot declare one resource twice.
     */
    distinctFrom(urn: string): readonly string[] {
        const { declared, aliases } = this.own(urn);
        return this.rows(...keysOfUrns(urn, aliases))
            .filter((row) => row.urn !== urn && row.facts.declared && row.facts.declared.type === declared?.type)
            .flatMap(({ facts }) => facts.manages?.id ?? []);
    }

    /** The URN of another resource that one of these keys finds. */
    another(urn: string | undefined, ...keys: readonly string[]): string | undefined {
        return this.rows(...keys).find((row) => row.urn !== urn)?.urn;
    }

    /** The rows that any of these keys finds: first those of this process. */
    rows(...keys: readonly string[]): readonly Row[] {
        this.receive();
        return [this.ownFacts, this.otherFacts].flatMap((table) => [
            ...new Set(keys.flatMap((key) => table.with(key))),
        ]);
    }

    /** Fails if this run may not know every resource that the program has declared so far. */
    assertComplete(): void {
        this.isCurrent = false;
        this.receive();
        if (this.run.problem !== undefined) {
            throw this.run.problem;
        }
    }

    /**
     * Adds what the other processes have recorded. An engine call that asks several questions without a pause reads
     * once. It then knows what another process published before the call began.
     */
    private receive(): void {
        if (this.isCurrent) {
            return;
        }
        this.isCurrent = true;
        queueMicrotask(() => {
            this.isCurrent = false;
        });
        for (const fact of this.run.received()) {
            const { urn, platform, ...rest } = fact as Fact & { urn: string; platform?: string };
            // The program does not know the addresses of its providers.
            const elsewhere = platform === this.platform() ? undefined : platform;
            const known = Object.entries(rest)
                .filter(([name]) => elsewhere === undefined || !ofPlatform.has(name))
                .map(([name, value]) => [name, value ?? undefined]);
            // The program announces without an address.
            const place = platform === undefined ? {} : { elsewhere };
            this.otherFacts.add(urn, { ...(Object.fromEntries(known) as Facts), ...place });
        }
    }
}

/** Facts that name a resource of the API. */
const ofPlatform: ReadonlySet<string> = new Set<keyof Facts>(["identity", "adopts", "imports", "manages", "refreshed"]);

/**
 * Whether this may be the resource in the state: the program declares its kind, and has not declared both at the same
 * time.
 */
function mayBe({ facts: { declared, manages, distinctFrom = [] } }: Row, old: Old): boolean {
    const isDistinct =
        distinctFrom.includes(old.id) || (manages !== undefined && old.distinctFrom.includes(manages.id));
    return declared?.type === old.type && !isDistinct;
}

/** Whether the program adopts it. The id in the program may be relative to the id of the parent. */
function isAnnounced({ announces }: Facts, { project, id }: ResourceRef): boolean {
    return (
        (announces?.project ?? project) === project &&
        (announces?.existingId === id || id.endsWith(`/${String(announces?.existingId)}`))
    );
}
