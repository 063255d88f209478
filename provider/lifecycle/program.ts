import type { Planned } from "../inputs/unknown";

/** A resource of the API. */
export interface ResourceRef {
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
    /**
     * Values that no other resource of the program may share, hashed because they may be secret. Absent while one is
     * unknown.
     */
    readonly identity: string | undefined;
}

/** What the check of one resource knows about the others. */
export interface Program {
    /** The inputs of the resource with this URN; undefined if the program has not declared it yet. */
    inputsOf<Inputs>(urn: string | undefined): Planned<Inputs> | undefined;
    /** The inputs of all other resources of a kind at the same address. */
    othersOf<Inputs>(type: string, urn: string | undefined): readonly Planned<Inputs>[];
    /** The URN of a resource that manages or adopts it. */
    userOf(ref: ResourceRef): string | undefined;
    /** The URN of another resource with the same identity. */
    twinOf(urn: string | undefined, identity: string | undefined): string | undefined;
}
