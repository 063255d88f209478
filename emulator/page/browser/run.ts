import { isRead, keyOf, type NumberedEntry, type Removed } from "../messages";
import { displayName } from "./format";
import { toneOf, type Resource } from "./kinds";

// The timeline of a run: what has happened to each resource since the emulator was quiet last.

/** A time in which a resource had one status. */
export interface Segment {
    status: string;
    from: number;
    to: number;
    /** Whether it was a change in progress. */
    isBusy: boolean;
}

export interface Lane {
    key: string;
    name: string;
    isRemoved: boolean;
    segments: Segment[];
    /** The requests for the resource. */
    ticks: NumberedEntry[];
}

export interface Run {
    begin: number;
    end: number;
    lanes: Lane[];
}

/** Requests and changes with longer pauses between them belong to different runs. */
const pauseMs = 30_000;
/** A run goes on for this time after its last request or change. */
const lastsMs = 5_000;

interface World {
    now: number;
    resources: readonly Resource[];
    removed: readonly Removed[];
    entries: readonly NumberedEntry[];
}

/** The latest run. Undefined if nothing has changed yet. */
export function runOf({ now, resources, removed, entries }: World): Run | undefined {
    const all = [
        ...removed.map((one) => laneOf(one, one.removedAt, true)),
        ...resources.map((one) => laneOf(one, now, one.next !== undefined)),
    ];
    const requests = entries.map(({ at, durationMs = 0 }) => ({ from: at, to: at + durationMs }));
    const periods = [...requests, ...all.flatMap(({ segments }) => segments.filter((one) => one.isBusy))].sort(
        (a, b) => b.to - a.to,
    );
    let begin = periods[0]?.from;
    if (begin === undefined) {
        return undefined;
    }
    for (const { from, to } of periods) {
        if (to < begin - pauseMs) {
            break;
        }
        begin = Math.min(begin, from);
    }
    const [from, last] = [begin, periods[0]?.to ?? now];
    const end = now - last < lastsMs ? now : last;
    const ticks = ticksOf(entries.filter(({ at }) => at >= from));
    const lanes = all
        .map((lane) => ({
            ...lane,
            ticks: ticks.get(lane.key.split("-")[1] ?? "") ?? [],
            segments: lane.segments
                .filter((one) => one.to > from && one.from < end)
                .map((one) => ({ ...one, from: Math.max(one.from, from), to: Math.min(one.to, end) })),
        }))
        .filter(
            ({ segments, ticks }) => segments.some((one) => one.isBusy) || ticks.some(({ method }) => !isRead(method)),
        )
        .sort((a, b) => startOf(a) - startOf(b));
    return lanes.length === 0 ? undefined : { begin: from, end, lanes };
}

/** A resource that only waits for a person is not changing. */
function laneOf(one: Removed | Resource, end: number, isChanging: boolean): Lane {
    const { statuses } = one;
    const segments = statuses.map(({ status, at }, index) => ({
        status,
        from: at,
        to: statuses[index + 1]?.at ?? end,
        isBusy: toneOf(status) === "busy" && (isChanging || index < statuses.length - 1),
    }));
    return { key: keyOf(one), name: displayName(one), isRemoved: "removedAt" in one, segments, ticks: [] };
}

/** The requests for each resource by its id: those with the id in their path or of a new resource. */
function ticksOf(entries: readonly NumberedEntry[]): Map<string, NumberedEntry[]> {
    const ticks = new Map<string, NumberedEntry[]>();
    for (const entry of entries) {
        const { id, service_id: service } = Object(entry.response) as { id?: string; service_id?: string };
        for (const one of new Set([...entry.path.split(/[/?]/), id ?? "", service ?? ""])) {
            const known = ticks.get(one) ?? [];
            ticks.set(one, known);
            known.push(entry);
        }
    }
    return ticks;
}

const startOf = ({ segments, ticks }: Lane): number =>
    Math.min(
        segments.find((one) => one.isBusy)?.from ?? Infinity,
        ticks.find(({ method }) => !isRead(method))?.at ?? Infinity,
    );
