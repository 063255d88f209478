import type { Progressing, StatusOverride } from "../world/state";
import { peeringView, replicaSetView, serviceView, vpcView } from "../world/views";
import type { World } from "../world/world";
import type { Resource } from "./messages";

/** All resources as the page shows them; services that are not ready for reads yet are among them. */
export function resourcesOf(world: World): Resource[] {
    const sets = [...world.replicaSets.values()].flatMap((set): Resource[] => {
        const parent = world.services.get(set.serviceId);
        if (!parent) return [];
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
            // Read replica sets are resources of their own here.
            const value = serviceView(world, service, undefined, []);
            return { kind: "service", id: service.id, value, ...timesOf(service) };
        }),
        ...sets,
    ];
}

function timesOf(thing: Progressing<unknown> & { override?: StatusOverride | null }): Pick<Resource, "since" | "next"> {
    const { createdAt, override, statusAt = createdAt, steps } = thing;
    const [next] = steps;
    return {
        since: override ? (override.at ?? statusAt) : statusAt,
        // A status that was set from outside stays whatever happens below it.
        ...(next && !override && { next: { status: next.status, at: next.at } }),
    };
}
