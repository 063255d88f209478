import { isRead } from "../messages";
import { count, elapsed, nameOf, percent, timeOf, toneOfCode } from "./format";
import { toneOf } from "./kinds";
import { runOf, type Lane, type Run, type Segment } from "./run";
import { Section, store, type VNode } from "./ui";

/** Laying out many lanes is slow. */
const maxLanes = 30;
const axisParts = 4;

/** A lane for each resource of the latest run, with its statuses and requests. */
export function Timeline(): VNode | string {
    const run = runOf({
        now: store.now,
        resources: store.kinds.flatMap((kind) => store.all(kind)),
        removed: store.removed,
        entries: store.journal,
    });
    if (!run) {
        return "";
    }
    const { begin, end, lanes } = run;
    const shown = lanes.slice(0, maxLanes);
    const limit = shown.length < lanes.length ? ` · ${shown.length} of ${lanes.length} resources` : "";
    const changes = new Set(lanes.flatMap(({ ticks }) => ticks).filter(({ method }) => !isRead(method))).size;
    const facts = `${timeOf(begin).slice(0, 8)} · ${precise(end - begin)} · ${count(changes, "change")}${limit}`;
    const marks = Array.from({ length: axisParts }, (_, part) => part / axisParts);
    return (
        <Section title="Timeline" bar={<span class="quiet">{facts}</span>}>
            <ol class="body small timeline">
                <li aria-hidden="true">
                    <span></span>
                    <span class="track">
                        {marks.map((part) => {
                            const [style, text] = [{ left: percent(part) }, precise((end - begin) * part)];
                            return (
                                <span key={part} style={style}>
                                    {text}
                                </span>
                            );
                        })}
                    </span>
                </li>
                {shown.map((lane) => (
                    <LaneLine key={lane.key} lane={lane} run={run} />
                ))}
            </ol>
        </Section>
    );
}

function LaneLine({ lane, run: { begin, end } }: { lane: Lane; run: Run }): VNode {
    const { key, name, isRemoved, segments, ticks } = lane;
    const partOf = (at: number): number => Math.min(1, Math.max(0, (at - begin) / Math.max(1, end - begin)));
    const styleOf = ({ from, to }: Segment) => ({
        left: percent(partOf(from)),
        width: percent(partOf(to) - partOf(from)),
    });
    const described = segments.map((one) => `${nameOf(one.status)} ${precise(one.to - one.from)}`).join(", ");
    return (
        <li aria-label={`${name}: ${described}${isRemoved ? ", deleted" : ""}`}>
            {isRemoved ? (
                <s class="name quiet">{name}</s>
            ) : (
                <a class="name" href={`#${key}`}>
                    {name}
                </a>
            )}
            <span class="track">
                {segments.map((one) => (
                    <b
                        key={`${one.status} ${one.from}`}
                        data-tone={toneOf(one.status)}
                        style={styleOf(one)}
                        title={`${nameOf(one.status)} ${precise(one.to - one.from)}`}
                    >
                        {nameOf(one.status)}
                    </b>
                ))}
                {ticks.map(({ number, at, method, operationId, status, faults }) => (
                    <i
                        key={number}
                        class={isRead(method) ? "read" : ""}
                        data-tone={faults ? "bad" : toneOfCode(status)}
                        style={{ left: percent(partOf(at)) }}
                        title={`${operationId ?? method} ${status ?? "no response"}`}
                    ></i>
                ))}
            </span>
        </li>
    );
}

/** A short time with a tenth of a second, and a long one without. */
const precise = (ms: number): string => (ms < 10_000 ? `${(ms / 1000).toFixed(1).replace(".0", "")} s` : elapsed(ms));
