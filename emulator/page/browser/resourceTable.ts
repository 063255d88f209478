import { childrenOf, kindFacts } from "../messages";
import type { Kind, Resource, RootKind } from "../messages";
import { byId, List, setText } from "./dom";
import { rowKinds } from "./rowKinds";
import { Row } from "./rows";
import type { RowContext, TimedView } from "./rows";
import type { Resources } from "./store";

export type RowResource = Resource<Kind>;

/** A resource and its child resources. */
export type Group = readonly [RowResource, ...RowResource[]];

/** Groups each resource with those that it contains. */
export function groupsOf<K extends RootKind>(
    kind: K,
    resources: Resources,
    roots: ReadonlyMap<string, Resource<K>> = resources[kind],
): Group[] {
    const groups = new Map(
        [...roots].map(([id, root]): [string, [RowResource, ...RowResource[]]] => [id, [root as RowResource]]),
    );
    for (const child of childrenOf(kind).flatMap((one): RowResource[] => [...resources[one].values()])) {
        groups.get(parentIdOf(child))?.push(child);
    }
    return [...groups.values()];
}

const parentIdOf = ({ kind, value }: RowResource): string =>
    (value as unknown as Readonly<Record<string, string>>)[`${kindFacts[kind].parent}_id`] ?? "";

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

/** The key of a row contains its kind, so a view only receives rows of its own kind. */
const viewOf = <K extends Kind>(row: Resource<K>, context: RowContext): TimedView<RowResource> =>
    new Row<K>(row, rowKinds[row.kind], context) as TimedView<Resource<K>> as TimedView<RowResource>;
