/** Generates a page for each resource. */
import { costs } from "./costs.mjs";
import { banner, definition, exampleOf, part } from "./sources.mjs";

const msPerMinute = 60_000;
const minutesPerHour = 60;

/** The effect of changing an input, in the parentheses after its name. */
const effects = { replace: "replaces", update: "in place", stateOnly: "state only", await: "wait only" };

const classes = "sdk/nodejs/index.ts";

const component = "ProductionDatabase";

/** Resources with outputs that another page describes. */
const similar = { ReadReplicaSet: "Service", PeeringActivation: "Peering" };

/** Arguments that have the same meaning for every resource, and the resource whose comments describe them. */
const shared = { names: ["projectId", "existingId", "deletionProtection"], type: "Vpc" };

export function resourcePages(sources) {
    const pages = [
        ...Object.keys(sources.resources).map((type) => [pageOf(type), resourcePage(sources, type)]),
        ["common", commonPage(sources)],
        [pageOf(component), componentPage(sources)],
    ];
    return Object.fromEntries(pages.map(([name, text]) => [`docs/resources/${name}.md`, text]));
}

/** The links to these pages in the list of all pages. */
export function withResourcePages(list, { resources }) {
    const pages = [...Object.keys(resources), component].map((type) => [type, pageOf(type)]);
    const links = [...pages, ["common arguments", "common"]].map(([text, page]) => `[${text}](resources/${page}.md)`);
    return list.replace(/(?<=^- Resources: ).*/m, links.join(", "));
}

function costSection(sources, type) {
    const table = costs(sources, type);
    if (table === "") {
        return [];
    }
    const { fields } = sources.resources[type];
    const replacing = Object.keys(fields).filter((name) => fields[name].onChange === "replace");
    return [
        "## What each change costs",
        table,
        `A change of ${list.format(replacing.map((name) => `\`${name}\``))} replaces the resource.`,
    ];
}

/** `ReadReplicaSet` -> `read-replica-set`: the name of the page and of its hand-written part. */
export const pageOf = (type) => type.replace(/\B[A-Z]/g, "-$&").toLowerCase();

const inputsOf = (sources, type) => sources.members("provider/resources", `${type}Inputs`);
const isShared = ({ name }) => shared.names.includes(name);

/** An input with the effect of its change in place of the sentence about it. */
const withEffect = (resource, input) => ({
    ...input,
    effect: effects[resource.fields[input.name].onChange],
    text: input.text
        .replace(/ A change replaces the [A-Za-z]+(, which requires `deletionProtection: false`)?\.(?= |$)/, "")
        .replace(/ A change is made in place \((.*?)\)\./, " API: $1.")
        .replace(/ A change updates only the state\./, ""),
});

function resourcePage(sources, type) {
    const resource = sources.resources[type];
    const page = pageOf(type);
    const given = inputsOf(sources, type);
    const outputs = sources.outputs(classes, type);
    const missingIn = (members) => (one) => !members.some(({ name }) => name === one.name);
    const more = outputs.filter(missingIn(given));
    const others = similar[type]
        ? [...inputsOf(sources, similar[type]), ...sources.outputs(classes, similar[type])]
        : [];
    const isSame = ({ name, text }) => others.some((one) => one.name === name && one.text === text);
    const sameOf = (members, heading) => {
        const same = members.filter(isSame).map(({ name }) => `\`${name}\``);
        const target = `${pageOf(similar[type] ?? type)}.md#${heading}`;
        return same.length === 0 ? "" : `The same as for [${similar[type]}](${target}): ${same.join(", ")}.`;
    };
    // Arguments that the class uses itself.
    const local = sources.members(classes, `${type}Args`).filter(missingIn(given));
    const notReturned = given.filter(missingIn(outputs));
    const special = given.filter((one) => !isShared(one));
    const own = special.filter((one) => !isSame(one)).map((input) => withEffect(resource, input));
    const common = given.filter(isShared).map(({ name }) => `\`${name}\``);
    const parts = [
        `# ${type}`,
        banner,
        sources.textOf(sources.exported(classes, type)),
        exampleOf(type),
        "## Arguments",
        sameOf(special, "arguments"),
        [...own, ...local].flatMap((input) => [definition(input), ...nested(input)]).join("\n"),
        `[Common arguments](common.md): ${common.join(", ")}.`,
        "## Outputs",
        `All arguments${exceptFor(notReturned)}, and:`,
        sameOf(more, "outputs"),
        more
            .filter((one) => !isSame(one))
            .map((one) => definition({ ...one, optional: true, type: valueType(one.type) }))
            .join("\n"),
        "## States and waits",
        part(page, "states"),
        statuses(resource, sources.openapi),
        times(resource),
        ...costSection(sources, type),
        part(page, "notes"),
    ];
    return `${parts.filter((text) => text !== "").join("\n\n")}\n`;
}

function commonPage(sources) {
    const described = inputsOf(sources, shared.type)
        .filter(isShared)
        .map((input) => definition(withEffect(sources.resources[shared.type], input)));
    return `${["# Common arguments", banner, part("common"), described.join("\n"), part("common", "notes")].join("\n\n")}\n`;
}

function componentPage(sources) {
    const defaults = Object.entries(sources.component.productionDefaults).map(([name, value]) =>
        typeof value === "string" ? `\`${name}\` \`"${value}"\`` : `\`${name}\` ${value}`,
    );
    const all = sources.members(classes, "ProductionDatabaseArgs");
    const own = ["cpuMillis", "memoryGbs", "readReplicas"].map((name) => all.find((one) => one.name === name));
    const parts = [
        `# ${component}`,
        banner,
        sources.textOf(sources.exported(classes, component)),
        exampleOf(component),
        "## Arguments",
        own.map((one) => definition({ ...one, type: undefined })).join("\n"),
        `All other arguments of [Service](service.md), with these defaults: ${defaults.join(", ")}. A replica set has the arguments of [ReadReplicaSet](read-replica-set.md) except \`serviceId\`, \`projectId\` and \`password\`.`,
        "## Outputs",
        sources
            .outputs(classes, component)
            .map(({ name, text }) => `- \`${name}\`: ${text}`)
            .join("\n"),
        part(pageOf(component), "notes"),
    ];
    return `${parts.join("\n\n")}\n`;
}

const exceptFor = (members) =>
    members.length === 0 ? "" : ` except ${list.format(members.map(({ name }) => `\`${name}\``))}`;

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** `Output<string | undefined>` -> `string | undefined`. */
const valueType = (type) => type.replace(/^(?:pulumi\.)?Output(?:Instance)?<(.*)>$/, "$1").replaceAll("readonly ", "");

/** The properties of an argument that is an object. */
const nested = ({ isObject, members }) => (isObject ? members().map((one) => `  ${definition(one)}`) : []);

/** The known statuses by their meaning for a wait, from the `readiness` function of the resource. None if any text is one. */
function statuses({ observation, operations }, openapi) {
    const values = knownStatuses(operations.list, openapi);
    if (values.length === 0) {
        return "";
    }
    const meanings = { ready: "Complete", pending: "In progress", failed: "The wait fails" };
    const known = values.map((status) => {
        const { phase, detail, reason, ways = [] } = observation.readiness({ status, resources: [] }, {});
        const more = [detail ?? reason, ...ways.map(({ text }) => text)].filter(Boolean).join("; ");
        return { phase, text: `\`${status}\`${more ? ` (${more})` : ""}` };
    });
    const lines = Object.entries(meanings).map(([phase, meaning]) => {
        const texts = known.filter((one) => one.phase === phase).map(({ text }) => text);
        return `- ${meaning}: ${texts.join(", ")}.`;
    });
    return `${lines.join("\n")}\n\nAny other status counts as in progress.`;
}

/** The values of the field `status` in the contract, which may have others. */
function knownStatuses(list, { paths }) {
    const { responses } = Object.values(paths)
        .flatMap((path) => Object.values(path))
        .find(({ operationId }) => operationId === list);
    const { status = {} } = responses[200].content["application/json"].schema.items.properties;
    return (status.anyOf ?? []).flatMap((one) => one.enum ?? []);
}

function times(resource) {
    const { create, update, delete: remove } = resource.times(undefined);
    // Resources without forks ignore it.
    const forked = resource.times({ fork: {} }).create;
    const longer = forked === create ? "" : ` (${length(forked)} with \`fork\`)`;
    return `[Timeouts](common.md#timeouts): create ${length(create)}${longer}, update ${length(update)}, delete ${length(remove)}.`;
}

function length(ms) {
    const minutes = ms / msPerMinute;
    return minutes > minutesPerHour && minutes % (minutesPerHour / 2) === 0
        ? `${minutes / minutesPerHour} hours`
        : `${minutes} minutes`;
}
