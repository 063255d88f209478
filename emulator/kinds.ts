import type { OperationId, Wire } from "./wire";

/** What distinguishes a resource kind. */
interface KindFacts {
    /** For messages. */
    readonly noun: string;
    /** What contains it. A record has the id of its parent as `<parent>Id`, and a model as `<parent>_id`. */
    readonly parent: string;
    /** The operations whose response describes a new resource. */
    readonly creates: readonly OperationId[];
}

const facts = {
    vpcs: { noun: "VPC", parent: "project", creates: ["createVpc"] },
    peerings: { noun: "peering", parent: "vpc", creates: ["createPeering"] },
    services: { noun: "service", parent: "project", creates: ["createService", "forkService"] },
    replicaSets: { noun: "read replica set", parent: "service", creates: ["createReplicaSet"] },
} as const satisfies Readonly<Record<string, KindFacts>>;

/** A resource kind. Its name is also that in the paths of the API and of the controls. */
export type Kind = keyof typeof facts;

/** The parent of each kind. */
export type Parents = { [K in Kind]: (typeof facts)[K]["parent"] };

type OfEachKind<Types extends Record<Kind, object>> = Types;

/** The API's model of each kind. A new kind does not compile until it has one. */
export type Models = OfEachKind<{
    vpcs: Wire["Vpc"];
    peerings: Wire["Peering"];
    services: Wire["Service"];
    replicaSets: Wire["ReadReplicaSet"];
}>;

/** The models with the id of the parent. */
export type ModelsInParents = { [K in Kind]: Models[K] & Record<`${Parents[K]}_id`, string> };

/** The kinds without a parent except their project. */
export type RootKind = { [K in Kind]: Parents[K] extends "project" ? K : never }[Kind];

export const kindFacts: { readonly [K in Kind]: KindFacts & { readonly parent: Parents[K] } } = facts;

export const kinds = Object.keys(facts) as readonly Kind[];

/** The kind that an operation creates. */
export const creationOf = (operationId: OperationId): Kind | undefined =>
    kinds.find((kind) => kindFacts[kind].creates.includes(operationId));

/** The kinds that a resource of this kind contains. */
export const childrenOf = (kind: Kind): readonly Kind[] =>
    kinds.filter((child) => kind === `${kindFacts[child].parent}s`);
