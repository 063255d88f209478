/** Generates the pages of the resources. */
import { index, kindsFolder } from "../generate/code.mjs";
import { readJson } from "../lib/files.mjs";
import { isMeaningful, meaningOf, purposesOf, tableOf, withoutChanges } from "./inputs.mjs";
import { definition, examplesOf, pageOf, part, table } from "./pages.mjs";

const msPerMinute = 60_000;
const minutesPerHour = 60;

/** The resource whose section describes the inputs that others also have. */
const first = "Service";

/** Resources with outputs that another section describes. */
const similar = { PeeringActivation: "Peering", ReadReplicaSet: "Service" };

/** A page with a section for each of several resources. Each other resource has its own page. */
const network = { file: "network", title: "Network", types: ["Vpc", "Peering", "PeeringActivation"] };

const pageWith = (type) =>
    network.types.includes(type) ? network : { file: fileNameOf(type), title: type, types: [type] };

/** The file name of a resource: `ReadReplicaSet` -> `read-replica-set`. */
const fileNameOf = (type) => type.replace(/\B[A-Z]/g, "-$&").toLowerCase();

export function resourcePages(sources) {
    const pages = new Set(Object.keys(sources.resources).map(pageWith));
    return Object.fromEntries(
        [...pages].map(({ file, title, types }) => {
            const sections = types.flatMap((type) => sectionOf(sources, type, type === title));
            const component = title === first ? componentSection(sources) : [];
            return [`docs/resources/${file}.md`, pageOf(title, ...sections, ...component)];
        }),
    );
}

/** The section of a resource, from another page of a folder. */
export function sectionPath(type, folder = "") {
    const { file, title } = pageWith(type);
    return `${folder}${file}.md${type === title ? "" : `#${type.toLowerCase()}`}`;
}

export const linkTo = (type, folder) => `[${type}](${sectionPath(type, folder)})`;

/** The links of the index. */
export const resourceList = (sources) =>
    Object.keys(sources.resources)
        .map((type) => `- ${linkTo(type, "resources/")}`)
        .join("\n");

const inputsOf = (sources, type) => sources.members(kindsFolder, `${type}Inputs`);
const outputsOf = (sources, type) => sources.members(kindsFolder, `${type}Outputs`);

const missingIn = (members) => (one) => !members.some(({ name }) => name === one.name);

/** What is said about a resource. Its own page has headings, and a table for each purpose. */
function sectionOf(sources, type, isPage) {
    const resource = sources.resources[type];
    const page = fileNameOf(type);
    const given = inputsOf(sources, type);
    const [own, same] = splitSame(given, type === first ? [] : inputsOf(sources, first));
    const describe = (input) => [
        ...meaningOf(resource, input),
        ...input.members().map((one) => `  ${definition(one)}`),
    ];
    const heading = (text) => (isPage ? `## ${text}` : "");
    return [
        isPage ? "" : `## ${type}`,
        withoutChanges(sources.text(index, type)),
        operationsOf(sources, type),
        ...examplesOf(type),
        heading("Inputs"),
        part(page),
        ...(isPage ? purposesOf(given) : [["", given]]).flatMap(([purpose, inputs]) => [
            isPage ? `### ${purpose}` : "",
            tableOf(sources, type, inputs),
            inputs
                .filter((one) => own.includes(one))
                .flatMap(describe)
                .join("\n"),
        ]),
        same.length === 0 ? "" : `As for a [service](service.md#inputs): ${listed(same)}.`,
        heading("Outputs"),
        ...outputList(sources, type, given),
        heading("States and waits"),
        part(page, "states"),
        statuses(resource),
        times(resource),
        part(page, "notes"),
    ];
}

/** The members that another resource has with the same text are named only. */
function splitSame(members, others) {
    const isSame = ({ name, text, byDefault }) =>
        others.some((one) => one.name === name && one.text === text && one.byDefault === byDefault);
    return [members.filter((one) => !isSame(one)), members.filter(isSame)];
}

function outputList(sources, type, given) {
    const other = similar[type];
    const outputs = outputsOf(sources, type);
    const [own] = splitSame(outputs.filter(missingIn(given)), other ? outputsOf(sources, other) : []);
    // The table says the rest.
    const textOf = ({ text }) => text.replace(notAlways, "").replace(" Secret.", "");
    return [
        outputTable(sources.resources[type], outputs),
        own
            .map((one) => ({ name: one.name, text: textOf(one), optional: true }))
            .filter(({ text }) => isMeaningful(text))
            .map(definition)
            .join("\n"),
    ];
}

/** The sentence of a comment about when an output has no value. */
const notAlways = / Undefined ((?:`[^`]*`|[^`.])*)\./;

/** A row for the outputs that are undefined in the same cases. */
function outputTable(resource, outputs) {
    const absence = ({ text }) => notAlways.exec(text)?.[1] ?? "never";
    const rows = new Map();
    for (const one of outputs) {
        const [, same] = /^in the same cases as `(\w+)`$/.exec(absence(one)) ?? [];
        const undefinedIf = absence(outputs.find(({ name }) => name === same) ?? one);
        const cells = [undefinedIf, resource.outputs[one.name].secret ? "yes" : ""];
        const { names } = rows.get(cells.join()) ?? { names: [] };
        rows.set(cells.join(), { names: [...names, one], cells });
    }
    return table([
        ["outputs", "undefined", "secret"],
        ...[...rows.values()].map(({ names, cells }) => [listed(names), ...cells]),
    ]);
}

/** The operations of the API that create, read and delete a resource. */
function operationsOf({ cases, resources }, type) {
    const { list, get, delete: remove } = resources[type].operations;
    const creating = Object.keys(cases.untypedKinds[type].creations);
    const all = new Set([...creating, get, list, remove].filter((one) => one !== undefined));
    return `Further calls: ${listed([...all].map((name) => ({ name })))}.`;
}

function componentSection(sources) {
    const { productionDefaults, urlOutputs } = sources.component;
    const defaults = Object.entries(productionDefaults).map(([name, value]) => `\`${name}: ${JSON.stringify(value)}\``);
    const own = sources.members(index, "ProductionDatabaseArgs");
    const notAccepted = inputsOf(sources, "ReadReplicaSet").filter(
        missingIn(sources.symbols(index, "ReadReplicaArgs")),
    );
    const [memoryGbs, readReplicas] = ["memoryGbs", "readReplicas"].map((name) => own.find((one) => one.name === name));
    return [
        `## ProductionDatabase`,
        sources.text(index, "ProductionDatabase"),
        ...examplesOf("ProductionDatabase"),
        `Its inputs are those of a service, with these differences:`,
        [
            "- `cpuMillis` is required, and a number.",
            `- The defaults are ${defaults.join(", ")}, and for \`memoryGbs\` ${memoryGbs.byDefault}.`,
            `- \`readReplicas\`: ${readReplicas.text} A set accepts the inputs of a [ReadReplicaSet](read-replica-set.md) except ${listed(notAccepted)}. ${part("production-database")}`,
        ].join("\n"),
        `Its outputs are \`service\`, \`readReplicas\` with the sets by their names in the input, and from the service ${listed(urlOutputs.map((name) => ({ name })))}.`,
        part("production-database", "notes"),
    ];
}

const listed = (members) => list.format(members.map(({ name }) => `\`${name}\``));

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** The known statuses by their meaning for a wait, from the `readiness` function of the resource. None if any text is one. */
function statuses({ observation, operations }) {
    const meanings = { ready: "Complete", pending: "In progress, like any other status", failed: "The wait fails" };
    const known = knownStatuses(operations.list).map((status) => {
        const { phase, ways = [] } = observation.readiness({ status, resources: [] }, {});
        const next = ways.map(({ text }) => ` (${text})`).join("");
        return { phase, text: `\`${status}\`${next}` };
    });
    const lines = Object.entries(meanings).map(([phase, meaning]) => {
        const texts = known.filter((one) => one.phase === phase).map(({ text }) => text);
        return `- ${meaning}: ${texts.join(", ")}.`;
    });
    return known.length === 0 ? "" : lines.join("\n");
}

/** The values of the field `status` in the contract, which may have others. */
function knownStatuses(list) {
    const { responses } = Object.values(readJson("provider/api/openapi.gen.json").paths)
        .flatMap((path) => Object.values(path))
        .find(({ operationId }) => operationId === list);
    const { status = {} } = responses[200].content["application/json"].schema.items.properties;
    return (status.anyOf ?? []).flatMap((one) => one.enum ?? []);
}

function times(resource) {
    const { create, update, delete: remove } = resource.times(undefined);
    // Resources without forks ignore it.
    const forked = resource.times({ fork: {} }).create;
    const longer = forked === create ? "" : `, the creation of a fork ${length(forked)}`;
    const changes = create === update ? length(create) : `creation ${length(create)}, update ${length(update)}`;
    const deletion = resource.operations.delete === undefined ? "" : `, deletion ${length(remove)}`;
    return `[Timeouts](service.md#timeouts): ${changes}${longer}${deletion}.`;
}

function length(ms) {
    const minutes = ms / msPerMinute;
    return minutes > minutesPerHour && minutes % (minutesPerHour / 2) === 0
        ? `${minutes / minutesPerHour} hours`
        : `${minutes} minutes`;
}
