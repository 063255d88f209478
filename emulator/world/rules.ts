import contract from "../../provider/api/openapi.gen.json";
import type { Servers } from "./servers";

/** The durations of no particular kind in milliseconds, before `speed` divides them. */
export const commonDurations = {
    /** The time during which reads still return the old status and values after the API has accepted a change. */
    staleRead: 300,
    /** The time after a creation during which reads of the new resource return 404. */
    notFoundAfterCreate: 0,
    /** The time after a creation during which lists do not contain the new resource. */
    notListedAfterCreate: 0,
};

/** How a peering proceeds: it becomes active immediately, after a delay or when it is accepted, or it fails. */
export type PeeringMode = (typeof peeringModes)[number];

export const peeringModes = ["immediate", "delay", "acceptance", "fail"] as const;

/** A mode, or a failure with the given message. */
export type PeeringFate = PeeringMode | { fail: string };

/** The request for a new peering. */
export interface PeeringRequest {
    vpcId: string;
    peerAccountId: string;
    peerRegionCode: string;
    peerVpcId: string;
}

/** The emulator's behaviour in cases that the contract leaves open. */
export interface Rules {
    /** Those of all kinds in milliseconds, divided by the speed. */
    durations: Readonly<Record<string, number>>;
    regions: readonly string[];
    /** Whether other regions are accepted, too. */
    anyRegion: boolean;
    /** Whether ids of services and replica sets have capital letters and hyphens. */
    otherIds: boolean;
    /** Whether sizes, synchronous replicas and passwords outside of the documented limits are rejected. */
    limitsApply: boolean;
    /** Whether an attachment to a VPC, and its end, move the endpoints of a service and its replica sets. */
    movingEndpoints: boolean;
    /** Whether a list of services contains their replica sets. */
    listsStandbys: boolean;
    /** Whether requests may have regions in any case. */
    regionsInAnyCase: boolean;
    /** Whether a paused service rejects what the contract leaves open: `lockedWhilePaused`. */
    pausedIsLocked: boolean;
    peeringFate: (request: PeeringRequest) => PeeringFate;
    servers: Servers;
}

export const documentedRegions: readonly string[] = contract.components.schemas.KnownRegion.enum;

/** What an API rejects that a paused service locks. */
export const lockedWhilePaused: readonly string[] = [
    "updatePassword",
    "setEnvironment",
    "enablePooler",
    "disablePooler",
];

export const maxReplicas = 2;
export const maxSyncReplicas = 1;
export const maxNodes = 10;
export const maxNameLength = 128;
export const minPasswordLength = 8;
