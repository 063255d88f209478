import { useState } from "preact/hooks";
import { count, displayName, labelOf } from "./format";
import { toneOf } from "./kinds";
import { creationsOf, openOperation, operation, run } from "./operations";
import { groupsOf, kindsOf, Table, type Group } from "./rows";
import { Copied, Search, Section, Status, store, type VNode } from "./ui";

/** The services with a filter, and a summary of their statuses that sets the filter. */
export function Services(): VNode {
    const [filter, setFilter] = useState("");
    const services = store.all("services");
    const counts = new Map<string, number>();
    services.forEach(({ value: { status } }) => counts.set(status, (counts.get(status) ?? 0) + 1));
    const text = filter.trim().toLowerCase();
    const groups = groupsOf("services").filter((group) => group.some((row) => searchText(row).includes(text)));
    const chip = ([status, number]: [string, number]): VNode => {
        const isChosen = filter === status;
        return (
            <button
                key={status}
                class="small"
                aria-pressed={isChosen}
                onClick={() => setFilter(isChosen ? "" : status)}
            >
                <Status text={`${number.toLocaleString("en")} ${status}`} tone={toneOf(status)} />
            </button>
        );
    };
    const bar = (
        <>
            <span class="quiet">
                {store.projects.map((one) => (
                    <>
                        {displayName(one)} <code>{one.id}</code>{" "}
                    </>
                ))}
            </span>
            <span class="row" role="group" aria-label="Statuses">
                {[...counts].sort().map(chip)}
            </span>
            {text !== "" && (
                <span class="quiet">
                    {groups.length.toLocaleString("en")} of {services.length.toLocaleString("en")}
                </span>
            )}
            <span class="row end">
                {services.length > 0 && <Search label="Filter" value={filter} onInput={setFilter} />}
                <Create id="createService" text="New service" />
            </span>
        </>
    );
    return (
        <Section title="Services" bar={bar}>
            {groups.length > 0 ? (
                <Table name="services" groups={groups} head={["Name", "Status", "Size", "Endpoints"]} />
            ) : services.length > 0 ? (
                <p class="body quiet">No service matches the filter.</p>
            ) : (
                <FirstRun />
            )}
        </Section>
    );
}

/** A button for the form of an operation that creates something. */
const Create = ({ id, text }: { id: string; text: string }): VNode => (
    <button onClick={() => openOperation(operation(id))}>{text}</button>
);

/** What a program needs to use this emulator, and a first service. */
function FirstRun(): VNode {
    const { publicToken, projectId = "", url = "" } = store.about ?? {};
    const variables = [
        `export CLOUDDB_BASE_URL=${url}`,
        `export CLOUDDB_PROJECT_ID=${projectId}`,
        `export CLOUDDB_ACCESS_TOKEN=${publicToken ?? "TOKEN"}`,
    ].join("\n");
    return (
        <div class="body stack">
            <p>
                <strong>No services yet.</strong> Set these variables in a terminal, and run <code>pulumi up</code> in
                it.
            </p>
            <Copied label="variables" text={variables} />
            <p class="row">
                <button class="primary" onClick={() => run(operation("createService"), { name: "sample" })}>
                    Create a sample service
                </button>
            </p>
        </div>
    );
}

export function Networks(): VNode {
    const groups = groupsOf("networks");
    const counts = kindsOf("networks").map((kind) => count(store.all(kind).length, nounOf(kind)));
    const bar = (
        <>
            <span class="quiet">{groups.length > 0 && counts.join(", ")}</span>
            <span class="end">
                <Create id="createVpc" text="New VPC" />
            </span>
        </>
    );
    const head = ["VPC or peering", "Status", "Address"];
    return (
        <Section title="Networks" bar={bar}>
            {groups.length > 0 ? (
                <Table name="networks" groups={groups} head={head} />
            ) : (
                <p class="body quiet">No VPCs yet.</p>
            )}
        </Section>
    );
}

/** The resources of the kinds that no other section shows. */
export function Others(): VNode | string {
    const kinds = kindsOf("others");
    if (kinds.length === 0) {
        return "";
    }
    const groups = groupsOf("others");
    const bar = (
        <span class="row end">
            {kinds.flatMap(creationsOf).map(({ id }) => (
                <Create key={id} id={id} text={labelOf(id)} />
            ))}
        </span>
    );
    const head = ["Resource", "Status", "Fields"];
    return (
        <Section title="Other resources" bar={bar}>
            {groups.length > 0 ? (
                <Table name="networks" groups={groups} head={head} />
            ) : (
                <p class="body quiet">None yet.</p>
            )}
        </Section>
    );
}

const nounOf = (kind: string): string => store.about?.nouns[kind] ?? kind;

const searchText = ({ id, value }: Group[number]): string =>
    JSON.stringify([id, ...Object.values(value).filter((part) => typeof part === "string")]).toLowerCase();
