import * as pulumi from "@pulumi/pulumi";
import type { Fork, ServiceInputs } from "../provider/resources/service/service";
import { serviceSecrets } from "../provider/resources/service/secrets";
import type { Size } from "../provider/inputs/size";
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
 * Creating it calls `POST …/services`, or `POST …/forkService` with `fork`, and waits until it is READY; what that call
 * cannot do follows. Changes are made in place where the service can make them, in one declared order, each waited for;
 * a change that would need a new service is an error in the preview unless `allowReplace` is set.
 */
export class Service extends pulumi.CustomResource {
    /** The project that it belongs to. */
    declare readonly projectId: pulumi.Output<string>;
    /** Its name, also where the program gives none. */
    declare readonly name: pulumi.Output<string>;
    /** The region that hosts it. */
    declare readonly regionCode: pulumi.Output<string>;
    /** The declared addons. */
    declare readonly addons: pulumi.Output<("time-series" | "ai")[] | undefined>;
    /** CPU in millicores, or `"shared"`. */
    declare readonly cpuMillis: pulumi.Output<Size>;
    /** Memory in gigabytes, or `"shared"`. */
    declare readonly memoryGbs: pulumi.Output<Size>;
    /** High-availability replicas. */
    declare readonly replicaCount: pulumi.Output<number>;
    /** How many of the replicas are synchronous. */
    declare readonly syncReplicaCount: pulumi.Output<number>;
    /** The VPC that it is attached to. */
    declare readonly vpcId: pulumi.Output<string | undefined>;
    /** Its environment tag. */
    declare readonly environment: pulumi.Output<string>;
    /** Whether there is a connection pooler in front of it. */
    declare readonly connectionPooler: pulumi.Output<boolean>;
    /** Whether it is paused. */
    declare readonly paused: pulumi.Output<boolean>;
    /** The declared password; secret. */
    declare readonly password: pulumi.Output<string | undefined>;
    /** What it was forked from, as declared. */
    declare readonly fork: pulumi.Output<Fork | undefined>;
    /** Whether it refuses to be deleted. */
    declare readonly deletionProtection: pulumi.Output<boolean | undefined>;
    /** Its status, as it was last seen: READY, PAUSED, or one on the way. */
    declare readonly status: pulumi.Output<string>;
    /** Its type, as the service names it. */
    declare readonly serviceType: pulumi.Output<string>;
    /** When it was made (RFC 3339). */
    declare readonly created: pulumi.Output<string>;
    /** Host of the direct endpoint. */
    declare readonly host: pulumi.Output<string>;
    /** Port of the direct endpoint. */
    declare readonly port: pulumi.Output<number>;
    /** Host of the connection pooler, where there is one. */
    declare readonly poolerHost: pulumi.Output<string | undefined>;
    /** Port of the connection pooler, where there is one. */
    declare readonly poolerPort: pulumi.Output<number | undefined>;
    /** Host within the VPC, where it is attached to one. */
    declare readonly vpcHost: pulumi.Output<string | undefined>;
    /** Port within the VPC, where it is attached to one. */
    declare readonly vpcPort: pulumi.Output<number | undefined>;
    /** The password that the service made at creation, which it tells once; secret. */
    declare readonly initialPassword: pulumi.Output<string | undefined>;
    /** A `postgres://` URL of the direct endpoint with the `currentPassword`, or without a password where that is not known; secret. */
    declare readonly connectionString: pulumi.Output<string>;
    /** The same URL of the connection pooler, where there is one; secret. */
    readonly poolerConnectionString: pulumi.Output<string | undefined>;
    /** The same URL within the VPC, where the service is attached to one; secret. */
    readonly vpcConnectionString: pulumi.Output<string | undefined>;
    /** `password`, or `initialPassword` where none was declared; undefined for an adopted service without a declared password; secret. */
    readonly currentPassword: pulumi.Output<string | undefined>;
    /** The parent of a fork, as the service tells it. */
    declare readonly forkedFrom: pulumi.Output<{ projectId?: string; serviceId?: string } | undefined>;
    /** Its id. */
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

    /** Reads an existing service without managing it. */
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
