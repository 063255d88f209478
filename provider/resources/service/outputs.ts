import {
    commonOutputs,
    maybeAbsent,
    ownId,
    present,
    secretOutput,
    type CommonOutputs,
    type OutputFields,
} from "../../lifecycle/outputs";
import { endpointOutputs } from "../database";
import type { ServiceInputs } from "./inputs";
import type { ServiceObserved } from "./observed";

/** The outputs of a service that only the state contains. */
export interface ServiceRecorded {
    /** The declared addons. */
    readonly addons: ServiceInputs["addons"];
    /** The declared source of a fork. */
    readonly fork: ServiceInputs["fork"];
    /** The declared password. Secret. */
    readonly password: string | undefined;
    /** The password that the API generated at creation and returned only once. Undefined for an adopted service. Secret. */
    readonly initialPassword: string | undefined;
    /**
     * The `postgres://` URL of the direct endpoint. It contains `currentPassword` if that is known. Undefined until the API has
     * assigned the endpoint. Secret.
     */
    readonly connectionString: string | undefined;
}

/** The outputs of a service. */
export interface ServiceOutputs extends CommonOutputs, ServiceObserved, ServiceRecorded {}

export const outputs: OutputFields<ServiceOutputs> = {
    ...commonOutputs,
    name: present,
    regionCode: present,
    addons: maybeAbsent,
    cpuMillis: maybeAbsent,
    memoryGbs: maybeAbsent,
    replicaCount: present,
    syncReplicaCount: present,
    vpcId: maybeAbsent,
    environment: present,
    ...endpointOutputs,
    paused: present,
    fork: maybeAbsent,
    status: present,
    serviceType: present,
    created: present,
    vpcHost: maybeAbsent,
    vpcPort: maybeAbsent,
    forkedFrom: maybeAbsent,
    password: secretOutput,
    initialPassword: secretOutput,
    connectionString: secretOutput,
    serviceId: ownId,
};
