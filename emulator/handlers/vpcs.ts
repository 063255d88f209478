import { findPeering, findVpc, listed } from "../world/find";
import { createPeering } from "../world/peerings";
import { peeringView, vpcView } from "../world/views";
import { createVpc, deleteVpc, renameVpc } from "../world/vpcs";
import type { HandlersOf } from "./handler";

type Vpcs = "listVpcs" | "createVpc" | "getVpc" | "deleteVpc" | "renameVpc";
type Peerings = "listPeerings" | "createPeering" | "getPeering" | "deletePeering";

export const vpcHandlers: HandlersOf<Vpcs | Peerings> = {
    listVpcs: ({ world, params }) => listed(world, "vpcs", params.project_id).map(vpcView),
    createVpc: ({ world, params, body }) => vpcView(createVpc(world, params.project_id, body)),
    getVpc: ({ world, params }) => vpcView(findVpc(world, params.project_id, params.vpc_id)),
    deleteVpc: ({ world, params }) => {
        deleteVpc(world, findVpc(world, params.project_id, params.vpc_id));
    },
    renameVpc: ({ world, params, body }) => {
        const vpc = findVpc(world, params.project_id, params.vpc_id);
        renameVpc(vpc, body.name);
        return { message: `VPC ${vpc.id} was renamed to ${vpc.name}.` };
    },

    listPeerings: ({ world, params }) =>
        listed(world, "peerings", findVpc(world, params.project_id, params.vpc_id).id).map(peeringView),
    createPeering: ({ world, params, body }) =>
        peeringView(createPeering(world, findVpc(world, params.project_id, params.vpc_id), body)),
    getPeering: ({ world, params }) =>
        peeringView(findPeering(world, params.project_id, params.vpc_id, params.peering_id)),
    deletePeering: ({ world, params }) => {
        world.remove("peerings", findPeering(world, params.project_id, params.vpc_id, params.peering_id).id);
    },
};
