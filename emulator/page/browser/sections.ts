import { childrenOf, kindFacts } from "../messages";
import type { Resource, RootKind, Token } from "../messages";
import { count, nameOf, toneOf } from "./format";
import { callApi, openOperation } from "./operations";
import { groupsOf, Table } from "./rows";
import type { Group } from "./rows";
import { Copy, connection, html, Status, store, useState } from "./ui";
import type { VNode } from "./ui";

type Compare = (a: Resource<"services">, b: Resource<"services">) => number;

const cpuOf = ({ value }: Resource<"services">): number => value.resources[0]?.spec?.cpu_millis ?? 0;

/** The columns by which services can be sorted, and how. */
const orders: Readonly<Record<string, Compare>> = {
    Name: (a, b) => a.value.name.localeCompare(b.value.name, "en", { numeric: true }),
    Status: (a, b) => a.value.status.localeCompare(b.value.status) || b.since - a.since,
    Size: (a, b) => cpuOf(a) - cpuOf(b),
};

interface Order {
    column: string;
    isReversed: boolean;
}

/** The services with a filter, a summary of their statuses that filters as well, and sortable columns. */
export function Services(): VNode {
    const [filter, setFilter] = useState("");
    const [chosen, setChosen] = useState<string | undefined>(undefined);
    const [order, setOrder] = useState<Order | undefined>(undefined);
    const services = store.all("services");
    const counts = countBy(services, ({ value }) => value.status);
    const status = chosen !== undefined && counts.has(chosen) ? chosen : undefined;
    const text = filter.trim().toLowerCase();
    const groups = groupsOf(sorted(order)).filter(
        (group) =>
            (text === "" || group.some((row) => searchText(row).includes(text))) &&
            (status === undefined || (group[0] as Resource<"services">).value.status === status),
    );
    const found = `${groups.length.toLocaleString("en")} of ${services.length.toLocaleString("en")}`;
    const isFiltered = text !== "" || status !== undefined;
    return html`
        <section class="live" aria-labelledby="services">
            <div class="bar">
                <h2 id="services" tabindex="-1">Services</h2>
                <${Projects} />
                <ul class="row" aria-label="Statuses">
                    ${[...counts].sort().map(
                        ([one, number]) => html`
                            <li key=${one}>
                                <button
                                    type="button"
                                    class="chip"
                                    aria-pressed=${String(status === one)}
                                    onClick=${() => setChosen(status === one ? undefined : one)}
                                >
                                    <${Status} text=${`${number.toLocaleString("en")} ${one}`} tone=${toneOf(one)} />
                                </button>
                            </li>
                        `,
                    )}
                </ul>
                ${isFiltered && html`<span class="quiet">${found}</span>`}
                <span class="row end">
                    ${services.length > 0 && html`<${Search} label="Filter" value=${filter} onInput=${setFilter} />`}
                    <${Create} operation="createService" text="New service" />
                </span>
            </div>
            ${
                groups.length > 0
                    ? html`<${Table}
                  kind="services"
                  groups=${groups}
                  head=${[
                      ...Object.keys(orders).map(
                          (column) => html`<${SortHead} column=${column} order=${order} onChange=${setOrder} />`,
                      ),
                      html`<th scope="col">Endpoints</th>`,
                  ]}
              />`
                    : services.length > 0
                      ? html`<p class="empty">No service matches the filter.</p>`
                      : html`<${FirstRun} />`
            }
        </section>
    `;
}

function sorted(order: Order | undefined): Resource<"services">[] {
    const services = [...store.resources.services.values()];
    const compare = order && orders[order.column];
    const ordered = compare ? services.sort(compare) : services;
    return order?.isReversed ? ordered.reverse() : ordered;
}

function SortHead({
    column,
    order,
    onChange,
}: {
    column: string;
    order?: Order;
    onChange: (next?: Order) => void;
}): VNode {
    const isActive = order?.column === column;
    const direction = !isActive ? "none" : order.isReversed ? "descending" : "ascending";
    // The first click sorts, the second one reverses, and the third one restores the order of creation.
    const next = isActive
        ? order.isReversed
            ? undefined
            : { column, isReversed: true }
        : { column, isReversed: false };
    return html`
        <th scope="col" aria-sort=${direction}>
            <button type="button" onClick=${() => onChange(next)}>${column}</button>
        </th>
    `;
}

interface SearchProps {
    label: string;
    value: string;
    onInput: (value: string) => void;
}

/** A search field. The key `/` goes to it. */
export const Search = ({ label, value, onInput }: SearchProps): VNode => html`
    <input
        type="search"
        aria-label=${label}
        placeholder=${`${label}  /`}
        autocomplete="off"
        spellcheck=${false}
        value=${value}
        onInput=${(event: Event) => onInput((event.currentTarget as HTMLInputElement).value)}
    />
`;

/** A button for the form of an operation that creates something. */
function Create({ operation, text }: { operation: string; text: string }): VNode | string {
    const found = store.about?.changes.find(({ id }) => id === operation);
    return found ? html`<button type="button" onClick=${() => openOperation(found)}>${text}</button>` : "";
}

function Projects(): VNode {
    const counts = countBy(store.all("services"), ({ value }) => value.project_id);
    return html`
        <ul class="row quiet" aria-label="Projects">
            ${store.all("projects").map(
                ({ id, value }) => html`
                    <li key=${id}>
                        ${nameOf(value.name)} <code>${id}</code>
                        ${store.resources.projects.size > 1 && ` ${count(counts.get(id) ?? 0, "service")}`}
                    </li>
                `,
            )}
        </ul>
    `;
}

/** What a program needs to use this emulator, and a first service. */
function FirstRun(): VNode {
    const [token, setToken] = useState(store.about?.publicToken);
    const reveal = async (): Promise<string> => (await connection.ask<Token>("POST", "/_page/token")).token;
    const linesWith = (value: string): string =>
        [
            `export CLOUDDB_BASE_URL=${store.about?.url ?? ""}`,
            `export CLOUDDB_PROJECT_ID=${store.about?.projectId ?? ""}`,
            `export CLOUDDB_ACCESS_TOKEN=${value}`,
        ].join("\n");
    const create = store.about?.changes.find(({ id }) => id === "createService");
    const path = create?.path.replace("{project_id}", store.about?.projectId ?? "") ?? "";
    return html`
        <div class="first">
            <p>
                <strong>No services yet.</strong> Set these variables in a terminal, and run <code>pulumi up</code> in
                it.
            </p>
            <div class="snippet">
                <pre tabindex="0" aria-label="Variables">${linesWith(token ?? "••••••••")}</pre>
                <${Copy} label="variables" text=${async () => linesWith(token ?? (await reveal()))} />
            </div>
            <p class="row">
                ${
                    create &&
                    html`<button
                    type="button"
                    class="primary"
                    onClick=${() => callApi({ ...create, path }, { name: "sample" })}
                >
                    Create a sample service
                </button>`
                }
                ${
                    token === undefined &&
                    html`<button type="button" onClick=${() => void reveal().then(setToken)}>Show token</button>`
                }
            </p>
        </div>
    `;
}

export function Networks(): VNode {
    const groups = groupsOf([...store.resources.vpcs.values()]);
    const kinds = ["vpcs", ...childrenOf("vpcs")] as const;
    return html`
        <section aria-labelledby="networks">
            <div class="bar">
                <h2 id="networks" tabindex="-1">Networks</h2>
                <span class="quiet">
                    ${groups.length > 0 && kinds.map((kind) => count(store.all(kind).length, kindFacts[kind].noun)).join(", ")}
                </span>
                <span class="row end"><${Create} operation="createVpc" text="New VPC" /></span>
            </div>
            ${
                groups.length > 0
                    ? html`<${Table}
                  kind=${"vpcs" satisfies RootKind}
                  groups=${groups}
                  head=${["VPC or peering", "Status", "Address"].map((text) => html`<th scope="col">${text}</th>`)}
              />`
                    : html`<p class="empty">No VPCs yet.</p>`
            }
        </section>
    `;
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
    const counts = new Map<string, number>();
    items.forEach((item) => counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1));
    return counts;
}

const searchText = ({ id, value }: Group[number]): string =>
    JSON.stringify([id, ...Object.values(value).filter((part) => typeof part === "string")]).toLowerCase();
