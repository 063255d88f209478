/** The kinds of resources, each with its noun for messages. They are also the names in the paths of the controls. */
export const nouns = {
    vpcs: "VPC",
    peerings: "peering",
    services: "service",
    replicaSets: "read replica set",
} as const;

export type Kind = keyof typeof nouns;

export const kinds = Object.keys(nouns) as readonly Kind[];
