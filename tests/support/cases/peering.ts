import type { Peering as WirePeering } from "../../../provider/api/contract";
import type { PeeringInputs } from "../../../provider/resources/peering";
import type { PeeringActivationInputs } from "../../../provider/resources/peeringActivation";
import { common, project } from "./common";
import { combined, symbols, type KindCase } from "./kind";

type InWorld = WirePeering & { readonly vpc_id: string };

const far = { peerAccountId: "123456789012", peerRegionCode: "us-east-1" };
const [[oneVpc, otherVpc], [onePeering, otherPeering]] = [symbols.vpcs, symbols.peerings];
const existing = [
    [oneVpc, onePeering],
    [otherVpc, otherPeering],
    ["999999", "999999"],
] as const;

export const peering: KindCase<PeeringInputs, InWorld> = {
    name: "office",
    inputs: ({ vpcs: [vpcId] }, index) => ({ vpcId, ...far, peerVpcId: `vpc-${index + 1}` }),
    properties: {
        ...common,
        vpcId: {
            values: ({ vpcs: [, other] }) => [undefined, other],
            replaces: true,
            shown: "string",
            wire: (one) => one.vpc_id,
        },
        peerAccountId: {
            values: [undefined, "210987654321"],
            replaces: true,
            shown: "string",
            wire: (one) => one.peer_account_id,
        },
        peerRegionCode: {
            values: [undefined, "eu-west-1"],
            replaces: true,
            shown: "string",
            wire: (one) => one.peer_region_code,
        },
        peerVpcId: { values: [undefined, "vpc-9"], replaces: true, shown: "string", wire: (one) => one.peer_vpc_id },
        waitFor: { values: ["active", "provisioned"] },
    },
    forms: [
        { fixed: combined({ vpcId: symbols.vpcs, peerVpcId: ["vpc-1", "vpc-2"] }).map((one) => ({ ...far, ...one })) },
        {
            // Most of them name the other side of the existing peering.
            fixed: existing.flatMap(([vpcId, peeringId]) =>
                ["vpc-9", "vpc-9", "vpc-9", "vpc-1"].flatMap((peerVpcId) => [
                    { ...far, peerVpcId, vpcId, existingId: peeringId },
                    ...symbols.vpcs.map((one) => ({
                        ...far,
                        peerVpcId,
                        vpcId: one,
                        existingId: `${vpcId}/${peeringId}`,
                    })),
                ]),
            ),
        },
    ],
    outputs: { peeringId: "string", status: "string?", provisionedId: "string?", errorMessage: "string?" },
    creations: { createPeering: /^create peering/ },
    create: async (call, { vpcs }, index) => {
        const input = {
            peer_account_id: far.peerAccountId,
            peer_region_code: far.peerRegionCode,
            peer_vpc_id: "vpc-9",
        };
        return (await call("createPeering", { vpc_id: vpcs[index] }, input)).id;
    },
    items: ({ peerings }) => peerings.map((item) => ({ id: item.id, status: item.status, item })),
    settled: () => "active",
    deleteByHand: (emulator, id) => emulator.deletePeering(id),
};

/** It creates nothing: its peering exists. */
export const peeringActivation: KindCase<PeeringActivationInputs, unknown> = {
    name: "active",
    inputs: ({ vpcs: [vpcId], peerings: [peeringId] }) => ({ vpcId, peeringId }),
    properties: {
        ...project,
        vpcId: {
            values: ({ vpcs: [, other] }) => [undefined, other],
            // The peering is in the VPC.
            beside: ({ peerings: [, peeringId] }) => [{}, { peeringId }],
            replaces: true,
            shows: { vpcId: "update-replace", peeringId: "update-replace" },
        },
        peeringId: { values: ({ peerings: [other] }) => [undefined, other], replaces: true },
    },
    forms: [
        {
            fixed: [
                { vpcId: oneVpc, peeringId: onePeering },
                { vpcId: otherVpc, peeringId: otherPeering },
            ],
        },
    ],
    outputs: {},
    creations: {},
    create: (_call, { peerings }, index) => Promise.resolve(peerings[index]),
    items: () => [],
    settled: () => undefined,
    deleteByHand: () => undefined,
};
