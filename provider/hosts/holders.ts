/**
 * Which resource of the program has which thing. Two of a stack can come to have the same: one was renamed in the program,
 * and the new one took over what the old one had. What one of them keeps, the deletion of the other must not take away.
 */
export class Holders {
    private readonly holders = new Map<string, Set<string>>();
    private readonly takenOver = new Map<string, string>();

    /** A resource of the program has it, and keeps it. */
    keeps(thing: string, urn: string | undefined): void {
        if (urn !== undefined) {
            this.holders.set(thing, (this.holders.get(thing) ?? new Set()).add(urn));
        }
    }

    /** It is about to be replaced, and keeps it no longer. */
    leaves(thing: string, urn: string | undefined): void {
        if (urn !== undefined) {
            this.holders.get(thing)?.delete(urn);
        }
    }

    /** A resource has taken it over in this run: also the deletion of its own former self must leave it. */
    takes(thing: string, urn: string | undefined): void {
        this.takenOver.set(thing, urn ?? "");
    }

    /** The URN of a resource that has it and is not this one's, as far as this run has seen. */
    other(thing: string, urn: string | undefined): string | undefined {
        return [...(this.holders.get(thing) ?? [])].find((holder) => holder !== urn);
    }

    /** The URN of the resource for which it has to be left there when this one is deleted. */
    staysFor(thing: string, urn: string | undefined): string | undefined {
        return this.takenOver.get(thing) ?? this.other(thing, urn);
    }
}
