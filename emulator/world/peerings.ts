import { findPeering, findVpc, listed } from "./find";
import type { Handlers } from "./handler";
import { newNumber, newProvisionedId } from "./ids";
import { setStatus } from "./progress";
import type { PeeringFate, PeeringRequest } from "./rules";
import type { PeeringRecord, PeeringValues, Step } from "./state";
import { peeringView } from "./views";
import type { World } from "./world";

// In the contract, the status is free text. Only `active` has a defined meaning.
const provisioning = "provisioning";
const pendingAcceptance = "pending acceptance";
const active = "active";
const failed = "failed";

const defaultFailure = "The peer VPC could not be reached: check the account id, the region and the VPC id.";

export const peeringHandlers = {
    listPeerings: ({ world, params }) =>
        listed(world, "peerings", findVpc(world, params.project_id, params.vpc_id).id).map(peeringView),
    getPeering: ({ world, params }) =>
        peeringView(findPeering(world, params.project_id, params.vpc_id, params.peering_id)),
    createPeering: ({ world, params, body }) => {
        const request: PeeringRequest = {
            vpcId: findVpc(world, params.project_id, params.vpc_id).id,
            peerAccountId: body.peer_account_id,
            peerRegionCode: body.peer_region_code,
            peerVpcId: body.peer_vpc_id,
        };
        const peering: PeeringRecord = {
            ...request,
            id: newNumber(world.random, (id) => world.peerings.has(id)),
            ...world.newTimes(),
            status: provisioning,
            values: { provisionedId: null, errorMessage: null },
            steps: courseOf(world, world.rules.peeringFate(request)),
        };
        world.add("peerings", peering);
        world.catchUp();
        return peeringView(peering);
    },
    deletePeering: ({ world, params }) => {
        world.remove("peerings", findPeering(world, params.project_id, params.vpc_id, params.peering_id).id);
    },
} satisfies Partial<Handlers>;

function courseOf(world: World, fate: PeeringFate): Step<PeeringValues>[] {
    const { now, random, rules } = world;
    const provisioned = newProvisionedId(random);
    if (fate === "immediate") {
        return [{ at: now, status: active, set: { provisionedId: provisioned } }];
    }
    const first = now + rules.durations.peeringProvision;
    const second = first + rules.durations.peeringActivate;
    const waiting = { at: first, status: pendingAcceptance, set: { provisionedId: provisioned } };
    if (fate === "acceptance") {
        return [waiting];
    }
    if (fate === "delay") {
        return [waiting, { at: second, status: active }];
    }
    return [
        waiting,
        { at: second, status: failed, set: { errorMessage: fate === "fail" ? defaultFailure : fate.fail } },
    ];
}

/** Accepts the peering in place of the peer account. It becomes active immediately. */
export function acceptPeering(world: World, peering: PeeringRecord): void {
    const provisionedId = peering.values.provisionedId ?? pendingProvision(peering) ?? newProvisionedId(world.random);
    settle(world, peering, active, { provisionedId, errorMessage: null });
}

export function failPeering(world: World, peering: PeeringRecord, message = defaultFailure, status = failed): void {
    settle(world, peering, status, { ...peering.values, errorMessage: message });
}

/** Makes a failed peering active at this time. */
export function recoverPeering(world: World, peering: PeeringRecord, at: number): void {
    const provisionedId = peering.values.provisionedId ?? newProvisionedId(world.random);
    peering.steps = [{ at, status: active, set: { provisionedId, errorMessage: null } }];
}

const pendingProvision = (peering: PeeringRecord): string | null | undefined =>
    peering.steps.find((step) => step.set?.provisionedId)?.set?.provisionedId;

function settle(world: World, peering: PeeringRecord, status: string, values: PeeringValues): void {
    setStatus(peering, status, world.now);
    peering.values = values;
    peering.steps = [];
}
