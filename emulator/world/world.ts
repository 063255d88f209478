import type { Clock } from "../clock";
import { kinds } from "../kinds";
import type { Kind } from "../kinds";
import { recordStep } from "./logs";
import { isGone, progress } from "./progress";
import { Random } from "./random";
import type { Rules } from "./rules";
import type {
    Lists,
    PeeringRecord,
    Progressing,
    ProjectRecord,
    Records,
    ReplicaSetRecord,
    ServiceRecord,
    Step,
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
        const { now } = this;
        for (const service of this.services.values()) {
            for (const step of this.advance("services", service)) {
                recordStep(service, step);
            }
        }
        for (const set of this.replicaSets.values()) {
            this.advance("replicaSets", set);
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

    /** Carries out the steps of a service or replica set that are due, and returns them. */
    private advance<K extends "services" | "replicaSets">(kind: K, record: Records[K]): Step<Records[K]["values"]>[] {
        const { now, rules } = this;
        const progressing: Progressing<Records[K]["values"]> = record;
        const done = progress(progressing, now, () => rules.servers.isSettled(record));
        const { until = null } = record.override ?? {};
        if (until !== null && until <= now) {
            record.override = null;
        }
        if (isGone(done)) {
            this.remove(kind, record.id);
        }
        return done;
    }

    /** The complete state as plain data. */
    state(): WorldState {
        return {
            random: this.random.state,
            projects: [...this.projects.values()],
            ...(forEachKind((kind) => [...this[kind].values()]) as Lists),
            counts: this.counts,
        };
    }

    /** Returns to an earlier state. Services that exist in it keep their initial passwords. */
    undoTo(state: WorldState): void {
        const passwords = [...this.initialPasswords];
        this.restore(state);
        for (const [id, password] of passwords.filter(([id]) => this.services.has(id))) {
            this.initialPasswords.set(id, password);
        }
    }

    /** Replaces the state with a saved one. */
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
