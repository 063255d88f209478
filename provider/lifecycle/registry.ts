import type { HiddenInputs } from "./resource";
import { hasUnknown, type Planned } from "../inputs/unknown";

/** What a program has declared so far of one kind of resource. */
export class DeclaredResources<Inputs> {
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

    /** The inputs of the resource with this URN. */
    of(urn: string | undefined): Planned<Inputs> | undefined {
        return urn === undefined ? undefined : this.inputs.get(urn);
    }

    /** The inputs of all resources but this one. */
    others({ __urn: urn }: HiddenInputs): readonly Planned<Inputs>[] {
        return [...this.inputs].filter(([other]) => other !== urn).map(([, inputs]) => inputs);
    }
}
/** A resource of the API. */
export interface Physical {
    readonly type: string;
    readonly projectId: string;
    readonly id: string;
}

/**
 * Which resource of the program manages or declares which physical resource in this run. The engine deletes by id, and
 * the state can hold an id twice, even under one URN: live, and pending deletion. What the program uses must stay.
 */
export class ManagedResources {
    private readonly managed = new Map<string, Physical>();
    private readonly declared = new Map<string, Physical>();
    private readonly refreshed = new Map<string, Physical>();

    /** The resource manages it: its state says so and it is not replaced, or this run created or adopted it. */
    manages(urn: string | undefined, physical: Physical): void {
        if (urn !== undefined) {
            this.managed.set(urn, physical);
        }
    }

    /** The program declares it with existingId; undefined where the program declares no id. */
    declares(urn: string | undefined, physical: Physical | undefined): void {
        if (urn === undefined) {
            return;
        }
        if (physical === undefined) {
            this.declared.delete(urn);
        } else {
            this.declared.set(urn, physical);
        }
    }

    /** The state had it when it was refreshed, live or pending deletion. */
    hadBefore(urn: string | undefined, physical: Physical): void {
        if (urn !== undefined) {
            this.refreshed.set(urn, physical);
        }
    }

    /** The resource is replaced or deleted: it no longer manages what it had. */
    leaves(urn: string | undefined): void {
        if (urn !== undefined) {
            this.managed.delete(urn);
            this.refreshed.delete(urn);
        }
    }

    /** What the resource manages now, as far as this run has shown. */
    managedBy(urn: string | undefined): Physical | undefined {
        return urn === undefined ? undefined : this.managed.get(urn);
    }

    /** What the state has for the resource, as far as this run has shown. */
    inStateOf(urn: string | undefined): Physical | undefined {
        return urn === undefined ? undefined : (this.managed.get(urn) ?? this.refreshed.get(urn));
    }

    /** The URN of a resource, other than this one, that manages it. */
    managerBeside(urn: string | undefined, physical: Physical): string | undefined {
        return urnOf(this.managed, physical, urn);
    }

    /** The URN of a resource of the program that manages or declares it. */
    userOf(physical: Physical): string | undefined {
        return urnOf(this.managed, physical) ?? urnOf(this.declared, physical);
    }
}

function urnOf(entries: ReadonlyMap<string, Physical>, physical: Physical, except?: string): string | undefined {
    return [...entries].find(([urn, other]) => urn !== except && isSame(other, physical))?.[0];
}

function isSame(left: Physical, right: Physical): boolean {
    return left.type === right.type && left.projectId === right.projectId && left.id === right.id;
}
