import { useState } from "preact/hooks";
import { keyOf, type ResourceName } from "../messages";
import { openConnection } from "./connect";
import { dateTimeOf, displayName, elapsed, labelOf, nameOf, percent, remaining, sinceOf, textOf } from "./format";
import { presentationOf, toneOf, type Kind, type Resource } from "./kinds";
import { control, isDeletion, openOperation, operationsOf, run, titleOf } from "./operations";
import { Copy, Menu, type MenuItem, Status, store, type VNode } from "./ui";

// The rows of the tables of resources.

/** A resource and its child resources. */
export type Group = readonly [Resource, ...Resource[]];

/** The kinds whose resources a table contains. */
export const kindsOf = (table: string): Kind[] => store.kinds.filter((kind) => presentationOf(kind).table === table);

/** The rows of a table: each resource of a project with those that it contains. */
export function groupsOf(table: string): Group[] {
    const rows = kindsOf(table).flatMap((kind) => store.all(kind));
    const isRoot = ({ parent }: Resource): boolean => parent?.kind === "projects" || table === "others";
    const groups = new Map(
        rows.filter(isRoot).map((root): [string, [Resource, ...Resource[]]] => [keyOf(root), [root]]),
    );
    for (const one of rows) {
        groups.get(one.parent ? keyOf(one.parent) : "")?.push(one);
    }
    return [...groups.values()];
}

/** The initial number of groups. The button shows more, because laying out thousands of rows is slow. */
const groupsAtOnce = 100;

interface TableProps {
    name: string;
    /** The heads of the columns. */
    head: readonly string[];
    groups: readonly Group[];
}

/** A table of resources with a button that shows more of them. */
export function Table({ name, head, groups }: TableProps): VNode {
    const [limit, setLimit] = useState(groupsAtOnce);
    const hidden = groups.length - limit;
    const shown = groups.slice(0, limit).flat();
    return (
        <>
            <table class={name}>
                <thead class="meta">
                    <tr>
                        {head.map((text) => (
                            <th scope="col">{text}</th>
                        ))}
                        <td></td>
                    </tr>
                </thead>
                <tbody>
                    {shown.map((one) => (
                        <Row key={keyOf(one)} resource={one} />
                    ))}
                </tbody>
            </table>
            {hidden > 0 && (
                <div class="bar">
                    <button onClick={() => setLimit(limit + groupsAtOnce)}>
                        {`Show more (${hidden.toLocaleString("en")} not shown)`}
                    </button>
                </div>
            )}
        </>
    );
}

function Row({ resource }: { resource: Resource }): VNode {
    const { kind, value } = resource;
    const [key, name] = [keyOf(resource), displayName(resource)];
    const { addresses, size: sizeOf, table } = presentationOf(kind);
    const isProduction = "metadata" in value && value.metadata.environment === "PROD";
    const status = "status" in value ? (value.status ?? "") : "";
    const drift = driftOf(resource);
    const [button, press] = mainButtonOf(resource);
    return (
        <tr
            id={key}
            tabindex={-1}
            class={resource.parent?.kind === "projects" ? "" : "child"}
            data-tone={toneOf(status)}
            aria-label={name}
        >
            <th scope="row">
                <span class="line">
                    <strong class="name" title={name}>
                        {name}
                    </strong>
                    {isProduction && <span class="meta tag">PROD</span>}
                    {drift && <span class="meta tag drift">drift</span>}
                </span>
                <span class="meta">{metaOf(resource)}</span>
                {drift && <span class="meta drift">{drift}</span>}
            </th>
            <td>{status !== "" && <StatusOf status={status} resource={resource} />}</td>
            {table === "services" && <td>{sizeOf(value).map(sizeLine)}</td>}
            <td>
                {addresses(value, store.nameOf).map(
                    ([text, label]) =>
                        text && (
                            <span class="line" key={label}>
                                {label && <span class="meta">{label}</span>}
                                <code class="name" title={text}>
                                    {text}
                                </code>
                                <Copy label={`${label || "address"} of ${name}`} text={text} />
                            </span>
                        ),
                )}
            </td>
            <td class="row">
                <button aria-label={`${button} ${name}`} onClick={press}>
                    {button.split(" ")[0]}
                </button>
                <Menu id={`menu-${key}`} label={`More for ${name}`} text="⋯" groups={() => menuOf(resource, name)} />
            </td>
        </tr>
    );
}

/** The status, how long it has lasted, and the progress to the next one. */
function StatusOf({ status, resource }: { status: string; resource: Resource }): VNode {
    const { next, isByHand, problem } = resource;
    const since = sinceOf(resource);
    const part = next && percent((store.now - since) / Math.max(1, next.at - since));
    return (
        <>
            <span class="line">
                <Status text={nameOf(status)} tone={toneOf(status)} />
                <span class="meta" title={`since ${dateTimeOf(since)}`}>
                    {elapsed(store.now - since)}
                </span>
                {isByHand && <span class="meta tag">set by you</span>}
            </span>
            {next && (
                <span class="meta">
                    {next.status ?? "deleted"} in {remaining(next.at - store.now)}
                </span>
            )}
            {next && toneOf(status) === "busy" && (
                <div class="progress" data-tone="busy" aria-hidden="true">
                    <i style={{ width: part }}></i>
                </div>
            )}
            {problem && <span class="meta problem">{problem}</span>}
        </>
    );
}

/** The id, what it is, the project if there are several, and what the kind shows. */
function metaOf({ kind, id, parent, value }: Resource): (string | VNode)[] {
    const isChild = parent?.kind !== "projects";
    const place = isChild ? [store.about?.nouns[kind]] : store.projects.length > 1 ? [parent.id] : [];
    const parts = [id, ...place, ...presentationOf(kind).meta(value)].filter((part) => part !== undefined);
    return parts.flatMap((part, index) => [index === 0 ? "" : " · ", typeof part === "string" ? part : linkTo(part)]);
}

/** A resource that was deleted has no link. */
function linkTo({ text, ...resource }: { text: string } & ResourceName): VNode {
    const name = store.nameOf(resource);
    return (
        <>
            {text}
            {name === undefined ? resource.id : <a href={`#${keyOf(resource)}`}>{name}</a>}
        </>
    );
}

const sizeLine = (text: string, index: number): VNode => <span class={index === 0 ? "line" : "meta"}>{text}</span>;

/** What differs from what the program has set, as a sentence. */
const driftOf = ({ drift = [] }: Resource): string =>
    drift.map(({ property, declared, now }) => `${labelOf(property)}: ${textOf(declared)} → ${textOf(now)}`).join(", ");

/** The button of a row besides its menu. The name of the resource follows the text. */
function mainButtonOf(resource: Resource): [label: string, press: () => void] {
    const { button } = presentationOf(resource.kind);
    return button === "connect"
        ? ["Connect to", () => openConnection(resource)]
        : [button[0], () => openOperation(control(button[1]), resource)];
}

function menuOf(resource: Resource, name: string): Record<string, MenuItem[]> {
    const { next } = resource;
    const item = (text: string, run: () => void, isDangerous = false): MenuItem => ({
        text,
        label: `${text} ${name}`,
        isDangerous,
        run,
    });
    const items = (isControl: boolean): MenuItem[] =>
        operationsOf(resource)
            .filter((one) => one.isControl === isControl)
            .map((one) => item(titleOf(one), () => openOperation(one, resource), isDeletion(one)));
    return {
        "With the API": items(false),
        "Without the API": [
            ...(next ? [item("Finish now", () => run(control("finish"), undefined, resource))] : []),
            ...items(true),
        ],
    };
}
