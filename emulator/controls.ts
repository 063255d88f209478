import { isVirtual } from "./clock";
import type { Clock } from "./clock";
import { loadContract } from "./contract";
import { scaleDurations } from "./durations";
import type { Durations } from "./durations";
import { conflict, invalid, notFound } from "./errors";
import { checkFaults } from "./faults/check";
import type { FaultInput, FaultReport } from "./faults/fault";
import type { Faults } from "./faults/faults";
import type { Journal, JournalEntry } from "./journal";
import { isRate } from "./options";
import type { Wire } from "./wire";
import { fillerLine } from "./world/logs";
import { passwordMatches } from "./world/password";
import * as peerings from "./world/peerings";
import type { PeeringFate } from "./world/rules";
import type {
    Countable,
    ReplicaSetRecord,
    ReplicaSetValues,
    ServiceRecord,
    ServiceValues,
    Tally,
    VpcRecord,
    WorldState,
} from "./world/state";
import { peeringView, serviceView, vpcView } from "./world/views";
import type { World } from "./world/world";

/** What a service can be changed to behind everybody's back. */
export interface ServicePatch
    extends Partial<ServiceValues>, Partial<Pick<ServiceRecord, "name" | "environment" | "pooler">> {}

/** What a read replica set can be changed to behind everybody's back. */
export interface ReplicaSetPatch
    extends Partial<ReplicaSetValues>, Partial<Pick<ReplicaSetRecord, "name" | "environment" | "pooler">> {}

/** What a VPC can be changed to behind everybody's back. */
export type VpcPatch = Partial<Pick<VpcRecord, "name">>;

/** All that there is, as the API shows it. */
export interface Snapshot {
    now: number;
    projects: Wire["Project"][];
    vpcs: (Wire["Vpc"] & { project_id: string })[];
    peerings: (Wire["Peering"] & { vpc_id: string })[];
    /** With their read replica sets. */
    services: Wire["Service"][];
    /** How many were ever made and removed. */
    counts: Record<Countable, Tally>;
}

/** Changes the world behind the back of those who use the API, and looks at it. Each is also to be had over HTTP, below `/_emulator`. */
export interface Controls {
    /** The requests to the API so far. */
    journal: () => JournalEntry[];
    /** Forgets the requests so far. */
    clearJournal: () => void;
    /** All that there is at this moment, as the API shows it, and how many of each were ever made and removed. */
    snapshot: () => Snapshot;
    /** Makes the world and the faults what they were at first, with the same ids to come, and clears the journal. */
    reset: () => void;
    /** Moves a virtual clock by so many milliseconds; refused with 409 where the clock is the real one. */
    advance: (ms: number) => void;
    /** What goes wrong on purpose, and how often it has. */
    faults: () => FaultReport[];
    /** Adds faults to those that there are, as objects or in short; refused as a whole where one of them is none. */
    addFaults: (faults: readonly FaultInput[]) => void;
    /** Nothing goes wrong any more; what a fault has done to things stays done. */
    clearFaults: () => void;
    /** How long each operation takes now, in milliseconds before `speed` divides them. */
    durations: () => Durations;
    /** Changes some durations, in milliseconds before `speed` divides them; what is in progress keeps its times. */
    setDurations: (durations: Partial<Durations>) => void;
    /** Lets so many requests a second through and answers the rest with 429; without a number all get through. */
    setRate: (perSecond?: number) => void;
    /** What becomes of peerings made from now on: `immediate`, `delay`, `acceptance` or `fail` (over HTTP as `mode`), or `{ fail }` with a message. */
    setPeeringFate: (fate: PeeringFate) => void;
    /** The other account accepts the peering: it is active at once. */
    acceptPeering: (id: string) => void;
    /** The peering fails at once, with this message or a usual one, and this status, for example `rejected`, or `failed`. */
    failPeering: (id: string, message?: string, status?: string) => void;
    /** The peering is gone at once. */
    deletePeering: (id: string) => void;
    /** Renames the VPC at once. */
    updateVpc: (id: string, patch: VpcPatch) => void;
    /** The VPC is gone at once, and its peerings with it; services lose their attachment. */
    deleteVpc: (id: string) => void;
    /** The service shows another status, for `forMs` milliseconds or until this is called without a status. */
    setServiceStatus: (id: string, status?: string, forMs?: number) => void;
    /** Changes the service at once, without passing through any status. */
    updateService: (id: string, patch: ServicePatch) => void;
    /** The service is gone at once, and its read replica sets with it. */
    deleteService: (id: string) => void;
    /** Takes a snapshot of the service, from which a fork with the strategy LAST_SNAPSHOT gets its data; without it there is one every hour. */
    takeSnapshot: (serviceId: string) => void;
    /** Whether this is the password in force of the service; over HTTP the answer is `{ "matches": true }` or `false`. */
    passwordMatches: (serviceId: string, password: string) => boolean;
    /** Adds lines to the log of a service, all written now. */
    fillLogs: (serviceId: string, lines: number) => void;
    /** The read replica set shows another status, for `forMs` milliseconds or until this is called without a status. */
    setReplicaSetStatus: (id: string, status?: string, forMs?: number) => void;
    /** Changes the read replica set at once, without passing through any status. */
    updateReplicaSet: (id: string, patch: ReplicaSetPatch) => void;
    /** The read replica set is gone at once. */
    deleteReplicaSet: (id: string) => void;
}

/** What the controls work with. */
export interface Controlled {
    world: World;
    clock: Clock;
    journal: Journal;
    faults: Faults;
    /** The durations at first, before `speed` divides them. */
    initialDurations: Durations;
    /** Divides all durations. */
    speed: number;
    /** The world as it is at first. */
    beginning: () => WorldState;
}

export function createControls(controlled: Controlled): Controls {
    const { world, clock, journal, faults, initialDurations, speed, beginning } = controlled;
    const find = <T>(what: string, records: ReadonlyMap<string, T>, id: string): T => {
        world.catchUp();
        const record = records.get(id);
        if (!record) throw notFound(`There is no ${what} ${id} in the emulator.`);
        return record;
    };
    const service = (id: string) => find("service", world.services, id);
    const replicaSet = (id: string) => find("read replica set", world.replicaSets, id);
    const peering = (id: string) => find("peering", world.peerings, id);
    const vpc = (id: string) => find("VPC", world.vpcs, id);
    const override = (status: string | undefined, forMs: number | undefined) =>
        status === undefined ? null : { status, at: world.now, until: forMs === undefined ? null : world.now + forMs };

    const { peeringFate } = world.rules;
    let durations = initialDurations;
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
            useDurations(initialDurations);
            faults.reset();
            journal.clear();
        },
        advance: (ms) => {
            if (!isVirtual(clock)) throw conflict("The emulator runs on a real clock, which cannot be moved.");
            clock.advance(ms);
        },
        faults: () => faults.report(),
        addFaults: (inputs) => faults.add(checkFaults(inputs, loadContract().operationIds)),
        clearFaults: () => faults.clear(),
        durations: () => ({ ...durations }),
        setDurations: (changes) => {
            for (const [name, value] of Object.entries(changes)) {
                if (!(name in initialDurations)) throw invalid(`There is no duration ${name}.`);
                if (!(value >= 0)) throw invalid(`Duration ${name} must be 0 or more milliseconds, not ${value}.`);
            }
            useDurations({ ...durations, ...changes });
        },
        setRate: (perSecond) => {
            if (perSecond !== undefined && !isRate(perSecond)) throw invalid("perSecond must be a number above 0.");
            faults.setRate(perSecond);
        },
        setPeeringFate: (fate) => {
            world.rules.peeringFate = () => fate;
        },
        acceptPeering: (id) => peerings.acceptPeering(world, peering(id)),
        failPeering: (id, message, status) => peerings.failPeering(world, peering(id), message, status),
        deletePeering: (id) => world.remove("peerings", peering(id).id),
        updateVpc: (id, patch) => void Object.assign(vpc(id), patch),
        deleteVpc: (id) => {
            for (const { id: peeringId } of world.peeringsOf(vpc(id))) world.remove("peerings", peeringId);
            for (const { values } of world.services.values()) if (values.vpcId === id) values.vpcId = null;
            world.remove("vpcs", id);
        },
        setServiceStatus: (id, status, forMs) => {
            service(id).override = override(status, forMs);
        },
        updateService: (id, patch) => update(service(id), patch),
        deleteService: (id) => {
            for (const set of world.replicaSetsOf(service(id))) world.remove("replicaSets", set.id);
            world.remove("services", id);
        },
        takeSnapshot: (id) => {
            // What was written in this millisecond belongs to the snapshot.
            service(id).snapshotAt = world.now + 1;
        },
        passwordMatches: (id, password) => passwordMatches(service(id).password, password),
        fillLogs: (id, lines) => {
            const { log } = service(id);
            for (let index = 0; index < lines; index++) log.push(fillerLine(service(id), log.length, world.now));
        },
        setReplicaSetStatus: (id, status, forMs) => {
            replicaSet(id).override = override(status, forMs);
        },
        updateReplicaSet: (id, patch) => update(replicaSet(id), patch),
        deleteReplicaSet: (id) => world.remove("replicaSets", replicaSet(id).id),
    };
}

/** Changes at once what else would change only through the API. */
function update<Values extends object>(
    thing: { values: Values; name: string; environment: string; pooler: boolean },
    {
        name = thing.name,
        environment = thing.environment,
        pooler = thing.pooler,
        ...values
    }: Partial<typeof thing> & Partial<Values>,
): void {
    Object.assign(thing, { name, environment, pooler });
    Object.assign(thing.values, values);
}

function snapshotOf(world: World): Snapshot {
    world.catchUp();
    return structuredClone({
        now: world.now,
        projects: [...world.projects.values()],
        vpcs: [...world.vpcs.values()].map((vpc) => ({ ...vpcView(vpc), project_id: vpc.projectId })),
        peerings: [...world.peerings.values()].map((peering) => ({ ...peeringView(peering), vpc_id: peering.vpcId })),
        services: [...world.services.values()].map((service) => serviceView(world, service)),
        counts: world.counts,
    });
}
