import { isVirtual } from "./clock";
import type { Clock } from "./clock";
import { loadContract } from "./contract";
import { durationForm, isDuration, scaleDurations } from "./durations";
import type { Durations } from "./durations";
import { conflict, invalid, notFound } from "./errors";
import { checkFaults } from "./faults/check";
import type { FaultInput, FaultReport } from "./faults/fault";
import type { Faults } from "./faults/faults";
import type { Journal, JournalEntry } from "./journal";
import type { Kind, ModelsInParents } from "./kinds";
import { isRate } from "./options";
import type { Wire } from "./wire";
import { noteChange } from "./world/drift";
import { findAny } from "./world/find";
import { fillerLine } from "./world/logs";
import { finish, rescale } from "./world/pace";
import { passwordMatches } from "./world/password";
import * as peerings from "./world/peerings";
import type { PeeringFate } from "./world/rules";
import type {
    ReplicaSetRecord,
    ReplicaSetValues,
    ServiceRecord,
    ServiceValues,
    StatusOverride,
    Tally,
    VpcRecord,
    WorldState,
} from "./world/state";
import { viewInParent } from "./world/views";
import type { World } from "./world/world";

/** The properties of a service that `updateService` can change. */
export interface ServicePatch
    extends Partial<ServiceValues>, Partial<Pick<ServiceRecord, "name" | "environment" | "pooler">> {}

/** The properties of a read replica set that `updateReplicaSet` can change. */
export interface ReplicaSetPatch
    extends Partial<ReplicaSetValues>, Partial<Pick<ReplicaSetRecord, "name" | "environment" | "pooler">> {}

/** The properties of a VPC that `updateVpc` can change. */
export type VpcPatch = Partial<Pick<VpcRecord, "name">>;

/** The resources of each kind. A service contains its read replica sets. */
type Resources = { [K in Exclude<Kind, "replicaSets">]: ModelsInParents[K][] };

/** All resources, as the API returns them, with the ids of their parents. */
export interface Snapshot extends Resources {
    /** The time in milliseconds since 1970 by the emulator's clock. */
    now: number;
    projects: Wire["Project"][];
    /** The number of resources of each kind that were created and deleted since the start. */
    counts: Record<Kind, Tally>;
}

/** Reads and changes the emulator without the API. Each control is also available over HTTP, below `/_emulator`. */
export interface Controls {
    /** Returns the requests that the API has received. */
    journal: () => JournalEntry[];
    /** Deletes all entries of the journal. */
    clearJournal: () => void;
    /** Returns all resources, as the API returns them, and the number of resources of each kind that were created and deleted. */
    snapshot: () => Snapshot;
    /** Restores the initial state, faults and durations, with the same sequence of ids, and clears the journal. */
    reset: () => void;
    /** Advances a virtual clock by this number of milliseconds. A real clock rejects it with 409. */
    advance: (ms: number) => void;
    /** Returns the active faults and the number of calls that each has hit. */
    faults: () => FaultReport[];
    /** Adds faults, as objects or in short form. If one of them is invalid, it adds none and fails with 400. */
    addFaults: (faults: readonly FaultInput[]) => void;
    /** Removes one fault: the first one with this short form, as `faults` returns it. Fails with 404 if there is none. */
    removeFault: (fault: string) => void;
    /** Removes all faults, and expired tokens become valid. Changes that a fault has made to resources stay. */
    clearFaults: () => void;
    /** Returns the current durations in milliseconds, before `speed` divides them. */
    durations: () => Durations;
    /** Sets some durations in milliseconds, before `speed` divides them. Operations in progress keep their durations. */
    setDurations: (durations: Partial<Durations>) => void;
    /** Returns the divisor of all durations. */
    speed: () => number;
    /** Sets the divisor of all durations. Changes in progress continue at the new speed. */
    setSpeed: (speed: number) => void;
    /** Completes the changes in progress of a service, read replica set or peering immediately. */
    finish: (id: string) => void;
    /** Sets the maximum number of requests per second. Further requests are rejected with 429. Without a number, it removes the limit. */
    setRate: (perSecond?: number) => void;
    /** Sets how new peerings proceed: `immediate`, `delay`, `acceptance` or `fail` (over HTTP as `mode`), or `{ fail }` with a message. */
    setPeeringFate: (fate: PeeringFate) => void;
    /** Accepts the peering in place of the peer account. It becomes active immediately. */
    acceptPeering: (id: string) => void;
    /** Fails the peering immediately. `message` has a default, and the default of `status` is `failed`. */
    failPeering: (id: string, message?: string, status?: string) => void;
    /** Deletes the peering immediately. */
    deletePeering: (id: string) => void;
    /** Renames the VPC immediately. */
    updateVpc: (id: string, patch: VpcPatch) => void;
    /** Deletes the VPC and its peerings immediately, and detaches its services. */
    deleteVpc: (id: string) => void;
    /** Overrides the status of the service, for `forMs` milliseconds or until this is called without a status. */
    setServiceStatus: (id: string, status?: string, forMs?: number) => void;
    /** Changes the service immediately, without a change of its status. */
    updateService: (id: string, patch: ServicePatch) => void;
    /** Deletes the service and its read replica sets immediately. */
    deleteService: (id: string) => void;
    /** Takes a snapshot of the service for forks with the strategy `LAST_SNAPSHOT`. The emulator also takes one every hour. */
    takeSnapshot: (serviceId: string) => void;
    /** Returns whether this is the current password of the service. Over HTTP, the response is `{ "matches": true }` or `{ "matches": false }`. */
    passwordMatches: (serviceId: string, password: string) => boolean;
    /** Adds this number of lines to the log of a service, with the current time. */
    fillLogs: (serviceId: string, lines: number) => void;
    /** Overrides the status of the read replica set, for `forMs` milliseconds or until this is called without a status. */
    setReplicaSetStatus: (id: string, status?: string, forMs?: number) => void;
    /** Changes the read replica set immediately, without a change of its status. */
    updateReplicaSet: (id: string, patch: ReplicaSetPatch) => void;
    /** Deletes the read replica set immediately. */
    deleteReplicaSet: (id: string) => void;
}

/** The parts of an emulator that the controls use. */
export interface Controlled {
    world: World;
    clock: Clock;
    journal: Journal;
    faults: Faults;
    /** The initial durations, before `speed` divides them. */
    initialDurations: Durations;
    /** The divisor of all durations. */
    speed: number;
    /** The initial state of the world. */
    beginning: () => WorldState;
}

export const createControls = (controlled: Controlled): Controls => ({
    ...emulatorControls(controlled),
    ...faultControls(controlled),
    ...networkControls(controlled.world),
    ...serviceControls(controlled.world),
    ...replicaSetControls(controlled.world),
});

/** The journal, the state, the clock and the durations. */
function emulatorControls({ world, clock, journal, faults, initialDurations, speed: first, beginning }: Controlled) {
    const { peeringFate } = world.rules;
    let durations = initialDurations;
    let speed = first;
    const useDurations = (next: Durations): void => {
        durations = next;
        Object.assign(world.rules.durations, scaleDurations(next, speed));
    };

    return {
        journal: () => journal.entries(),
        clearJournal: () => journal.clear(),
        snapshot: () => snapshotOf(world),
        reset: () => {
            world.restore(beginning());
            world.rules.peeringFate = peeringFate;
            speed = first;
            useDurations(initialDurations);
            faults.reset();
            journal.clear();
        },
        advance: (ms) => {
            if (!isVirtual(clock)) {
                throw conflict(
                    "The emulator uses a real clock, which cannot be advanced. Start it with a virtual clock.",
                );
            }
            mustBe(isDuration(ms), "ms", durationForm, ms);
            clock.advance(ms);
        },
        durations: () => ({ ...durations }),
        speed: () => speed,
        setSpeed: (next) => {
            mustBe(isSpeed(next), "speed", `a number above 0, up to ${maxSpeed}`, next);
            rescale(world, speed / next);
            speed = next;
            useDurations(durations);
        },
        finish: (id) => finish(world, id),
        setDurations: (changes) => {
            for (const [name, value] of Object.entries(changes)) {
                if (!Object.hasOwn(initialDurations, name)) {
                    throw invalid(`There is no duration ${name}.`);
                }
                mustBe(isDuration(value), `Duration ${name}`, durationForm, value);
            }
            useDurations({ ...durations, ...changes });
        },
    } satisfies Partial<Controls>;
}

function faultControls({ faults }: Controlled) {
    return {
        faults: () => faults.report(),
        addFaults: (inputs) => {
            const given = Object(inputs) as { length?: number };
            mustBe((given.length ?? 0) <= maxFaults, "faults", `a list of up to ${maxFaults} faults`, given.length);
            faults.add(checkFaults(inputs, loadContract().operationIds));
        },
        removeFault: (fault) => {
            if (!faults.remove(fault)) {
                throw notFound(`There is no fault ${fault} in the emulator.`);
            }
        },
        clearFaults: () => faults.clear(),
        setRate: (perSecond) => {
            if (perSecond !== undefined && !isRate(perSecond)) {
                throw invalid("perSecond must be a number above 0.");
            }
            faults.setRate(perSecond);
        },
    } satisfies Partial<Controls>;
}

/** VPCs and peerings. */
function networkControls(world: World) {
    const peering = (id: string) => findAny(world, "peerings", id);
    const vpc = (id: string) => findAny(world, "vpcs", id);
    return {
        setPeeringFate: (fate) => {
            world.rules.peeringFate = () => fate;
        },
        acceptPeering: (id) => peerings.acceptPeering(world, peering(id)),
        failPeering: (id, message, status) => peerings.failPeering(world, peering(id), message, status),
        deletePeering: (id) => world.remove("peerings", peering(id).id),
        updateVpc: (id, patch) => noteChange(vpc(id), false, () => void Object.assign(vpc(id), patch)),
        deleteVpc: (id) => world.remove("vpcs", vpc(id).id),
    } satisfies Partial<Controls>;
}

function serviceControls(world: World) {
    const service = (id: string) => findAny(world, "services", id);
    return {
        setServiceStatus: (id, status, forMs) => {
            service(id).override = overrideOf(world, status, forMs);
        },
        updateService: (id, patch) => noteChange(service(id), false, () => update(service(id), patch)),
        deleteService: (id) => world.remove("services", service(id).id),
        takeSnapshot: (id) => {
            // Data that was written in this millisecond belongs to the snapshot.
            service(id).snapshotAt = world.now + 1;
        },
        passwordMatches: (id, password) => passwordMatches(service(id).password, password),
        fillLogs: (id, lines) => {
            mustBe(isWhole(lines, maxLogLines), "lines", `an integer from 0 to ${maxLogLines}`, lines);
            const { log } = service(id);
            log.splice(0, log.length + lines - maxLogLines);
            for (let index = 0; index < lines; index++) {
                log.push(fillerLine(service(id), log.length, world.now));
            }
        },
    } satisfies Partial<Controls>;
}

function replicaSetControls(world: World) {
    const replicaSet = (id: string) => findAny(world, "replicaSets", id);
    return {
        setReplicaSetStatus: (id, status, forMs) => {
            replicaSet(id).override = overrideOf(world, status, forMs);
        },
        updateReplicaSet: (id, patch) => noteChange(replicaSet(id), false, () => update(replicaSet(id), patch)),
        deleteReplicaSet: (id) => world.remove("replicaSets", replicaSet(id).id),
    } satisfies Partial<Controls>;
}

function overrideOf({ now }: World, status: string | undefined, forMs: number | undefined): StatusOverride | null {
    mustBe(forMs === undefined || isDuration(forMs), "forMs", durationForm, forMs);
    const until = forMs === undefined ? null : now + forMs;
    return status === undefined ? null : { status, at: now, until, isByHand: true };
}

/** The maximum number of lines that `fillLogs` adds to the log of a service. It then drops the oldest ones. */
const maxLogLines = 100_000;
const maxFaults = 1_000;
const maxSpeed = 1_000_000;
/** More replicas or nodes than the API accepts, for tests of unexpected responses. */
const maxServers = 100;

function mustBe(holds: boolean, name: string, form: string, value: unknown): void {
    if (!holds) {
        throw invalid(`${name} must be ${form}, not ${String(value)}.`);
    }
}

/** Changes a record without the API. Each property is one of its values or of the record itself. Values are never optional. */
function update<Values extends object>(record: { values: Values & Required<Values> }, patch: object): void {
    const changes = Object.entries(patch).filter(([, value]) => value !== undefined) as [string, unknown][];
    for (const [key, value] of changes) {
        if (/^(nodes|replicaCount|syncReplicaCount)$/.test(key)) {
            mustBe(isWhole(value, maxServers), key, `an integer from 0 to ${maxServers}`, value);
        }
    }
    for (const [key, value] of changes) {
        Object.assign(key in record.values ? record.values : record, { [key]: value });
    }
}

const isSpeed = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= maxSpeed;

const isWhole = (value: unknown, most: number): boolean =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;

function snapshotOf(world: World): Snapshot {
    world.catchUp();
    const all = <K extends Kind>(kind: K) =>
        [...world.records(kind).values()].map((record) => viewInParent(world, kind, record));
    return structuredClone({
        now: world.now,
        projects: [...world.projects.values()],
        vpcs: all("vpcs"),
        peerings: all("peerings"),
        services: all("services"),
        counts: world.counts,
    });
}
