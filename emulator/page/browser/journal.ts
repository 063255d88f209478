import type { NumberedEntry } from "../messages";
import { byId, List, make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { dateTimeOf, elapsed, nameOf, timeOf } from "./format";
import type { Store } from "./store";

/** A request, or several equal reads between two changes. */
interface Shown {
    first: NumberedEntry;
    last: NumberedEntry;
    times: number;
}

/** The requests that the emulator has received, newest first. */
export class JournalSection {
    private readonly filter = byId("journalFilter", HTMLSelectElement);
    private readonly none = byId("noEntries", HTMLElement);
    private readonly list = new List<Shown>(byId("journalRows", HTMLElement), shownView, byId("journal", HTMLElement));

    constructor(private readonly store: Store) {
        this.filter.addEventListener("change", () => this.show());
    }

    show(): void {
        const { entries } = this.store;
        const shown = grouped([...entries.values()].filter((entry) => this.matches(entry))).reverse();
        this.list.show(new Map(shown.map((one) => [String(one.first.number), one])));
        this.none.hidden = shown.length > 0;
        setText(this.none, entries.size === 0 ? "No requests yet." : "No request matches the filter.");
        setText(byId("journalCount", HTMLElement), `latest ${shown.reduce((sum, { times }) => sum + times, 0)}`);
    }

    private matches({ method, status }: NumberedEntry): boolean {
        if (this.filter.value === "changes") {
            return method !== "GET";
        }
        return this.filter.value === "all" || status === undefined || status >= 400;
    }
}

/** Combines the equal reads between two changes, such as those of a wait. */
function grouped(entries: readonly NumberedEntry[]): Shown[] {
    const shown: Shown[] = [];
    let reads = new Map<string, Shown>();
    for (const entry of entries) {
        const isRead = entry.method === "GET" && (entry.status ?? 200) < 400;
        const known = isRead ? reads.get(entry.path) : undefined;
        if (known) {
            known.last = entry;
            known.times++;
            continue;
        }
        const one = { first: entry, last: entry, times: 1 };
        shown.push(one);
        if (isRead) {
            reads.set(entry.path, one);
        } else if (entry.method !== "GET") {
            reads = new Map();
        }
    }
    return shown;
}

function shownView(): View<Shown> {
    const cell = (label: string, className = "") => make("td", { className, attributes: { "data-label": label } });
    const [time, request, operation] = [cell("Time", "time"), cell("Request", "code"), cell("Operation")];
    const [response, duration, details] = [cell("Response"), cell("Duration", "time"), cell("Body")];
    const [status, message] = [make("span", { className: "status" }), make("span", { className: "meta" })];
    response.append(status, message);
    const element = make("tr", {}, time, request, operation, response, duration, details);
    let bodies = "";
    return {
        element,
        update: ({ first, last, times }) => {
            setText(time, timeOf(first.at));
            setAttribute(time, "title", dateTimeOf(first.at));
            setText(request, `${last.method} ${nameOf(last.path)}`);
            const repeated = times === 1 ? "" : `, ${times} times in ${elapsed(last.at - first.at)}`;
            setText(operation, `${last.operationId ?? "unknown"}${repeated}`);
            setText(status, last.status === undefined ? "none" : String(last.status));
            setAttribute(status, "data-tone", toneOfStatus(last.status));
            setText(message, messageOf(last));
            setText(duration, last.durationMs === undefined ? "" : `${Math.round(last.durationMs)} ms`);
            setAttribute(
                element,
                "title",
                `request id ${last.requestId}${last.userAgent === undefined ? "" : `, ${last.userAgent}`}`,
            );
            const parts = Object.entries({ Request: last.body, Response: last.response }).filter(
                ([, body]) => body !== undefined,
            );
            const next = JSON.stringify(parts);
            if (next === bodies) {
                return;
            }
            bodies = next;
            const isOpen = details.querySelector("details")?.open ?? false;
            const shownParts = parts.flatMap(([label, body]) => [
                make("span", { className: "meta", textContent: label }),
                make("pre", { textContent: JSON.stringify(body, undefined, 2) }),
            ]);
            details.replaceChildren(
                ...(parts.length === 0
                    ? []
                    : [make("details", { open: isOpen }, make("summary", { textContent: "Show" }), ...shownParts)]),
            );
        },
    };
}

/** The message of an error response. */
function messageOf({ status = 200, response }: NumberedEntry): string {
    const { message } = Object(response) as { message?: unknown };
    return status >= 400 && typeof message === "string" ? nameOf(message) : "";
}

const toneOfStatus = (status: number | undefined): string =>
    status === undefined ? "busy" : status < 400 ? "good" : status === 409 || status === 429 ? "busy" : "bad";
