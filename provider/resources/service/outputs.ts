import {
    commonOutputs,
    derivedSecret,
    maybeAbsent,
    ownId,
    present,
    recordedSecret,
    type CommonOutputs,
    type OutputFields,
} from "../../model/outputs";
import { endpointOutputs, loginOutputs, urlOf, type DirectEndpoint, type Login, type Verification } from "../database";
import { unknown } from "../../base/fields";
import { outputsOf } from "../property";
import { password, type ServiceInputs } from "./inputs";
import { type ServiceObserved, properties } from "./observed";
import type { PasswordSource } from "./passwordSource";

/** The outputs of a service that no read shows. */
interface Unread {
    /** The declared addons. */
    readonly addons: ServiceInputs["addons"];
    /** The declared source of a fork. */
    readonly fork: ServiceInputs["fork"];
    /** The declared password. Secret. */
    readonly password: string | undefined;
    /** The password that the API generated at creation. Undefined for an adopted service. Secret. */
    readonly initialPassword: string | undefined;
    /**
     * The `postgres://` URL of the direct endpoint, with `currentPassword` if that is known. Undefined in the same cases as
     * `host`. Secret.
     */
    readonly connectionString: string;
    /**
     * The declared `password`, otherwise the `initialPassword`. Empty if the state has neither. Secret.
     */
    readonly currentPassword: string | undefined;
    /** The `postgres://` URL of the connection pooler, with the same password. Undefined without a pooler. Secret. */
    readonly poolerConnectionString: string | undefined;
    /** The `postgres://` URL within the VPC, with the same password. Undefined without a VPC. Secret. */
    readonly vpcConnectionString: string | undefined;
}

/** The inputs and outputs of a service that only the state holds. */
export interface ServiceHeld
    extends
        Pick<Unread, "addons" | "fork" | "password" | "initialPassword">,
        Verification,
        Omit<PasswordSource, "passwordVersion"> {
    /** The version of the password in force. Absent unless the program declares one. */
    readonly passwordVersion: PasswordSource["passwordVersion"] | undefined;
}

/** The outputs of a service. */
export interface ServiceOutputs
    extends CommonOutputs, Omit<ServiceObserved, keyof DirectEndpoint>, DirectEndpoint, Login, Unread {}

export const outputs = {
    ...commonOutputs,
    name: present,
    regionCode: present,
    addons: maybeAbsent,
    cpuMillis: maybeAbsent,
    memoryGbs: maybeAbsent,
    replicaCount: present,
    syncReplicaCount: present,
    vpcId: maybeAbsent,
    ...outputsOf(properties),
    ...endpointOutputs,
    paused: present,
    fork: maybeAbsent,
    status: present,
    serviceType: present,
    created: present,
    vpcHost: maybeAbsent,
    vpcPort: maybeAbsent,
    forkedFrom: maybeAbsent,
    ...loginOutputs,
    password: password.output,
    initialPassword: recordedSecret,
    // Not absent: previews in Python take an absent output for unknown.
    currentPassword: derivedSecret(["passwordVersion", "password", "initialPassword"], (version, declared, initial) =>
        version === undefined ? (declared ?? initial ?? "") : version === unknown ? unknown : "",
    ),
    connectionString: { ...urlOf("host", "port", "currentPassword"), inEveryState: true },
    poolerConnectionString: urlOf("poolerHost", "poolerPort", "currentPassword"),
    vpcConnectionString: urlOf("vpcHost", "vpcPort", "currentPassword"),
    serviceId: ownId,
} satisfies OutputFields<ServiceOutputs>;
