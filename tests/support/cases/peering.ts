import type { Schemas } from "../../../provider/api/contract";
import type { PeeringInputs } from "../../../provider/resources/peering";
import type { PeeringActivationInputs } from "../../../provider/resources/peeringActivation";
import { common, fixed, project } from "./common";
import { combined, symbols, type KindCase } from "./kind";

type InWorld = Schemas["Peering"] & { readonly vpc_id: string };

const far = { peerAccountId: "123456789012", peerRegionCode: "us-east-1" };
const collection = "/projects/{project_id}/vpcs/{vpc_id}/peerings";
const path = `${collection}/{peering_id}` as const;
const created = { peer_account_id: far.peerAccountId, peer_region_code: far.peerRegionCode, peer_vpc_id: "vpc-9" };

const [[oneVpc, otherVpc], [onePeering, otherPeering]] = [symbols.Vpc, symbols.Peering];
const existing = [
    [oneVpc, onePeering],
    [otherVpc, otherPeering],
    ["999999", "999999"],
] as const;

export const peering: KindCase<PeeringInputs, InWorld> = {
    name: "office",
    inputs: ({ Vpc: [vpcId] }, index) => ({ vpcId, ...far, peerVpcId: `vpc-${index + 1}` }),
    properties: {
        ...common,
        vpcId: fixed(
            ({ Vpc: [, other] }) => [undefined, other],
            (one) => one.vpc_id,
        ),
        peerAccountId: fixed([undefined, "210987654321"], (one) => one.peer_account_id),
        peerRegionCode: fixed([undefined, "eu-west-1"], (one) => one.peer_region_code),
        peerVpcId: fixed([undefined, "vpc-9"], (one) => one.peer_vpc_id),
        waitFor: { values: ["active", "provisioned"] },
    },
    forms: [
        { fixed: combined({ vpcId: symbols.Vpc, peerVpcId: ["vpc-1", "vpc-2"] }).map((one) => ({ ...far, ...one })) },
        {
            // Most of them name the other side of the existing peering.
            fixed: existing.flatMap(([vpcId, peeringId]) =>
                ["vpc-9", "vpc-9", "vpc-9", "vpc-1"].flatMap((peerVpcId) => [
                    { ...far, peerVpcId, vpcId, existingId: peeringId },
                    ...symbols.Vpc.map((one) => ({
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
    create: async (call, { Vpc }, index) => (await call("createPeering", { vpc_id: Vpc[index] }, created)).id,
    exercises: {
        listPeerings: {
            sends: `GET ${collection}`,
            answers: [{ id: "{peering_id}", ...created }],
        },
        createPeering: {
            sends: `POST ${collection}`,
            body: created,
            status: 201,
            answers: created,
        },
        getPeering: {
            sends: `GET ${path}`,
            answers: { id: "{peering_id}", status: "active", ...created },
        },
        deletePeering: {
            sends: `DELETE ${path}`,
            status: 204,
        },
    },
    items: ({ peerings }) => peerings.map((item) => ({ id: item.id, status: item.status, item })),
    settled: () => "active",
    breaks: (emulator, id) => emulator.failPeering(id),
    deleteByHand: (emulator, id) => emulator.deletePeering(id),
};

/** It creates nothing: its peering exists. */
export const peeringActivation: KindCase<PeeringActivationInputs, unknown> = {
    name: "active",
    inputs: ({ Vpc: [vpcId], Peering: [peeringId] }) => ({ vpcId, peeringId }),
    properties: {
        ...project,
        vpcId: {
            values: ({ Vpc: [, other] }) => [undefined, other],
            // The peering is in the VPC.
            beside: ({ Peering: [, peeringId] }) => [{}, { peeringId }],
            replaces: true,
            shows: { vpcId: "update-replace", peeringId: "update-replace" },
        },
        peeringId: { values: ({ Peering: [other] }) => [undefined, other], replaces: true },
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
    create: (_call, { Peering }, index) => Promise.resolve(Peering[index]),
    exercises: {},
    items: () => [],
    settled: () => undefined,
    deleteByHand: () => undefined,
};
