import { conflict, invalid } from "../errors";
import type { Wire } from "../wire";
import { overlap, parseCidr } from "./cidr";
import { newNumber } from "./ids";
import { checkRegion } from "./sizes";
import type { ServiceRecord, VpcRecord } from "./state";
import type { World } from "./world";

export function createVpc(world: World, projectId: string, input: Wire["VpcCreateInput"]): VpcRecord {
    parseCidr(input.cidr);
    for (const other of world.within("vpcs", projectId)) {
        if (overlap(input.cidr, other.cidr)) {
            // 400 instead of 409, because a retry cannot succeed.
            throw invalid(
                `cidr ${input.cidr} overlaps ${other.cidr} of VPC ${other.id} (${other.name}) in the same project.`,
            );
        }
    }
    const vpc: VpcRecord = {
        id: newNumber(world.random, (id) => world.vpcs.has(id)),
        projectId,
        name: input.name,
        cidr: input.cidr,
        regionCode: checkRegion(world.rules, input.region_code),
        ...world.newTimes(),
    };
    world.add("vpcs", vpc);
    return vpc;
}

export function renameVpc(vpc: VpcRecord, name: string): void {
    vpc.name = name;
}

export function deleteVpc(world: World, vpc: VpcRecord): void {
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
}

/** Whether the service is attached to the VPC, or is being attached to it. */
const uses = (service: ServiceRecord, vpc: VpcRecord): boolean =>
    service.values.vpcId === vpc.id || service.steps.some((step) => step.set?.vpcId === vpc.id);

const listIds = (records: readonly { id: string }[]): string => records.map(({ id }) => id).join(", ");
