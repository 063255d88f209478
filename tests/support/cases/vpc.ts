import type { Vpc as WireVpc } from "../../../provider/api/contract";
import type { VpcInputs } from "../../../provider/resources/vpc";
import { common } from "./common";
import { combined, symbols, type KindCase } from "./kind";

const region = { regionCode: "us-east-1" };

export const vpc: KindCase<VpcInputs, WireVpc> = {
    name: "network",
    inputs: (_refs, index) => ({ cidr: `10.${index}.0.0/21`, ...region }),
    properties: {
        ...common,
        name: {
            values: ["network", "other-network"],
            announced: { renameVpc: /^rename/ },
            shown: "string",
            wire: ({ name }) => name,
        },
        cidr: { values: [undefined, "10.200.0.0/21"], replaces: true, shown: "string", wire: ({ cidr }) => cidr },
        regionCode: {
            values: [undefined, "eu-west-1"],
            replaces: true,
            shown: "string",
            wire: (one) => one.region_code,
        },
    },
    forms: [
        {
            also: ["name"],
            fixed: combined({ cidr: ["10.8.0.0/16", "10.9.0.0/16"], regionCode: ["us-east-1", "eu-west-1"] }),
        },
        {
            also: ["name"],
            fixed: combined({
                existingId: [...symbols.emptyVpcs, "999999"],
                cidr: ["10.5.0.0/16", "10.6.0.0/16"],
                regionCode: ["us-east-1"],
            }),
        },
    ],
    outputs: { vpcId: "string" },
    creations: { createVpc: /^create VPC/ },
    create: async (call, _refs, index) => {
        const input = { name: `v${index}`, cidr: `10.${1 + index}.0.0/16`, region_code: "us-east-1" };
        return (await call("createVpc", {}, input)).id;
    },
    items: ({ vpcs }) => vpcs.map((item) => ({ id: item.id, status: undefined, item })),
    settled: () => undefined,
    deleteByHand: (emulator, id) => emulator.deleteVpc(id),
};
