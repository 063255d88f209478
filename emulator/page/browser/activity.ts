import { kinds } from "../messages";
import type { NumberedEntry } from "../messages";
import { byId, List, make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { count, nameOf, timeOf } from "./format";
import { toneOfStatus } from "./journal";
import type { Store } from "./store";

/** A change, or the reads between two changes. */
interface Activity {
    last: NumberedEntry;
    reads: number;
    /** The name of its resource, and the row that shows it. */
    target: { name: string; row: string | undefined };
}

const shownActivities = 40;

/** The changes of the running program as they arrive, newest first. Reads between them are one line. */
export class ActivitySection {
    private readonly list = new List<Activity>(
        byId("activityRows", HTMLElement),
        activityView,
        byId("activity", HTMLElement),
    );

    constructor(private readonly store: Store) {}

    show(): void {
        const activities: Activity[] = [];
        const keys = new Map<Activity, string>();
        for (const last of this.store.entries.values()) {
            const previous = activities.at(-1);
            const isRead = last.method === "GET" && !last.faults;
            if (isRead && previous && previous.reads > 0) {
                previous.reads++;
                previous.last = last;
                continue;
            }
            const activity = { last, reads: isRead ? 1 : 0, target: this.targetOf(last) };
            activities.push(activity);
            keys.set(activity, String(last.number));
        }
        const shown = activities.slice(-shownActivities).reverse();
        this.list.show(new Map(shown.map((one) => [keys.get(one) ?? "", one])));
        byId("noActivity", HTMLElement).hidden = shown.length > 0;
    }

    /** The resource that the request created or, otherwise, the last one in its path. */
    private targetOf({ path, body, response }: NumberedEntry): Activity["target"] {
        const { id, service_id: serviceId } = Object(response) as { id?: string; service_id?: string };
        const ids = [id ?? serviceId ?? "", ...path.split(/[/?]/).reverse()];
        for (const one of ids.filter(Boolean)) {
            for (const kind of kinds) {
                const value: unknown = this.store.resources[kind].get(one)?.value;
                if (value !== undefined) {
                    const { name, peer_vpc_id: peer } = value as { name?: string; peer_vpc_id?: string };
                    return { name: nameOf(name ?? peer ?? one), row: `${kind}-${one}` };
                }
            }
        }
        const { name = "" } = Object(body) as { name?: unknown };
        return { name: typeof name === "string" && name !== "" ? nameOf(name) : "", row: undefined };
    }
}

function activityView(): View<Activity> {
    const [time, operation] = [make("time", { className: "meta" }), make("span")];
    const [link, status] = [make("a", { className: "name" }), make("span", { className: "status" })];
    const fault = make("span", { className: "meta problem" });
    return {
        element: make("li", {}, time, " ", operation, " ", link, " ", status, " ", fault),
        update: ({ last, reads, target }) => {
            setText(time, timeOf(last.at).slice(0, 8));
            setText(operation, reads > 0 ? count(reads, "read") : (last.operationId ?? `${last.method} unknown`));
            setText(link, reads > 0 ? "" : target.name);
            link.hidden = link.textContent === "";
            if (target.row === undefined) {
                link.removeAttribute("href");
            } else {
                setAttribute(link, "href", `#${target.row}`);
            }
            status.hidden = reads > 0;
            setText(status, reads > 0 ? "" : String(last.status ?? "no response"));
            setAttribute(status, "data-tone", toneOfStatus(last.status));
            setText(fault, last.faults ? `fault ${last.faults.join(", ")}` : "");
        },
    };
}
