import type { NumberedEntry } from "../messages";
import { Actions } from "./actions";
import { showConnection } from "./connectDialog";
import { Connection } from "./connection";
import { byId, List, setAttribute, setText } from "./dom";
import { FaultSection } from "./faultSection";
import { showForm } from "./formDialog";
import { count, dateTimeOf } from "./format";
import { showLogs } from "./logsDialog";
import { groupsOf, ResourceTable } from "./resourceTable";
import type { Group } from "./resourceTable";
import { entryView, projectView } from "./rows";
import type { Project, RowContext } from "./rows";
import { Store } from "./store";
import { TimeSection } from "./timeSection";

const tickMs = 1_000;
const states = {
    connecting: ["Connecting", "busy"],
    connected: ["Connected", "good"],
    lost: ["Connection lost", "bad"],
} as const;

const store = new Store();
const notice = byId("notice", HTMLElement);
const serviceFilter = byId("serviceFilter", HTMLInputElement);
const journalFilter = byId("journalFilter", HTMLSelectElement);

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
    showConnection: (resource) => showConnection(connection, resource),
    showLogs: (service) => showLogs(connection, service),
    nameOfVpc: (id) => store.resources.vpcs.get(id)?.value.name ?? id,
    hasManyProjects: () => store.resources.projects.size > 1,
};
const services = new ResourceTable({ rows: "serviceRows", more: "moreServices", heading: "services" }, context);
const networks = new ResourceTable({ rows: "networkRows", more: "moreNetworks", heading: "networks" }, context);
const projects = new List<Project>(byId("projects", HTMLElement), projectView, byId("services", HTMLElement));
const faults = new FaultSection(actions, store);
const time = new TimeSection(actions, store);
const entries = new List<NumberedEntry>(byId("journalRows", HTMLElement), entryView, byId("journal", HTMLElement));

function show(): void {
    byId("main", HTMLElement).hidden = false;
    setText(byId("url", HTMLElement), store.about?.url ?? "");
    showProjects();
    showServices();
    showNetworks();
    faults.show();
    time.show();
    showJournal();
    tick();
}

function tick(): void {
    const { about, now } = store;
    if (!about) {
        return;
    }
    setText(byId("clock", HTMLElement), `${dateTimeOf(now)}${about.isVirtualClock ? ", virtual" : ""}`);
    services.tick();
    networks.tick();
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

function showServices(): void {
    const { resources } = store;
    const filter = serviceFilter.value.trim().toLowerCase();
    const groups = groupsOf(resources.services, resources.replicaSets, ({ value }) => value.service_id).filter(
        (group) => filter === "" || group.some((row) => searchText(row).includes(filter)),
    );
    services.show(groups);
    const shown = `${groups.length.toLocaleString("en")} of ${resources.services.size.toLocaleString("en")}`;
    setText(byId("serviceCount", HTMLElement), filter === "" ? "" : shown);
    const none = byId("noServices", HTMLElement);
    none.hidden = groups.length > 0;
    setText(
        none,
        resources.services.size === 0
            ? "No services yet. Create one with Pulumi or the API."
            : "No service matches the filter.",
    );
}

function showNetworks(): void {
    const { vpcs, peerings } = store.resources;
    networks.show(groupsOf(vpcs, peerings, ({ value }) => value.vpc_id));
    setText(byId("networkCount", HTMLElement), `${count(vpcs.size, "VPC")}, ${count(peerings.size, "peering")}`);
    byId("noNetworks", HTMLElement).hidden = vpcs.size > 0;
}

function showJournal(): void {
    const shown = [...store.entries.values()].reverse().filter(matchesFilter);
    entries.show(new Map(shown.map((entry) => [String(entry.number), entry])));
    const none = byId("noEntries", HTMLElement);
    none.hidden = shown.length > 0;
    setText(none, store.entries.size === 0 ? "No requests yet." : "No request matches the filter.");
    setText(byId("journalCount", HTMLElement), `latest ${shown.length}`);
}

function matchesFilter({ method, status }: NumberedEntry): boolean {
    if (journalFilter.value === "changes") {
        return method !== "GET";
    }
    return journalFilter.value === "all" || status === undefined || status >= 400;
}

const searchText = ({ id, value }: Group[number]): string =>
    JSON.stringify([id, ...Object.values(value).filter((part) => typeof part === "string")]).toLowerCase();

function notify(text: string, isProblem = false): void {
    setText(notice, text);
    setAttribute(notice, "data-tone", isProblem ? "bad" : "good");
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

serviceFilter.addEventListener("input", showServices);
journalFilter.addEventListener("change", showJournal);
byId("clearJournal", HTMLButtonElement).addEventListener("click", () => {
    void actions.run("Cleared the journal.", "DELETE", "/journal");
});
byId("reset", HTMLButtonElement).addEventListener("click", () => actions.reset());
setInterval(tick, tickMs);
void connection.run();
