import type { Wire } from "../wire";
import { isListed } from "./find";
import { newNumber, newProvisionedId } from "./ids";
import { setStatus } from "./progress";
import type { PeeringFate, PeeringRequest } from "./rules";
import type { PeeringRecord, PeeringValues, Step, VpcRecord } from "./state";
import type { World } from "./world";

// In the contract, the status is free text. Only `active` has a defined meaning.
const PROVISIONING = "provisioning";
const PENDING_ACCEPTANCE = "pending acceptance";
const ACTIVE = "active";
const FAILED = "failed";

const DEFAULT_FAILURE = "The peer VPC could not be reached: check the account id, the region and the VPC id.";

export const peeringsOf = (world: World, vpc: VpcRecord): PeeringRecord[] =>
    world.peeringsOf(vpc).filter((peering) => isListed(world, peering));

export function createPeering(world: World, vpc: VpcRecord, input: Wire["PeeringCreateInput"]): PeeringRecord {
    const request: PeeringRequest = {
        vpcId: vpc.id,
        peerAccountId: input.peer_account_id,
        peerRegionCode: input.peer_region_code,
        peerVpcId: input.peer_vpc_id,
    };
    const { now } = world;
    const peering: PeeringRecord = {
        ...request,
        id: newNumber(world.random, (id) => world.peerings.has(id)),
        createdAt: now,
        visibleAt: now + world.rules.durations.notFoundAfterCreate,
        status: PROVISIONING,
        values: { provisionedId: null, errorMessage: null },
        steps: courseOf(world, world.rules.peeringFate(request)),
    };
    world.add("peerings", peering);
    world.catchUp();
    return peering;
}

function courseOf(world: World, fate: PeeringFate): Step<PeeringValues>[] {
    const { now, random, rules } = world;
    const provisioned = newProvisionedId(random);
    if (fate === "immediate") {
        return [{ at: now, status: ACTIVE, set: { provisionedId: provisioned } }];
    }
    const first = now + rules.durations.peeringProvision;
    const second = first + rules.durations.peeringActivate;
    const waiting = { at: first, status: PENDING_ACCEPTANCE, set: { provisionedId: provisioned } };
    if (fate === "acceptance") {
        return [waiting];
    }
    if (fate === "delay") {
        return [waiting, { at: second, status: ACTIVE }];
    }
    return [
        waiting,
        { at: second, status: FAILED, set: { errorMessage: fate === "fail" ? DEFAULT_FAILURE : fate.fail } },
    ];
}

/** Accepts the peering in place of the peer account. It becomes active immediately. */
export function acceptPeering(world: World, peering: PeeringRecord): void {
    const provisionedId = peering.values.provisionedId ?? pendingProvision(peering) ?? newProvisionedId(world.random);
    settle(world, peering, ACTIVE, { provisionedId, errorMessage: null });
}

export function failPeering(world: World, peering: PeeringRecord, message = DEFAULT_FAILURE, status = FAILED): void {
    settle(world, peering, status, { ...peering.values, errorMessage: message });
}

/** Makes a failed peering active at this time. */
export function recoverPeering(world: World, peering: PeeringRecord, at: number): void {
    const provisionedId = peering.values.provisionedId ?? newProvisionedId(world.random);
    peering.steps = [{ at, status: ACTIVE, set: { provisionedId, errorMessage: null } }];
}

const pendingProvision = (peering: PeeringRecord): string | null | undefined =>
    peering.steps.find((step) => step.set?.provisionedId)?.set?.provisionedId;

function settle(world: World, peering: PeeringRecord, status: string, values: PeeringValues): void {
    setStatus(peering, status, world.now);
    peering.values = values;
    peering.steps = [];
}
