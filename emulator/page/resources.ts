import { kinds } from "../kinds";
import { lastFatalOf } from "../world/logs";
import type { Progressing, ServiceRecord, StatusOverride } from "../world/state";
import { serviceView, viewInParent, views } from "../world/views";
import type { Views } from "../world/views";
import type { World } from "../world/world";
import type { Resource, ResourceKind, Values } from "./messages";

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
    Partial<Pick<ServiceRecord, "log" | "missingExtension">>;

const resource = <K extends ResourceKind>(kind: K, record: Dated, value: Values[K]): Resource =>
    ({ kind, id: record.id, value, ...timesOf(record), ...remarksOf(record) }) as Resource;

/** The reason of a failure, and the extension that is missing. */
function remarksOf(record: Dated): Pick<Resource, "problem" | "note"> {
    const { log, missingExtension, override } = record;
    const isFailed = /^(UNSTABLE|error)$/.test(override?.status ?? "");
    const problem = isFailed ? (override?.reason ?? (log && lastFatalOf({ log }))) : undefined;
    return {
        ...(problem !== undefined && { problem }),
        ...(missingExtension !== undefined && { note: `The extension ${missingExtension} is not available here.` }),
    };
}

function timesOf({
    createdAt = 0,
    override,
    statusAt = createdAt,
    steps = [],
}: Dated): Pick<Resource, "since" | "next"> {
    const [next] = steps;
    return {
        since: override ? (override.at ?? statusAt) : statusAt,
        // An overridden status stays when a step changes the real one.
        ...(next && !override && { next: { status: next.status, at: next.at } }),
    };
}
