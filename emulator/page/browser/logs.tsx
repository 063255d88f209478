import { useEffect, useRef, useState } from "preact/hooks";
import type { Logs } from "../messages";
import { displayName } from "./format";
import type { Resource } from "./kinds";
import { closeDialog, connection, Copy, Dialog, messageOf, openDialog, Search, type VNode } from "./ui";

type Entry = NonNullable<Logs["entries"]>[number];

const refreshMs = 2_000;

/** Shows the log of a service or read replica set, newest line first. It is refreshed until the user asks for older lines. */
export const openLogs = (resource: Resource): void => openDialog(() => <LogsDialog resource={resource} />);

function LogsDialog({ resource }: { resource: Resource }): VNode {
    const [search, setSearch] = useState("");
    const [pages, setPages] = useState<readonly Logs[]>([]);
    const [problem, setProblem] = useState("");
    const close = useRef<HTMLButtonElement>(null);
    const read = (cursor = ""): Promise<Logs> => {
        const query = new URLSearchParams({ search, cursor });
        return connection.ask<Logs>("GET", `/_page/${resource.kind}/${resource.id}/logs?${query.toString()}`);
    };
    const fail = (error: unknown): void => setProblem(messageOf(error));
    useEffect(() => {
        let isCurrent = true;
        const refresh = (): void => {
            read().then((page) => {
                if (isCurrent) {
                    setProblem("");
                    setPages((before) => (before.length > 1 ? before : [page]));
                }
            }, fail);
        };
        setPages([]);
        refresh();
        const timer = setInterval(refresh, refreshMs);
        return () => {
            isCurrent = false;
            clearInterval(timer);
        };
    }, [search]);
    const cursor = pages.at(-1)?.last_cursor;
    const showOlder = (): void => {
        read(cursor).then((page) => {
            setPages([...pages, page]);
            if (page.last_cursor === undefined) {
                close.current?.focus();
            }
        }, fail);
    };
    const lines = pages.flatMap(({ entries = [] }) => entries);
    const title = `Logs of ${displayName(resource)}`;
    return (
        <Dialog title={title} isWide>
            <div class="row">
                <Search label="Search logs" value={search} onInput={setSearch} />
                <Copy label="log" text={lines.map(textOf).join("\n")} />
            </div>
            <div class="scroll" tabindex={0} role="region" aria-label={title}>
                <ol class="log">
                    {lines.map((line) => (
                        <Line line={line} />
                    ))}
                    {pages.length > 0 && lines.length === 0 && <li>No lines.</li>}
                </ol>
                {cursor !== undefined && <button onClick={showOlder}>Show older lines</button>}
            </div>
            <div class="row">
                <p class="problem grow" role="alert">
                    {problem}
                </p>
                <button ref={close} onClick={closeDialog}>
                    Close
                </button>
            </div>
        </Dialog>
    );
}

/** The colours of severities. */
const tones: Readonly<Record<string, string>> = { WARNING: "busy", ERROR: "bad", FATAL: "bad", PANIC: "bad" };

const textOf = ({ timestamp, severity, message }: Entry): string => `${timestamp} ${severity} ${message}`;

const Line = ({ line: { timestamp, severity, message } }: { line: Entry }): VNode => (
    <li class="row">
        <time>{timestamp.replace("T", " ").replace("Z", "")}</time>{" "}
        <b data-tone={tones[severity] ?? "idle"}>{severity}</b> <span>{message}</span>
    </li>
);
