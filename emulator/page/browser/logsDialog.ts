import type { Logs, Resource } from "../messages";
import type { Connection } from "./connection";
import { copyButton, make } from "./dom";
import { nameOf } from "./format";
import { open } from "./formDialog";

type Entry = NonNullable<Logs["entries"]>[number];

const refreshMs = 2_000;

let dialogs = 0;

/** Shows the log of a service or read replica set, newest line first, and refreshes it while the dialog is open. */
export function showLogs(
    connection: Connection,
    { kind, id: resourceId, value }: Resource<"services" | "replicaSets">,
): void {
    const id = `logs${++dialogs}`;
    const error = make("p", { className: "problem", attributes: { role: "alert" } });
    const lines = make("ol", { className: "log" });
    const older = make("button", { type: "button", textContent: "Show older lines", hidden: true });
    const close = make("button", { type: "button", textContent: "Close" });
    const search = make("input", { type: "search", autocomplete: "off", attributes: { "aria-label": "Search logs" } });
    search.placeholder = "text …";
    const severity = make(
        "select",
        { attributes: { "aria-label": "Severity" } },
        ...severities.map(([choice, text]) => make("option", { value: choice, textContent: text })),
    );
    const checkpoints = make("input", { type: "checkbox", id: `${id}-checkpoints` });
    const filters = make(
        "div",
        { className: "filters" },
        search,
        severity,
        make("span", {}, checkpoints, make("label", { htmlFor: checkpoints.id, textContent: "Checkpoints" })),
        copyButton("log", () => [...newest, ...olderLines].map(textOf).join("\n")),
    );
    const dialog = make(
        "dialog",
        { className: "wide", attributes: { "aria-labelledby": id } },
        make("h2", { id, textContent: `Logs of ${nameOf(value.name)}` }),
        filters,
        make(
            "div",
            { className: "scroll", tabIndex: 0, attributes: { role: "region", "aria-labelledby": id } },
            lines,
            older,
        ),
        error,
        make("div", { className: "buttons" }, close),
    );
    /** The lines that the button "Show older lines" has added. They are not refreshed. */
    let olderLines: Entry[] = [];
    let newest: Entry[] = [];
    let cursor: string | undefined;

    const read = (from = ""): Promise<Logs> => {
        const query = new URLSearchParams({
            cursor: from,
            search: search.value,
            severities: severity.value,
            checkpoints: String(checkpoints.checked),
        });
        return connection.ask<Logs>("GET", `/_page/${kind}/${resourceId}/logs?${query.toString()}`);
    };
    const show = (): void => {
        const all = [...newest, ...olderLines];
        lines.replaceChildren(...(all.length === 0 ? [make("li", { textContent: "No lines." })] : all.map(lineOf)));
        older.hidden = cursor === undefined;
    };
    const refresh = async (): Promise<void> => {
        try {
            const page = await read();
            const entries = page.entries ?? [];
            const isSame = JSON.stringify(entries) === JSON.stringify(newest);
            if (olderLines.length === 0) {
                cursor = page.last_cursor;
            }
            // If older lines are shown, only add new lines at the top: the first page has a fixed length, so its end moves.
            if (olderLines.length > 0) {
                const known = new Set(newest.map(textOf));
                newest = [...entries.filter((entry) => !known.has(textOf(entry))), ...newest];
            } else {
                newest = entries;
            }
            if (!isSame || lines.childElementCount === 0) {
                show();
            }
            error.textContent = "";
        } catch (reason) {
            error.textContent = (reason as Error).message;
        }
    };
    older.addEventListener("click", () => {
        read(cursor).then(
            (page) => {
                olderLines = [...olderLines, ...(page.entries ?? [])];
                cursor = page.last_cursor;
                show();
                if (older.hidden) {
                    close.focus();
                }
            },
            (reason: unknown) => (error.textContent = (reason as Error).message),
        );
    });
    for (const filter of [search, severity, checkpoints]) {
        filter.addEventListener("input", () => {
            [newest, olderLines, cursor] = [[], [], undefined];
            lines.replaceChildren();
            void refresh();
        });
    }
    close.addEventListener("click", () => dialog.close());
    const timer = setInterval(() => void refresh(), refreshMs);
    void refresh();
    void open(dialog).then(() => clearInterval(timer));
}

/** Each choice also shows more serious lines. */
const severities = [
    ["", "all severities"],
    ["WARNING,ERROR,FATAL,PANIC", "warnings and errors"],
    ["ERROR,FATAL,PANIC", "errors"],
] as const;

const textOf = ({ timestamp, severity, message }: Entry): string => `${timestamp} ${severity} ${message}`;

const lineOf = ({ timestamp, severity, message }: Entry): HTMLElement =>
    make(
        "li",
        { attributes: { "data-severity": severity } },
        make("time", { textContent: timestamp.replace("T", " ").replace("Z", "") }),
        make("span", { className: "severity", textContent: severity }),
        make("span", { textContent: message }),
    );
