import type { Schemas } from "../../../provider/api/contract";
import type { VpcInputs } from "../../../provider/resources/vpc";
import { common, fixed } from "./common";
import { message } from "./exercise";
import { combined, symbols, type KindCase } from "./kind";

const region = { regionCode: "us-east-1" };
const collection = "/projects/{project_id}/vpcs";
const path = `${collection}/{vpc_id}` as const;

const created = (index: number) => ({ name: `v${index}`, cidr: `10.${1 + index}.0.0/16`, region_code: "us-east-1" });

export const vpc: KindCase<VpcInputs, Schemas["Vpc"]> = {
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
        cidr: fixed([undefined, "10.200.0.0/21"], ({ cidr }) => cidr),
        regionCode: fixed([undefined, "eu-west-1"], (one) => one.region_code),
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
    create: async (call, _refs, index) => (await call("createVpc", {}, created(index))).id,
    exercises: {
        listVpcs: {
            sends: `GET ${collection}`,
            answers: [{ id: "{vpc_id}", ...created(0) }],
        },
        createVpc: {
            sends: `POST ${collection}`,
            body: created(0),
            status: 201,
            answers: created(0),
            rejects: [
                [{ region_code: "mars-1" }, "mars-1"],
                [{ cidr: 10 }, "cidr must be string"],
                ...["10.0.0.256/24", "10.0.0.0/33", "10.0.0.010/24", "fd00::/8"].map(
                    (cidr) => [{ cidr }, "address/prefix"] as const,
                ),
                [{ cidr: "10.1.2.3/8" }, "10.0.0.0/8"],
                [{}, "overlaps", { createVpc: created(0) }],
                [{ name: "a\nb" }, "control characters"],
            ],
        },
        getVpc: {
            sends: `GET ${path}`,
            answers: { id: "{vpc_id}", ...created(0) },
        },
        deleteVpc: {
            sends: `DELETE ${path}`,
            status: 204,
        },
        renameVpc: {
            sends: `POST ${path}/rename`,
            body: { name: "other" },
            answers: message,
        },
    },
    items: ({ vpcs }) => vpcs.map((item) => ({ id: item.id, status: undefined, item })),
    settled: () => undefined,
    deleteByHand: (emulator, id) => emulator.deleteVpc(id),
};
