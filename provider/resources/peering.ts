import type { Peering as WirePeering } from "../api/contract";
import { failed, pending, ready, type Outcome } from "../wait/outcome";
import type { CommonInputs, Memory, Path, Resource } from "./contract";
import { oneOf, optional, pattern, remembered, replacements, required, show, text, type Fields } from "./fields";
import { orGone, orNone } from "./look";
import { patience } from "./send";

/** A connection of a VPC to a VPC in an external cloud account. */
export interface PeeringInputs extends CommonInputs {
    /** The VPC on our side; a change replaces the peering. */
    vpcId: string;
    /** The cloud account of the other side; a change replaces the peering. */
    peerAccountId: string;
    /** The region of the other side, for example `us-east-1`; a change replaces the peering. */
    peerRegionCode: string;
    /** The VPC of the other side, for example `vpc-0a1b2c3d`; a change replaces the peering. */
    peerVpcId: string;
    /**
     * What creation waits for: that traffic can flow (`active`, which needs the other side to accept), or only that
     * there is something for the other side to accept (`provisioned`), so that the same program can do that.
     * @default "active"
     */
    waitFor?: "active" | "provisioned";
}

/** What is seen of a peering. */
export interface PeeringObserved {
    /** The VPC on our side. */
    readonly vpcId: string;
    /** The cloud account of the other side. */
    readonly peerAccountId: string;
    /** The region of the other side. */
    readonly peerRegionCode: string;
    /** The VPC of the other side. */
    readonly peerVpcId: string;
    /** Its id within the VPC. */
    readonly peeringId: string;
    /** Its status as the service tells it; `active` when it works. */
    readonly status: string | undefined;
    /** What the other side has to accept, for example `pcx-0a1b2c3d`. */
    readonly provisionedId: string | undefined;
    /** Why it failed, if it did. */
    readonly errorMessage: string | undefined;
}

const fields: Fields<PeeringInputs> = {
    projectId: optional("replace", text()),
    existingId: optional(
        "ignore",
        pattern(/^(\d+\/)?\d+$/, "the id of a peering, as PEERING or VPC/PEERING in digits"),
    ),
    vpcId: required("replace", pattern(/^\d+$/, "the id of a VPC (digits)")),
    peerAccountId: required("replace", text()),
    peerRegionCode: required("replace", text()),
    peerVpcId: required("replace", text()),
    waitFor: optional("remember", oneOf(["active", "provisioned"])),
};

/** The status is free text, of which only one value has a meaning. */
export function outcomeOf(item: WirePeering, waitFor: PeeringInputs["waitFor"]): Outcome {
    const status = item.status ?? "no status yet";
    if (item.status?.toLowerCase() === "active") {
        return ready;
    }
    if (item.error_message) {
        return failed(status, item.error_message);
    }
    if (item.provisioned_id) {
        return waitFor === "provisioned"
            ? ready
            : pending(status, `waiting for account ${item.peer_account_id} to accept ${item.provisioned_id}`);
    }
    return pending(status);
}

function pathOf(projectId: string, id: string): Path {
    const [vpcId = "", peeringId = ""] = id.split("/");
    return { project_id: projectId, vpc_id: vpcId, peering_id: peeringId };
}

const idOf = (item: WirePeering, { vpc_id: vpcId = "" }: Path) => `${vpcId}/${item.id}`;

/** The peering resource. */
export const peering: Resource<PeeringInputs, PeeringObserved, WirePeering> = {
    type: "Peering",
    noun: "peering",
    fields,
    keeps: [],
    examine: () => ({ problems: [], advice: [] }),
    identity: (inputs) => [
        inputs.projectId,
        inputs.vpcId,
        inputs.peerAccountId,
        inputs.peerRegionCode,
        inputs.peerVpcId,
    ],
    times: () => ({ create: 60 * 60_000, update: 60 * 60_000, delete: 30 * 60_000, usual: 10 * 60_000 }),

    pathOf,
    idOf,
    adoptedId: (existingId, { vpcId }) => (existingId.includes("/") ? existingId : `${vpcId}/${existingId}`),
    nameOf: ({ peerVpcId }) => (typeof peerVpcId === "string" ? `to ${peerVpcId}` : undefined),
    source: (path, client) => {
        const { project_id: projectId, vpc_id: vpcId = "" } = path;
        return {
            key: `peerings of VPC ${vpcId} in project ${projectId}`,
            list: (options) => orNone(client.listPeerings(projectId, vpcId, options)),
            get: (id, options) => {
                const { peering_id: peeringId = "" } = pathOf(projectId, id);
                return orGone(client.getPeering(projectId, vpcId, peeringId, options));
            },
            idOf: (item) => idOf(item, path),
        };
    },

    observe: (item, { vpc_id: vpcId = "" }) => ({
        vpcId,
        peerAccountId: item.peer_account_id,
        peerRegionCode: item.peer_region_code,
        peerVpcId: item.peer_vpc_id,
        peeringId: item.id,
        status: item.status,
        provisionedId: item.provisioned_id,
        errorMessage: item.error_message,
    }),
    settled: (item, { waitFor }) => outcomeOf(item, waitFor),
    leaving: () => false,

    plan: (state: PeeringObserved & Memory, declared) => ({
        replace: replacements(fields, state, declared),
        steps: [],
        remember: remembered(state, declared, fields),
    }),
    birth: ({ vpcId, peerVpcId, peerAccountId, peerRegionCode }) => ({
        text: `create peering of VPC ${show(vpcId)} with ${show(peerVpcId)} of account ${show(peerAccountId)} in ${show(peerRegionCode)}`,
        observed: { vpcId, peerAccountId, peerRegionCode, peerVpcId } as Partial<PeeringObserved>,
    }),
    home: (projectId, { vpcId }) => ({ project_id: projectId, vpc_id: vpcId }),
    sameAs: (item, inputs) =>
        item.peer_vpc_id === inputs.peerVpcId &&
        item.peer_account_id === inputs.peerAccountId &&
        item.peer_region_code === inputs.peerRegionCode,
    make: async (inputs, { project_id: projectId }, run) => ({
        operation: "createPeering",
        item: await run.client.createPeering(
            projectId,
            inputs.vpcId,
            {
                peer_account_id: inputs.peerAccountId,
                peer_region_code: inputs.peerRegionCode,
                peer_vpc_id: inputs.peerVpcId,
            },
            patience(run),
        ),
    }),
    unfit: (item, { vpc_id: vpcId }, inputs) => {
        if (vpcId !== inputs.vpcId) {
            return `it is in VPC ${vpcId ?? ""}, and the program declares VPC ${inputs.vpcId}`;
        }
        const pairs = [
            ["account", item.peer_account_id, inputs.peerAccountId],
            ["region", item.peer_region_code, inputs.peerRegionCode],
            ["VPC", item.peer_vpc_id, inputs.peerVpcId],
        ] as const;
        const [odd] = pairs.filter(([, found, declared]) => found !== declared);
        return odd && `its other side is ${odd[0]} ${odd[1]}, and the program declares ${odd[2]}`;
    },
    remove: async ({ project_id: projectId, vpc_id: vpcId = "", peering_id: peeringId = "" }, run) => {
        await orGone(run.client.deletePeering(projectId, vpcId, peeringId, patience(run)));
    },
};
