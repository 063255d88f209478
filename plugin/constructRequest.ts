import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import * as server from "@pulumi/pulumi/provider/server";
import { DependencyProviderResource, DependencyResource } from "@pulumi/pulumi/resource";
import * as resource from "@pulumi/pulumi/runtime/resource";
import { deserializeProperty } from "@pulumi/pulumi/runtime/rpc";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { signatureKey } from "../provider/hosts/codec";
import { pack } from "../provider/hosts/native/values";
import type { Session } from "../provider/lifecycle/session";
import { show } from "../provider/base/fields";
import { declareProtection } from "../sdk/nodejs/native/provider";
import type { ProductionDatabaseArgs } from "../sdk/nodejs/productionDatabase";

type Values = Readonly<Record<string, unknown>>;
type Dependencies = ReturnType<ConstructRequest["getInputdependenciesMap"]>;

/** Functions of Pulumi's SDK that its public types leave out. */
const { deserializeInputs } = server as unknown as {
    readonly deserializeInputs: (inputs: Struct, dependencies: Pick<Dependencies, "get">) => Promise<Values>;
};
const { hookBindingFromProto } = resource as unknown as {
    readonly hookBindingFromProto: (
        hooks: ReturnType<ConstructRequest["getResourceHooks"]>,
    ) => pulumi.ResourceOptions["hooks"];
};

/** The arguments that the program gave to the component. The names of the read replica sets must be known. */
export async function argumentsOf(request: ConstructRequest): Promise<ProductionDatabaseArgs> {
    const { readReplicas, ...others } = (request.getInputs()?.toJavaScript() ?? {}) as Values;
    const given = await deserializeInputs(pack(others), request.getInputdependenciesMap());
    const { cpuMillis } = given;
    if (!pulumi.Output.isInstance(cpuMillis) && !pulumi.isUnknown(cpuMillis) && typeof cpuMillis !== "number") {
        throw new Error(
            `cpuMillis ${show(cpuMillis)} is not valid; use the CPU of the service in millicores, such as 1000`,
        );
    }
    const problem = "is not a plain map; use a map such as";
    const sets = Object.entries(
        mapIn(readReplicas, `readReplicas ${problem} { reports: { nodes: 2 } }, with values that may be outputs`),
    ).map(async ([name, replicas]) => {
        const inputs = mapIn(replicas, `readReplicas.${name} ${problem} { nodes: 2 }, with values that may be outputs`);
        return [name, await deserializeInputs(pack(inputs), new Map())] as const;
    });
    return { ...given, readReplicas: Object.fromEntries(await Promise.all(sets)) } as unknown as ProductionDatabaseArgs;
}

/** The members of a packed map; none without a value. Fails for an output, which has a signature. */
function mapIn(packed: unknown, problem: string): Values {
    if (packed === undefined || packed === null) {
        return {};
    }
    if (typeof packed !== "object" || Array.isArray(packed) || signatureKey in packed) {
        throw new Error(problem);
    }
    return packed as Values;
}

/** The resource options that the program gave to the component. */
export function optionsOf(request: ConstructRequest, session: Session): pulumi.ComponentResourceOptions {
    const timeouts = request.getCustomtimeouts();
    const trigger = request.getReplacementTrigger();
    const providers = [...(request.getProvidersMap().entries() as Iterable<[string, string]>)];
    return {
        parent: resourceAt(request.getParent()),
        dependsOn: resourcesAt(request.getDependenciesList()),
        providers: providers.map(([, reference]) => providerAt(reference, session)),
        aliases: request.getAliasesList().map(aliasOf),
        // Unset is not false: only the program's own value has priority over `deletionProtection`.
        protect: request.hasProtect() ? request.getProtect() : undefined,
        retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
        ignoreChanges: request.getIgnorechangesList(),
        replaceOnChanges: request.getReplaceonchangesList(),
        additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
        deletedWith: resourceAt(request.getDeletedwith()),
        replaceWith: resourcesAt(request.getReplaceWithList()),
        replacementTrigger: trigger && (deserializeProperty(trigger.toJavaScript(), true) as unknown),
        customTimeouts: timeouts && {
            create: timeouts.getCreate(),
            update: timeouts.getUpdate(),
            delete: timeouts.getDelete(),
        },
        hooks: hookBindingFromProto(request.getResourceHooks()),
    } as pulumi.ComponentResourceOptions;
}

/** An explicit provider of the component, with the settings of this connection. */
function providerAt(reference: string, session: Session): pulumi.ProviderResource {
    const provider = new DependencyProviderResource(reference);
    declareProtection(provider, session.protectsData());
    return provider;
}

function resourceAt(urn: string): pulumi.Resource | undefined {
    return urn === "" ? undefined : new DependencyResource(urn);
}

function resourcesAt(urns: readonly string[]): pulumi.Resource[] {
    return urns.map((urn) => new DependencyResource(urn));
}

/** An alias of the component. The SDK distinguishes an absent part, which is the present one, from an undefined one. */
function aliasOf(alias: Alias): pulumi.URN | pulumi.Alias {
    const spec = alias.getSpec();
    if (spec === undefined) {
        return alias.getUrn();
    }
    const parts = {
        name: spec.getName(),
        type: spec.getType(),
        stack: spec.getStack(),
        project: spec.getProject(),
        parent: spec.getParenturn(),
    };
    const declared = Object.entries(parts).filter(([, value]) => value !== "");
    return { ...Object.fromEntries(declared), ...(spec.getNoparent() ? { parent: pulumi.rootStackResource } : {}) };
}
