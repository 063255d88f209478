import type { Vpc as WireVpc } from "../api/contract";
import { pending, ready } from "../wait/outcome";
import { overlap, parseCidr, type Network } from "./cidr";
import type { CommonInputs, Finding, Memory, Plan, Resource, Step } from "./contract";
import { optional, pattern, remembered, replacements, required, show, text, type Fields } from "./fields";
import { orGone } from "./look";
import { wanted } from "./memory";
import { patience } from "./send";
import type { Planned } from "./unknown";

/** A virtual network of a project, to which services are attached and which is peered with networks elsewhere. */
export interface VpcInputs extends CommonInputs {
    /**
     * Its name; a change renames it in place (`POST …/vpcs/{id}/rename`).
     * @default made from the resource's name and a short hash of its URN
     */
    name?: string;
    /** Its IPv4 network in address/prefix notation, for example `10.0.0.0/16`; a change replaces it. */
    cidr: string;
    /** The region that hosts it, for example `us-east-1`; a change replaces it. */
    regionCode: string;
}

/** What is seen of a VPC. */
export interface VpcObserved {
    /** Its name. */
    readonly name: string;
    /** Its IPv4 network in address/prefix notation. */
    readonly cidr: string;
    /** The region that hosts it. */
    readonly regionCode: string;
    /** Its id, which services and peerings refer to. */
    readonly vpcId: string;
}

const fields: Fields<VpcInputs> = {
    projectId: optional("replace", text()),
    existingId: optional("ignore", pattern(/^\d+$/, "the id of a VPC (digits)")),
    name: optional("update", text()),
    cidr: required("replace", (value) => {
        const parsed = typeof value === "string" ? parseCidr(value) : "is not a string; use for example 10.0.0.0/16";
        return typeof parsed === "string" ? parsed : undefined;
    }),
    regionCode: required("replace", text()),
};

function plan(state: VpcObserved & Memory, declared: Planned<VpcInputs>): Plan<WireVpc> {
    const name = wanted<VpcInputs, "name">(state, declared, "name", state.name);
    return {
        replace: replacements(fields, state, declared),
        steps: name === state.name ? [] : [rename(state.name, name as string)],
        remember: remembered(state, declared, fields),
    };
}

function rename(from: string, to: string): Step<WireVpc> {
    return {
        call: { operation: "renameVpc", body: { name: to } },
        text: `rename ${show(from)} -> ${show(to)}`,
        before: () => ready,
        after: (vpc) => (vpc.name === to ? ready : pending(`still named ${show(vpc.name)}`)),
        remembers: { __defaults: { name: to } },
    };
}

/** Networks of one project that have addresses in common cannot both be reached. */
function overlaps(inputs: Planned<VpcInputs>, others: readonly Planned<VpcInputs>[]): Finding[] {
    const network = networkOf(inputs.cidr);
    const twin =
        network && others.find((other) => inOneProject(inputs, other) && meets(network, networkOf(other.cidr)));
    return twin === undefined
        ? []
        : [
              {
                  property: "cidr",
                  text: `cidr ${show(inputs.cidr)} overlaps ${show(twin.cidr)} of VPC ${show(twin.name)} in the same program; the service may refuse it`,
              },
          ];
}

function inOneProject(left: Planned<VpcInputs>, right: Planned<VpcInputs>): boolean {
    return left.projectId === right.projectId;
}

function networkOf(cidr: unknown): Network | undefined {
    const parsed = typeof cidr === "string" ? parseCidr(cidr) : undefined;
    return typeof parsed === "object" ? parsed : undefined;
}

function meets(left: Network | undefined, right: Network | undefined): boolean {
    return left !== undefined && right !== undefined && overlap(left, right);
}

/** The VPC resource. */
export const vpc: Resource<VpcInputs, VpcObserved, WireVpc> = {
    type: "Vpc",
    noun: "VPC",
    fields,
    keeps: [],
    examine: (inputs, others) => ({ problems: [], advice: overlaps(inputs, others()) }),
    identity: ({ projectId, name }) => [projectId, name],
    times: () => ({ create: 10 * 60_000, update: 10 * 60_000, delete: 30 * 60_000, usual: 60_000 }),

    pathOf: (projectId, id) => ({ project_id: projectId, vpc_id: id }),
    idOf: (item) => item.id,
    adoptedId: (existingId) => existingId,
    nameOf: ({ name }) => (typeof name === "string" ? name : undefined),
    source: ({ project_id: projectId }, client) => ({
        key: `VPCs of project ${projectId}`,
        list: (options) => client.listVpcs(projectId, options),
        get: (id, options) => orGone(client.getVpc(projectId, id, options)),
        idOf: (item) => item.id,
    }),

    observe: (item) => ({ name: item.name, cidr: item.cidr, regionCode: item.region_code, vpcId: item.id }),
    settled: () => ready,
    leaving: () => false,

    plan,
    birth: ({ name, cidr, regionCode }) => ({
        text: `create VPC ${show(name)}, ${show(cidr)} in ${show(regionCode)}`,
        observed: { name, cidr, regionCode } as Partial<VpcObserved>,
    }),
    home: (projectId) => ({ project_id: projectId }),
    sameAs: (item, { name }) => item.name === name,
    make: async ({ name = "", cidr, regionCode }, { project_id: projectId }, run) => ({
        operation: "createVpc",
        item: await run.client.createVpc(projectId, { name, cidr, region_code: regionCode }, patience(run)),
    }),
    unfit: (item, _path, { cidr, regionCode }) => {
        if (item.cidr !== cidr) {
            return `its CIDR is ${item.cidr}, and the program declares ${cidr}`;
        }
        return item.region_code === regionCode
            ? undefined
            : `it is in ${item.region_code}, and the program declares ${regionCode}`;
    },
    remove: async ({ project_id: projectId, vpc_id: vpcId = "" }, run) => {
        await orGone(run.client.deleteVpc(projectId, vpcId, patience(run)));
    },
    deleteFirst: (state, { cidr }) =>
        meets(networkOf(state.cidr), networkOf(cidr))
            ? "its new network overlaps the old one; deleting waits until services and peerings have left the VPC, so detach them first"
            : undefined,
};
