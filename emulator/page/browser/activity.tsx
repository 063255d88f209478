import { keyOf, pageAgent } from "../messages";
import { count, timeOf, toneOfCode } from "./format";
import { grouped, type Grouped } from "./journal";
import { Section, Status, store, type VNode } from "./ui";

const shownActivities = 40;

/** The changes of the running program as they arrive, newest first. Reads between them are one line. */
export function ActivitySection(): VNode {
    const shown = grouped(store.entries.values(), () => "")
        .slice(-shownActivities)
        .reverse();
    return (
        <Section title="Activity" className="beside">
            {shown.length === 0 && <p class="body quiet">Requests appear here as they arrive.</p>}
            <ol class="body activity" tabindex={0} aria-label="Latest requests">
                {shown.map((one) => (
                    <Line key={one.first.number} {...one} />
                ))}
            </ol>
        </Section>
    );
}

function Line({ last, times, isRead }: Grouped): VNode {
    const time = <time class="meta">{timeOf(last.at).slice(0, 8)}</time>;
    if (isRead) {
        return (
            <li class="line quiet">
                {time} <span>{count(times, "read")}</span>
            </li>
        );
    }
    const { name, resource } = store.targetOf(last);
    return (
        <li class="line">
            {time}{" "}
            <span class="grow">
                {last.operationId ?? `${last.method} unknown`}{" "}
                {resource ? (
                    <a class="name" href={`#${keyOf(resource)}`}>
                        {name}
                    </a>
                ) : (
                    name
                )}{" "}
                {last.userAgent === pageAgent && <span class="meta tag">you</span>}{" "}
                {last.faults && <span class="meta problem">fault {last.faults.join(", ")}</span>}
            </span>{" "}
            <Status text={String(last.status ?? "no response")} tone={toneOfCode(last.status)} />
        </li>
    );
}
