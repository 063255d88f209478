import { kinds } from "../messages";
import type { NumberedEntry } from "../messages";
import { byId, copyButton, List, make, setAttribute, setText } from "./dom";
import type { View } from "./dom";
import { dateTimeOf, elapsed, nameOf, timeOf } from "./format";
import type { Store } from "./store";

/** A request, or several equal reads between two changes. */
interface Grouped {
    first: NumberedEntry;
    last: NumberedEntry;
    times: number;
}

/** A row of the journal. */
interface Shown extends Grouped {
    /** The names of its resources. */
    target: string;
}

/** The requests that the emulator has received, newest first. */
export class JournalSection {
    private readonly filter = byId("journalFilter", HTMLSelectElement);
    private readonly search = byId("journalSearch", HTMLInputElement);
    private readonly none = byId("noEntries", HTMLElement);
    private readonly list = new List<Shown>(byId("journalRows", HTMLElement), shownView, byId("journal", HTMLElement));

    constructor(private readonly store: Store) {
        this.filter.addEventListener("change", () => this.show());
        this.search.addEventListener("input", () => this.show());
    }

    show(): void {
        const { entries } = this.store;
        const text = this.search.value.trim().toLowerCase();
        const shown = grouped([...entries.values()].filter((entry) => this.matches(entry)))
            .map((one) => ({ ...one, target: this.targetOf(one.last) }))
            .filter((one) => text === "" || searchText(one).includes(text))
            .reverse();
        this.list.show(new Map(shown.map((one) => [String(one.first.number), one])));
        this.none.hidden = shown.length > 0;
        setText(this.none, entries.size === 0 ? "No requests yet." : "No request matches the filter.");
        const count = shown.reduce((sum, { times }) => sum + times, 0);
        setText(
            byId("journalCount", HTMLElement),
            text === "" ? `latest ${count}` : `${count} of latest ${entries.size}`,
        );
    }

    /** The names of the resources in the path, and that of a new resource. */
    private targetOf({ path, body }: NumberedEntry): string {
        const ids = path.split(/[/?]/);
        const values = kinds.flatMap((kind) => ids.map((id): unknown => this.store.resources[kind].get(id)?.value));
        const names = [...values, body].map(nameIn).filter((name) => name !== undefined);
        return [...new Set(names)].map(nameOf).join(" · ");
    }

    private matches({ method, status }: NumberedEntry): boolean {
        if (this.filter.value === "changes") {
            return method !== "GET";
        }
        return this.filter.value === "all" || status === undefined || status >= 400;
    }
}

function nameIn(value: unknown): string | undefined {
    const { name } = Object(value) as { name?: unknown };
    return typeof name === "string" ? name : undefined;
}

function searchText({ last, target }: Shown): string {
    const { method, path, operationId, status, requestId, userAgent, body, response } = last;
    const parts = [`${method} ${path}`, operationId, status, requestId, userAgent, body, response, target];
    return JSON.stringify(parts).toLowerCase();
}

/** Combines the equal reads between two changes, such as those of a wait. */
function grouped(entries: readonly NumberedEntry[]): Grouped[] {
    const shown: Grouped[] = [];
    let reads = new Map<string, Grouped>();
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
    const [operationId, name] = [make("span"), make("span", { className: "name meta" })];
    const [origin, bodies] = [make("span", { className: "meta" }), make("div")];
    operation.append(operationId, name);
    response.append(status, message);
    details.append(make("details", {}, make("summary", { textContent: "Show" }), origin, bodies));
    let shownBodies = "";
    return {
        element: make("tr", {}, time, request, operation, response, duration, details),
        update: ({ first, last, times, target }) => {
            setText(time, timeOf(first.at));
            setAttribute(time, "title", dateTimeOf(first.at));
            setText(request, `${last.method} ${nameOf(last.path)}`);
            const repeated = times === 1 ? "" : `, ${times} times in ${elapsed(last.at - first.at)}`;
            setText(operationId, `${last.operationId ?? "unknown"}${repeated}`);
            setText(name, target);
            setAttribute(name, "title", target);
            setText(status, last.status === undefined ? "none" : String(last.status));
            setAttribute(status, "data-tone", toneOfStatus(last.status));
            setText(message, messageOf(last));
            setText(duration, last.durationMs === undefined ? "" : `${Math.round(last.durationMs)} ms`);
            setText(origin, [`Request id ${last.requestId}`, last.userAgent ?? []].flat().join(", "));
            const parts = Object.entries({ Request: last.body, Response: last.response }).filter(
                ([, body]) => body !== undefined,
            );
            const next = JSON.stringify(parts);
            if (next !== shownBodies) {
                shownBodies = next;
                bodies.replaceChildren(...parts.flatMap(([label, body]) => bodyView(label, body)));
            }
        },
    };
}

function bodyView(label: string, body: unknown): Node[] {
    const text = JSON.stringify(body, undefined, 2);
    const copy = copyButton(`body of the ${label.toLowerCase()}`, () => text);
    return [
        make("p", { className: "body" }, make("span", { className: "meta", textContent: label }), copy),
        make("pre", { textContent: text }),
    ];
}

/** The message of an error response. */
function messageOf({ status = 200, response }: NumberedEntry): string {
    const { message } = Object(response) as { message?: unknown };
    return status >= 400 && typeof message === "string" ? nameOf(message) : "";
}

export const toneOfStatus = (status: number | undefined): string =>
    status === undefined ? "busy" : status < 400 ? "good" : status === 409 || status === 429 ? "busy" : "bad";
