import { pageAgent } from "../messages";
import type { NumberedEntry } from "../messages";
import { count, displayName, keyOf, nameOf, timeOf, toneOfCode } from "./format";
import { html, Status, store } from "./ui";
import type { VNode } from "./ui";

/** A change, or the reads between two changes. */
interface Activity {
    first: number;
    last: NumberedEntry;
    reads: number;
}

const shownActivities = 40;

/** The changes of the running program as they arrive, newest first. Reads between them are one line. */
export function ActivitySection(): VNode {
    const activities: Activity[] = [];
    for (const last of store.entries.values()) {
        const previous = activities.at(-1);
        const isRead = last.method === "GET" && !last.faults;
        if (isRead && previous && previous.reads > 0) {
            previous.reads++;
            previous.last = last;
        } else {
            activities.push({ first: last.number, last, reads: isRead ? 1 : 0 });
        }
    }
    const shown = activities.slice(-shownActivities).reverse();
    return html`
        <section class="beside" tabindex="0" aria-labelledby="activity">
            <div class="bar"><h2 id="activity" tabindex="-1">Activity</h2></div>
            ${shown.length === 0 && html`<p class="empty">Requests appear here as they arrive.</p>`}
            <ol class="activity">${shown.map((one) => html`<${Line} key=${one.first} activity=${one} />`)}</ol>
        </section>
    `;
}

function Line({ activity: { last, reads } }: { activity: Activity }): VNode {
    const time = html`<time class="meta">${timeOf(last.at).slice(0, 8)}</time>`;
    if (reads > 0) {
        return html`<li class="enter quiet">${time} <span>${count(reads, "read")}</span></li>`;
    }
    const target = store.targetOf(last);
    const { name: given } = Object(last.body) as { name?: unknown };
    const name = target ? displayName(target) : typeof given === "string" && given !== "" ? nameOf(given) : "";
    return html`
        <li class="enter">
            ${time}${" "}
            <span>
                ${last.operationId ?? `${last.method} unknown`}${" "}
                ${target ? html`<a href=${`#${keyOf(target)}`}>${name}</a>` : html`<span>${name}</span>`}
                ${" "}${last.userAgent === pageAgent && html`<span class="tag">you</span>`}
                ${" "}${last.faults && html`<span class="meta problem">fault ${last.faults.join(", ")}</span>`}
            </span>${" "}
            <${Status} text=${String(last.status ?? "no response")} tone=${toneOfCode(last.status)} />
        </li>
    `;
}
