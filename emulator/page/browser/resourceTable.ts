import type { Resource } from "../messages";
import { byId, List, setText } from "./dom";
import { peeringView, replicaSetView, serviceView, vpcView } from "./rows";
import type { RowContext, TimedView } from "./rows";

export type RowResource = Resource<"service" | "replicaSet" | "vpc" | "peering">;

/** A resource and its child resources. */
export type Group = readonly [RowResource, ...RowResource[]];

/** Groups each parent with its children. */
export function groupsOf<Child extends RowResource>(
    parents: ReadonlyMap<string, RowResource>,
    children: ReadonlyMap<string, Child>,
    parentIdOf: (child: Child) => string,
): Group[] {
    const groups = new Map(
        [...parents].map(([id, parent]): [string, [RowResource, ...RowResource[]]] => [id, [parent]]),
    );
    for (const child of children.values()) {
        groups.get(parentIdOf(child))?.push(child);
    }
    return [...groups.values()];
}

/** The initial number of groups. The button shows more, because the layout of thousands of rows is slow. */
const groupsAtOnce = 100;

/** A table of resources with a button that shows more of them. */
export class ResourceTable {
    private limit = groupsAtOnce;
    private groups: readonly Group[] = [];
    private readonly more: HTMLButtonElement;
    private readonly list: List<RowResource, TimedView<RowResource>>;

    constructor(ids: { rows: string; more: string; heading: string }, context: RowContext) {
        const heading = byId(ids.heading, HTMLElement);
        this.list = new List(byId(ids.rows, HTMLElement), (row) => viewOf(row, context), heading);
        this.more = byId(ids.more, HTMLButtonElement);
        this.more.addEventListener("click", () => {
            this.limit += groupsAtOnce;
            this.show(this.groups);
            if (this.more.hidden) {
                heading.focus({ preventScroll: true });
            }
        });
    }

    show(groups: readonly Group[]): void {
        this.groups = groups;
        const shown = groups.slice(0, this.limit);
        this.list.show(new Map(shown.flat().map((row) => [`${row.kind} ${row.id}`, row])));
        this.more.hidden = shown.length === groups.length;
        setText(this.more, `Show more (${(groups.length - shown.length).toLocaleString("en")} not shown)`);
    }

    /** Updates the elapsed times. */
    tick(): void {
        for (const view of this.list.views) {
            view.tick();
        }
    }
}

function viewOf(row: RowResource, context: RowContext): TimedView<RowResource> {
    switch (row.kind) {
        case "service":
            return ofKind("service", serviceView(row, context));
        case "replicaSet":
            return ofKind("replicaSet", replicaSetView(row, context));
        case "vpc":
            return ofKind("vpc", vpcView(row, context));
        case "peering":
            return ofKind("peering", peeringView(row, context));
    }
}

/** The key of a row contains its kind, so a view only receives rows of its own kind. */
function ofKind<Kind extends RowResource["kind"]>(kind: Kind, view: TimedView<Resource<Kind>>): TimedView<RowResource> {
    const update = (row: RowResource): void => {
        if (row.kind === kind) {
            view.update(row as Resource<Kind>);
        }
    };
    return { ...view, update };
}
