import { kinds } from "../messages";
import type { NumberedEntry } from "../messages";
import { runControl } from "./actions";
import { dateTimeOf, elapsed, nameOf, timeOf, toneOfCode } from "./format";
import { Search } from "./sections";
import { Copied, html, Status, store, useState } from "./ui";
import type { VNode } from "./ui";

/** A request, or several equal reads between two changes. */
interface Grouped {
    first: NumberedEntry;
    last: NumberedEntry;
    times: number;
}

const shows: Readonly<Record<string, readonly [text: string, matches: (entry: NumberedEntry) => boolean]>> = {
    changes: ["changes", ({ method }) => method !== "GET"],
    all: ["all requests", () => true],
    errors: ["errors", ({ status }) => status === undefined || status >= 400],
};

/** The requests that the emulator has received, newest first. */
export function Journal(): VNode {
    const [show, setShow] = useState("changes");
    const [search, setSearch] = useState("");
    const entries = [...store.entries.values()];
    const text = search.trim().toLowerCase();
    const shown = grouped(entries.filter(shows[show]?.[1] ?? (() => true)))
        .filter((one) => text === "" || searchText(one).includes(text))
        .reverse();
    const count = shown.reduce((sum, { times }) => sum + times, 0);
    const heads = ["Time", "Request", "Operation", "Response", "Duration", "Body"];
    return html`
        <section aria-labelledby="journal">
            <div class="bar">
                <h2 id="journal" tabindex="-1">Journal</h2>
                <span class="quiet">${text === "" ? `latest ${count}` : `${count} of latest ${entries.length}`}</span>
                <span class="row end">
                    <${Search} label="Search" value=${search} onInput=${setSearch} />
                    <select
                        aria-label="Show"
                        value=${show}
                        onChange=${(event: Event) => setShow((event.currentTarget as HTMLSelectElement).value)}
                    >
                        ${Object.entries(shows).map(([one, [name]]) => html`<option value=${one}>${name}</option>`)}
                    </select>
                    <button type="button" onClick=${() => runControl("Cleared the journal.", "DELETE", "/journal")}>
                        Clear journal
                    </button>
                </span>
            </div>
            <table class="journal">
                <thead><tr>${heads.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
                <tbody>${shown.map((one) => html`<${Row} key=${one.first.number} grouped=${one} />`)}</tbody>
            </table>
            ${
                shown.length === 0 &&
                html`<p class="empty">
                ${entries.length === 0 ? "No requests yet." : "No request matches the filter."}
            </p>`
            }
        </section>
    `;
}

function Row({ grouped: { first, last, times } }: { grouped: Grouped }): VNode {
    const [isOpen, setOpen] = useState(false);
    const repeated = times === 1 ? "" : `, ${times} times in ${elapsed(last.at - first.at)}`;
    const target = targetOf(last);
    const parts = Object.entries({ request: last.body, response: last.response }).filter(
        ([, body]) => body !== undefined,
    );
    return html`
        <tr tabindex="-1">
            <td class="meta" title=${dateTimeOf(first.at)}>${timeOf(first.at)}</td>
            <td><code>${last.method} ${nameOf(last.path)}</code></td>
            <td>
                <span>${last.operationId ?? "unknown"}${repeated}</span>
                <span class="name meta" title=${target}>${target}</span>
            </td>
            <td>
                <${Status} text=${String(last.status ?? "none")} tone=${toneOfCode(last.status)} />
                <span class="meta">${messageOf(last)}</span>
            </td>
            <td class="meta">${last.durationMs === undefined ? "" : `${Math.round(last.durationMs)} ms`}</td>
            <td>
                <details onToggle=${(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
                    <summary>Show</summary>
                    ${
                        isOpen &&
                        html`
                        <p class="meta">
                            ${[`Request id ${last.requestId}`, last.userAgent].filter(Boolean).join(", ")}
                        </p>
                        ${parts.map(
                            ([label, body]) => html`
                                <h3>${label}</h3>
                                <${Copied}
                                    label=${`body of the ${label}`}
                                    text=${JSON.stringify(body, undefined, 2)}
                                />
                            `,
                        )}
                    `
                    }
                </details>
            </td>
        </tr>
    `;
}

/** The names of the resources in the path, and that of a new resource. */
function targetOf({ path, body }: NumberedEntry): string {
    const names = kinds.flatMap((kind) => path.split(/[/?]/).map((id) => store.nameOf(kind, id)));
    const { name } = Object(body) as { name?: unknown };
    const all = [...names, typeof name === "string" ? nameOf(name) : undefined];
    return [...new Set(all.filter((one) => one !== undefined))].join(" · ");
}

function searchText({ last }: Grouped): string {
    const { method, path, operationId, status, requestId, userAgent, body, response } = last;
    const parts = [`${method} ${path}`, operationId, status, requestId, userAgent, body, response, targetOf(last)];
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

/** The message of an error response. */
function messageOf({ status = 200, response }: NumberedEntry): string {
    const { message } = Object(response) as { message?: unknown };
    return status >= 400 && typeof message === "string" ? nameOf(message) : "";
}
