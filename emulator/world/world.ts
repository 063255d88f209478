import type { Clock } from "../clock";
import { recordStep } from "./logs";
import { isGone, progress } from "./progress";
import { Random } from "./random";
import type { Rules } from "./rules";
import { kinds } from "./state";
import type {
    Kind,
    Lists,
    PeeringRecord,
    ProjectRecord,
    Records,
    ReplicaSetRecord,
    ServiceRecord,
    StatusOverride,
    Tally,
    VpcRecord,
    WorldState,
} from "./state";

const forEachKind = <T>(valueOf: (kind: Kind) => T): Record<Kind, T> =>
    Object.fromEntries(kinds.map((kind) => [kind, valueOf(kind)])) as Record<Kind, T>;

const zeroCounts = (): Record<Kind, Tally> => forEachKind(() => ({ made: 0, removed: 0 }));

/** A world with empty projects. */
export function emptyWorld(projects: readonly ProjectRecord[], seed: number): WorldState {
    return {
        random: new Random(seed).state,
        projects: projects.map((project) => ({ ...project })),
        ...forEachKind(() => []),
        counts: zeroCounts(),
    };
}

/** All projects and resources, and their clock. */
export class World {
    readonly projects = new Map<string, ProjectRecord>();
    readonly vpcs = new Map<string, VpcRecord>();
    readonly peerings = new Map<string, PeeringRecord>();
    readonly services = new Map<string, ServiceRecord>();
    readonly replicaSets = new Map<string, ReplicaSetRecord>();
    random = new Random(1);
    counts = zeroCounts();
    /** The initial passwords of the services that were created since the start, by service id. Never written to a file. */
    readonly initialPasswords = new Map<string, string>();

    constructor(
        readonly rules: Rules,
        private readonly clock: Clock,
        state: WorldState,
    ) {
        this.restore(state);
    }

    get now(): number {
        return this.clock.now();
    }

    /** Carries out all steps that are due. */
    catchUp(): void {
        const { now, rules } = this;
        const { servers } = rules;
        for (const service of this.services.values()) {
            const done = progress(service, now, () => servers.isSettled(service));
            for (const step of done) {
                recordStep(service, step);
            }
            removeExpiredOverride(service, now);
            if (isGone(done)) {
                this.remove("services", service.id);
            }
        }
        for (const set of this.replicaSets.values()) {
            const done = progress(set, now, () => servers.isSettled(set));
            removeExpiredOverride(set, now);
            if (isGone(done)) {
                this.remove("replicaSets", set.id);
            }
        }
        for (const peering of this.peerings.values()) {
            progress(peering, now);
        }
    }

    /** The records of a kind by id. */
    records<K extends Kind>(kind: K): Map<string, Records[K]> {
        return (this as { [C in Kind]: Map<string, Records[C]> })[kind];
    }

    add<K extends Kind>(kind: K, record: Records[K]): void {
        this.records(kind).set(record.id, record);
        this.counts[kind].made++;
    }

    remove(kind: Kind, id: string): void {
        if (this[kind].delete(id)) {
            this.counts[kind].removed++;
        }
        if (kind === "services") {
            this.initialPasswords.delete(id);
        }
    }

    peeringsOf(vpc: VpcRecord): PeeringRecord[] {
        return [...this.peerings.values()].filter((peering) => peering.vpcId === vpc.id);
    }

    replicaSetsOf(service: ServiceRecord): ReplicaSetRecord[] {
        return [...this.replicaSets.values()].filter((set) => set.serviceId === service.id);
    }

    /** Whether an id of a service or replica set is in use. They share one id space, because `getService` accepts both. */
    readonly isTaken = (id: string): boolean => this.services.has(id) || this.replicaSets.has(id);

    /** The complete state as plain data. */
    state(): WorldState {
        return {
            random: this.random.state,
            projects: [...this.projects.values()],
            ...(forEachKind((kind) => [...this[kind].values()]) as Lists),
            counts: this.counts,
        };
    }

    /** Replaces the state by a saved one. */
    restore(state: WorldState): void {
        const saved = structuredClone(state);
        this.random = Random.resume(saved.random);
        this.counts = saved.counts;
        this.initialPasswords.clear();
        refill(this.projects, saved.projects);
        for (const kind of kinds) {
            refill(this.records(kind), saved[kind]);
        }
    }
}

function refill<T extends { id: string }>(map: Map<string, T>, records: readonly T[]): void {
    map.clear();
    for (const record of records) {
        map.set(record.id, record);
    }
}

function removeExpiredOverride(record: { override: StatusOverride | null }, now: number): void {
    const until = record.override?.until;
    if (typeof until === "number" && until <= now) {
        record.override = null;
    }
}
