import type { PathOf, Schemas } from "../api/contract";
import { deleting, failed, pending, ready, type Outcome } from "../model/outcome";
import { digits, idsOf } from "../model/ids";
import type { CommonInputs, Kind, Resource, OperationsOn } from "../model/resource";
import { isSameText, oneOf, optional, required, requiredId, show, text, computed } from "../base/fields";
import type { Fields, Planned } from "../base/fields";
import { withPeriod, way } from "../base/message";
import { commonOutputs, maybeAbsent, observing, outputsIn } from "../model/outputs";
import type { CommonOutputs, ObservedOf, OutputFields } from "../model/outputs";
import { anyVpc, vpcIds } from "./vpc";

/** A peering connection between a VPC and a VPC in an external cloud account. */
export interface PeeringInputs extends CommonInputs {
    /** The VPC on this side. A change replaces the peering. */
    vpcId: string;
    /** The cloud account of the other side. A change replaces the peering. */
    peerAccountId: string;
    /** The region of the other side, for example `us-east-1`. A change replaces the peering. */
    peerRegionCode: string;
    /** The VPC of the other side, for example `vpc-0a1b2c3d`. A change replaces the peering. */
    peerVpcId: string;
    /**
     * The state that creation waits for. `active`: the other side has accepted the peering. `provisioned`: the other side
     * can accept the peering, so that the same program can do it.
     * @default "active"
     */
    waitFor?: "active" | "provisioned";
}

const { shown, maybeShown, ownId } = outputsIn<Schemas["Peering"], PathOf<"listPeerings">>();

/** The outputs that a response shows. */
export const observed = {
    /** The id of the VPC in this project. */
    vpcId: shown((_, path) => path.vpc_id),
    /** The cloud account of the other side. */
    peerAccountId: shown((item) => item.peer_account_id),
    /** The region of the other side. */
    peerRegionCode: shown((item) => item.peer_region_code),
    /** The VPC of the other side. */
    peerVpcId: shown((item) => item.peer_vpc_id),
    /** The id of the peering within the VPC. */
    peeringId: ownId((item) => item.id),
    /**
     * The status, as the API reports it. It is `active` when the other side has accepted the peering; traffic also needs
     * routes and a security group there. Undefined only if the API does not report it.
     */
    status: maybeShown((item) => item.status),
    /** The id that the other side must accept, for example `pcx-0a1b2c3d`. Undefined until the API has provisioned it. */
    provisionedId: maybeShown((item) => item.provisioned_id),
    /** The API's message about why the peering failed. Undefined if it has not failed. */
    errorMessage: maybeShown((item) => item.error_message ?? null),
};

/** The observed state of a peering. */
export interface PeeringObserved extends ObservedOf<typeof observed> {}

/** The outputs of a peering. */
export interface PeeringOutputs extends CommonOutputs, PeeringObserved {
    /** The declared `waitFor`: the state that creation waits for. */
    readonly waitFor: PeeringInputs["waitFor"];
}

export const peeringIds = idsOf("peering", "VPC/PEERING", digits);

const fields: Fields<PeeringInputs> = {
    ...peeringIds.commonFields,
    vpcId: requiredId(vpcIds.own),
    peerAccountId: requiredId(text()),
    peerRegionCode: required("replace", text()),
    peerVpcId: requiredId(text()),
    waitFor: optional("await", oneOf(["active", "provisioned"])),
};

const outputs: OutputFields<PeeringOutputs> = { ...commonOutputs, ...observed, waitFor: maybeAbsent };

/** The part of a response that shows the progress of a peering. */
type Seen = { readonly [Name in keyof Schemas["Peering"]]?: Schemas["Peering"][Name] | undefined };

/** The statuses that are known apart from `failed`. Any other one is pending. */
const known = ["active", "rejected", "expired", "deleting", "deleted"];

/** The status in lower case. A message says that a peering whose status is not known has failed. */
function statusOf({ status = "", error_message: message }: Seen): string {
    const word = status.toLowerCase();
    return message && !known.includes(word) ? "failed" : word;
}

type Waiting = Partial<Planned<Pick<PeeringInputs, "waitFor" | "existingId">>>;

/** How the program gets a new peering in place of one that never becomes active. A refresh does not know its inputs. */
function again({ existingId }: Waiting): string {
    if (typeof existingId === "string") {
        // No run deletes what none has completed to adopt, and the API has a connection only once.
        return "delete it at the platform, remove existingId, then `pulumi up`";
    }
    return `${existingId === computed ? "remove existingId, if the program has it; then " : ""}\`pulumi up\`, which replaces it`;
}

/** The outcome of a wait for the peering. */
export function outcomeOf(seen: Seen, inputs: Waiting, replacing = again(inputs)): Outcome {
    const { status = "no status yet", error_message: message, peer_account_id: account, provisioned_id: id } = seen;
    const because = (reason: string) => (message ? `${withPeriod(message)} ${reason}` : reason);
    const create = way("Create a new one", replacing);
    const accept = way("Then", `ask the owner of account ${account} to accept it`);
    const correct = way("Correct", "the account, region or VPC of the other side in the program");
    switch (statusOf(seen)) {
        case "active":
            return ready;
        case "rejected":
            return failed(status, because("The other side rejected it."), [create, accept]);
        case "expired":
            return failed(status, because("The other side did not accept it in time."), [create, accept]);
        case "deleting":
        case "deleted":
            return deleting(status, because("It was deleted outside of this program."), [create]);
        case "failed":
            return failed(status, because("It cannot become active."), [correct, create]);
    }
    if (!id) {
        return pending(status);
    }
    return inputs.waitFor === "provisioned" ? ready : pending(status, `waiting for account ${account} to accept ${id}`);
}

/** Why a peering with this state never becomes active; undefined if it is active, or may become so. */
export function failureIn({ status, errorMessage }: Partial<PeeringObserved>): string | undefined {
    const outcome = outcomeOf({ status, error_message: errorMessage }, {});
    return outcome.phase === "failed" ? outcome.reason : undefined;
}

/**
 * A connection between a VPC and a VPC in an external cloud account.
 *
 * Its creation waits for the state in `waitFor`. A change of `vpcId`, `peerAccountId`, `peerRegionCode`, `peerVpcId` or
 * `projectId` replaces the peering. Without `existingId`, the next update also replaces a peering that has failed, was
 * rejected or has expired, as the state shows. The resource id is `<vpcId>/<peeringId>`.
 */
export const peering: Resource<
    Kind<PeeringInputs, PeeringObserved, Schemas["Peering"], PathOf<"listPeerings">, Pick<PeeringInputs, "waitFor">>
> = {
    type: "Peering",
    noun: "peering",
    operations: {
        list: "listPeerings",
        get: "getPeering",
        delete: "deletePeering",
    } satisfies OperationsOn<Schemas["Peering"]>,
    hasData: false,
    fields,
    outputs,
    times: () => ({ create: 60 * 60_000, update: 60 * 60_000, delete: 30 * 60_000 }),
    parent: { kind: anyVpc, input: "vpcId" },
    mustReplace: (state, { existingId }) =>
        existingId === undefined && failureIn(state) !== undefined
            ? { property: "status", from: state.status, to: "active" }
            : undefined,
    identity: {
        idForm: peeringIds.idForm,
        nameOf: ({ peerVpcId }) => (typeof peerVpcId === "string" ? `to ${peerVpcId}` : undefined),
        unique: (inputs) => [
            inputs.projectId,
            inputs.vpcId,
            inputs.peerAccountId,
            inputs.peerRegionCode,
            inputs.peerVpcId,
        ],
    },
    observation: {
        observe: observing(observed),
        readiness: (item, inputs) => outcomeOf(item, inputs),
    },
    creation: {
        describe: ({ vpcId, peerVpcId, peerAccountId, peerRegionCode }) => ({
            text: `create peering of VPC ${show(vpcId)} with ${show(peerVpcId)} of account ${show(peerAccountId)} in ${show(peerRegionCode)}`,
            sets: {},
        }),
        send: (inputs, path, { client }, options) => {
            const body = {
                peer_account_id: inputs.peerAccountId,
                peer_region_code: inputs.peerRegionCode,
                peer_vpc_id: inputs.peerVpcId,
            };
            return client.call("createPeering", { path, body }, options);
        },
        matches: (item, { peerVpcId, peerAccountId, peerRegionCode }) =>
            // A rejected peering does not prevent a new one. A VPC has its id in one account and region: they may not be shown.
            !["rejected", "expired"].includes(statusOf(item)) &&
            item.peer_vpc_id === peerVpcId &&
            (!item.peer_account_id || item.peer_account_id === peerAccountId) &&
            (!item.peer_region_code || isSameText(item.peer_region_code, peerRegionCode)),
    },
    // Only a failed one: its replacement connects the same two VPCs, and the API allows one such connection. If its own VPC is deleted
    // first, the engine deletes the peering before it, whatever this returns.
    deletesFirst: failureIn,
};
