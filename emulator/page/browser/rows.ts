import { childrenOf, kindFacts } from "../messages";
import type { Kind, Resource, RootKind } from "../messages";
import { openConnection } from "./connect";
import {
    address,
    count,
    dateTimeOf,
    displayName,
    elapsed,
    keyOf,
    labelOf,
    nameOf,
    parentIdOf,
    percent,
    remaining,
    size,
    toneOf,
} from "./format";
import { openLogs } from "./logs";
import { control, isDeletion, openOperation, operationsOf, run, titleOf } from "./operations";
import { Copy, html, Menu, Status, store, useEffect, useRef, useState } from "./ui";
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
    const shown = groups.slice(0, limit).flat();
    return html`
        <table class=${kind}>
            <thead class="meta">
                <tr>
                    ${head}
                    <td></td>
                </tr>
            </thead>
            <tbody>${shown.map((one) => html`<${Row} key=${keyOf(one)} resource=${one} />`)}</tbody>
        </table>
        ${
            hidden > 0 &&
            html`<div class="bar"><button onClick=${() => setLimit(limit + groupsAtOnce)}>
                ${`Show more (${hidden.toLocaleString("en")} not shown)`}
            </button></div>`
        }
    `;
}

const flash: KeyframeAnimationOptions = { id: "flash", duration: 1_200 };

function Row({ resource }: { resource: RowResource }): VNode {
    const { kind, value } = resource;
    const [key, name] = [keyOf(resource), displayName(resource)];
    const row = useRef<HTMLElement>(null);
    const isNew = useRef(true);
    useEffect(() => {
        if (!isNew.current && matchMedia("(prefers-reduced-motion: no-preference)").matches) {
            row.current?.animate([{ background: "var(--soft)", offset: 0 }], flash);
        }
        isNew.current = false;
    }, [JSON.stringify(value)]);
    const classes = [kindFacts[kind].parent !== "project" && "child", store.isLeaving(resource) && "leave"];
    const isProduction = "metadata" in value && value.metadata.environment === "PROD";
    const status = "status" in value ? (value.status ?? "") : "";
    const isNetwork = kind === "vpcs" || kind === "peerings";
    const drift = driftOf(resource);
    const [button, press] = mainButtonOf(resource);
    return html`
        <tr ref=${row} id=${key} tabindex="-1" class=${classes.filter(Boolean).join(" ")} data-tone=${toneOf(status)} aria-label=${name}>
            <th scope="row">
                <span class="line">
                    <strong class="name" title=${name}>${name}</strong>
                    ${isProduction && html`<span class="meta tag">PROD</span>`}
                    ${drift && html`<span class="meta tag drift">drift</span>`}
                </span>
                <span class="meta">${metaOf(resource)}</span>
                ${drift && html`<span class="meta drift">${drift}</span>`}
            </th>
            <td>${status !== "" && html`<${StatusOf} status=${status} resource=${resource} />`}</td>
            ${!isNetwork && html`<td>${sizesOf(resource)}</td>`}
            <td>
                ${addressesOf(resource).map(
                    ([text, label]) => html`
                        <span class="line" key=${label}>
                            ${label && html`<span class="meta">${label}</span>`}
                            <code class="name" title=${text}>${text}</code>
                            <${Copy} label=${`${label || "address"} of ${name}`} text=${text} />
                        </span>
                    `,
                )}
            </td>
            <td class="row">
                <button aria-label=${`${button} ${name}`} onClick=${press}>${button.split(" ")[0]}</button>
                <${Menu}
                    id=${`menu-${key}`}
                    label=${`More for ${name}`}
                    text="⋯"
                    groups=${() => menuOf(resource, name)}
                />
            </td>
        </tr>
    `;
}

/** The status, how long it has lasted, and the progress to the next one. */
function StatusOf({ status, resource }: { status: string; resource: RowResource }): VNode {
    const { since, next, isByHand, problem, note } = resource;
    const part = next && percent((store.now - since) / Math.max(1, next.at - since));
    const remark = [problem, note].filter(Boolean).join(" ");
    return html`
        <span class="line">
            <${Status} text=${nameOf(status)} tone=${toneOf(status)} />
            <span class="meta" title=${`since ${dateTimeOf(since)}`}>${elapsed(store.now - since)}</span>
            ${isByHand && html`<span class="meta tag">set by you</span>`}
        </span>
        ${next && html`<span class="meta">${next.status ?? "deleted"} in ${remaining(next.at - store.now)}</span>`}
        ${next && toneOf(status) === "busy" && html`<div class="progress" data-tone="busy" aria-hidden="true"><i style=${{ width: part }}></i></div>`}
        ${remark && html`<span class="meta problem">${remark}</span>`}
    `;
}

/** The id, what it is, the region, and the project if there are several. */
function metaOf({ kind, id, value }: RowResource): (string | VNode | undefined)[] {
    if (kind === "peerings") {
        return [[id, "peering", value.provisioned_id].filter(Boolean).join(" · ")];
    }
    if (kind === "replicaSets") {
        return [`${id} · read replica set`];
    }
    const projects = store.resources.projects.size > 1 ? [value.project_id] : [];
    const place = [id, ...projects, value.region_code].join(" · ");
    const parent = kind === "services" ? value.forked_from?.service_id : undefined;
    if (parent === undefined) {
        return [place];
    }
    const name = store.nameOf("services", parent);
    // The id of a parent that was deleted is not a link.
    return [`${place} · fork of `, name === undefined ? parent : html`<a href=${`#services-${parent}`}>${name}</a>`];
}

function sizesOf({ kind, value }: RowResource): VNode[] {
    const lines = (first: string, second: string): VNode[] => [
        html`<span class="line">${first}</span>`,
        html`<span class="meta">${second}</span>`,
    ];
    if (kind === "services") {
        const { spec } = value.resources[0] ?? {};
        const { replica_count: all = 0, sync_replica_count: sync = 0 } = value.ha_replicas ?? {};
        const replicas = all === 0 ? "" : `${all} HA${sync > 0 ? `, ${sync} sync` : ""}`;
        return lines(size(spec?.cpu_millis, spec?.memory_gbs), replicas);
    }
    return kind === "replicaSets" ? lines(size(value.cpu_millis, value.memory_gbs), count(value.nodes, "node")) : [];
}

/** The addresses of a resource, each with what it is. The most important one needs no label. */
function addressesOf({ kind, value }: RowResource): [text: string, label: string][] {
    const all: [text: string | undefined, label: string][] = [];
    if (kind === "vpcs") {
        all.push([value.cidr, ""]);
    } else if (kind === "peerings") {
        all.push([value.peer_account_id, "account"], [value.peer_region_code, "region"]);
        all.push([value.error_message && nameOf(value.error_message), "error"]);
    } else {
        all.push([address(value.endpoint), ""], [address(value.connection_pooler?.endpoint), "pooler"]);
        const vpc = kind === "services" ? value.vpc_endpoint : undefined;
        all.push([address(vpc), `VPC ${store.nameOf("vpcs", vpc?.vpc_id ?? "") ?? vpc?.vpc_id ?? ""}`]);
    }
    return all.filter((one): one is [string, string] => Boolean(one[0]));
}

/** What differs from what the program has set, as a sentence. */
const driftOf = ({ drift = [] }: RowResource): string =>
    drift.map(({ property, declared, now }) => `${labelOf(property)}: ${shown(declared)} → ${shown(now)}`).join(", ");

function shown(value: unknown): string {
    const { cpuMillis, memoryGbs } = Object(value) as { cpuMillis?: number; memoryGbs?: number };
    if (cpuMillis !== undefined) {
        return size(cpuMillis, memoryGbs);
    }
    return typeof value === "string" ? nameOf(value) : JSON.stringify(value ?? "none");
}

/** The button of a row besides its menu. The name of the resource follows the text. */
function mainButtonOf(resource: RowResource): [label: string, press: () => void] {
    if (resource.kind === "vpcs") {
        return ["Rename", () => openOperation(control("updateVpc"), resource)];
    }
    if (resource.kind === "peerings") {
        return ["Accept peering", () => run(control("acceptPeering"), undefined, resource)];
    }
    return ["Connect to", () => openConnection(resource)];
}

/** The presets of faults for one resource. */
const presets: Readonly<Record<string, (id: string) => string>> = {
    "Lost response": (id) => `POST/${id}#1:reset-after`,
    "10 % flaky": (id) => `*/${id}#@0.1:503`,
    Slow: (id) => `*/${id}#1+:delay,ms=3000`,
};

function menuOf(resource: RowResource, name: string): Record<string, MenuItem[]> {
    const { kind, id, next } = resource;
    const item = (text: string, run: () => void, isDangerous = false): MenuItem => ({
        text,
        label: `${text} ${name}`,
        isDangerous,
        run,
    });
    const items = (isControl: boolean): MenuItem[] =>
        operationsOf(resource)
            .filter((one) => one.isControl === isControl)
            .map((one) => item(titleOf(one), () => openOperation(one, resource), isDeletion(one)));
    const isServer = kind === "services" || kind === "replicaSets";
    return {
        "With the API": items(false),
        "Without the API": [
            ...(next ? [item("Finish now", () => run(control("finish"), undefined, resource))] : []),
            ...(isServer ? [item("Logs", () => openLogs(resource))] : []),
            ...items(true),
        ],
        "Faults of its requests": Object.entries(presets).map(([text, fault]) =>
            item(text, () => run(control("addFaults"), { faults: [fault(id)] })),
        ),
    };
}
