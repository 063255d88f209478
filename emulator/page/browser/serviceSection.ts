import type { Resource } from "../messages";
import { byId, List, make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { toneOf } from "./format";
import { groupsOf, ResourceTable } from "./resourceTable";
import type { Group } from "./resourceTable";
import type { RowContext } from "./rows";
import type { Store } from "./store";

type Compare = (a: Resource<"services">, b: Resource<"services">) => number;

const cpuOf = ({ value }: Resource<"services">): number => value.resources[0]?.spec?.cpu_millis ?? 0;

/** How each sortable column orders services. */
const orders: Readonly<Record<string, Compare>> = {
    name: (a, b) => a.value.name.localeCompare(b.value.name, "en", { numeric: true }),
    status: (a, b) => a.value.status.localeCompare(b.value.status),
    since: (a, b) => b.since - a.since,
    size: (a, b) => cpuOf(a) - cpuOf(b),
};

/** The services with a filter, a summary of their statuses that filters as well, and sortable columns. */
export class ServiceSection {
    private readonly filter = byId("serviceFilter", HTMLInputElement);
    private readonly table: ResourceTable;
    private readonly summary: List<readonly [status: string, services: number]>;
    private readonly sortButtons = [...byId("serviceTable", HTMLElement).querySelectorAll<HTMLElement>("[data-sort]")];
    private status: string | undefined;
    private order: { column: string; isReversed: boolean } | undefined;

    constructor(
        private readonly store: Store,
        context: RowContext,
    ) {
        this.table = new ResourceTable({ rows: "serviceRows", more: "moreServices", heading: "services" }, context);
        const heading = byId("services", HTMLElement);
        this.summary = new List(byId("serviceSummary", HTMLElement), () => this.statusView(), heading);
        this.filter.addEventListener("input", () => this.show());
        for (const button of this.sortButtons) {
            button.addEventListener("click", () => this.sort(button.dataset.sort ?? ""));
        }
    }

    show(): void {
        const { services } = this.store.resources;
        const counts = new Map<string, number>();
        for (const { value } of services.values()) {
            counts.set(value.status, (counts.get(value.status) ?? 0) + 1);
        }
        if (this.status !== undefined && !counts.has(this.status)) {
            this.status = undefined;
        }
        this.summary.show(new Map([...counts].sort().map((one) => [one[0], one] as const)));
        const text = this.filter.value.trim().toLowerCase();
        const groups = groupsOf("services", this.store.resources, this.sorted()).filter(
            (group) =>
                (text === "" || group.some((row) => searchText(row).includes(text))) &&
                (this.status === undefined || services.get(group[0].id)?.value.status === this.status),
        );
        this.table.show(groups);
        const isFiltered = text !== "" || this.status !== undefined;
        const shown = `${groups.length.toLocaleString("en")} of ${services.size.toLocaleString("en")}`;
        setText(byId("serviceCount", HTMLElement), isFiltered ? shown : "");
        const none = byId("noServices", HTMLElement);
        none.hidden = groups.length > 0;
        setText(
            none,
            services.size === 0
                ? "No services yet. Create one with Pulumi or the API."
                : "No service matches the filter.",
        );
    }

    tick(): void {
        this.table.tick();
    }

    private sorted(): ReadonlyMap<string, Resource<"services">> {
        const { services } = this.store.resources;
        const compare = this.order && orders[this.order.column];
        if (!this.order || !compare) {
            return services;
        }
        const sorted = [...services].sort(([, a], [, b]) => compare(a, b));
        return new Map(this.order.isReversed ? sorted.reverse() : sorted);
    }

    /** The first click sorts, the second one reverses, and the third one restores the order of creation. */
    private sort(column: string): void {
        const { order } = this;
        this.order =
            order?.column !== column
                ? { column, isReversed: false }
                : order.isReversed
                  ? undefined
                  : { column, isReversed: true };
        for (const { dataset, parentElement } of this.sortButtons) {
            const direction = this.order?.isReversed ? "descending" : "ascending";
            parentElement?.setAttribute("aria-sort", this.order?.column === dataset.sort ? direction : "none");
        }
        this.show();
    }

    private statusView(): View<readonly [status: string, services: number]> {
        let shown = "";
        const label = make("span", { className: "status" });
        const button = make("button", { type: "button" }, label);
        button.addEventListener("click", () => {
            this.status = this.status === shown ? undefined : shown;
            this.show();
        });
        return {
            element: make("li", {}, button),
            update: ([status, services]) => {
                shown = status;
                setText(label, `${services.toLocaleString("en")} ${status}`);
                setAttribute(label, "data-tone", toneOf(status));
                setAttribute(button, "aria-pressed", String(this.status === status));
            },
        };
    }
}

const searchText = ({ id, value }: Group[number]): string =>
    JSON.stringify([id, ...Object.values(value).filter((part) => typeof part === "string")]).toLowerCase();
