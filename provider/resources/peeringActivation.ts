import type { PathOf, Schemas } from "../api/contract";
import type { CommonInputs, Kind, Resource, OperationsOn } from "../model/resource";
import { anyVpc, vpcIds } from "./vpc";
import { projectField, requiredId, show, type Fields } from "../base/fields";
import { failureIn, observed as observedOfPeering, outcomeOf, peering, peeringIds } from "./peering";
import type { PeeringObserved } from "./peering";
import { observing, present, type CommonOutputs, type OutputFields } from "../model/outputs";

/** Waits until a peering that was created with `waitFor: "provisioned"` is active. */
export interface PeeringActivationInputs extends Pick<CommonInputs, "projectId"> {
    /** The VPC on this side. A change waits for the newly declared peering. */
    vpcId: string;
    /** The `peeringId` of the peering. A change waits for the newly declared peering. */
    peeringId: string;
}

/** The observed state of the peering. */
type Observed = Pick<PeeringObserved, "vpcId" | "peeringId" | "status" | "provisionedId">;

/** The outputs of a peering activation. */
export interface PeeringActivationOutputs extends Pick<CommonOutputs, "projectId">, Observed {}

const fields: Fields<PeeringActivationInputs> = {
    projectId: projectField,
    vpcId: requiredId(vpcIds.own),
    peeringId: requiredId(peeringIds.own),
};

const { vpcId, peeringId, status, provisionedId } = observedOfPeering;

/** The outputs that a response shows. The id of the peering is an input, which a preview knows. */
const observed = { vpcId, peeringId: { ...present, read: peeringId.read }, status, provisionedId };

const outputs: OutputFields<PeeringActivationOutputs> = { projectId: present, ...observed };

/** The state of the peering may be from before its failure, and its inputs are not known. */
const replacesPeering =
    "remove existingId from the peering, if the program has it; then `pulumi up --refresh`, which replaces the peering";

/**
 * Waits until a peering that was created with `waitFor: "provisioned"` is active.
 *
 * It allows one program to create a peering, accept it in the peer account, and continue when the peering is active. Add
 * `dependsOn` for the resource that accepts the peering. Every change replaces the activation, that is, it waits again. It
 * creates and deletes nothing in the API.
 */
export const peeringActivation: Resource<
    Kind<PeeringActivationInputs, Observed, Schemas["Peering"], PathOf<"listPeerings">>
> = {
    type: "PeeringActivation",
    noun: "peering activation",
    operations: { list: "listPeerings", get: "getPeering" } satisfies OperationsOn<Schemas["Peering"]>,
    hasData: false,
    fields,
    outputs,
    times: () => peering.times(undefined),
    warnings: (state, { peeringId }) => {
        const end = peeringId === state.peeringId ? failureIn(state) : undefined;
        return end === undefined
            ? []
            : [`peering ${state.peeringId} (${show(state.status)}): ${end} Create a new one: ${replacesPeering}`];
    },
    parent: { kind: anyVpc, input: "vpcId" },
    identity: {
        idForm: peeringIds.idForm,
        nameOf: ({ peeringId }) => (typeof peeringId === "string" ? peeringId : undefined),
    },
    observation: {
        observe: observing(observed),
        readiness: (item) => outcomeOf(item, {}, replacesPeering),
    },
    creation: {
        describe: ({ vpcId, peeringId }) => ({
            text: `wait until peering ${show(peeringId)} of VPC ${show(vpcId)} is active`,
            sets: {},
        }),
        send: ({ peeringId }, collection, { client }, options) =>
            client.call("getPeering", { path: { ...collection, peering_id: peeringId } }, options),
    },
};
