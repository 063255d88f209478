import { useState } from "preact/hooks";
import { count, displayName } from "./format";
import type { Kind } from "./kinds";
import { creationOf, openOperation } from "./operations";
import { groupsOf, kindsOf, Table, type Group } from "./rows";
import { Copied, Section, store, valueOf, type VNode } from "./ui";

/** The services with a filter. */
export function Services(): VNode {
    const [filter, setFilter] = useState("");
    const services = store.all("services");
    const text = filter.trim().toLowerCase();
    const groups = groupsOf("services").filter((group) => group.some((row) => searchText(row).includes(text)));
    const bar = (
        <>
            <span class="quiet">
                {store.projects.map((one) => (
                    <>
                        {displayName(one)} <code>{one.id}</code>{" "}
                    </>
                ))}
            </span>
            {text !== "" && (
                <span class="quiet">
                    {groups.length.toLocaleString("en")} of {services.length.toLocaleString("en")}
                </span>
            )}
            <span class="row end">
                {services.length > 0 && (
                    <input
                        type="search"
                        size={12}
                        aria-label="Filter"
                        placeholder="Filter"
                        autocomplete="off"
                        spellcheck={false}
                        value={filter}
                        onInput={(event: Event) => setFilter(valueOf(event))}
                    />
                )}
                <Create kind="services" />
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

/** A button for the form that creates a resource of a kind in the project. */
function Create({ kind }: { kind: Kind }): VNode | string {
    const creation = creationOf(kind);
    return creation ? <button onClick={() => openOperation(creation)}>New {nounOf(kind)}</button> : "";
}

const nounOf = (kind: Kind): string => store.about?.nouns[kind] ?? kind;

/** What a program needs to use this emulator. */
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
        </div>
    );
}

interface ResourcesProps {
    title: string;
    table: "networks" | "others";
    head: readonly string[];
}

/** The resources of the kinds with this table. */
export function Resources({ title, table, head }: ResourcesProps): VNode | string {
    const kinds = kindsOf(table);
    if (kinds.length === 0) {
        return "";
    }
    const groups = groupsOf(table);
    const bar = (
        <>
            <span class="quiet">{kinds.map((kind) => count(store.all(kind).length, nounOf(kind))).join(", ")}</span>
            <span class="row end">
                {kinds.map((kind) => (
                    <Create key={kind} kind={kind} />
                ))}
            </span>
        </>
    );
    return (
        <Section title={title} bar={bar}>
            {groups.length > 0 && <Table name="networks" groups={groups} head={head} />}
        </Section>
    );
}

const searchText = ({ id, value }: Group[number]): string =>
    JSON.stringify([id, ...Object.values(value).filter((part) => typeof part === "string")]).toLowerCase();
