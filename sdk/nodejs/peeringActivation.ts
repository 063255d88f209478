import type { PeeringActivationInputs, PeeringActivationOutputs } from "../../provider/resources/peeringActivation";
import { resourceClass } from "./resource";
import type { Args, OutputsOf } from "./types";

/** The arguments of a {@link PeeringActivation}. */
export interface PeeringActivationArgs extends Args<PeeringActivationInputs> {}

export interface PeeringActivation extends OutputsOf<PeeringActivationOutputs> {}

/**
 * Waits until a peering that was created with `waitFor: "provisioned"` is active.
 *
 * It allows one program to create a peering, accept it in the peer account, and continue when traffic can flow. Add
 * `dependsOn` for the resource that accepts the peering. Creating it polls `GET …/vpcs/{id}/peerings/{id}`. Every change
 * replaces it, that is, it waits again. It creates and deletes nothing in the API.
 */
export class PeeringActivation extends resourceClass<PeeringActivationArgs>("PeeringActivation") {}
