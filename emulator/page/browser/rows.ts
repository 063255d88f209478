import { kindFacts } from "../messages";
import type { Kind, Resource } from "../messages";
import type { Actions } from "./actions";
import { make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { count, dateTimeOf, elapsed, nameOf, remaining, toneOf } from "./format";

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

/** A button of a row. The label is for screen readers, before the name of the resource. */
export type Button<K extends Kind> = readonly [
    text: string,
    label: string,
    run: (item: Resource<K>, context: RowContext) => void,
    isDangerous?: boolean,
];

/** A line of a cell. The hint says what it is. */
export type Line = readonly [text: string, hint?: string | undefined];

/** The content of a row, besides the times of its status. */
export interface RowContent {
    name: string;
    /** What follows the name. */
    meta: readonly (string | Node)[];
    /** Default: it has no status. */
    status?: string | undefined;
    badge?: string | undefined;
    /** The lines of each column. */
    cells: readonly (readonly Line[])[];
}

/** The row of a resource kind. */
export interface RowKind<K extends Kind> {
    /** The columns between the time and the buttons. */
    columns: readonly string[];
    buttons?: readonly Button<K>[];
    /** The buttons in the menu. */
    menu?: readonly Button<K>[];
    show: (item: Resource<K>, context: RowContext) => RowContent;
}

/** The row of a resource. */
export class Row<K extends Kind> implements TimedView<Resource<K>> {
    readonly element = make("tr");
    private readonly name = make("strong", { className: "name" });
    private readonly badge = make("span", { className: "badge", hidden: true });
    private readonly meta = make("span", { className: "meta" });
    private readonly problem = make("span", { className: "meta problem" });
    private readonly status = make("span", { className: "status" });
    private readonly next = make("span", { className: "meta" });
    /** The part of the current status that has passed. The text next to it says the same. */
    private readonly progress = make("progress", { max: 1, hidden: true, attributes: { "aria-hidden": "true" } });
    private readonly statusCell = make(
        "td",
        { attributes: { "data-label": "Status" } },
        this.status,
        this.next,
        this.progress,
        this.problem,
    );
    private readonly since = make("td", { className: "time", attributes: { "data-label": "In status" } });
    private readonly labels: { element: HTMLElement; label: string }[] = [];
    private readonly cells: readonly LinesCell[];

    /** Adds the cells to the row: name, status and time, then those of the kind, then the buttons. */
    constructor(
        private item: Resource<K>,
        private readonly kind: RowKind<K>,
        private readonly context: RowContext,
    ) {
        const { columns, buttons = [], menu = [] } = kind;
        this.cells = columns.map((label) => new LinesCell(label));
        const isChild = kindFacts[item.kind].parent !== "project";
        this.element.className = isChild ? "child" : "";
        this.element.id = `${item.kind}-${item.id}`;
        const actions = make("td", { className: "actions", attributes: { "data-label": "Actions" } });
        actions.append(...buttons.map((button) => this.button(button)));
        if (menu.length > 0) {
            actions.append(this.menu(menu));
        }
        this.element.append(
            make("th", { scope: "row" }, this.name, " ", this.badge, this.meta),
            this.statusCell,
            this.since,
            ...this.cells.map(({ element }) => element),
            actions,
        );
    }

    update(item: Resource<K>): void {
        this.item = item;
        const { name: given, meta, status = "", badge = "", cells } = this.kind.show(item, this.context);
        const name = nameOf(given);
        setText(this.name, name);
        setAttribute(this.name, "title", name);
        setText(this.badge, badge);
        this.badge.hidden = badge === "";
        setAttribute(this.badge, "data-badge", badge);
        this.showMeta(meta);
        this.cells.forEach((cell, index) => cell.show(cells[index] ?? []));
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
        setText(this.since, this.status.hidden ? "" : elapsed(this.context.now() - since));
        setAttribute(this.since, "title", `since ${dateTimeOf(since)}`);
        this.progress.hidden = !next || this.status.dataset.tone !== "busy";
        if (next) {
            this.progress.value = (this.context.now() - since) / Math.max(1, next.at - since);
        }
        setText(this.next, next ? `${next.status ?? "deleted"} in ${remaining(next.at - this.context.now())}` : "");
    }

    private button([text, label, run, isDangerous]: Button<K>, before?: () => void): HTMLButtonElement {
        const button = make("button", { type: "button", textContent: text, className: isDangerous ? "danger" : "" });
        button.addEventListener("click", () => {
            before?.();
            run(this.item, this.context);
        });
        this.labels.push({ element: button, label });
        return button;
    }

    private menu(items: readonly Button<K>[]): HTMLElement {
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

/** A cell with lines of text, which are rebuilt only when they change. */
class LinesCell {
    readonly element: HTMLTableCellElement;
    private shown = "";

    constructor(label: string) {
        this.element = make("td", {
            className: label === "Size" ? "size" : "code",
            attributes: { "data-label": label },
        });
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

/** Allows a line break after each dot of a host name. */
const breakable = (text: string): Node[] =>
    text
        .split(/(?<=\.)(?=[a-z])/i)
        .flatMap((part, index) => (index === 0 ? [new Text(part)] : [make("wbr"), new Text(part)]));

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
