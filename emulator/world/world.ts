import type { Clock } from "../clock";
import { recordStep } from "./logs";
import { isGone, progress } from "./progress";
import { Random } from "./random";
import type { Rules } from "./rules";
import type {
    Countable,
    PeeringRecord,
    ProjectRecord,
    ReplicaSetRecord,
    ServiceRecord,
    StatusOverride,
    Tally,
    VpcRecord,
    WorldState,
} from "./state";

const byId = <T extends { id: string }>(records: readonly T[]): Map<string, T> =>
    new Map(records.map((record) => [record.id, record]));

const nothingCounted = (): Record<Countable, Tally> => ({
    vpcs: { made: 0, removed: 0 },
    peerings: { made: 0, removed: 0 },
    services: { made: 0, removed: 0 },
    replicaSets: { made: 0, removed: 0 },
});

interface Records {
    vpcs: VpcRecord;
    peerings: PeeringRecord;
    services: ServiceRecord;
    replicaSets: ReplicaSetRecord;
}

/** A world with projects and nothing in them. */
export function emptyWorld(projects: readonly ProjectRecord[], seed: number): WorldState {
    return {
        random: new Random(seed).state,
        projects: projects.map((project) => ({ ...project })),
        vpcs: [],
        peerings: [],
        services: [],
        replicaSets: [],
        counts: nothingCounted(),
    };
}

/** All that there is, and the time in it. */
export class World {
    readonly projects = new Map<string, ProjectRecord>();
    readonly vpcs = new Map<string, VpcRecord>();
    readonly peerings = new Map<string, PeeringRecord>();
    readonly services = new Map<string, ServiceRecord>();
    readonly replicaSets = new Map<string, ReplicaSetRecord>();
    random = new Random(1);
    counts = nothingCounted();
    /** The initial password of each service that was created since the start, by its id; never written to a file. */
    readonly initialPasswords = new Map<string, string>();
    readonly #clock: Clock;

    constructor(
        readonly rules: Rules,
        clock: Clock,
        state: WorldState,
    ) {
        this.#clock = clock;
        this.restore(state);
    }

    get now(): number {
        return this.#clock.now();
    }

    /** Lets everything happen that is due. */
    catchUp(): void {
        const { now, rules } = this;
        const { servers } = rules;
        for (const service of this.services.values()) {
            const done = progress(service, now, () => servers.isSettled(service));
            for (const step of done) recordStep(service, step);
            liftOverride(service, now);
            if (isGone(done)) this.remove("services", service.id);
        }
        for (const set of this.replicaSets.values()) {
            const done = progress(set, now, () => servers.isSettled(set));
            liftOverride(set, now);
            if (isGone(done)) this.remove("replicaSets", set.id);
        }
        for (const peering of this.peerings.values()) progress(peering, now);
    }

    add<K extends Countable>(kind: K, record: Records[K]): void {
        (this as { [C in Countable]: Map<string, Records[C]> })[kind].set(record.id, record);
        this.counts[kind].made++;
    }

    remove(kind: Countable, id: string): void {
        if (this[kind].delete(id)) this.counts[kind].removed++;
        if (kind === "services") this.initialPasswords.delete(id);
    }

    peeringsOf(vpc: VpcRecord): PeeringRecord[] {
        return [...this.peerings.values()].filter((peering) => peering.vpcId === vpc.id);
    }

    replicaSetsOf(service: ServiceRecord): ReplicaSetRecord[] {
        return [...this.replicaSets.values()].filter((set) => set.serviceId === service.id);
    }

    /** Whether an id of a service or of a replica set is in use; the two share one space, as a read takes either. */
    readonly isTaken = (id: string): boolean => this.services.has(id) || this.replicaSets.has(id);

    /** Everything as plain data, to be kept. */
    state(): WorldState {
        return {
            random: this.random.state,
            projects: [...this.projects.values()],
            vpcs: [...this.vpcs.values()],
            peerings: [...this.peerings.values()],
            services: [...this.services.values()],
            replicaSets: [...this.replicaSets.values()],
            counts: this.counts,
        };
    }

    /** Becomes the world that was kept. */
    restore(state: WorldState): void {
        const kept = structuredClone(state);
        this.random = Random.resume(kept.random);
        this.counts = kept.counts;
        this.initialPasswords.clear();
        refill(this.projects, byId(kept.projects));
        refill(this.vpcs, byId(kept.vpcs));
        refill(this.peerings, byId(kept.peerings));
        refill(this.services, byId(kept.services));
        refill(this.replicaSets, byId(kept.replicaSets));
    }
}

function refill<T>(map: Map<string, T>, content: Map<string, T>): void {
    map.clear();
    for (const [id, record] of content) map.set(id, record);
}

function liftOverride(thing: { override: StatusOverride | null }, now: number): void {
    const until = thing.override?.until;
    if (typeof until === "number" && until <= now) thing.override = null;
}
