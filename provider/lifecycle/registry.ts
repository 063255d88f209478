import type { HiddenInputs } from "./resource";
import { hasUnknown, type Planned } from "../inputs/unknown";

/** The resources of one kind that the program has declared so far. */
export class DeclaredResources<Inputs> {
    private readonly inputs = new Map<string, Planned<Inputs>>();
    private readonly holders = new Map<string, string>();

    /** Records a declaration. Returns the URN of another resource with the same identity, if there is one. */
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

    /** The inputs of all other resources. */
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
 * Which resource of the program manages or declares which physical resource in this run. The engine deletes by id, and the
 * state can hold an id twice, even under one URN: live, and pending deletion. A physical resource in use must not be deleted.
 */
export class ManagedResources {
    private readonly managed = new Map<string, Physical>();
    private readonly declared = new Map<string, Physical>();
    private readonly refreshed = new Map<string, Physical>();

    /** Records that the resource manages it: it is in the state and not replaced, or this run created or adopted it. */
    manages(urn: string | undefined, physical: Physical): void {
        if (urn !== undefined) {
            this.managed.set(urn, physical);
        }
    }

    /** Records what the program declares with existingId; undefined if it declares none. */
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

    /** Records what the state held when it was refreshed, live or pending deletion. */
    hadBefore(urn: string | undefined, physical: Physical): void {
        if (urn !== undefined) {
            this.refreshed.set(urn, physical);
        }
    }

    /** Records that the resource is replaced or deleted, and no longer manages anything. */
    leaves(urn: string | undefined): void {
        if (urn !== undefined) {
            this.managed.delete(urn);
            this.refreshed.delete(urn);
        }
    }

    /** What the resource manages now, as far as this run knows. */
    managedBy(urn: string | undefined): Physical | undefined {
        return urn === undefined ? undefined : this.managed.get(urn);
    }

    /** What the state holds for the resource, as far as this run knows. */
    inStateOf(urn: string | undefined): Physical | undefined {
        return urn === undefined ? undefined : (this.managed.get(urn) ?? this.refreshed.get(urn));
    }

    /** The URN of another resource that manages it. */
    managerBeside(urn: string | undefined, physical: Physical): string | undefined {
        return urnOf(this.managed, physical, urn);
    }

    /** The URN of a resource that manages or declares it. */
    userOf(physical: Physical): string | undefined {
        return this.userBeside(undefined, physical);
    }

    /** The URN of another resource that manages or declares it. */
    userBeside(urn: string | undefined, physical: Physical): string | undefined {
        return urnOf(this.managed, physical, urn) ?? urnOf(this.declared, physical, urn);
    }
}

function urnOf(entries: ReadonlyMap<string, Physical>, physical: Physical, except?: string): string | undefined {
    return [...entries].find(([urn, other]) => urn !== except && isSame(other, physical))?.[0];
}

function isSame(left: Physical, right: Physical): boolean {
    return left.type === right.type && left.projectId === right.projectId && left.id === right.id;
}
