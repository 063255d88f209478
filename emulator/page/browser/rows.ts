import type { Resource } from "../messages";
import type { Actions } from "./actions";
import { make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { address, count, dateTimeOf, elapsed, nameOf, remaining, size, toneOf } from "./format";

/** The context of the rows. */
export interface RowContext {
    actions: Actions;
    /** The time of the emulator's clock. */
    now: () => number;
    showConnection: (resource: Resource<"services" | "replicaSets">) => void;
    showLogs: (resource: Resource<"services" | "replicaSets">) => void;
    /** The name of a service. Undefined if it was deleted. */
    nameOfService: (id: string) => string | undefined;
    nameOfVpc: (id: string) => string;
    hasManyProjects: () => boolean;
}

/** A row that shows an elapsed time, which changes without messages. */
export interface TimedView<Item> extends View<Item> {
    tick: () => void;
}

type Button<Item> = readonly [text: string, label: string, run: (item: Item) => void, isDangerous?: boolean];

/** The parts that all rows have in common. */
class Row<Item extends Resource> {
    readonly element = make("tr");
    private item: Item;
    private readonly name = make("strong", { className: "name" });
    private readonly badge = make("span", { className: "badge", hidden: true });
    private readonly meta = make("span", { className: "meta" });
    private readonly problem = make("span", { className: "meta problem" });
    private readonly status = make("span", { className: "status" });
    private readonly next = make("span", { className: "meta" });
    private readonly statusCell = make(
        "td",
        { attributes: { "data-label": "Status" } },
        this.status,
        this.next,
        this.problem,
    );
    private readonly since = make("td", { className: "time", attributes: { "data-label": "In status" } });
    private readonly labels: { element: HTMLElement; label: string }[] = [];

    constructor(
        item: Item,
        private readonly now: () => number,
        className = "",
    ) {
        this.item = item;
        this.element.className = className;
    }

    /** Adds the cells to the row: name, status and time, then those of the kind, then the buttons. */
    fill(cells: readonly HTMLElement[], buttons: readonly Button<Item>[], menu: readonly Button<Item>[] = []): void {
        const actions = make("td", { className: "actions", attributes: { "data-label": "Actions" } });
        actions.append(...buttons.map((button) => this.button(button)));
        if (menu.length > 0) {
            actions.append(this.menu(menu));
        }
        this.element.append(
            make("th", { scope: "row" }, this.name, " ", this.badge, this.meta),
            this.statusCell,
            this.since,
            ...cells,
            actions,
        );
    }

    show(item: Item, given: string, meta: string | readonly (string | Node)[], status: string, badge = ""): void {
        this.item = item;
        const name = nameOf(given);
        setText(this.name, name);
        setAttribute(this.name, "title", name);
        setText(this.badge, badge);
        this.badge.hidden = badge === "";
        setAttribute(this.badge, "data-badge", badge);
        this.showMeta(typeof meta === "string" ? [meta] : meta);
        setText(this.problem, [item.problem, item.note].filter(Boolean).join(" "));
        setText(this.status, status === "" ? "" : nameOf(status));
        this.status.hidden = status === "";
        this.statusCell.classList.toggle("blank", status === "");
        setAttribute(this.status, "data-tone", toneOf(status));
        for (const { element, label } of this.labels) {
            setAttribute(element, "aria-label", `${label} ${name}`);
        }
        this.tick();
    }

    /** Keeps the elements while the text is the same. */
    private showMeta(parts: readonly (string | Node)[]): void {
        const text = parts.map((part) => (typeof part === "string" ? part : (part.textContent ?? ""))).join("");
        if (this.meta.textContent !== text) {
            this.meta.replaceChildren(...parts);
        }
    }

    tick(): void {
        const { since, next } = this.item;
        setText(this.since, this.status.hidden ? "" : elapsed(this.now() - since));
        setAttribute(this.since, "title", `since ${dateTimeOf(since)}`);
        setText(this.next, next ? `${next.status ?? "deleted"} in ${remaining(next.at - this.now())}` : "");
    }

    view(update: (item: Item) => void): TimedView<Item> {
        return { element: this.element, tick: () => this.tick(), update };
    }

    private button([text, label, run, isDangerous]: Button<Item>, before?: () => void): HTMLButtonElement {
        const button = make("button", { type: "button", textContent: text, className: isDangerous ? "danger" : "" });
        button.addEventListener("click", () => {
            before?.();
            run(this.item);
        });
        this.labels.push({ element: button, label });
        return button;
    }

    private menu(items: readonly Button<Item>[]): HTMLElement {
        const summary = make("summary", { textContent: "More" });
        this.labels.push({ element: summary, label: "More for" });
        const menu = make("details", { className: "menu" }, summary);
        /** A dialog restores the focus when it is closed, so the focused element must be visible then. */
        const close = (): void => {
            summary.focus();
            menu.open = false;
        };
        menu.append(make("div", {}, ...items.map((item) => this.button(item, close))));
        menu.addEventListener("keydown", ({ key }) => {
            if (key === "Escape" && menu.open) {
                close();
            }
        });
        menu.addEventListener("focusout", ({ relatedTarget }) => {
            if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) {
                menu.open = false;
            }
        });
        return menu;
    }
}

type Line = readonly [text: string, hint?: string | undefined];

/** A cell with lines of text, which are rebuilt only when they change. */
class LinesCell {
    readonly element: HTMLTableCellElement;
    private shown = "";

    constructor(label: string, className = "") {
        this.element = make("td", { className, attributes: { "data-label": label } });
    }

    show(lines: readonly Line[]): void {
        const next = JSON.stringify(lines);
        if (next === this.shown) {
            return;
        }
        this.shown = next;
        this.element.replaceChildren(
            ...lines.map(([text, hint]) => {
                const hints = hint === undefined ? [] : [make("span", { className: "meta", textContent: `${hint} ` })];
                return make("span", { className: "line" }, ...hints, ...breakable(text));
            }),
        );
    }
}

const lineIf = (condition: boolean, text: string, hint?: string): Line[] => (condition ? [[text, hint]] : []);

const addressLine = (endpoint: { host?: string; port?: number } | undefined, hint?: string): Line[] =>
    endpoint ? [[address(endpoint), hint]] : [];

/** Allows a line break after each dot of a host name. */
const breakable = (text: string): Node[] =>
    text
        .split(/(?<=\.)(?=\S)/)
        .flatMap((part, index) => (index === 0 ? [new Text(part)] : [make("wbr"), new Text(part)]));

export function serviceView(service: Resource<"services">, context: RowContext): TimedView<Resource<"services">> {
    const { actions } = context;
    const row = new Row(service, context.now);
    const [sizeCell, endpointCell] = [new LinesCell("Size", "size"), new LinesCell("Endpoints", "code")];
    row.fill(
        [sizeCell.element, endpointCell.element],
        [
            ["Connect", "Connect to", context.showConnection],
            ["Logs", "Logs of", context.showLogs],
        ],
        [
            ["Modify…", "Modify", (item) => actions.modifyService(item)],
            ["Set status…", "Set status of", (item) => actions.setStatus(item)],
            ["Take snapshot", "Take snapshot of", (item) => actions.takeSnapshot(item)],
            ["Delete…", "Delete", (item) => actions.delete(item), true],
        ],
    );
    return row.view((item) => {
        const { value } = item;
        const parts = [value.service_id, ...(context.hasManyProjects() ? [value.project_id] : []), value.region_code];
        row.element.id = `service-${value.service_id}`;
        const parent = value.forked_from?.service_id;
        const origin = parent === undefined ? [] : [" · fork of ", forkLink(parent, context.nameOfService(parent))];
        const { environment = "" } = value.metadata ?? {};
        row.show(item, value.name, [parts.join(" · "), ...origin], value.status, environment);
        const { spec } = value.resources[0] ?? {};
        const { replica_count = 0, sync_replica_count = 0 } = value.ha_replicas ?? {};
        const sync = sync_replica_count > 0 ? `, ${sync_replica_count} sync` : "";
        sizeCell.show([
            [size(spec?.cpu_millis, spec?.memory_gbs)],
            ...lineIf(replica_count > 0, `${replica_count} HA${sync}`),
        ]);
        endpointCell.show([
            ...lineIf(!value.endpoint, "none yet"),
            ...addressLine(value.endpoint),
            ...addressLine(value.connection_pooler?.endpoint, "pooler"),
            ...addressLine(value.vpc_endpoint, `VPC ${nameOf(context.nameOfVpc(value.vpc_endpoint?.vpc_id ?? ""))}`),
        ]);
    });
}

/** A link to the row of the parent. The id of a parent that was deleted is not a link. */
const forkLink = (id: string, name: string | undefined): string | Node =>
    name === undefined ? id : make("a", { href: `#service-${id}`, textContent: nameOf(name) });

export function replicaSetView(set: Resource<"replicaSets">, context: RowContext): TimedView<Resource<"replicaSets">> {
    const { actions } = context;
    const row = new Row(set, context.now, "child");
    const [sizeCell, endpointCell] = [new LinesCell("Size", "size"), new LinesCell("Endpoints", "code")];
    row.fill(
        [sizeCell.element, endpointCell.element],
        [
            ["Connect", "Connect to", context.showConnection],
            ["Logs", "Logs of", context.showLogs],
        ],
        [
            ["Modify…", "Modify", (item) => actions.modifyReplicaSet(item)],
            ["Set status…", "Set status of", (item) => actions.setStatus(item)],
            ["Delete…", "Delete", (item) => actions.delete(item), true],
        ],
    );
    return row.view((item) => {
        const { value } = item;
        row.show(item, value.name, `${value.id} · read replica set`, value.status, value.metadata?.environment);
        sizeCell.show([[size(value.cpu_millis, value.memory_gbs)], [count(value.nodes, "node")]]);
        endpointCell.show([
            ...addressLine(value.endpoint),
            ...addressLine(value.connection_pooler?.endpoint, "pooler"),
        ]);
    });
}

export function vpcView(vpc: Resource<"vpcs">, context: RowContext): TimedView<Resource<"vpcs">> {
    const { actions } = context;
    const row = new Row(vpc, context.now);
    const addressCell = new LinesCell("Address", "code");
    row.fill(
        [addressCell.element],
        [
            ["Rename…", "Rename", (item) => actions.renameVpc(item)],
            ["Delete…", "Delete", (item) => actions.delete(item), true],
        ],
    );
    return row.view((item) => {
        const { value } = item;
        const parts = [value.id, ...(context.hasManyProjects() ? [value.project_id] : []), value.region_code];
        row.show(item, value.name, parts.join(" · "), "");
        addressCell.show([[value.cidr]]);
    });
}

export function peeringView(peering: Resource<"peerings">, context: RowContext): TimedView<Resource<"peerings">> {
    const { actions } = context;
    const row = new Row(peering, context.now, "child");
    const peerCell = new LinesCell("Address", "code");
    row.fill(
        [peerCell.element],
        [
            ["Accept", "Accept peering", (item) => actions.acceptPeering(item)],
            ["Fail…", "Fail peering", (item) => actions.failPeering(item)],
            ["Delete…", "Delete peering", (item) => actions.delete(item), true],
        ],
    );
    return row.view((item) => {
        const { value } = item;
        const parts = [value.id, "peering", ...(value.provisioned_id === undefined ? [] : [value.provisioned_id])];
        row.show(item, value.peer_vpc_id, parts.join(" · "), value.status ?? "");
        peerCell.show([
            [value.peer_account_id, "account"],
            [value.peer_region_code, "region"],
            ...lineIf(value.error_message !== undefined, nameOf(value.error_message ?? ""), "error"),
        ]);
    });
}

/** A project and the number of its services. */
export interface Project {
    id: string;
    name: string;
    services: number;
}

export function projectView(): View<Project> {
    const [name, id, services] = [make("span"), make("code"), make("span")];
    return {
        element: make("li", {}, "Project ", name, " ", id, " ", services),
        update: (project) => {
            setText(name, nameOf(project.name));
            setText(id, project.id);
            setText(services, count(project.services, "service"));
        },
    };
}
