import { useEffect, useState } from "preact/hooks";
import type { Logs } from "../messages";
import { displayName } from "./format";
import type { Resource } from "./kinds";
import { closeDialog, connection, Copy, Dialog, messageOf, openDialog, Problem, Search, type VNode } from "./ui";

type Entry = NonNullable<Logs["entries"]>[number];

const refreshMs = 2_000;

/** Shows the log of a service or read replica set, newest line first. */
export const openLogs = (resource: Resource): void => openDialog(() => <LogsDialog resource={resource} />);

function LogsDialog({ resource }: { resource: Resource }): VNode {
    const [search, setSearch] = useState("");
    const [lines, setLines] = useState<readonly Entry[] | undefined>(undefined);
    const [problem, setProblem] = useState("");
    useEffect(() => {
        let isCurrent = true;
        const path = `/_page/${resource.kind}/${resource.id}/logs?search=${encodeURIComponent(search)}`;
        const refresh = (): void => {
            connection.ask<Logs>("GET", path).then(
                ({ entries = [] }) => {
                    if (isCurrent) {
                        setProblem("");
                        setLines(entries);
                    }
                },
                (error: unknown) => setProblem(messageOf(error)),
            );
        };
        refresh();
        const timer = setInterval(refresh, refreshMs);
        return () => {
            isCurrent = false;
            clearInterval(timer);
        };
    }, [search]);
    const title = `Logs of ${displayName(resource)}`;
    return (
        <Dialog title={title} isWide>
            <div class="row">
                <Search label="Search logs" value={search} onInput={setSearch} />
                <Copy label="log" text={(lines ?? []).map(textOf).join("\n")} />
            </div>
            <div class="scroll" tabindex={0} role="region" aria-label={title}>
                <ol class="log">
                    {lines?.map((line) => (
                        <Line line={line} />
                    ))}
                    {lines?.length === 0 && <li>No lines.</li>}
                </ol>
            </div>
            <div class="row">
                <Problem text={problem} />
                <button onClick={closeDialog}>Close</button>
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
