import * as pulumi from "@pulumi/pulumi";
import {
    productionDatabaseType,
    productionDefaults,
    urlOutputs,
    type ProductionDatabaseInputs,
    type ReadReplicaInputs,
} from "./productionDatabaseInputs";
import { dynamicToken, nativeToken } from "../../provider/base/names";
import type { Args } from "./types";
import { ReadReplicaSet, Service, type ReadReplicaSetArgs, type ServiceArgs } from "./resources.gen";

/** The arguments of a {@link ProductionDatabase}: those of {@link Service}, with a required `cpuMillis`, and `readReplicas`. */
export interface ProductionDatabaseArgs extends Args<ProductionDatabaseInputs> {
    /**
     * The read replica sets by name, for example `reports`. Adding a name creates a set, and removing a name deletes it.
     * @default none
     */
    readReplicas?: Record<string, ReadReplicaArgs>;
}

/**
 * The arguments of a read replica set of a {@link ProductionDatabase}. All are optional: the default size is that of the
 * service, and the default of `nodes` is 1.
 */
export interface ReadReplicaArgs extends Args<ReadReplicaInputs> {}

/** The resource classes of one host. */
interface Resources {
    readonly Service: typeof Service;
    readonly ReadReplicaSet: typeof ReadReplicaSet;
}

/**
 * A {@link Service} with defaults for production, and its {@link ReadReplicaSet}s: one HA replica, a connection pooler and
 * the environment tag `PROD`. The service is protected like every service, and its replica sets are not.
 *
 * The resource name of the service is the name of the component, and that of a replica set is followed by the name of the
 * set: `orders`, `orders-reports`.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/service.md#productiondatabase
 */
export class ProductionDatabase extends pulumi.ComponentResource {
    /** The service. */
    readonly service: Service;
    /** The read replica sets, by their names in the argument `readReplicas`. */
    readonly readReplicas: Readonly<Record<string, ReadReplicaSet>>;
    /** The `postgres://` URL of the direct endpoint of the service. Secret. */
    readonly connectionString: Service["connectionString"];
    /** The URL of the connection pooler. Undefined if there is none. Secret. */
    readonly poolerConnectionString: Service["poolerConnectionString"];
    /** The URL within the VPC. Undefined without a VPC. Secret. */
    readonly vpcConnectionString: Service["vpcConnectionString"];

    /** The resource classes of this component. */
    protected static readonly resources: Resources = { Service, ReadReplicaSet };

    constructor(name: string, args: ProductionDatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
        const { own, ofService } = splitAliases(opts?.aliases, name, opts?.parent);
        super(productionDatabaseType, name, {}, opts && { ...opts, aliases: own });
        const { readReplicas = {}, ...given } = args;
        const children = {
            parent: this,
            // Children do not inherit this option from a component.
            ...(opts?.customTimeouts && { customTimeouts: opts.customTimeouts }),
            ...(opts?.protect === undefined ? {} : { protect: opts.protect }),
        };

        const { resources } = new.target;
        const service = new resources.Service(name, inputsOfService(given), { ...children, aliases: ofService });
        const sets = Object.entries(readReplicas).map(([key, replicas]) => {
            const inputs = inputsOfReplicaSet(replicas, given, service);
            const set = new resources.ReadReplicaSet(`${name}-${key}`, inputs as ReadReplicaSetArgs, children);
            return [key, set] as const;
        });
        this.service = service;
        this.readReplicas = Object.fromEntries(sets);
        this.connectionString = service.connectionString;
        this.poolerConnectionString = service.poolerConnectionString;
        this.vpcConnectionString = service.vpcConnectionString;
        this.registerOutputs(Object.fromEntries(urlOutputs.map((output) => [output, service[output]])));
    }
}

function inputsOfService(args: Args<ProductionDatabaseInputs>): ServiceArgs {
    const { replicaCount, connectionPooler, environment } = args;
    return {
        ...args,
        replicaCount: replicaCount ?? productionDefaults.replicaCount,
        connectionPooler: connectionPooler ?? productionDefaults.connectionPooler,
        environment: environment ?? productionDefaults.environment,
    };
}

/**
 * The inputs of a read replica set, with outputs of the service where transforms may have changed its inputs. A preview does
 * not know the memory of a new service that declares none: the set then derives its own from its CPU, as the service does.
 */
function inputsOfReplicaSet(replicas: ReadReplicaArgs, args: Args<ProductionDatabaseInputs>, service: Service) {
    const { serviceId, projectId, currentPassword: password, cpuMillis, memoryGbs } = service;
    const sizeOfService = { cpuMillis, ...(args.memoryGbs === undefined ? {} : { memoryGbs }) };
    return {
        ...(replicas.cpuMillis === undefined ? sizeOfService : {}),
        ...replicas,
        sslMode: replicas.sslMode ?? args.sslMode,
        sslRootCert: replicas.sslRootCert ?? args.sslRootCert,
        serviceId,
        projectId,
        password,
    };
}

type Aliases = NonNullable<pulumi.ComponentResourceOptions["aliases"]>;

/**
 * Separates the aliases of a component from those of its service: one with the type of a service names a service that the
 * program has moved into the component. Languages without parts of aliases name it by its URN.
 */
function splitAliases(
    aliases: Aliases = [],
    name: string,
    parent: pulumi.Resource = pulumi.rootStackResource,
): { readonly own: Aliases; readonly ofService: Aliases } {
    const tokens = [nativeToken("Service"), dynamicToken("Service")];
    const isService = (type: unknown) => tokens.some((token) => token === type);
    const own: Aliases = [];
    const ofService: Aliases = [];
    for (const alias of aliases) {
        if (typeof alias === "string") {
            (isService(typeInUrn(alias)) ? ofService : own).push(alias);
        } else if ("type" in alias && isService(alias.type)) {
            ofService.push(...tokens.map((type) => ({ name, parent, ...alias, type })));
        } else {
            own.push(alias);
        }
    }
    return { own, ofService };
}

/** The type in a URN, without those of the parents. */
const typeInUrn = (urn: string): string | undefined => urn.split("::")[2]?.split("$").at(-1);
