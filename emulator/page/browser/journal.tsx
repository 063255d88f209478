import { useState } from "preact/hooks";
import { isRead, type NumberedEntry } from "../messages";
import { dateTimeOf, nameOf, timeOf, toneOfCode } from "./format";
import { control, run } from "./operations";
import { Copied, Section, Select, Status, store, type VNode } from "./ui";

const shows: Readonly<Record<string, readonly [text: string, matches: (entry: NumberedEntry) => boolean]>> = {
    changes: ["changes", ({ method }) => !isRead(method)],
    all: ["all requests", () => true],
    errors: ["errors", ({ status }) => status === undefined || status >= 400],
};

/** The requests that the emulator has received, newest first. */
export function Journal(): VNode {
    const [show, setShow] = useState("changes");
    const entries = store.journal;
    const shown = entries.filter(shows[show]?.[1] ?? (() => true)).reverse();
    const heads = ["Time", "Request", "Operation", "Response", "Duration", "Body"];
    const bar = (
        <>
            <span class="quiet">latest {shown.length}</span>
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
                        <Row key={one.number} entry={one} />
                    ))}
                </tbody>
            </table>
            {shown.length === 0 && (
                <p class="body quiet">{entries.length === 0 ? "No requests yet." : "No request matches the filter."}</p>
            )}
        </Section>
    );
}

function Row({ entry }: { entry: NumberedEntry }): VNode {
    const [isOpen, setOpen] = useState(false);
    const { name } = store.targetOf(entry);
    const parts = Object.entries({ request: entry.body, response: entry.response }).filter(
        ([, body]) => body !== undefined,
    );
    return (
        <tr tabindex={-1}>
            <td class="meta" title={dateTimeOf(entry.at)}>
                {timeOf(entry.at)}
            </td>
            <td>
                <code>
                    {entry.method} {nameOf(entry.path)}
                </code>
            </td>
            <td>
                <span>{entry.operationId ?? "unknown"}</span>
                <span class="name meta" title={name}>
                    {name}
                </span>
            </td>
            <td>
                <Status text={String(entry.status ?? "none")} tone={toneOfCode(entry.status)} />
                <span class="meta">{messageOf(entry)}</span>
            </td>
            <td class="meta">{entry.durationMs === undefined ? "" : `${Math.round(entry.durationMs)} ms`}</td>
            <td>
                <details onToggle={(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
                    <summary>Show</summary>
                    {isOpen && (
                        <div class="stack">
                            <p class="meta">
                                {[`Request id ${entry.requestId}`, entry.userAgent].filter(Boolean).join(", ")}
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

/** The message of an error response. */
function messageOf({ status = 200, response }: NumberedEntry): string {
    const { message } = Object(response) as { message?: unknown };
    return status >= 400 && typeof message === "string" ? nameOf(message) : "";
}
