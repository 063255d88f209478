import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { dynamicToken, lastOf, nativeToken } from "../../inputs/names";
import { outputsWhere } from "../../lifecycle/outputs";
import { untypedLifecycles, type ResourceType } from "../../resources/index";
import { protection } from "../../resources/protection";
import { ProgramOutput, secret } from "./programValue";
import { pack } from "./values";

const { CustomTimeouts, PropertyDependencies, ResourceHooksBinding } = RegisterResourceRequest;

/** A resource that a component consists of. Its inputs are plain values and outputs. */
export interface Child {
    readonly type: ResourceType;
    readonly name: string;
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly isProtected: unknown;
}

/** A registration that the present engine answers completely. */
function registration(type: string, name: string, parent: string): RegisterResourceRequest {
    return new RegisterResourceRequest()
        .setType(type)
        .setName(name)
        .setParent(parent)
        .setAcceptsecrets(true)
        .setAcceptresources(true)
        .setSupportspartialvalues(true)
        .setSupportsresultreporting(true)
        .setAliasspecs(true);
}

/** The registration of the component itself, with the options from which its resources inherit. */
export function componentRegistration(request: ConstructRequest): RegisterResourceRequest {
    const component = registration(request.getType(), request.getName(), request.getParent())
        .setObject(pack({}))
        .setDependenciesList(request.getDependenciesList())
        .setAliasesList(request.getAliasesList())
        .setIgnorechangesList(request.getIgnorechangesList())
        .setReplaceonchangesList(request.getReplaceonchangesList())
        .setAdditionalsecretoutputsList(request.getAdditionalsecretoutputsList())
        .setReplacementTrigger(request.getReplacementTrigger())
        .setCustomtimeouts(timeoutsOf(request))
        .setDeletedwith(request.getDeletedwith())
        .setReplaceWithList(request.getReplaceWithList())
        .setParentstacktracehandle(request.getStackTraceHandle());
    for (const [name, provider] of request.getProvidersMap().entries() as Iterable<[string, string]>) {
        component.getProvidersMap().set(name, provider);
    }
    if (request.hasProtect()) {
        component.setProtect(request.getProtect() === true);
    }
    if (request.hasRetainondelete()) {
        component.setRetainondelete(request.getRetainondelete() === true);
    }
    const hooks = request.getResourceHooks();
    if (hooks !== undefined) {
        component.setHooks(ResourceHooksBinding.deserializeBinary(hooks.serializeBinary()));
    }
    return component;
}

/** The registration of a resource of the component. It equals the one of the resource's class in TypeScript. */
export function childRegistration(child: Child, parentUrn: string, request: ConstructRequest): RegisterResourceRequest {
    const { type, name, inputs, isProtected } = child;
    const { outputs } = untypedLifecycles[type].resource;
    const result = registration(nativeToken(type), name, parentUrn)
        .setCustom(true)
        .setAdditionalsecretoutputsList([...outputsWhere(outputs, ({ secret }) => secret)])
        .setAliasesList([new Alias().setSpec(new Alias.Spec().setType(dynamicToken(type)))])
        .setParentstacktracehandle(request.getStackTraceHandle());
    setInputs(result, inputs, type, hiddenInputs(child, request));
    const { protect } = protection(isProtected, { protect: request.hasProtect() ? request.getProtect() : undefined });
    if (protect !== undefined) {
        result.setProtect(protect);
    }
    return result.setCustomtimeouts(timeoutsOf(request));
}

/** The option `customTimeouts` of the program, for a registration. */
function timeoutsOf(request: ConstructRequest): RegisterResourceRequest.CustomTimeouts | undefined {
    const timeouts = request.getCustomtimeouts();
    return (
        timeouts &&
        new CustomTimeouts()
            .setCreate(timeouts.getCreate())
            .setUpdate(timeouts.getUpdate())
            .setDelete(timeouts.getDelete())
    );
}

/** Sets the inputs and the resources on which they depend. Inputs that are always secret are marked as secret. */
function setInputs(
    registered: RegisterResourceRequest,
    inputs: Child["inputs"],
    type: ResourceType,
    hidden: Child["inputs"],
): void {
    const always = untypedLifecycles[type].secretNames({});
    const properties = new Map<string, unknown>();
    const dependencies = new Set<string>();
    for (const [name, value] of Object.entries(inputs)) {
        const { packed, dependencies: urns } = value instanceof ProgramOutput ? value : new ProgramOutput(value, []);
        if (packed === undefined) {
            continue;
        }
        properties.set(name, always.has(name) ? secret(packed) : packed);
        registered.getPropertydependenciesMap().set(name, new PropertyDependencies().setUrnsList([...urns]));
        urns.forEach((urn) => dependencies.add(urn));
    }
    registered.setObject(pack({ ...Object.fromEntries(properties), ...hidden })).setDependenciesList([...dependencies]);
}

/** What the classes in TypeScript tell the plugin about a resource, see `Host` of the SDK. */
function hiddenInputs(child: Child, request: ConstructRequest): Record<string, unknown> {
    const { type, inputs } = child;
    const isPreview = request.getDryrun();
    const { vpcId } = inputs;
    const networks = vpcId instanceof ProgramOutput ? vpcId.dependencies.filter(isNetwork) : [];
    return {
        ...(isPreview && networks.length > 0 ? { __sources: { vpcId: networks } } : {}),
        ...(type === "ReadReplicaSet" ? { __derivedFrom: ["password"] } : {}),
    };
}

const isNetwork = (urn: string): boolean => [nativeToken("Vpc"), dynamicToken("Vpc")].includes(lastOf(urn).type);
