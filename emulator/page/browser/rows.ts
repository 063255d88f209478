import { childrenOf, kindFacts } from "../messages";
import type { Kind, Resource, RootKind } from "../messages";
import { acceptPeering, addFault, failPeering, finish, modify, removeNow, setStatus, takeSnapshot } from "./actions";
import { openConnection } from "./connect";
import {
    address,
    count,
    dateTimeOf,
    displayName,
    elapsed,
    keyOf,
    nameOf,
    parentIdOf,
    remaining,
    size,
    toneOf,
} from "./format";
import { openLogs } from "./logs";
import { labelOf, openOperation, operationsOf, titleOf } from "./operations";
import { Copy, html, Menu, Status, store, useState } from "./ui";
import type { MenuItem, VNode } from "./ui";

// The rows of the tables of resources.

type RowResource = Resource<Kind>;

/** A resource and its child resources. */
export type Group = readonly [RowResource, ...RowResource[]];

/** Groups each resource with those that it contains. */
export function groupsOf(roots: readonly RowResource[]): Group[] {
    const groups = new Map(roots.map((root): [string, [RowResource, ...RowResource[]]] => [root.id, [root]]));
    for (const child of roots[0] ? childrenOf(roots[0].kind) : []) {
        store.resources[child].forEach((one) => groups.get(parentIdOf(one))?.push(one));
    }
    return [...groups.values()];
}

/** The initial number of groups. The button shows more, because laying out thousands of rows is slow. */
const groupsAtOnce = 100;

interface TableProps {
    kind: RootKind;
    /** The heads of the columns. */
    head: VNode[];
    groups: readonly Group[];
}

/** A table of resources with a button that shows more of them. */
export function Table({ kind, head, groups }: TableProps): VNode {
    const [limit, setLimit] = useState(groupsAtOnce);
    const hidden = groups.length - limit;
    return html`
        <table class=${`resources ${kind}`}>
            <thead>
                <tr>
                    ${head}
                    <th scope="col"><span class="unseen">Actions</span></th>
                </tr>
            </thead>
            <tbody>
                ${groups
                    .slice(0, limit)
                    .flat()
                    .map((one) => html`<${Row} key=${keyOf(one)} resource=${one} />`)}
            </tbody>
        </table>
        ${
            hidden > 0 &&
            html`<button type="button" class="more" onClick=${() => setLimit(limit + groupsAtOnce)}>
            ${`Show more (${hidden.toLocaleString("en")} not shown)`}
        </button>`
        }
    `;
}

function Row({ resource }: { resource: RowResource }): VNode {
    const { kind, value } = resource;
    const [key, name] = [keyOf(resource), displayName(resource)];
    const revision = store.revisions.get(key);
    // An animation starts again only if its name changes.
    const motion = revision === undefined ? "" : revision === 0 ? "enter" : `flash${revision % 2}`;
    const classes = [
        ...[kindFacts[kind].parent === "project" ? "" : "child", motion],
        store.isLeaving(resource) ? "leave" : "",
    ];
    const environment = "metadata" in value ? value.metadata.environment : undefined;
    const [button, press] = mainButtonOf(resource);
    return html`
        <tr id=${key} tabindex="-1" class=${classes.join(" ").trim()} aria-label=${name}>
            <th scope="row">
                <span class="title">
                    <strong class="name" title=${name}>${name}</strong>
                    ${environment === "PROD" && html`<span class="tag">PROD</span>`}
                    ${resource.drift && html`<span class="tag drift" title=${driftOf(resource)}>drift</span>`}
                </span>
                <span class="meta">${metaOf(resource)}</span>
                ${resource.drift && html`<span class="meta drift">${driftOf(resource)}</span>`}
            </th>
            <${StatusCell} resource=${resource} />
            ${kind === "vpcs" || kind === "peerings" ? "" : html`<td data-label="Size">${sizesOf(resource)}</td>`}
            <td data-label=${kind === "vpcs" || kind === "peerings" ? "Address" : "Endpoints"}>
                ${addressesOf(resource).map(
                    ([text, label]) => html`
                        <span class="line" key=${label}>
                            ${label && html`<span class="meta">${label}</span>`}
                            <code title=${text}>${text}</code>
                            <${Copy} label=${`${label || "address"} of ${name}`} text=${text} />
                        </span>
                    `,
                )}
            </td>
            <td class="actions">
                <button type="button" aria-label=${`${button} ${name}`} onClick=${press}>
                    ${button.split(" ")[0]}
                </button>
                <${Menu}
                    id=${`menu-${key}`}
                    label=${`More for ${name}`}
                    text="⋯"
                    className="icon"
                    groups=${() => menuOf(resource, name)}
                />
            </td>
        </tr>
    `;
}

/** The status, how long it has lasted, and the progress to the next one. */
function StatusCell({ resource }: { resource: RowResource }): VNode {
    const { value, since, next, isByHand, problem, note } = resource;
    const status = "status" in value ? (value.status ?? "") : "";
    if (status === "") {
        return html`<td class="blank" data-label="Status"></td>`;
    }
    const part = next && (store.now - since) / Math.max(1, next.at - since);
    return html`
        <td data-label="Status">
            <span class="line">
                <${Status} text=${nameOf(status)} tone=${toneOf(status)} />
                <span class="meta" title=${`since ${dateTimeOf(since)}`}>${elapsed(store.now - since)}</span>
                ${isByHand && html`<span class="tag">set by you</span>`}
            </span>
            ${
                next &&
                html`
                <span class="meta">${next.status ?? "deleted"} in ${remaining(next.at - store.now)}</span>
                ${toneOf(status) === "busy" && html`<progress max="1" value=${part} aria-hidden="true"></progress>`}
            `
            }
            ${
                (problem ?? note) !== undefined &&
                html`<span class="meta problem">${[problem, note].filter(Boolean).join(" ")}</span>`
            }
        </td>
    `;
}

/** The id, what it is, the region, and the project if there are several. */
function metaOf(resource: RowResource): (string | VNode)[] {
    const { kind, id, value } = resource;
    const projects = store.resources.projects.size > 1 && "project_id" in value ? [value.project_id] : [];
    if (kind === "peerings") {
        return [[id, "peering", ...(resource.value.provisioned_id ? [resource.value.provisioned_id] : [])].join(" · ")];
    }
    if (kind === "replicaSets") {
        return [`${id} · read replica set`];
    }
    const place = [id, ...projects, resource.value.region_code].join(" · ");
    const parent = kind === "services" ? resource.value.forked_from?.service_id : undefined;
    if (parent === undefined) {
        return [place];
    }
    const name = store.nameOf("services", parent);
    // The id of a parent that was deleted is not a link.
    return [`${place} · fork of `, name === undefined ? parent : html`<a href=${`#services-${parent}`}>${name}</a>`];
}

function sizesOf(resource: RowResource): VNode[] {
    const line = (text: string): VNode => html`<span class="line" key=${text}>${text}</span>`;
    if (resource.kind === "services") {
        const { spec } = resource.value.resources[0] ?? {};
        const { replica_count: all = 0, sync_replica_count: sync = 0 } = resource.value.ha_replicas ?? {};
        return [
            line(size(spec?.cpu_millis, spec?.memory_gbs)),
            ...(all > 0 ? [html`<span class="meta">${all} HA${sync > 0 ? `, ${sync} sync` : ""}</span>`] : []),
        ];
    }
    const { cpu_millis: cpu, memory_gbs: memory, nodes } = (resource as Resource<"replicaSets">).value;
    return [line(size(cpu, memory)), html`<span class="meta">${count(nodes, "node")}</span>`];
}

/** The addresses of a resource, each with what it is. The most important one needs no label. */
function addressesOf(resource: RowResource): [text: string, label: string][] {
    if (resource.kind === "vpcs") {
        return [[resource.value.cidr, ""]];
    }
    if (resource.kind === "peerings") {
        const { peer_account_id: account, peer_region_code: region, error_message: error } = resource.value;
        return [
            [account, "account"],
            [region, "region"],
            ...(error ? [[nameOf(error), "error"] as [string, string]] : []),
        ];
    }
    const { value } = resource;
    const vpc = "vpc_endpoint" in value ? value.vpc_endpoint : undefined;
    const vpcName = store.nameOf("vpcs", vpc?.vpc_id ?? "") ?? vpc?.vpc_id ?? "";
    const all = [
        [value.endpoint, ""] as const,
        [value.connection_pooler?.endpoint, "pooler"] as const,
        [vpc, `VPC ${vpcName}`] as const,
    ];
    return all.flatMap(([endpoint, label]) => (endpoint ? [[address(endpoint), label] as [string, string]] : []));
}

/** What differs from what the program has set, as a sentence. */
const driftOf = ({ drift = [] }: RowResource): string =>
    drift
        .map(({ property, declared, now }) => {
            const name = labelOf(property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
            return `${name}: ${shown(declared)} → ${shown(now)}`;
        })
        .join(", ");

function shown(value: unknown): string {
    const { cpuMillis, memoryGbs } = Object(value) as { cpuMillis?: number; memoryGbs?: number };
    return cpuMillis === undefined
        ? typeof value === "string"
            ? nameOf(value)
            : JSON.stringify(value ?? "none")
        : size(cpuMillis, memoryGbs);
}

/** The button of a row besides its menu. The name of the resource follows the text. */
function mainButtonOf(resource: RowResource): [label: string, press: () => void] {
    if (resource.kind === "vpcs") {
        return ["Rename", () => modify(resource)];
    }
    if (resource.kind === "peerings") {
        return ["Accept peering", () => acceptPeering(resource)];
    }
    return ["Connect to", () => openConnection(resource)];
}

/** The presets of faults for one resource. */
const presets: readonly (readonly [text: string, fault: (id: string) => string])[] = [
    ["Lost response", (id) => `POST/${id}#1:reset-after`],
    ["10 % flaky", (id) => `*/${id}#@0.1:503`],
    ["Slow", (id) => `*/${id}#1+:delay,ms=3000`],
];

function menuOf(resource: RowResource, name: string): MenuItem[][] {
    const { kind, id, next } = resource;
    const item = (
        text: string,
        run: (one: never) => void,
        label = `${text.replace("…", "")} ${name}`,
        isDangerous = false,
    ): MenuItem => ({
        text,
        label,
        isDangerous,
        run: () => run(resource as never),
    });
    const isServer = kind === "services" || kind === "replicaSets";
    const operations = operationsOf(resource)
        .map((one) =>
            item(
                titleOf(one),
                () => openOperation(one, resource),
                `${titleOf(one)} ${name}`,
                one.id.startsWith("delete"),
            ),
        )
        .sort((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)) || textOf(a).localeCompare(textOf(b)));
    const own: (MenuItem | false | undefined)[] = [
        next && item("Finish now", finish),
        isServer && item("Logs", openLogs, `Logs of ${name}`),
        kind !== "peerings" && item(kind === "vpcs" ? "Rename now…" : "Modify…", modify),
        kind === "peerings" && item("Fail…", failPeering, `Fail peering ${name}`),
        isServer && item("Set status…", setStatus, `Set status of ${name}`),
        kind === "services" && item("Take snapshot", takeSnapshot, `Take snapshot of ${name}`),
        item("Delete now…", removeNow, `Delete now ${name}`, true),
    ];
    const faults = presets.map(([text, fault]) => item(text, () => void addFault(fault(id)), `${text}: ${name}`));
    return [
        ["With the API", ...operations],
        ["Without the API", ...own.filter((one) => typeof one === "object")],
        ["Faults of its requests", ...faults],
    ];
}

const textOf = (item: MenuItem): string => (typeof item === "string" ? item : item.text);
const isDeletion = (item: MenuItem): boolean => typeof item === "object" && item.isDangerous === true;
