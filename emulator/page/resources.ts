import { lastFatalOf } from "../world/logs";
import type { Progressing, ServiceRecord, StatusOverride } from "../world/state";
import { peeringView, replicaSetView, serviceView, vpcView } from "../world/views";
import type { World } from "../world/world";
import type { Resource, ResourceKind, Values } from "./messages";

/** All resources for the page, including those that are not visible to reads of the API yet. */
export const resourcesOf = (world: World): Resource[] => [
    ...resourcesOfKind("projects", world.projects, (project) => project),
    ...resourcesOfKind("vpcs", world.vpcs, (vpc) => ({ ...vpcView(vpc), project_id: vpc.projectId })),
    ...resourcesOfKind("peerings", world.peerings, (peering) => ({ ...peeringView(peering), vpc_id: peering.vpcId })),
    // Read replica sets are separate resources on the page.
    ...resourcesOfKind("services", world.services, (service) => serviceView(world, service, undefined, [])),
    ...resourcesOfKind("replicaSets", world.replicaSets, (set) => {
        const parent = world.services.get(set.serviceId);
        return parent && { ...replicaSetView(set, parent), service_id: parent.id };
    }),
];

type Dated = { id: string; override?: StatusOverride | null } & Partial<Progressing<unknown>> &
    Partial<Pick<ServiceRecord, "log" | "missingExtension">>;

function resourcesOfKind<K extends ResourceKind, R extends Dated>(
    kind: K,
    records: ReadonlyMap<string, R>,
    valueOf: (record: R) => Values[K] | undefined,
): Resource[] {
    return [...records.values()].flatMap((record) => {
        const value = valueOf(record);
        return value ? [{ kind, id: record.id, value, ...timesOf(record), ...remarksOf(record) } as Resource] : [];
    });
}

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
