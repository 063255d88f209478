import { kinds } from "../kinds";
import { driftOf } from "../world/drift";
import { lastFatalOf } from "../world/logs";
import type { Drifting, Progressing, ServiceRecord, StatusOverride } from "../world/state";
import { serviceView, viewInParent, views } from "../world/views";
import type { Views } from "../world/views";
import type { World } from "../world/world";
import type { Removed, Resource, ResourceKind, Values } from "./messages";

/** On the page, read replica sets are separate resources. */
const pageViews: Views = { ...views, services: (service, world) => serviceView(world, service, undefined, []) };

/** All resources for the page, including those that are not visible to reads of the API yet. */
export const resourcesOf = (world: World): Resource[] => [
    ...[...world.projects.values()].map((project) => resource("projects", project, project)),
    ...kinds.flatMap((kind) =>
        [...world.records(kind).values()].map((record) =>
            resource(kind, record, viewInParent(world, kind, record, pageViews)),
        ),
    ),
];

type Dated = { id: string; override?: StatusOverride | null } & Partial<Progressing<unknown>> &
    Drifting &
    Partial<Pick<ServiceRecord, "log" | "missingExtension">>;

const resource = <K extends ResourceKind>(kind: K, record: Dated, value: Values[K]): Resource =>
    ({ kind, id: record.id, value, ...timesOf(record), ...remarksOf(record) }) as Resource;

/** The resources that were deleted lately. */
export const removedOf = (world: World): Removed[] =>
    world.removed.map(({ kind, record, at }) => {
        const { name, peerVpcId, past = [], status = "" } = record as { name?: string; peerVpcId?: string } & Dated;
        const statuses = status === "" ? [] : [...past, { status, at: timesOf(record).since }];
        return { kind, id: record.id, name: name ?? peerVpcId ?? record.id, statuses, removedAt: at };
    });

/** The reason of a failure, the extension that is missing, and what was changed by other means than the program. */
function remarksOf(record: Dated): Pick<Resource, "problem" | "note" | "isByHand" | "drift"> {
    const { log, missingExtension, override } = record;
    const isFailed = /^(UNSTABLE|error)$/.test(override?.status ?? "");
    const problem = isFailed ? (override?.reason ?? (log && lastFatalOf({ log }))) : undefined;
    const drift = driftOf(record);
    return {
        ...(override?.isByHand && { isByHand: true }),
        ...(drift.length > 0 && { drift }),
        ...(problem !== undefined && { problem }),
        ...(missingExtension !== undefined && { note: `The extension ${missingExtension} is not available here.` }),
    };
}

function timesOf({
    createdAt = 0,
    override,
    statusAt = createdAt,
    steps = [],
    past = [],
    status = "",
}: Dated): Pick<Resource, "since" | "next" | "past"> {
    const [next] = steps;
    // The real status is earlier than the one that replaces it.
    const earlier = override && status !== "" ? [...past, { status, at: statusAt }] : past;
    return {
        ...(earlier.length > 0 && { past: earlier }),
        since: override ? (override.at ?? statusAt) : statusAt,
        // An overridden status stays when a step changes the real one.
        ...(next && !override && { next: { status: next.status, at: next.at } }),
    };
}
