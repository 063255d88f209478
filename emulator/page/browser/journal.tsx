import { useState } from "preact/hooks";
import { isRead, type NumberedEntry } from "../messages";
import { dateTimeOf, elapsed, nameOf, timeOf, toneOfCode } from "./format";
import { control, run } from "./operations";
import { Copied, Section, Select, Status, store, type VNode } from "./ui";

/** A request, or several reads between two changes. */
interface Grouped {
    first: NumberedEntry;
    last: NumberedEntry;
    times: number;
}

const shows: Readonly<Record<string, readonly [text: string, matches: (entry: NumberedEntry) => boolean]>> = {
    changes: ["changes", ({ method }) => !isRead(method)],
    all: ["all requests", () => true],
    errors: ["errors", ({ status }) => status === undefined || status >= 400],
};

/** The requests that the emulator has received, newest first. */
export function Journal(): VNode {
    const [show, setShow] = useState("changes");
    const entries = store.journal;
    const shown = grouped(entries.filter(shows[show]?.[1] ?? (() => true))).reverse();
    const count = shown.reduce((sum, { times }) => sum + times, 0);
    const heads = ["Time", "Request", "Operation", "Response", "Duration", "Body"];
    const bar = (
        <>
            <span class="quiet">latest {count}</span>
            <span class="row end">
                <Select
                    aria-label="Show"
                    choices={Object.entries(shows).map(([one, [name]]) => [one, name])}
                    value={show}
                    onChoose={setShow}
                />
                <button onClick={() => run(control("clearJournal"))}>Clear journal</button>
            </span>
        </>
    );
    return (
        <Section title="Journal" bar={bar}>
            <table class="journal">
                <thead class="meta">
                    <tr>
                        {heads.map((one) => (
                            <th scope="col">{one}</th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {shown.map((one) => (
                        <Row key={one.first.number} grouped={one} />
                    ))}
                </tbody>
            </table>
            {shown.length === 0 && (
                <p class="body quiet">{entries.length === 0 ? "No requests yet." : "No request matches the filter."}</p>
            )}
        </Section>
    );
}

function Row({ grouped: { first, last, times } }: { grouped: Grouped }): VNode {
    const [isOpen, setOpen] = useState(false);
    const repeated = times === 1 ? "" : `, ${times} times in ${elapsed(last.at - first.at)}`;
    const { name } = store.targetOf(last);
    const parts = Object.entries({ request: last.body, response: last.response }).filter(
        ([, body]) => body !== undefined,
    );
    return (
        <tr tabindex={-1}>
            <td class="meta" title={dateTimeOf(first.at)}>
                {timeOf(first.at)}
            </td>
            <td>
                <code>
                    {last.method} {nameOf(last.path)}
                </code>
            </td>
            <td>
                <span>
                    {last.operationId ?? "unknown"}
                    {repeated}
                </span>
                <span class="name meta" title={name}>
                    {name}
                </span>
            </td>
            <td>
                <Status text={String(last.status ?? "none")} tone={toneOfCode(last.status)} />
                <span class="meta">{messageOf(last)}</span>
            </td>
            <td class="meta">{last.durationMs === undefined ? "" : `${Math.round(last.durationMs)} ms`}</td>
            <td>
                <details onToggle={(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
                    <summary>Show</summary>
                    {isOpen && (
                        <div class="stack">
                            <p class="meta">
                                {[`Request id ${last.requestId}`, last.userAgent].filter(Boolean).join(", ")}
                            </p>
                            {parts.map(([label, body]) => (
                                <Copied
                                    heading={label}
                                    label={`body of the ${label}`}
                                    text={JSON.stringify(body, undefined, 2)}
                                />
                            ))}
                        </div>
                    )}
                </details>
            </td>
        </tr>
    );
}

/** Combines the successful reads of the same path between two changes, such as those of a wait. */
function grouped(entries: readonly NumberedEntry[]): Grouped[] {
    const shown: Grouped[] = [];
    const reads = new Map<string, Grouped>();
    for (const entry of entries) {
        const isPlain = isRead(entry.method) && (entry.status ?? 200) < 400 && !entry.faults;
        const known = isPlain ? reads.get(entry.path) : undefined;
        if (known) {
            known.last = entry;
            known.times++;
            continue;
        }
        const one = { first: entry, last: entry, times: 1 };
        shown.push(one);
        if (isPlain) {
            reads.set(entry.path, one);
        } else if (!isRead(entry.method)) {
            reads.clear();
        }
    }
    return shown;
}

/** The message of an error response. */
function messageOf({ status = 200, response }: NumberedEntry): string {
    const { message } = Object(response) as { message?: unknown };
    return status >= 400 && typeof message === "string" ? nameOf(message) : "";
}
