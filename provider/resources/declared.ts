import type { HiddenInputs } from "./contract";
import { hasUnknown, type Planned } from "./unknown";

/** What a program has declared so far of one kind of resource. */
export class Declared<Inputs> {
    private readonly inputs = new Map<string, Planned<Inputs>>();
    private readonly holders = new Map<string, string>();

    /** Takes note of a resource; answers the URN of another one with the same identity, if there is one. */
    note(inputs: Planned<Inputs> & HiddenInputs, identity: readonly unknown[]): string | undefined {
        const { __urn: urn } = inputs;
        if (urn === undefined) {
            return undefined;
        }
        this.inputs.set(urn, inputs);
        if (identity.length === 0 || identity.includes(undefined) || hasUnknown(identity)) {
            return undefined;
        }
        const key = JSON.stringify(identity);
        const holder = this.holders.get(key);
        if (holder === undefined || holder === urn) {
            this.holders.set(key, urn);
            return undefined;
        }
        return holder;
    }

    /** The inputs of all resources but this one. */
    others({ __urn: urn }: HiddenInputs): readonly Planned<Inputs>[] {
        return [...this.inputs].filter(([other]) => other !== urn).map(([, inputs]) => inputs);
    }
}
