import { way, type Message } from "../base/message";
import type { PathOf, Schemas } from "../api/contract";
import { digits, idsOf } from "../model/ids";
import { ready } from "../model/outcome";
import type { CommonInputs, Kind, ObservableKind, Resource, OperationsOn } from "../model/resource";
import { isSameText, nameText, optional, required, show, text } from "../base/fields";
import type { Fields, Planned } from "../base/fields";
import { propertySteps } from "./property";
import { regionWarnings } from "./regions";
import { commonOutputs, observing, outputsIn, type CommonOutputs, type ObservedOf } from "../model/outputs";
import { isIPv4 } from "node:net";

/** A virtual network of a project. Services attach to it, and it can be peered with external networks. */
export interface VpcInputs extends CommonInputs {
    /**
     * The name of the VPC. A change renames it in place.
     * @default generated from the URN; if removed later, the VPC keeps its name
     */
    name?: string;
    /** The IPv4 network in address/prefix notation, for example `10.0.0.0/16`. A change replaces the VPC. */
    cidr: string;
    /** The region that hosts the VPC, for example `us-east-1`. A change replaces the VPC. */
    regionCode: string;
}

const { shown, ownId } = outputsIn<Schemas["Vpc"]>();

/** The outputs that a response shows. */
const observed = {
    /** The name, declared or generated. */
    name: shown((item) => item.name, {
        set: (name) => ({ operation: "renameVpc", body: { name } }),
        title: (from, to) => `rename ${show(from)} -> ${show(to)}`,
    }),
    /** The IPv4 network in address/prefix notation. */
    cidr: shown((item) => item.cidr),
    /** The region that hosts the VPC. */
    regionCode: shown((item) => item.region_code),
    /** The id of the VPC, for the `vpcId` of services and peerings. */
    vpcId: ownId((item) => item.id),
};

/** The observed state of a VPC. */
export interface VpcObserved extends ObservedOf<typeof observed> {}

/** The outputs of a VPC. */
export interface VpcOutputs extends CommonOutputs, VpcObserved {}

export const vpcIds = idsOf("VPC", "VPC", digits);

const fields: Fields<VpcInputs> = {
    ...vpcIds.commonFields,
    name: optional("update", nameText()),
    cidr: { ...required("replace", cidrProblem), canonical: (value) => networkOf(value) ?? value },
    regionCode: required("replace", text()),
};

/** Warns about VPCs of one project with overlapping networks, because traffic cannot be routed to both. */
function overlaps(inputs: Planned<VpcInputs>, others: readonly Planned<VpcInputs>[]): string[] {
    const other = others.find(({ projectId, cidr }) => projectId === inputs.projectId && overlap(cidr, inputs.cidr));
    return other === undefined
        ? []
        : [
              `cidr ${show(inputs.cidr)} overlaps ${show(other.cidr)} of VPC ${show(other.name)} in the same program; the API may reject it`,
          ];
}

/** Any VPC, for inputs that contain the id of one. */
export const anyVpc: ObservableKind<Schemas["Vpc"]> = {
    type: "Vpc",
    noun: "VPC",
    operations: { list: "listVpcs", get: "getVpc", delete: "deleteVpc" } satisfies OperationsOn<Schemas["Vpc"]>,
};

/** Two VPCs of a project cannot have overlapping networks. */
function rejectionBeside({ id, name, cidr: other }: Schemas["Vpc"], { cidr }: VpcInputs): Message | undefined {
    const what = `its cidr ${cidr} overlaps ${other} of VPC ${id} (${show(name)}).`;
    return overlap(cidr, other) ? { what, ways: [way("Another network", "declare another cidr")] } : undefined;
}

/**
 * A virtual network of a project. Services can be attached to it, and it can be peered with VPCs in other cloud accounts.
 *
 * A change of `name` renames it in place. A change of `cidr`, `regionCode` or `projectId` replaces it. The deletion waits until
 * nothing is attached to it or in it, such as a service or a peering. The resource id is the id of the VPC.
 */
export const vpc: Resource<Kind<VpcInputs, VpcObserved, Schemas["Vpc"], PathOf<"listVpcs">>> = {
    ...anyVpc,
    hasData: false,
    fields,
    outputs: { ...commonOutputs, ...observed },
    times: () => ({ create: 10 * 60_000, update: 10 * 60_000, delete: 30 * 60_000 }),
    validate: (inputs, { others }) => ({
        problems: [],
        warnings: [...overlaps(inputs, others()), ...regionWarnings(inputs.regionCode)],
    }),
    steps: (state, declared) => propertySteps(observed, state, declared),
    identity: { idForm: vpcIds.idForm, unique: ({ projectId, name }) => [projectId, name] },
    observation: { observe: observing(observed), readiness: () => ready },
    creation: {
        describe: ({ name, cidr, regionCode }) => ({
            text: `create VPC ${show(name)}, ${show(cidr)} in ${show(regionCode)}`,
            sets: { name } as Partial<VpcObserved>,
        }),
        send: ({ name = "", cidr, regionCode }, path, context, options) => {
            const body = { name, cidr, region_code: regionCode };
            return context.client.call("createVpc", { path, body }, options);
        },
        matches: (item, { name }) => isSameText(item.name, name),
        rejectionBeside,
    },
    // A network overlaps itself, so also if only regionCode changes.
    deletesFirst: (state, { cidr }) =>
        overlap(state.cidr, cidr)
            ? "its new network overlaps the old one. Deletion waits until nothing uses the VPC, so first detach or delete what does, such as services and peerings"
            : undefined,
};

/** An IPv4 network: its first address as a number, and the length of its prefix. */
interface Network {
    readonly address: number;
    readonly prefix: number;
}

/** The problem of a value that is not `address/prefix`, as the end of a sentence. */
export function cidrProblem(value: unknown): string | undefined {
    const network = networkOf(value);
    if (network === undefined) {
        const problem = typeof value === "string" ? "an IPv4 network; use address/prefix," : "a string; use";
        return `is not ${problem} for example 10.0.0.0/16`;
    }
    const canonical = `${dotted(network.address)}/${network.prefix}`;
    return value === canonical ? undefined : `has host bits set; the network is ${canonical}`;
}

/** The network of `address/prefix`, whatever its host bits are. */
function networkOf(cidr: unknown): Network | undefined {
    const [host = "", prefixText = "", ...rest] = typeof cidr === "string" ? cidr.split("/") : [];
    if (!isIPv4(host) || !/^(0|[1-9]\d?)$/.test(prefixText) || rest.length > 0 || Number(prefixText) > 32) {
        return undefined;
    }
    const prefix = Number(prefixText);
    const address = host.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
    return { address: address - (address % 2 ** (32 - prefix)), prefix };
}

/** Whether two networks have an address in common, as far as both are known. */
function overlap(left: unknown, right: unknown): boolean {
    const [one, other] = [networkOf(left), networkOf(right)];
    if (one === undefined || other === undefined) {
        return false;
    }
    const size = 2 ** (32 - Math.min(one.prefix, other.prefix));
    return Math.floor(one.address / size) === Math.floor(other.address / size);
}

function dotted(address: number): string {
    return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}
