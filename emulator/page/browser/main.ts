import { reset, text } from "./actions";
import { ActivitySection } from "./activity";
import { Faults } from "./faults";
import { openForm } from "./form";
import { dateTimeOf } from "./format";
import { Journal } from "./journal";
import { Networks, Services } from "./sections";
import { Pace, Time } from "./time";
import { Timeline } from "./timeline";
import { connection, Copy, html, redraw, screen, start, Status, store } from "./ui";
import type { VNode } from "./ui";

const tickMs = 250;

const states = {
    connecting: ["Connecting", "busy"],
    connected: ["Connected", "good"],
    lost: ["Connection lost", "bad"],
} as const;

const views = { services: "Resources", journal: "Journal" } as const;

const isJournal = (): boolean => location.hash === "#journal";

function App(): VNode {
    const { notice, dialogs, connection: state } = screen;
    const view = isJournal() ? "journal" : "services";
    const tone = notice.isProblem ? "bad" : "good";
    return html`
        <a class="skip" href=${`#${view}`}>Skip to ${view}</a>
        <${Header} />
        ${
            store.about &&
            html`
            <main data-state=${state}>
                ${
                    isJournal()
                        ? html`<${Journal} />`
                        : html`
                      <div class="split"><${Services} /><${ActivitySection} /></div>
                      <${Timeline} />
                      <${Networks} />
                      <div class="halves"><${Faults} /><${Time} /></div>
                      <footer><button type="button" class="danger" onClick=${reset}>Reset emulator…</button></footer>
                  `
                }
            </main>
        `
        }
        <p id="notice" role="status" data-tone=${tone}>${notice.text}</p>
        ${dialogs.map(({ key, view }) => html`<${view} key=${key} />`)}
    `;
}

function Header(): VNode {
    const { about, now } = store;
    const [text, tone] = states[screen.connection];
    return html`
        <header>
            <h1>clouddb emulator</h1>
            <nav aria-label="Views">
                ${Object.entries(views).map(([id, name]) => {
                    const current = (id === "journal") === isJournal() ? "page" : "false";
                    return html`<a href=${`#${id}`} aria-current=${current}>${name}</a>`;
                })}
            </nav>
            ${about && html`<div class="row"><${Pace} /></div>`}
            <div class="row facts">
                ${
                    about &&
                    html`
                    <span class="line">
                        <code id="url">${about.url}</code>
                        <${Copy} label="base URL" text=${about.url} />
                    </span>
                    <span>${dateTimeOf(now).slice(11)}${about.isVirtualClock ? ", virtual" : ""}</span>
                `
                }
                <${Status} text=${text} tone=${tone} />
            </div>
        </header>
    `;
}

const askToken = (problem: string | undefined): Promise<string> =>
    new Promise((resolve) => {
        openForm({
            title: "Emulator token",
            text: "This emulator was started with a token. Enter it to open the page.",
            fields: [{ ...text("token", "Token", ""), type: "password" }],
            submit: "Open",
            canCancel: false,
            problem,
            run: ({ token }) => {
                resolve(String(token ?? ""));
                return Promise.resolve();
            },
        });
    });

/** The shortcuts: `/` goes to the search, and `j` and `k` to the next and previous row. */
document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const isTyping = target instanceof HTMLElement && target.closest("input, select, textarea, dialog, [popover]");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !/^[/jk]$/.test(key)) {
        return;
    }
    event.preventDefault();
    if (key === "/") {
        document.querySelector<HTMLElement>("input[type=search]")?.focus();
        return;
    }
    const rows = [...document.querySelectorAll<HTMLElement>("tbody tr")];
    const current = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[Math.min(rows.length - 1, Math.max(0, current + (key === "j" ? 1 : -1)))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
});

/** Shows the row to which a link leads, also if it was not in the document before. */
window.addEventListener("hashchange", () => {
    redraw();
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
});

/** The heads of the tables stay below the header, whose height depends on the width of the window. */
function followHeader(): void {
    const header = document.querySelector("header");
    if (header) {
        new ResizeObserver(() => {
            document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`);
        }).observe(header);
    }
}

start(App);
followHeader();
setInterval(redraw, tickMs);
void connection.run(askToken);
