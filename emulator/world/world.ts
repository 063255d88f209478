import type { Clock } from "../clock";
import { childrenOf, kindFacts, kinds } from "../kinds";
import type { Kind } from "../kinds";
import { recordStatus } from "./logs";
import { isGone, progress } from "./progress";
import { Random } from "./random";
import type { Rules } from "./rules";
import type {
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

/** The id of what contains a resource. */
export const parentIdOf = <K extends Kind>(kind: K, record: Records[K]): string =>
    (record as unknown as Readonly<Record<string, string>>)[`${kindFacts[kind].parent}Id`] ?? "";

/** A world with empty projects. */
export function emptyWorld(projects: readonly ProjectRecord[], seed: number): WorldState {
    return {
        random: new Random(seed).state,
        projects: projects.map((project) => ({ ...project })),
        ...forEachKind(() => []),
        counts: zeroCounts(),
    };
}

/** The kinds whose records change by themselves. */
const changing = ["peerings", "services", "replicaSets"] as const;
type Changing = Records[(typeof changing)[number]];

/** A resource that was deleted. */
export type Removed = { [K in Kind]: { kind: K; record: Records[K]; at: number } }[Kind];

/** The number of deleted resources that a world keeps. */
const maxRemoved = 50;

const endOf = ({ until }: StatusOverride): number => until ?? Infinity;

/** Whether a step or the end of an override is due. */
function isDue({ steps: [step], override }: Changing & { override?: StatusOverride | null }, now: number): boolean {
    return (step !== undefined && step.at <= now) || (!!override && endOf(override) <= now);
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
    /** The resources that were deleted, oldest first. Never written to a file. */
    removed: Removed[] = [];
    /** The latest time, and how far this world is ahead of its clock, in milliseconds. */
    private latest = -Infinity;
    private aheadMs = 0;
    /** The initial passwords of the services that were created since the start, by service id. Never written to a file. */
    readonly initialPasswords = new Map<string, string>();

    constructor(
        readonly rules: Rules,
        private readonly clock: Clock,
        state: WorldState,
    ) {
        this.restore(state);
    }

    /** The time in milliseconds since 1970. It continues from the latest time if the clock goes back. */
    get now(): number {
        const now = this.clock.now() + this.aheadMs;
        this.aheadMs += Math.max(0, this.latest - now);
        this.latest = Math.max(this.latest, now);
        return this.latest;
    }

    /** A time of this world by its clock. */
    onClock(at: number): number {
        return at - this.aheadMs;
    }

    /** Carries out all steps that are due. */
    catchUp(): void {
        const { now } = this;
        for (const kind of changing) {
            for (const record of this.records(kind).values()) {
                // Each request comes here, and nothing is due for most records.
                if (isDue(record, now)) {
                    this.advance(kind, record, now);
                }
            }
        }
    }

    /** The records of a kind by id. */
    records<K extends Kind>(kind: K): Map<string, Records[K]> {
        return (this as { [C in Kind]: Map<string, Records[C]> })[kind];
    }

    /** The records of a kind in a parent, oldest first. */
    within<K extends Kind>(kind: K, parentId: string): Records[K][] {
        return [...this.records(kind).values()].filter((record) => parentIdOf(kind, record) === parentId);
    }

    /** The times of a new resource. */
    newTimes(): Pick<VpcRecord, "createdAt" | "visibleAt" | "listedAt"> {
        const { now } = this;
        const { notFoundAfterCreate, notListedAfterCreate } = this.rules.durations;
        return { createdAt: now, visibleAt: now + notFoundAfterCreate, listedAt: now + notListedAfterCreate };
    }

    add<K extends Kind>(kind: K, record: Records[K]): void {
        this.records(kind).set(record.id, record);
        this.counts[kind].made++;
    }

    /** Deletes a resource with all that it contains. The services of a VPC remain, without it. */
    remove(kind: Kind, id: string, at = this.now): void {
        const record = this.records(kind).get(id);
        if (!record) {
            return;
        }
        this.records(kind).delete(id);
        this.removed = [...this.removed, { kind, record, at } as Removed].slice(-maxRemoved);
        this.counts[kind].removed++;
        for (const child of childrenOf(kind)) {
            this.within(child, id).forEach((contained) => this.remove(child, contained.id, at));
        }
        for (const { values } of kind === "vpcs" ? this.services.values() : []) {
            values.vpcId = values.vpcId === id ? null : values.vpcId;
        }
        if (kind === "services") {
            this.initialPasswords.delete(id);
        }
    }

    /** Whether an id of a service or replica set is in use. They share one id space, because `getService` accepts both. */
    readonly isTaken = (id: string): boolean => this.services.has(id) || this.replicaSets.has(id);

    /** Carries out the steps of a record that are due. */
    private advance(kind: Kind, record: Changing, now: number): void {
        const server = "override" in record ? record : undefined;
        const done = progress(record, now, () => !server || this.rules.servers.isSettled(server));
        if (server?.override && endOf(server.override) <= now) {
            server.override = null;
        }
        if (isGone(done)) {
            this.remove(kind, record.id, done.at(-1)?.at);
        }
        if ("log" in record) {
            done.forEach(({ status, at }) => recordStatus(record, status ?? "", at));
        }
    }

    /** The complete state as plain data. */
    state(): WorldState {
        return {
            now: this.now,
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
        this.latest = Math.max(this.latest, saved.now ?? -Infinity);
        this.initialPasswords.clear();
        this.removed = [];
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
