import type { Peering as WirePeering } from "../api/contract";
import type { CommonInputs, Resource } from "../lifecycle/resource";
import { optional, pattern, replacements, required, show, text, type Fields } from "../inputs/fields";
import { recordedChanges } from "../lifecycle/metadata";
import { isDeleting, outcomeOf, peering, type PeeringObserved } from "./peering";
import { retryBudget } from "../lifecycle/operation";

/** Waits until a peering that was created with `waitFor: "provisioned"` is active. */
export interface PeeringActivationInputs extends Pick<CommonInputs, "projectId"> {
    /** The VPC on this side. A change waits for the newly declared peering. */
    vpcId: string;
    /** The `peeringId` of the peering. A change waits for the newly declared peering. */
    peeringId: string;
}

const fields: Fields<PeeringActivationInputs> = {
    projectId: optional("replace", text()),
    vpcId: required("replace", pattern(/^\d+$/, "the id of a VPC (digits)")),
    peeringId: required("replace", pattern(/^\d+$/, "the id of a peering (digits)")),
};

/** The peering activation resource. It only waits: it creates and deletes nothing. */
export const peeringActivation: Resource<PeeringActivationInputs, PeeringObserved, WirePeering> = {
    type: "PeeringActivation",
    noun: "peering activation",
    fields,
    stickyOutputs: [],
    validate: () => ({ problems: [], warnings: [] }),
    times: () => peering.times(undefined),

    pathOf: peering.pathOf,
    idOf: peering.idOf,
    adoptedId: (existingId) => existingId,
    nameOf: ({ peeringId }) => (typeof peeringId === "string" ? peeringId : undefined),
    source: peering.source,

    observe: peering.observe,
    readiness: (item) => outcomeOf(item, { waitFor: "active" }),
    isDeleting: isDeleting,

    plan: (state, declared) => ({
        replace: replacements(fields, state, declared),
        steps: [],
        record: recordedChanges(state, declared, fields),
    }),
    describeCreate: ({ vpcId, peeringId }) => ({
        text: `wait until peering ${show(peeringId)} of VPC ${show(vpcId)} is active`,
        observed: {},
    }),
    collectionPath: (projectId, { vpcId }) => ({ project_id: projectId, vpc_id: vpcId }),
    create: async ({ vpcId, peeringId }, { project_id: projectId }, context) => ({
        item: await context.client.getPeering(projectId, vpcId, peeringId, retryBudget(context)),
    }),
    adoptionBlocker: () => undefined,
};
