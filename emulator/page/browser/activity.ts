import { pageAgent } from "../messages";
import type { NumberedEntry } from "../messages";
import { count, keyOf, timeOf, toneOfCode } from "./format";
import { html, Section, Status, store } from "./ui";
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
        <${Section} title="Activity" className="beside">
            ${shown.length === 0 && html`<p class="body quiet">Requests appear here as they arrive.</p>`}
            <ol class="body activity" tabindex="0" aria-label="Latest requests">
                ${shown.map((one) => html`<${Line} key=${one.first} activity=${one} />`)}
            </ol>
        <//>
    `;
}

function Line({ activity: { last, reads } }: { activity: Activity }): VNode {
    const time = html`<time class="meta">${timeOf(last.at).slice(0, 8)}</time>`;
    if (reads > 0) {
        return html`<li class="line quiet">${time} <span>${count(reads, "read")}</span></li>`;
    }
    const { name, resource } = store.targetOf(last);
    return html`
        <li class="line">
            ${time}${" "}
            <span class="grow">
                ${last.operationId ?? `${last.method} unknown`}${" "}
                ${resource ? html`<a class="name" href=${`#${keyOf(resource)}`}>${name}</a>` : name}${" "}
                ${last.userAgent === pageAgent && html`<span class="meta tag">you</span>`}${" "}
                ${last.faults && html`<span class="meta problem">fault ${last.faults.join(", ")}</span>`}
            </span>${" "}
            <${Status} text=${String(last.status ?? "no response")} tone=${toneOfCode(last.status)} />
        </li>
    `;
}
