import fc from "fast-check";
import { nameFrom } from "../support/streams";
import type { Engine } from "./engine/engine";
import { defaultProviders, tokenOf } from "./engine/registration";
import type { HostName } from "../support/calls";
import { keys, typeOf } from "./program";
import type { Key } from "./program";

/** What a person changes about the identity of resources, in the program and with commands for the state. */
export type IdentityChange =
    /** A new name, with an alias in the program, with `pulumi state rename`, or without either. */
    | { does: "alias" | "stateRename" | "rename"; key: Key; to: string }
    /** The resource moves under a component, or out of it. */
    | { does: "move"; key: Key; hasAlias: boolean }
    /** The services exchange their names and parents, as after an insertion into the list that they are declared from. */
    | { does: "shift" }
    /** `pulumi stack rename`. */
    | { does: "renameStack" }
    /** The `deleteBeforeReplace` option, on or off. */
    | { does: "deleteFirst"; key: Key }
    /** The other host. Each type is an alias of the other one. */
    | { does: "host" };

interface Place {
    readonly name: string;
    readonly isChild: boolean;
}

const otherHost: Readonly<Record<HostName, HostName>> = { dynamic: "native", native: "dynamic" };

/** As in the stacks of support/engine, for the comparison with the engine. */
const projectName = "tests";
export const stackName = "test";
export const componentType = "shop:index:Group";

/** The name of a resource, and whether it is a child of the component. */
export const nameIn = (urn: string): string => urn.replace(/^.*::/, "");
export const isChild = (urn: string): boolean => urn.includes(`${componentType}$`);

/** The URNs, aliases and options of a stack's resources. A name can be used by one resource after another. */
export class Identities {
    private readonly places = new Map<Key, Place>();
    private readonly formerPlaces = new Map<Key, readonly Place[]>();
    private readonly deletedFirst = new Set<Key>();

    constructor(
        private host: HostName,
        private stackName: string,
    ) {}

    /** What the program declares about a resource, besides its inputs. */
    of(key: Key) {
        const { host } = this;
        const urns = [this.place(key), ...this.former(key)].flatMap((place) =>
            [host, otherHost[host]].map((one) => this.urn(key, place, one)),
        );
        const [urn = "", ...aliases] = urns;
        return {
            urn,
            aliases,
            provider: defaultProviders[host],
            ...(this.deletedFirst.has(key) && { deleteBeforeReplace: true }),
        };
    }

    /** Makes the change, unless the host, the state or the program makes it impossible. Returns whether it was made. */
    change(change: IdentityChange, engine: Engine): boolean {
        const before = this.content();
        this.tryTo(change, engine);
        return this.content() !== before;
    }

    private content(): string {
        const { host, stackName, places, formerPlaces, deletedFirst } = this;
        return JSON.stringify([host, stackName, [...places], [...formerPlaces], [...deletedFirst]]);
    }

    private tryTo(change: IdentityChange, engine: Engine): void {
        const { inDoubt } = engine.notes;
        switch (change.does) {
            case "alias":
            case "stateRename":
            case "rename":
            case "move":
                if (!inDoubt.has(change.key)) {
                    this.replace(change, engine);
                }
                break;
            case "shift":
                if (inDoubt.size === 0) {
                    const [orders, reports] = [this.place("orders"), this.place("reports")];
                    this.put("orders", reports, false);
                    this.put("reports", orders, false);
                }
                break;
            case "renameStack":
                if (inDoubt.size === 0) {
                    this.stackName = this.stackName.endsWith("-2")
                        ? this.stackName.slice(0, -2)
                        : `${this.stackName}-2`;
                    engine.state.renameStack(this.stackName);
                }
                break;
            case "deleteFirst":
                if (!this.deletedFirst.delete(change.key)) {
                    this.deletedFirst.add(change.key);
                }
                break;
            case "host":
                this.host = otherHost[this.host];
        }
    }

    /** Adds the URN of an old entry to the aliases of a resource. */
    addAlias(key: Key, urn: string): void {
        const place = { name: nameIn(urn), isChild: isChild(urn) };
        this.formerPlaces.set(key, [place, ...this.former(key)]);
    }

    private replace(
        change: Exclude<IdentityChange, { does: "shift" | "renameStack" | "deleteFirst" | "host" }>,
        { state }: Engine,
    ): void {
        const { key, does } = change;
        const { name, isChild } = this.place(key);
        const next = does === "move" ? { name, isChild: !isChild } : { name: change.to, isChild };
        if (!this.isFree(key, next)) {
            return;
        }
        if (does !== "stateRename") {
            const hasAlias = does === "alias" || (does === "move" && change.hasAlias);
            if (hasAlias || typeOf[key] === "Service") {
                this.put(key, next, hasAlias);
            }
            return;
        }
        const [urn, to] = [this.of(key).urn, this.urn(key, next)];
        if (state.get(urn) !== undefined && state.get(to) === undefined) {
            state.rename(urn, to);
            if (state.get(to) !== undefined) {
                this.put(key, next, false);
            }
        }
    }

    /** Puts a resource in a place. It is then no alias of another resource. */
    private put(key: Key, next: Place, hasAlias: boolean): void {
        this.formerPlaces.set(key, hasAlias ? [this.place(key), ...this.former(key)] : []);
        this.places.set(key, next);
        for (const one of keys.filter((other) => typeOf[other] === typeOf[key])) {
            this.formerPlaces.set(
                one,
                this.former(one).filter(({ name, isChild }) => name !== next.name || isChild !== next.isChild),
            );
        }
    }

    private isFree(key: Key, { name, isChild }: Place): boolean {
        return keys
            .filter((other) => typeOf[other] === typeOf[key])
            .every((other) => this.place(other).name !== name || this.place(other).isChild !== isChild);
    }

    private place(key: Key): Place {
        return this.places.get(key) ?? { name: key, isChild: false };
    }

    private former(key: Key): readonly Place[] {
        return this.formerPlaces.get(key) ?? [];
    }

    private urn(key: Key, { name, isChild }: Place, host = this.host): string {
        const token = tokenOf(host, typeOf[key]);
        return `urn:pulumi:${this.stackName}::${projectName}::${isChild ? `${componentType}$` : ""}${token}::${name}`;
    }
}

const key = fc.oneof(fc.constantFrom<Key>("orders", "reports"), nameFrom(...keys));
const to = fc.constantFrom("orders", "reports", "legacy");

export const identityChanges: fc.Arbitrary<IdentityChange> = fc.oneof(
    fc.record({ does: fc.constantFrom("alias" as const, "stateRename" as const, "rename" as const), key, to }),
    fc.record({ does: fc.constant("move" as const), key, hasAlias: fc.boolean() }),
    fc.constantFrom<IdentityChange>({ does: "shift" }, { does: "renameStack" }),
    fc.record({ does: fc.constant("deleteFirst" as const), key }),
    fc.constant<IdentityChange>({ does: "host" }),
);
