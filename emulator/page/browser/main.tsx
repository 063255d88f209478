import { Faults } from "./faults";
import { openForm } from "./form";
import { dateTimeOf } from "./format";
import { Journal } from "./journal";
import { control, openOperation } from "./operations";
import { Pace } from "./pace";
import { Resources, Services } from "./sections";
import { Timeline } from "./timeline";
import { connection, Copy, redraw, screen, start, Status, store, type VNode } from "./ui";

const states = {
    connecting: ["Connecting", "busy"],
    connected: ["Connected", "good"],
    lost: ["Connection lost", "bad"],
} as const;

const isJournal = (): boolean => location.hash === "#journal";

function App(): VNode {
    const { notice, dialogs, connection: state } = screen;
    const view = isJournal() ? "journal" : "services";
    return (
        <>
            <a class="skip" href={`#${view}`}>
                Skip to {view}
            </a>
            <Header />
            {store.about && (
                <main class="stack" data-state={state}>
                    {isJournal() ? (
                        <Journal />
                    ) : (
                        <>
                            <Services />
                            <Timeline />
                            <Resources
                                title="Networks"
                                table="networks"
                                head={["VPC or peering", "Status", "Address"]}
                            />
                            <Resources title="Others" table="others" head={["Resource", "Status", "Fields"]} />
                            <Faults />
                            <button class="danger end" onClick={reset}>
                                Reset emulator…
                            </button>
                        </>
                    )}
                </main>
            )}
            <p id="notice" class={notice.isProblem ? "problem" : ""} role="status">
                {notice.text}
            </p>
            {dialogs.map(({ key, View }) => (
                <View key={key} />
            ))}
        </>
    );
}

const reset = (): void =>
    openOperation({
        ...control("reset"),
        summary: "Reset emulator",
        description: "Deletes all resources, clears the journal, and restores the initial faults, durations and speed.",
    });

const link = (id: string, name: string, isCurrent: boolean): VNode => (
    <a href={`#${id}`} class={isCurrent ? "" : "quiet"} aria-current={isCurrent ? "page" : "false"}>
        {name}
    </a>
);

function Header(): VNode {
    const { about, now } = store;
    const [text, tone] = states[screen.connection];
    return (
        <header>
            <h1>clouddb emulator</h1>
            <nav aria-label="Views">
                {link("services", "Resources", !isJournal())} {link("journal", "Journal", isJournal())}
            </nav>
            {about && (
                <div class="row">
                    <Pace />
                </div>
            )}
            <div class="line end quiet">
                {about && (
                    <>
                        <span class="line">
                            <code id="url" class="name" title={about.url}>
                                {about.url}
                            </code>
                            <Copy label="base URL" text={about.url} />
                        </span>
                        <span>
                            {dateTimeOf(now).slice(11)}
                            {about.isVirtualClock ? ", virtual" : ""}
                        </span>
                    </>
                )}
                <Status text={text} tone={tone} />
            </div>
        </header>
    );
}

const askToken = (problem: string | undefined): Promise<string> =>
    new Promise((resolve) => {
        openForm({
            title: "Emulator token",
            text: "This emulator was started with a token. Enter it to open the page.",
            fields: [{ name: "token", label: "Token", type: "password", value: "" }],
            submit: "Open",
            canCancel: false,
            problem,
            run: ({ token }) => {
                resolve(String(token ?? ""));
                return Promise.resolve();
            },
        });
    });

/** Shows the row to which a link leads, also if it was not in the document before. */
window.addEventListener("hashchange", () => {
    redraw();
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
});

start(App);
void connection.run(askToken);
