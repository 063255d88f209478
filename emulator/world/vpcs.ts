import { conflict, invalid } from "../errors";
import { overlap, parseCidr } from "./cidr";
import { findVpc, listed } from "./find";
import type { Call, Handlers } from "./handler";
import { newNumber } from "./ids";
import { checkRegion } from "./sizes";
import type { ServiceRecord, VpcRecord } from "./state";
import { vpcView } from "./views";

export const vpcHandlers = {
    listVpcs: ({ world, params }) => listed(world, "vpcs", params.project_id).map(vpcView),
    getVpc: (call) => vpcView(vpcOf(call)),
    createVpc: ({ world, params, body: { cidr, name, region_code } }) => {
        parseCidr(cidr);
        for (const other of world.within("vpcs", params.project_id)) {
            if (overlap(cidr, other.cidr)) {
                // 400 instead of 409, because a retry cannot succeed.
                throw invalid(
                    `cidr ${cidr} overlaps ${other.cidr} of VPC ${other.id} (${other.name}) in the same project.`,
                );
            }
        }
        const vpc: VpcRecord = {
            id: newNumber(world.random, (id) => world.vpcs.has(id)),
            projectId: params.project_id,
            name,
            cidr,
            regionCode: checkRegion(world.rules, region_code),
            ...world.newTimes(),
        };
        world.add("vpcs", vpc);
        return vpcView(vpc);
    },
    renameVpc: (call) => {
        const vpc = vpcOf(call);
        vpc.name = call.body.name;
        return { message: `VPC ${vpc.id} was renamed to ${vpc.name}.` };
    },
    deleteVpc: (call) => {
        const { world } = call;
        const vpc = vpcOf(call);
        const services = [...world.services.values()].filter((service) => uses(service, vpc));
        if (services.length > 0) {
            throw conflict(
                `VPC ${vpc.id} still has attached services (${listIds(services)}). Detach or delete them first.`,
            );
        }
        const peerings = world.within("peerings", vpc.id);
        if (peerings.length > 0) {
            throw conflict(`VPC ${vpc.id} still has peerings (${listIds(peerings)}). Delete them first.`);
        }
        world.remove("vpcs", vpc.id);
    },
} satisfies Partial<Handlers>;

const vpcOf = ({ world, params }: Pick<Call<"getVpc">, "world" | "params">): VpcRecord =>
    findVpc(world, params.project_id, params.vpc_id);

/** Whether the service is attached to the VPC, or is being attached to it. */
const uses = (service: ServiceRecord, vpc: VpcRecord): boolean =>
    service.values.vpcId === vpc.id || service.steps.some((step) => step.set?.vpcId === vpc.id);

const listIds = (records: readonly { id: string }[]): string => records.map(({ id }) => id).join(", ");
