import type { Peering as WirePeering } from "../api/contract";
import type { CommonInputs, Resource } from "./contract";
import { optional, pattern, remembered, replacements, required, show, text, type Fields } from "./fields";
import { outcomeOf, peering, type PeeringObserved } from "./peering";
import { patience } from "./send";

/** Waits until a peering is active that was made with `waitFor: "provisioned"`. */
export interface PeeringActivationInputs extends Pick<CommonInputs, "projectId"> {
    /** The VPC on our side; a change waits for the other peering. */
    vpcId: string;
    /** The `peeringId` of the peering; a change waits for the other peering. */
    peeringId: string;
}

const fields: Fields<PeeringActivationInputs> = {
    projectId: optional("replace", text()),
    vpcId: required("replace", pattern(/^\d+$/, "the id of a VPC (digits)")),
    peeringId: required("replace", pattern(/^\d+$/, "the id of a peering (digits)")),
};

/** The peering activation resource: it makes and deletes nothing. */
export const peeringActivation: Resource<PeeringActivationInputs, PeeringObserved, WirePeering> = {
    type: "PeeringActivation",
    noun: "peering activation",
    fields,
    keeps: [],
    examine: () => ({ problems: [], advice: [] }),
    times: () => peering.times(undefined),

    pathOf: peering.pathOf,
    idOf: peering.idOf,
    adoptedId: (existingId) => existingId,
    nameOf: ({ peeringId }) => (typeof peeringId === "string" ? peeringId : undefined),
    source: peering.source,

    observe: peering.observe,
    settled: (item) => outcomeOf(item, "active"),
    leaving: () => false,

    plan: (state, declared) => ({
        replace: replacements(fields, state, declared),
        steps: [],
        remember: remembered(state, declared, fields),
    }),
    birth: ({ vpcId, peeringId }) => ({
        text: `wait until peering ${show(peeringId)} of VPC ${show(vpcId)} is active`,
        observed: {},
    }),
    home: (projectId, { vpcId }) => ({ project_id: projectId, vpc_id: vpcId }),
    make: async ({ vpcId, peeringId }, { project_id: projectId }, run) => ({
        item: await run.client.getPeering(projectId, vpcId, peeringId, patience(run)),
    }),
    unfit: () => undefined,
};
