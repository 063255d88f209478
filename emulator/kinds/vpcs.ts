import { deletion, modification } from "../control";
import { invalid } from "../errors";
import { text, type ValuesOf } from "../schema";
import type { Wire } from "../wire";
import { mustBeUnused } from "../world/accept";
import { overlap, parseCidr } from "../world/cidr";
import { found, listed } from "../world/find";
import { newNumber } from "../world/ids";
import type { Kind } from "../world/kind";
import { checkRegion } from "../world/sizes";
import type { Dated } from "../world/state";
import type { Definition } from "./definition";

export interface VpcRecord extends Dated {
    projectId: string;
    name: string;
    cidr: string;
    regionCode: string;
}

export const vpcs: Kind<VpcRecord, "vpcs", "project"> = {
    name: "vpcs",
    noun: "VPC",
    parent: "project",
};

const view = ({ id, cidr, name, regionCode }: VpcRecord): Wire["Vpc"] => ({ id, cidr, name, region_code: regionCode });

const patch = { name: text };

/** The properties of a VPC that `updateVpc` can change. */
export type VpcPatch = ValuesOf<typeof patch>;

export const vpcDefinition = {
    kind: vpcs,
    view,
    titleOf: ({ name }) => name,
    operations: {
        createVpc: ({ world, params, body: { cidr, name, region_code } }) => {
            parseCidr(cidr);
            for (const other of world.within(vpcs, params.project_id)) {
                if (overlap(cidr, other.cidr)) {
                    // 400 instead of 409, because a retry cannot succeed.
                    throw invalid(
                        `cidr ${cidr} overlaps ${other.cidr} of VPC ${other.id} (${other.name}) in the same project.`,
                    );
                }
            }
            const vpc: VpcRecord = {
                id: newNumber(world.random, world.isTaken),
                projectId: params.project_id,
                name,
                cidr,
                regionCode: checkRegion(world.rules, region_code),
                ...world.newTimes(),
            };
            world.add(vpcs, vpc);
            return view(vpc);
        },
        listVpcs: ({ world, params }) => listed(world, vpcs, params.project_id).map(view),
        getVpc: (call) => view(found(vpcs, call)),
        renameVpc: (call) => {
            const vpc = found(vpcs, call);
            vpc.name = call.body.name;
            return { message: `VPC ${vpc.id} was renamed to ${vpc.name}.` };
        },
        deleteVpc: (call) => {
            const vpc = found(vpcs, call);
            mustBeUnused(call.world, vpcs, vpc);
            call.world.remove(vpcs, vpc.id);
        },
    },
    durations: {},
    controls: {
        /** Renames the VPC immediately. */
        updateVpc: modification(vpcs, patch),
        /** Deletes the VPC with all that is in it immediately, and detaches its services. */
        deleteVpc: deletion(vpcs),
    },
} satisfies Definition<VpcRecord, Wire["Vpc"]>;
