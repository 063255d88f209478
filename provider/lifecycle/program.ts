import { createHash } from "node:crypto";
import type { Planned } from "../inputs/unknown";

/** A resource of the API. */
export interface ResourceRef {
    readonly type: string;
    /** The id of its project, hashed because it may be secret. */
    readonly project: string;
    readonly id: string;
}

export function refTo(type: string, projectId: string, id: string): ResourceRef {
    return { type, project: hashed(projectId), id };
}

/** The hash of a value that may be secret, so that the processes of a run can compare it. */
export function hashed(value: unknown): string {
    return createHash("sha256").update(JSON.stringify(value)).digest("base64");
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
