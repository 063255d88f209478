import { childrenOf, kindFacts } from "../messages";
import type { RootKind } from "../messages";
import { Actions } from "./actions";
import { ActivitySection } from "./activity";
import { showConnection } from "./connectDialog";
import { Connection } from "./connection";
import { byId, List, setAttribute, setText } from "./dom";
import { FaultSection } from "./faultSection";
import { showForm } from "./formDialog";
import { count, dateTimeOf } from "./format";
import { JournalSection } from "./journal";
import { showLogs } from "./logsDialog";
import { groupsOf, ResourceTable } from "./resourceTable";
import { projectView } from "./rows";
import type { Project, RowContext } from "./rows";
import { ServiceSection } from "./serviceSection";
import { Store } from "./store";
import { TimeSection } from "./timeSection";

const tickMs = 250;
const messageMs = 6_000;
const problemMs = 15_000;
const states = {
    connecting: ["Connecting", "busy"],
    connected: ["Connected", "good"],
    lost: ["Connection lost", "bad"],
} as const;

const store = new Store();
const notice = byId("notice", HTMLElement);
let noticeTimer = 0;

const connection = new Connection({
    onMessage: (message) => {
        store.apply(message);
        show();
    },
    onState: showState,
    askToken: (problem) =>
        new Promise((resolve) => {
            void showForm({
                title: "Emulator token",
                text: "This emulator was started with a token. Enter it to open the page.",
                fields: [{ name: "token", label: "Token", type: "password", value: "" }],
                submit: "Open",
                canCancel: false,
                problem,
                run: ({ token }) => {
                    resolve(String(token));
                    return Promise.resolve();
                },
            });
        }),
});
const actions = new Actions(connection, store, notify);
const context: RowContext = {
    actions,
    now: () => store.now,
    showConnection: (resource) => showConnection(connection, resource, store.about?.certificateFile),
    showLogs: (resource) => showLogs(connection, resource),
    nameOfService: (id) => store.resources.services.get(id)?.value.name,
    nameOfVpc: (id) => store.resources.vpcs.get(id)?.value.name ?? id,
    hasManyProjects: () => store.resources.projects.size > 1,
};
const networks = new ResourceTable({ rows: "networkRows", more: "moreNetworks", heading: "networks" }, context);
/** The section of each kind in a project. It also shows what the resources contain. */
const sections: Readonly<Record<RootKind, { show: () => void; tick: () => void }>> = {
    services: new ServiceSection(store, context),
    vpcs: { show: showNetworks, tick: () => networks.tick() },
};
const projects = new List<Project>(byId("projects", HTMLElement), projectView, byId("services", HTMLElement));
const faults = new FaultSection(actions, store);
const time = new TimeSection(actions, store);
const journal = new JournalSection(store);
const activity = new ActivitySection(store);

function show(): void {
    byId("main", HTMLElement).hidden = false;
    setText(byId("url", HTMLElement), store.about?.url ?? "");
    showProjects();
    Object.values(sections).forEach((section) => section.show());
    faults.show();
    time.show();
    journal.show();
    activity.show();
    tick();
}

function tick(): void {
    const { about, now } = store;
    if (!about) {
        return;
    }
    setText(byId("clock", HTMLElement), `${dateTimeOf(now)}${about.isVirtualClock ? ", virtual" : ""}`);
    Object.values(sections).forEach((section) => section.tick());
}

function showProjects(): void {
    const { resources } = store;
    const counts = new Map<string, number>();
    for (const { value } of resources.services.values()) {
        counts.set(value.project_id, (counts.get(value.project_id) ?? 0) + 1);
    }
    projects.show(
        new Map(
            [...resources.projects].map(
                ([id, { value }]) => [id, { ...value, services: counts.get(id) ?? 0 }] as const,
            ),
        ),
    );
}

function showNetworks(): void {
    const { resources } = store;
    networks.show(groupsOf("vpcs", resources));
    const counts = (["vpcs", ...childrenOf("vpcs")] as const).map((kind) =>
        count(resources[kind].size, kindFacts[kind].noun),
    );
    setText(byId("networkCount", HTMLElement), counts.join(", "));
    byId("noNetworks", HTMLElement).hidden = resources.vpcs.size > 0;
}

/** Shows a message for as long as it takes to read it. */
function notify(text: string, isProblem = false): void {
    setText(notice, text);
    setAttribute(notice, "data-tone", isProblem ? "bad" : "good");
    clearTimeout(noticeTimer);
    noticeTimer = window.setTimeout(() => setText(notice, ""), isProblem ? problemMs : messageMs);
}

function showState(state: keyof typeof states): void {
    const before = document.body.dataset.state;
    if (before === state) {
        return;
    }
    document.body.dataset.state = state;
    const [text, tone] = states[state];
    const element = byId("connection", HTMLElement);
    setText(element, text);
    setAttribute(element, "data-tone", tone);
    if (state === "lost") {
        notify("The connection to the emulator was lost. The page reconnects automatically.", true);
    } else if (before === "lost") {
        notify("Reconnected to the emulator.");
    }
}

byId("clearJournal", HTMLButtonElement).addEventListener("click", () => {
    void actions.run("Cleared the journal.", "DELETE", "/journal");
});
byId("reset", HTMLButtonElement).addEventListener("click", () => actions.reset());
/** Shows the journal in place of the resources while the address ends in #journal. */
function showView(): void {
    const target = location.hash.slice(1);
    document.body.dataset.view = target === "journal" ? target : "resources";
    document.getElementById(target)?.scrollIntoView();
}

/** The heads of the tables stay below the header, whose height depends on the width of the window. */
const header = document.querySelector("header");
if (header) {
    new ResizeObserver(() => {
        document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`);
    }).observe(header);
}
window.addEventListener("hashchange", showView);
showView();
setInterval(tick, tickMs);
void connection.run();
