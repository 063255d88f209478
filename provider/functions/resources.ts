import { type WayOut, way } from "../inputs/message";
import type { Kind, Resource } from "../contract/resource";
import { outputsWhere } from "../contract/outputs";
import { collectionPath, pathOf } from "../contract/path";
import { show, valueOf } from "../inputs/fields";
import { collectionAt } from "../observe/collection";
import { peering, type PeeringKind, type PeeringObserved } from "../resources/peering";
import { readReplicaSet, type ReadReplicaSetKind, type ReadReplicaSetObserved } from "../resources/readReplicaSet";
import { service, type ServiceObserved } from "../resources/service/service";
import type { ServiceKind } from "../resources/service/plan";
import { vpc, type VpcKind, type VpcObserved } from "../resources/vpc";
import {
    defineFunction,
    FunctionError,
    type FunctionContext,
    projectOf,
    readOptionsOf,
    type InProject,
    type ProjectArgs,
    type ProviderFunction,
} from "./function";

/** A VPC. The properties have the same names as the outputs of `Vpc`. */
export type GetVpcResult = VpcObserved & InProject;

/** A peering. The properties have the same names as the outputs of `Peering`. */
export type GetPeeringResult = PeeringObserved & InProject;

/** A service. The properties have the same names as the outputs of `Service`. It contains no passwords. */
export type GetServiceResult = ServiceObserved & InProject;

/** A read replica set. The properties have the same names as the outputs of `ReadReplicaSet`. */
export type GetReadReplicaSetResult = ReadReplicaSetObserved & InProject;

/** The arguments of {@link getVpc}. */
export interface GetVpcArgs extends ProjectArgs {
    /** The id of the VPC. */
    vpcId: string;
}

/** The arguments of {@link getPeerings}. */
export interface GetPeeringsArgs extends ProjectArgs {
    /** The id of the VPC whose peerings are returned. */
    vpcId: string;
}

/** The arguments of {@link getPeering}. */
export interface GetPeeringArgs extends ProjectArgs {
    /** The id of the VPC in this project. */
    vpcId: string;
    /** The id of the peering within the VPC. */
    peeringId: string;
}

/** The arguments of {@link getService}. */
export interface GetServiceArgs extends ProjectArgs {
    /** The id of the service. Required, unless `name` is set. */
    serviceId?: string;
    /** The name of the service, instead of its id. */
    name?: string;
}

/** The arguments of {@link getReadReplicaSets}. */
export interface GetReadReplicaSetsArgs extends ProjectArgs {
    /** The id of the service whose read replica sets are returned. */
    serviceId: string;
}

/** Returns all VPCs of a project (`GET …/vpcs`). */
export const getVpcs = all<VpcKind, ProjectArgs>(vpc, "vpcs");

/** Returns one VPC (`GET …/vpcs/{id}`). Throws an `ApiError` with status 404 if it does not exist. */
export const getVpc = one<VpcKind, GetVpcArgs>(vpc);

/**
 * Returns all peerings of a VPC (`GET …/vpcs/{id}/peerings`). Throws an `ApiError` with status 404 if the VPC does not exist.
 */
export const getPeerings = all<PeeringKind, GetPeeringsArgs>(peering, "peerings");

/** Returns one peering (`GET …/vpcs/{id}/peerings/{id}`). Throws an `ApiError` with status 404 if it does not exist. */
export const getPeering = one<PeeringKind, GetPeeringArgs>(peering);

/** Returns all services of a project (`GET …/services`). Leaves out entries that represent a read replica set. */
export const getServices = all<ServiceKind, ProjectArgs>(service, "services");

const serviceById = one<ServiceKind, ProjectArgs & { serviceId: string }>(service, [
    way("Continue", "use getReadReplicaSets with the id of its service"),
]);

/**
 * Returns one service, by its id (`GET …/services/{id}`) or its name (`GET …/services`). Throws an `ApiError` with status 404
 * if no service has the id, and a `FunctionError` if the id belongs to a read replica set, or if no or more than one service
 * has the name.
 */
export const getService = defineFunction<GetServiceArgs, Result<ServiceKind>>({
    required: [["serviceId", "name"]],
    run: ({ serviceId, name, ...project }, context) =>
        serviceId ? serviceById.run({ ...project, serviceId }, context) : serviceByName(String(name), project, context),
});

async function serviceByName(
    name: string,
    project: ProjectArgs,
    context: FunctionContext,
): Promise<Result<ServiceKind>> {
    const found = (await getServices.run(project, context)).filter((one) => one.name === name);
    const [only] = found;
    if (only === undefined || found.length > 1) {
        const count = only === undefined ? "no service" : `${found.length} services`;
        const ids = found.map(({ serviceId }) => serviceId).join(" or ");
        const next =
            only === undefined
                ? way("If this program creates it", "set serviceId to the id of the resource instead")
                : way("Continue", `set serviceId to ${ids} instead`);
        const what = `Project ${projectOf(project, context)} has ${count} with the name ${show(name)}.`;
        throw new FunctionError({ what, ways: [next] });
    }
    return only;
}

/**
 * Returns all read replica sets of a service (`GET …/services/{id}/replicaSets`). Throws an `ApiError` with status 404 if the
 * service does not exist.
 */
export const getReadReplicaSets = all<ReadReplicaSetKind, GetReadReplicaSetsArgs>(readReplicaSet, "readReplicaSets");

type Result<K extends Kind> = K["Observed"] & InProject;

/** The function that returns all resources of a kind in a project, or in the parent that the arguments name. */
function all<K extends Kind, Args extends ProjectArgs>(
    resource: Resource<K>,
    list: string,
): ProviderFunction<Args, Result<K>[]> {
    return {
        required: argumentsOf(resource.parent?.input),
        list,
        run: async (args, context) => {
            const projectId = projectOf(args, context);
            const path = collectionPath(resource, projectId, args);
            const items = await collectionAt<K["Item"]>(resource, path, context.client).list(readOptionsOf(context));
            return items.map((item) => ({ projectId, ...resource.observation.observe(item, path) }));
        },
    };
}

/** The function that returns the resource with the id in the arguments. */
function one<K extends Kind, Args extends ProjectArgs>(
    resource: Resource<K>,
    /** What to call instead. */
    ways: readonly WayOut[] = [],
): ProviderFunction<Args, Result<K>> {
    const { parent, observation, outputs } = resource;
    const [ownId] = outputsWhere(outputs, ({ fromId }) => fromId);
    const required = argumentsOf<Args>(parent?.input, ownId);
    return {
        required,
        run: async (args, context) => {
            const projectId = projectOf(args, context);
            const id = required.map((name) => valueOf(args, name)).join("/");
            const path = pathOf(resource, projectId, id);
            const item = await collectionAt<K["Item"]>(resource, path, context.client).get?.(
                id,
                readOptionsOf(context),
            );
            const mismatch = resource.otherKind?.(item);
            if (mismatch !== undefined) {
                throw new FunctionError({ what: `Wrong id ${id}: ${mismatch}.`, ways });
            }
            return { projectId, ...observation.observe(item, path) };
        },
    };
}

/** The arguments with these names, which the table of a resource contains as strings. */
function argumentsOf<Args>(...names: readonly (string | undefined)[]): (keyof Args & string)[] {
    return names.filter((name) => name !== undefined) as (keyof Args & string)[];
}
