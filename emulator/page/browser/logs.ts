import type { Logs, Resource } from "../messages";
import { displayName } from "./format";
import { closeDialog, connection, Copy, Dialog, html, openDialog, useEffect, useRef, useState } from "./ui";
import type { VNode } from "./ui";

type Server = Resource<"services" | "replicaSets">;
type Entry = NonNullable<Logs["entries"]>[number];

const refreshMs = 2_000;

/** Each choice also shows more serious lines. */
const severities = [
    ["", "all severities"],
    ["WARNING,ERROR,FATAL,PANIC", "warnings and errors"],
    ["ERROR,FATAL,PANIC", "errors"],
] as const;

/** Shows the log of a service or read replica set, newest line first, and refreshes it while the dialog is open. */
export const openLogs = (resource: Server): void => openDialog(() => html`<${LogsDialog} resource=${resource} />`);

interface Shown {
    newest: readonly Entry[];
    /** The lines that the button "Show older lines" has added. They are not refreshed. */
    older: readonly Entry[];
    cursor: string | undefined;
}

const nothing: Shown = { newest: [], older: [], cursor: undefined };

function LogsDialog({ resource: { kind, id, ...rest } }: { resource: Server }): VNode {
    const [filter, setFilter] = useState({ search: "", severities: "", checkpoints: false });
    const [shown, setShown] = useState<Shown | undefined>(undefined);
    const [problem, setProblem] = useState("");
    const close = useRef<HTMLButtonElement>(null);
    const read = (cursor = ""): Promise<Logs> => {
        const query = new URLSearchParams({ ...filter, checkpoints: String(filter.checkpoints), cursor });
        return connection.ask<Logs>("GET", `/_page/${kind}/${id}/logs?${query.toString()}`);
    };
    const fail = (reason: unknown): void => setProblem((reason as Error).message);
    useEffect(() => {
        let isCurrent = true;
        const refresh = (): void => {
            read().then((page) => {
                if (isCurrent) {
                    setProblem("");
                    setShown((before = nothing) => refreshed(before, page));
                }
            }, fail);
        };
        setShown(undefined);
        refresh();
        const timer = setInterval(refresh, refreshMs);
        return () => {
            isCurrent = false;
            clearInterval(timer);
        };
    }, [filter]);
    const showOlder = (): void => {
        read(shown?.cursor).then((page) => {
            setShown((before = nothing) => ({
                ...before,
                older: [...before.older, ...(page.entries ?? [])],
                cursor: page.last_cursor,
            }));
            if (page.last_cursor === undefined) {
                close.current?.focus();
            }
        }, fail);
    };
    const set = (change: Partial<typeof filter>): void => setFilter({ ...filter, ...change });
    const valueOf = (event: Event): string => (event.currentTarget as HTMLInputElement).value;
    const lines = shown ? [...shown.newest, ...shown.older] : [];
    const title = `Logs of ${displayName({ kind, id, ...rest } as Server)}`;
    return html`
        <${Dialog} title=${title} isWide>
            <div class="row">
                <input
                    type="search"
                    aria-label="Search logs"
                    placeholder="text"
                    autocomplete="off"
                    value=${filter.search}
                    onInput=${(event: Event) => set({ search: valueOf(event) })}
                />
                <select
                    aria-label="Severity"
                    value=${filter.severities}
                    onChange=${(event: Event) => set({ severities: valueOf(event) })}
                >
                    ${severities.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
                </select>
                <label class="check">
                    <input
                        type="checkbox"
                        checked=${filter.checkpoints}
                        onChange=${() => set({ checkpoints: !filter.checkpoints })}
                    />
                    Checkpoints
                </label>
                <${Copy} label="log" text=${lines.map(textOf).join("\n")} />
            </div>
            <div class="scroll" tabindex="0" role="region" aria-label=${title}>
                <ol class="log">
                    ${lines.map((line) => html`<${Line} line=${line} />`)}
                    ${shown && lines.length === 0 && html`<li>No lines.</li>`}
                </ol>
                ${
                    shown?.cursor !== undefined &&
                    html`<button type="button" onClick=${showOlder}>Show older lines</button>`
                }
            </div>
            <p class="problem" role="alert">${problem}</p>
            <div class="buttons"><button type="button" ref=${close} onClick=${closeDialog}>Close</button></div>
        <//>
    `;
}

/** If older lines are shown, only adds new lines at the top: the first page has a fixed length, so its end moves. */
function refreshed(before: Shown, { entries = [], last_cursor: cursor }: Logs): Shown {
    if (before.older.length === 0) {
        return { ...before, newest: entries, cursor };
    }
    const known = new Set(before.newest.map(textOf));
    return { ...before, newest: [...entries.filter((entry) => !known.has(textOf(entry))), ...before.newest] };
}

const textOf = ({ timestamp, severity, message }: Entry): string => `${timestamp} ${severity} ${message}`;

const Line = ({ line: { timestamp, severity, message } }: { line: Entry }): VNode => html`
    <li data-severity=${severity}>
        <time>${timestamp.replace("T", " ").replace("Z", "")}</time> <b>${severity}</b> <span>${message}</span>
    </li>
`;
