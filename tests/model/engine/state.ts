import type { Entry } from "./entry";

/** The state of a stack, and the commands that change it without a provider. */
export class State {
    private live = new Map<string, Entry>();
    /** Replaced resources that are pending deletion. */
    private replaced: Entry[] = [];

    entries(): Entry[] {
        return [...this.live.values(), ...this.replaced];
    }

    /** The entries without those that are pending deletion. */
    liveEntries(): Entry[] {
        return [...this.live.values()];
    }

    get(urn: string): Entry | undefined {
        return this.live.get(urn);
    }

    pendingDeletion(): readonly Entry[] {
        return this.replaced;
    }

    /** The first of these URNs that the state contains. */
    find(urns: readonly string[]): Entry | undefined {
        return urns.map((urn) => this.live.get(urn)).find((entry) => entry !== undefined);
    }

    /** Puts an entry in the place of an old one, or adds it. */
    put(next: Entry, old?: Entry): void {
        if (old !== undefined && this.live.get(old.urn) === old) {
            this.live.delete(old.urn);
        }
        this.live.set(next.urn, next);
    }

    /** Marks the entry as pending deletion. */
    replace(entry: Entry): void {
        this.live.delete(entry.urn);
        this.replaced.unshift(entry);
    }

    /** Puts an entry with the same URN in the place of an old one, which may be pending deletion. */
    swap(old: Entry, next: Entry): void {
        if (this.live.get(old.urn) === old) {
            this.live.set(old.urn, next);
        }
        this.replaced = this.replaced.map((one) => (one === old ? next : one));
    }

    drop(entry: Entry): void {
        this.replaced = this.replaced.filter((one) => one !== entry);
        if (this.live.get(entry.urn) === entry) {
            this.live.delete(entry.urn);
        }
    }

    /** `pulumi state rename`. Fails if the name is used, or if a replaced resource of either name is pending deletion. */
    rename(urn: string, to: string): void {
        const entry = this.live.get(urn);
        const isPending = this.replaced.some((one) => one.urn === urn || one.urn === to);
        if (entry === undefined || this.live.has(to) || isPending) {
            return;
        }
        this.put({ ...entry, urn: to }, entry);
        this.follow(new Map([[urn, to]]));
    }

    /** `pulumi stack rename`: the stack is a part of each URN. */
    renameStack(to: string): void {
        const urns = new Map(this.entries().map(({ urn }) => [urn, urn.replace(/(?<=^urn:pulumi:)[^:]+/, to)]));
        const live = [...this.live.values()].map((entry) => ({ ...entry, urn: urns.get(entry.urn) ?? entry.urn }));
        this.live = new Map(live.map((entry) => [entry.urn, entry]));
        this.follow(urns);
    }

    /**
     * Changes all references to these URNs, as the engine does when it stores the state after aliases. A replaced resource that
     * is pending deletion gets the URN of the resource that replaced it.
     */
    follow(urns: ReadonlyMap<string, string>): void {
        const changed = (urn: string) => urns.get(urn) ?? urn;
        const following = (entry: Entry): Entry => ({
            ...entry,
            dependencies: Object.fromEntries(
                Object.entries(entry.dependencies).map(([input, urn]) => [input, changed(urn)]),
            ),
        });
        this.live = new Map([...this.live].map(([urn, entry]) => [urn, following(entry)]));
        this.replaced = this.replaced.map((entry) => ({ ...following(entry), urn: changed(entry.urn) }));
    }
}
