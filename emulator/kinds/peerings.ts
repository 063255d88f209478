import { control, define, deletion } from "../control";
import { invalid } from "../errors";
import { isObject, oneOf, text } from "../schema";
import type { Wire } from "../wire";
import { findAny, found, listed } from "../world/find";
import { newNumber, provisionedIdOf } from "../world/ids";
import type { Kind } from "../world/kind";
import { setStatus } from "../world/progress";
import { peeringModes, type PeeringFate, type PeeringMode, type PeeringRequest } from "../world/rules";
import type { Progressing, Step } from "../world/state";
import type { World } from "../world/world";
import type { Definition } from "./definition";
import { vpcs } from "./vpcs";

interface PeeringValues {
    provisionedId: string | null;
    errorMessage: string | null;
}

export interface PeeringRecord extends Progressing<PeeringValues>, PeeringRequest {}

export const peerings: Kind<PeeringRecord, "peerings", "vpc"> = {
    name: "peerings",
    noun: "peering",
    parent: "vpc",
};

// In the contract, the status is free text. Only `active` has a defined meaning.
const provisioning = "provisioning";
const pendingAcceptance = "pending acceptance";
const active = "active";
const failed = "failed";

const defaultFailure = "The peer VPC could not be reached: check the account id, the region and the VPC id.";

const durations = {
    /** The time until a new peering has its `provisioned_id`. */
    peeringProvision: 500,
    /** The time from then until the peering is active or failed, in the modes `delay` and `fail`. */
    peeringActivate: 1_500,
};

function view(peering: PeeringRecord): Wire["Peering"] {
    const { provisionedId, errorMessage } = peering.values;
    return {
        id: peering.id,
        peer_account_id: peering.peerAccountId,
        peer_region_code: peering.peerRegionCode,
        peer_vpc_id: peering.peerVpcId,
        status: peering.status,
        ...(provisionedId !== null && { provisioned_id: provisionedId }),
        ...(errorMessage !== null && { error_message: errorMessage }),
    };
}

export const peeringDefinition = {
    kind: peerings,
    view,
    titleOf: ({ peerVpcId }) => peerVpcId,
    operations: {
        createPeering: (call) => {
            const { body, world } = call;
            const request: PeeringRequest = {
                vpcId: found(vpcs, call).id,
                peerAccountId: body.peer_account_id,
                peerRegionCode: body.peer_region_code,
                peerVpcId: body.peer_vpc_id,
            };
            const id = newNumber(world.random, world.isTaken);
            const peering: PeeringRecord = {
                ...request,
                id,
                ...world.newTimes(),
                status: provisioning,
                values: { provisionedId: null, errorMessage: null },
                steps: courseOf(world, provisionedIdOf({ id }), world.rules.peeringFate(request)),
            };
            world.add(peerings, peering);
            world.catchUp();
            return view(peering);
        },
        listPeerings: (call) => listed(call.world, peerings, found(vpcs, call).id).map(view),
        getPeering: (call) => view(found(peerings, call)),
        deletePeering: (call) => {
            call.world.remove(peerings, found(peerings, call).id);
        },
    },
    durations,
    controls: {
        /** Sets how new peerings proceed: `immediate`, `delay`, `acceptance` or `fail` (over HTTP as `mode`), or `{ fail }` with a message. */
        setPeeringFate: define(
            "PUT /peerings",
            { fail: text, mode: oneOf(peeringModes) },
            ({ world }: { world: World }, fate: PeeringFate) => {
                world.rules.peeringFate = () => fate;
            },
            {
                toArgs: ({ fail, mode }) => {
                    if (fail === undefined && mode === undefined) {
                        throw invalid(`Set mode to one of ${peeringModes.join(", ")}, or fail to a message.`);
                    }
                    return [fail === undefined ? mode : { fail }];
                },
                toBody: ([fate]) => (isObject(fate) ? fate : { mode: fate }),
            },
        ),
        /** Accepts the peering in place of the peer account. It becomes active immediately. */
        acceptPeering: control("POST /peerings/*/accept", {}, ({ world }, id: string) => {
            const peering = findAny(world, peerings, id);
            settle(world, peering, active, acceptedOf(peering));
        }),
        /** Fails the peering immediately. `message` has a default, and the default of `status` is `failed`. */
        failPeering: control(
            "POST /peerings/*/fail",
            { message: text, status: { ...text, examples: [failed, "rejected", "expired"] } },
            ({ world }, id: string, message?: string, status?: string) =>
                failPeering(world, findAny(world, peerings, id), message, status),
        ),
        /** Deletes the peering immediately. */
        deletePeering: deletion(peerings),
    },
} satisfies Definition<PeeringRecord, Wire["Peering"]>;

function courseOf(world: World, provisionedId: string, fate: PeeringFate): Step<PeeringValues>[] {
    const { peeringActivate, peeringProvision } = world.durations(durations);
    const provisioned = { at: world.now + peeringProvision, status: pendingAcceptance, set: { provisionedId } };
    const at = provisioned.at + peeringActivate;
    const [mode, errorMessage] = typeof fate === "string" ? [fate, defaultFailure] : (["fail", fate.fail] as const);
    const courses: Readonly<Record<PeeringMode, Step<PeeringValues>[]>> = {
        immediate: [{ at: world.now, status: active, set: { provisionedId } }],
        acceptance: [provisioned],
        delay: [provisioned, { at, status: active }],
        fail: [provisioned, { at, status: failed, set: { errorMessage } }],
    };
    return courses[mode];
}

export function failPeering(world: World, peering: PeeringRecord, message = defaultFailure, status = failed): void {
    settle(world, peering, status, { ...peering.values, errorMessage: message });
}

/** Makes a failed peering active at this time. */
export function recoverPeering(peering: PeeringRecord, at: number): void {
    peering.steps = [{ at, status: active, set: acceptedOf(peering) }];
}

const acceptedOf = (peering: PeeringRecord): PeeringValues => ({
    provisionedId: provisionedIdOf(peering),
    errorMessage: null,
});

function settle(world: World, peering: PeeringRecord, status: string, values: PeeringValues): void {
    setStatus(peering, status, world.now);
    peering.values = values;
    peering.steps = [];
}
