import type { Kind, Resource } from "../messages";
import { byId, List, setText } from "./dom";
import { peeringView, replicaSetView, serviceView, vpcView } from "./rows";
import type { RowContext, TimedView } from "./rows";

export type RowResource = Resource<Kind>;

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

/** The initial number of groups. The button shows more, because laying out thousands of rows is slow. */
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

const views: { [K in Kind]: (row: Resource<K>, context: RowContext) => TimedView<Resource<K>> } = {
    services: serviceView,
    replicaSets: replicaSetView,
    vpcs: vpcView,
    peerings: peeringView,
};

/** The key of a row contains its kind, so a view only receives rows of its own kind. */
function viewOf<K extends Kind>(row: Resource<K>, context: RowContext): TimedView<RowResource> {
    const view = views[row.kind](row, context);
    return { ...view, update: (next) => view.update(next as Resource<K>) };
}
