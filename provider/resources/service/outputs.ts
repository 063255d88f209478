import {
    commonOutputs,
    derivedSecret,
    maybeAbsent,
    recordedSecret,
    secretOutput,
    type CommonOutputs,
    type OutputFields,
} from "../../model/outputs";
import { loginOutputs, urlOf, type DirectEndpoint, type Login, type Verification } from "../database";
import { unknown } from "../../base/fields";
import type { ServiceInputs } from "./inputs";
import { type ServiceObserved, observed } from "./observed";
import type { PasswordSource } from "./passwordSource";

/** The outputs of a service that no read shows. */
interface Unread {
    /** The declared addons. */
    readonly addons: ServiceInputs["addons"];
    /** The declared source of a fork. */
    readonly fork: ServiceInputs["fork"];
    /** The declared password. Secret. */
    readonly password: string | undefined;
    /** The password that the API generated at creation and returned only once. Undefined for an adopted service. Secret. */
    readonly initialPassword: string | undefined;
    /**
     * The `postgres://` URL of the direct endpoint. It contains `currentPassword` if that is known. Undefined in the
     * same cases as `host`. Secret.
     */
    readonly connectionString: string;
    /**
     * The declared `password`, otherwise the `initialPassword`. Empty if the state has neither: the password is in a file or a
     * variable, or the service was adopted without one. Secret.
     */
    readonly currentPassword: string | undefined;
    /** The `postgres://` URL of the connection pooler, with the same password. Undefined if there is no pooler. Secret. */
    readonly poolerConnectionString: string | undefined;
    /** The `postgres://` URL within the VPC, with the same password. Undefined if the service is not attached to a VPC. Secret. */
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
    ...observed,
    addons: maybeAbsent,
    fork: maybeAbsent,
    ...loginOutputs,
    password: secretOutput,
    initialPassword: recordedSecret,
    // Not absent: previews in Python take an absent output for unknown.
    currentPassword: derivedSecret(["passwordVersion", "password", "initialPassword"], (version, declared, initial) =>
        version === undefined ? (declared ?? initial ?? "") : version === unknown ? unknown : "",
    ),
    connectionString: { ...urlOf("host", "port", "currentPassword"), inEveryState: true },
    poolerConnectionString: urlOf("poolerHost", "poolerPort", "currentPassword"),
    vpcConnectionString: urlOf("vpcHost", "vpcPort", "currentPassword"),
} satisfies OutputFields<ServiceOutputs>;
