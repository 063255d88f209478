import * as pulumi from "@pulumi/pulumi";
import {
    productionDatabaseType,
    productionDefaults,
    urlOutputs,
    type ProductionDatabaseInputs,
    type ReadReplicaInputs,
} from "./productionDatabaseInputs";
import { show, valueOf } from "../../provider/base/fields";
import { dynamicToken, nativeToken } from "../../provider/base/names";
import { untypedResources } from "../../provider/resources/index";
import { plainError } from "./plainError";
import { isOfType } from "./isOfType";
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

/**
 * A {@link Service} with defaults for production, and its {@link ReadReplicaSet}s: one HA replica, a connection pooler and
 * the environment tag `PROD`. The service is protected like every service, and its replica sets are not.
 *
 * The resource name of the service is the name of the component, and that of a replica set is followed by the name of the
 * set: `orders`, `orders-reports`.
 *
 * In Java, set an explicit provider with `providers`: Pulumi passes on neither `provider` nor that of a parent, and the
 * database would be in the default project of the stack.
 *
 * @see node_modules/pulumi-clouddb/docs/resources/service.md#productiondatabase
 */
export class ProductionDatabase extends pulumi.ComponentResource {
    /** The service. */
    readonly service: Service;
    /** The read replica sets, by their names in the argument `readReplicas`. */
    readonly readReplicas: Readonly<Record<string, ReadReplicaSet>>;
    /** The `postgres://` URL of the direct endpoint of the service. Secret. */
    declare readonly connectionString: Service["connectionString"];
    /** The URL of the connection pooler. Undefined if there is none. Secret. */
    declare readonly poolerConnectionString: Service["poolerConnectionString"];
    /** The URL within the VPC. Undefined without a VPC. Secret. */
    declare readonly vpcConnectionString: Service["vpcConnectionString"];

    /** The type of these components in a URN, under the name by which Pulumi's tools know it. */
    static readonly __pulumiType: string = productionDatabaseType;

    /** Whether an object is such a component, also of another copy of the package. */
    static override isInstance(object: unknown): object is ProductionDatabase {
        return isOfType(object, ProductionDatabase);
    }

    /** The resource classes of this component. */
    protected static readonly resources = { Service, ReadReplicaSet };

    constructor(name: string, args: ProductionDatabaseArgs, opts: pulumi.ComponentResourceOptions = {}) {
        const { resources } = new.target;
        resources.Service.host.checkProviders("ProductionDatabase", name, opts);
        const { own, ofService } = splitAliases(opts, name);
        super(productionDatabaseType, name, {}, { ...opts, aliases: own });
        const { readReplicas = {}, ...given } = args;
        // In TypeScript, it is not an option of a component.
        const { additionalSecretOutputs = [] } = opts as pulumi.CustomResourceOptions;
        const { customTimeouts, protect, retainOnDelete, ignoreChanges = [], replaceOnChanges = [] } = opts;
        const owners = [undefined, ...Object.keys(readReplicas)];
        const isOfNone = (path: string) => owners.every((set) => pathsOf([path], set).length === 0);
        for (const path of [...ignoreChanges, ...replaceOnChanges].filter(isOfNone)) {
            const text = `${path} is an input neither of the service nor of a read replica set: as an option, it has no effect`;
            void pulumi.log.warn(`${text}\nContinue: use cpuMillis, or readReplicas.NAME.cpuMillis`, this);
        }
        // Children do not inherit the time limits. Their classes read the two others, which only the engine lets them inherit.
        const children = { parent: this, customTimeouts, protect, retainOnDelete } as pulumi.CustomResourceOptions;
        const optionsOf = (set?: string) => ({
            ...children,
            ignoreChanges: pathsOf(ignoreChanges, set),
            replaceOnChanges: pathsOf(replaceOnChanges, set),
        });

        const ownOptions = { ...optionsOf(), aliases: ofService, additionalSecretOutputs };
        const service = new resources.Service(name, inputsOfService(given), ownOptions);
        const sets = Object.entries(readReplicas).map(([key, replicas]) => {
            const inputs = inputsOfReplicaSet(replicas, given, service);
            return [key, new resources.ReadReplicaSet(`${name}-${key}`, inputs, optionsOf(key))] as const;
        });
        this.service = service;
        this.readReplicas = Object.fromEntries(sets);
        const urls = Object.fromEntries(urlOutputs.map((output) => [output, service[output]]));
        Object.assign(this, urls);
        this.registerOutputs(urls);
    }
}

function inputsOfService(args: Args<ProductionDatabaseInputs>): ServiceArgs {
    const defaults = Object.entries(productionDefaults).map(([name, value]) => [name, valueOf(args, name) ?? value]);
    const cpuMillis = pulumi.output(args.cpuMillis).apply(ownCpu);
    return { ...args, ...(Object.fromEntries(defaults) as object), cpuMillis };
}

/** The CPU of the service. Its output or a result can be `"shared"`, which fails in a preview. */
function ownCpu(cpuMillis: unknown): number {
    if (typeof cpuMillis !== "number") {
        throw plainError(`cpuMillis ${show(cpuMillis)} is not valid; use the CPU in millicores, such as 1000`);
    }
    return cpuMillis;
}

/**
 * The inputs of a read replica set, with outputs of the service where transforms may have changed its inputs. A preview does
 * not know the memory of a new service that declares none: the set then derives its own from its CPU, as the service does.
 */
function inputsOfReplicaSet(replicas: ReadReplicaArgs, args: Args<ProductionDatabaseInputs>, service: Service) {
    const { serviceId, projectId, currentPassword: password } = service;
    const hasMemoryOfService = replicas.cpuMillis === undefined && args.memoryGbs !== undefined;
    return {
        ...replicas,
        cpuMillis: replicas.cpuMillis ?? service.cpuMillis,
        memoryGbs: replicas.memoryGbs ?? (hasMemoryOfService ? service.memoryGbs : undefined),
        sslMode: replicas.sslMode ?? args.sslMode,
        sslRootCert: replicas.sslRootCert ?? args.sslRootCert,
        serviceId,
        projectId,
        password,
    } as ReadReplicaSetArgs;
}

/**
 * The property paths of the component that concern its service, or one of its replica sets, as paths of the inputs of that
 * resource.
 */
function pathsOf(paths: readonly string[], set?: string): string[] {
    return paths.flatMap((path) => {
        const [first = "", name = "*", ...rest] = path.match(/[^.[\]"]+/g) ?? [];
        if (first === "*" || set === undefined) {
            return first === "*" || first in untypedResources.Service.fields ? [path] : [];
        }
        return first === "readReplicas" && ["*", set].includes(name) ? [rest.join(".") || "*"] : [];
    });
}

type Options = pulumi.ComponentResourceOptions;
type Aliases = NonNullable<Options["aliases"]>;

/**
 * Separates the aliases of a component from those of its service: one with the type of a service names a service that the
 * program has moved into the component. Languages without parts of aliases name it by its URN.
 */
function splitAliases({ aliases = [], parent = pulumi.rootStackResource }: Options, name: string) {
    const tokens = [nativeToken("Service"), dynamicToken("Service")];
    const isOfService = (alias: Aliases[number]) => {
        const type = typeof alias === "string" ? typeInUrn(alias) : "type" in alias && alias.type;
        return tokens.some((token) => token === type);
    };
    const ofService = aliases.filter(isOfService).flatMap((alias): Aliases => {
        const parts = alias as pulumi.Alias;
        return typeof alias === "string" ? [alias] : tokens.map((type) => ({ name, parent, ...parts, type }));
    });
    return { own: aliases.filter((alias) => !isOfService(alias)), ofService };
}

/** The type in a URN, without those of the parents. */
const typeInUrn = (urn: string): string | undefined => urn.split("::")[2]?.split("$").at(-1);
