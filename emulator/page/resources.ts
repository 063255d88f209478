import type { Progressing, StatusOverride } from "../world/state";
import { peeringView, replicaSetView, serviceView, vpcView } from "../world/views";
import type { World } from "../world/world";
import type { Resource } from "./messages";

/** All resources for the page, including those that are not visible to reads of the API yet. */
export function resourcesOf(world: World): Resource[] {
    const sets = [...world.replicaSets.values()].flatMap((set): Resource[] => {
        const parent = world.services.get(set.serviceId);
        if (!parent) {
            return [];
        }
        const value = { ...replicaSetView(set, parent), service_id: parent.id };
        return [{ kind: "replicaSet", id: set.id, value, ...timesOf(set) }];
    });
    return [
        ...[...world.projects.values()].map((project): Resource => ({
            kind: "project",
            id: project.id,
            value: project,
            since: 0,
        })),
        ...[...world.vpcs.values()].map((vpc): Resource => {
            const value = { ...vpcView(vpc), project_id: vpc.projectId };
            return { kind: "vpc", id: vpc.id, value, since: vpc.createdAt };
        }),
        ...[...world.peerings.values()].map((peering): Resource => {
            const value = { ...peeringView(peering), vpc_id: peering.vpcId };
            return { kind: "peering", id: peering.id, value, ...timesOf(peering) };
        }),
        ...[...world.services.values()].map((service): Resource => {
            // Read replica sets are separate resources on the page.
            const value = serviceView(world, service, undefined, []);
            return { kind: "service", id: service.id, value, ...timesOf(service) };
        }),
        ...sets,
    ];
}

function timesOf(
    record: Progressing<unknown> & { override?: StatusOverride | null },
): Pick<Resource, "since" | "next"> {
    const { createdAt, override, statusAt = createdAt, steps } = record;
    const [next] = steps;
    return {
        since: override ? (override.at ?? statusAt) : statusAt,
        // An overridden status stays when a step changes the real one.
        ...(next && !override && { next: { status: next.status, at: next.at } }),
    };
}
