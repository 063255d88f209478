import type { Kind } from "../messages";
import { make } from "./dom";
import { address, count, nameOf, size } from "./format";
import type { Button, Line, RowContext, RowKind } from "./rows";

const connect: readonly Button<"services" | "replicaSets">[] = [
    ["Connect", "Connect to", (item, { showConnection }) => showConnection(item)],
    ["Logs", "Logs of", (item, { showLogs }) => showLogs(item)],
];
const setStatus: Button<"services" | "replicaSets"> = [
    "Set status…",
    "Set status of",
    (item, { actions }) => actions.setStatus(item),
];
const remove: Button<Kind> = ["Delete…", "Delete", (item, { actions }) => actions.delete(item), true];

/** The row of each kind. A new kind does not compile until it has one. */
export const rowKinds: { readonly [K in Kind]: RowKind<K> } = {
    services: {
        columns: ["Size", "Endpoints"],
        buttons: connect,
        menu: [
            ["Modify…", "Modify", (item, { actions }) => actions.modifyService(item)],
            setStatus,
            ["Take snapshot", "Take snapshot of", (item, { actions }) => actions.takeSnapshot(item)],
            remove,
        ],
        show: ({ id, value }, context) => {
            const parent = value.forked_from?.service_id;
            const origin = parent === undefined ? [] : [" · fork of ", forkLink(parent, context.nameOfService(parent))];
            const { spec } = value.resources[0] ?? {};
            const { replica_count = 0, sync_replica_count = 0 } = value.ha_replicas ?? {};
            const sync = sync_replica_count > 0 ? `, ${sync_replica_count} sync` : "";
            const vpc = nameOf(context.nameOfVpc(value.vpc_endpoint?.vpc_id ?? ""));
            return {
                name: value.name,
                meta: [placeOf(id, value, context), ...origin],
                status: value.status,
                badge: value.metadata?.environment,
                cells: [
                    [
                        [size(spec?.cpu_millis, spec?.memory_gbs)],
                        ...lineIf(replica_count > 0, `${replica_count} HA${sync}`),
                    ],
                    [
                        ...lineIf(!value.endpoint, "none yet"),
                        ...addressLine(value.endpoint),
                        ...addressLine(value.connection_pooler?.endpoint, "pooler"),
                        ...addressLine(value.vpc_endpoint, `VPC ${vpc}`),
                    ],
                ],
            };
        },
    },
    replicaSets: {
        columns: ["Size", "Endpoints"],
        buttons: connect,
        menu: [["Modify…", "Modify", (item, { actions }) => actions.modifyReplicaSet(item)], setStatus, remove],
        show: ({ id, value }) => ({
            name: value.name,
            meta: [`${id} · read replica set`],
            status: value.status,
            badge: value.metadata?.environment,
            cells: [
                [[size(value.cpu_millis, value.memory_gbs)], [count(value.nodes, "node")]],
                [...addressLine(value.endpoint), ...addressLine(value.connection_pooler?.endpoint, "pooler")],
            ],
        }),
    },
    vpcs: {
        columns: ["Address"],
        buttons: [["Rename…", "Rename", (item, { actions }) => actions.renameVpc(item)], remove],
        show: ({ id, value }, context) => ({
            name: value.name,
            meta: [placeOf(id, value, context)],
            cells: [[[value.cidr]]],
        }),
    },
    peerings: {
        columns: ["Address"],
        buttons: [
            ["Accept", "Accept peering", (item, { actions }) => actions.acceptPeering(item)],
            ["Fail…", "Fail peering", (item, { actions }) => actions.failPeering(item)],
            ["Delete…", "Delete peering", (item, { actions }) => actions.delete(item), true],
        ],
        show: ({ id, value }) => ({
            name: value.peer_vpc_id,
            meta: [[id, "peering", ...(value.provisioned_id === undefined ? [] : [value.provisioned_id])].join(" · ")],
            status: value.status,
            cells: [
                [
                    [value.peer_account_id, "account"],
                    [value.peer_region_code, "region"],
                    ...lineIf(value.error_message !== undefined, nameOf(value.error_message ?? ""), "error"),
                ],
            ],
        }),
    },
};

/** The id, the region, and the project if there are several. */
const placeOf = (id: string, value: { project_id: string; region_code: string }, context: RowContext): string =>
    [id, ...(context.hasManyProjects() ? [value.project_id] : []), value.region_code].join(" · ");

/** A link to the row of the parent. The id of a parent that was deleted is not a link. */
const forkLink = (id: string, name: string | undefined): string | Node =>
    name === undefined ? id : make("a", { href: `#services-${id}`, textContent: nameOf(name) });

const lineIf = (condition: boolean, text: string, hint?: string): Line[] => (condition ? [[text, hint]] : []);

const addressLine = (endpoint: { host?: string; port?: number } | undefined, hint?: string): Line[] =>
    endpoint ? [[address(endpoint), hint]] : [];
