import * as pulumi from "@pulumi/pulumi";
import type { Fork, ServiceInputs } from "../../provider/resources/service/service";
import { serviceSecrets } from "../../provider/resources/service/secrets";
import type { Size } from "../../provider/inputs/size";
import {
    asSecret,
    nullsToUndefined,
    registration,
    secretUrl,
    typeToken,
    type Args,
    type OptionalOutputs,
} from "./resource";

/** The arguments of a {@link Service}. */
export type ServiceArgs = Args<ServiceInputs>;

/**
 * A database service.
 *
 * Creating it calls `POST …/services`, or `POST …/services/{id}/forkService` if `fork` is set, and waits until the status is
 * `READY`. The provider then applies the settings that the create call does not accept. Changes are made in place where the
 * API supports it. The provider sends them one at a time, in a fixed order, and waits for the completion of each. A change
 * that requires a replacement fails in the preview unless `allowReplace` is true. Deleting it calls `DELETE …/services/{id}`
 * and waits until the service is gone. The resource id is the id of the service.
 */
export class Service extends pulumi.CustomResource {
    /** The id of the project that contains the service. */
    declare readonly projectId: pulumi.Output<string>;
    /** The name, declared or generated. */
    declare readonly name: pulumi.Output<string>;
    /** The region that hosts the service. */
    declare readonly regionCode: pulumi.Output<string>;
    /** The declared addons. */
    declare readonly addons: pulumi.Output<("time-series" | "ai")[] | undefined>;
    /** CPU in millicores, or `"shared"`. */
    declare readonly cpuMillis: pulumi.Output<Size>;
    /** Memory in gigabytes, or `"shared"`. */
    declare readonly memoryGbs: pulumi.Output<Size>;
    /** The number of high-availability replicas. */
    declare readonly replicaCount: pulumi.Output<number>;
    /** The number of replicas that are synchronous. */
    declare readonly syncReplicaCount: pulumi.Output<number>;
    /** The id of the VPC that the service is attached to. Undefined if it is not attached. */
    declare readonly vpcId: pulumi.Output<string | undefined>;
    /** The environment tag: `DEV` or `PROD`. */
    declare readonly environment: pulumi.Output<string>;
    /** Whether the service has a connection pooler. */
    declare readonly connectionPooler: pulumi.Output<boolean>;
    /** Whether the service is paused. */
    declare readonly paused: pulumi.Output<boolean>;
    /** The declared password. Secret. */
    declare readonly password: pulumi.Output<string | undefined>;
    /** The declared source of a fork. */
    declare readonly fork: pulumi.Output<Fork | undefined>;
    /** Whether the provider rejects the deletion of the service. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** The status at the last read: `READY`, `PAUSED`, or a transitional status such as `CONFIGURING`. */
    declare readonly status: pulumi.Output<string>;
    /** The service type, as the API reports it, for example `POSTGRES`. */
    declare readonly serviceType: pulumi.Output<string>;
    /** The time of creation (RFC 3339). */
    declare readonly created: pulumi.Output<string>;
    /** The host of the direct endpoint. */
    declare readonly host: pulumi.Output<string>;
    /** The port of the direct endpoint. */
    declare readonly port: pulumi.Output<number>;
    /** The host of the connection pooler. Undefined if there is no pooler. */
    declare readonly poolerHost: pulumi.Output<string | undefined>;
    /** The port of the connection pooler. Undefined if there is no pooler. */
    declare readonly poolerPort: pulumi.Output<number | undefined>;
    /** The host within the VPC. Undefined if the service is not attached to a VPC. */
    declare readonly vpcHost: pulumi.Output<string | undefined>;
    /** The port within the VPC. Undefined if the service is not attached to a VPC. */
    declare readonly vpcPort: pulumi.Output<number | undefined>;
    /** The password that the API generated at creation and returned only once. Undefined for an adopted service. Secret. */
    declare readonly initialPassword: pulumi.Output<string | undefined>;
    /** The `postgres://` URL of the direct endpoint. It contains `currentPassword` if that is known. Secret. */
    declare readonly connectionString: pulumi.Output<string>;
    /** The `postgres://` URL of the connection pooler, with the same password. Undefined if there is no pooler. Secret. */
    readonly poolerConnectionString: pulumi.Output<string | undefined>;
    /** The `postgres://` URL within the VPC, with the same password. Undefined if the service is not attached to a VPC. Secret. */
    readonly vpcConnectionString: pulumi.Output<string | undefined>;
    /**
     * The declared `password`, otherwise the `initialPassword`. Undefined for an adopted service without a declared password.
     * Secret.
     */
    readonly currentPassword: pulumi.Output<string | undefined>;
    /** The project and the service that a fork was created from, as the API reports them. Undefined if it is not a fork. */
    declare readonly forkedFrom: pulumi.Output<{ projectId?: string; serviceId?: string } | undefined>;
    /** The id of the service. */
    readonly serviceId: pulumi.Output<string>;

    constructor(name: string, args: ServiceArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
        const given = { ...args, password: asSecret(args.password) };
        const { props, opts: options } = registration("Service", name, given, opts, outputs, serviceSecrets);
        super(typeToken("Service"), name, props, options);
        nullsToUndefined(this, optionalOutputs);
        this.serviceId = this.id;
        const passwords = pulumi.all([this.password, this.initialPassword]);
        this.currentPassword = pulumi.secret(
            passwords.apply(([declared, initial]) => declared ?? initial ?? undefined),
        );
        this.poolerConnectionString = secretUrl(this.poolerHost, this.poolerPort, this.currentPassword);
        this.vpcConnectionString = secretUrl(this.vpcHost, this.vpcPort, this.currentPassword);
    }

    /** Reads an existing service by its id (`GET …/services/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Service {
        return new Service(name, {}, { ...opts, id });
    }
}

const outputs = [
    "projectId",
    "name",
    "regionCode",
    "addons",
    "cpuMillis",
    "memoryGbs",
    "replicaCount",
    "syncReplicaCount",
    "vpcId",
    "environment",
    "connectionPooler",
    "paused",
    "fork",
    "deletionProtection",
    "status",
    "serviceType",
    "created",
    "host",
    "port",
    "poolerHost",
    "poolerPort",
    "vpcHost",
    "vpcPort",
    "forkedFrom",
    ...serviceSecrets,
] as const satisfies readonly (keyof Service)[];

const optionalOutputs = [
    "addons",
    "vpcId",
    "fork",
    "deletionProtection",
    "poolerHost",
    "poolerPort",
    "vpcHost",
    "vpcPort",
    "forkedFrom",
] as const satisfies readonly OptionalOutputs<Service>[];
