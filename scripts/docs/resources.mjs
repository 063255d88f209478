/** Generates the pages of the resources. */
import { isMeaningful, meaningOf, purposesOf, tableOf, withoutChanges } from "./inputs.mjs";
import { banner, definition, examplesOf, part } from "./sources.mjs";

const msPerMinute = 60_000;
const minutesPerHour = 60;

const classes = "sdk/nodejs/index.ts";

/** The pages with several resources, a section each, or with other sections. Each other resource has its own page. */
const pages = {
    service: { types: ["Service"], more: [componentSection] },
    network: { title: "Network", types: ["Vpc", "Peering", "PeeringActivation"] },
};

/** The file name of a resource: `ReadReplicaSet` -> `read-replica-set`. */
const fileNameOf = (type) => type.replace(/\B[A-Z]/g, "-$&").toLowerCase();

/** The page with a resource. */
const pageOf = (type) =>
    Object.entries(pages).find(([, { types }]) => types.includes(type)) ?? [fileNameOf(type), { types: [type] }];

/** The resource whose section describes the inputs that others also have. */
const first = "Service";

/** Resources with outputs that another section describes. */
const similar = { PeeringActivation: "Peering", ReadReplicaSet: "Service" };

export function resourcePages(sources) {
    return Object.fromEntries(
        [...new Map(Object.keys(sources.resources).map(pageOf))].map(([page, { title, types, more = [] }]) => {
            const sections = types.flatMap((type) => sectionOf(sources, type, title === undefined));
            const parts = [...sections, ...more.flatMap((one) => one(sources))].filter((text) => text !== "");
            return [`docs/resources/${page}.md`, `${[`# ${title ?? types[0]}`, banner, ...parts].join("\n\n")}\n`];
        }),
    );
}

/** The place of a resource below docs/resources. */
function placeOf(type) {
    const [page, { title }] = pageOf(type);
    return `${page}.md${title === undefined ? "" : `#${type.toLowerCase()}`}`;
}

/** A link to the section of a resource, from another page of a folder. */
export const linkTo = (type, folder = "") => `[${type}](${folder}${placeOf(type)})`;

/** The links of the index. */
export const resourceList = (sources) =>
    Object.keys(sources.resources)
        .map((type) => `- ${linkTo(type, "resources/")}`)
        .join("\n");

const inputsOf = (sources, type) => sources.members("provider/resources", `${type}Inputs`);

const missingIn = (members) => (one) => !members.some(({ name }) => name === one.name);

/** What is said about a resource. Its own page has headings, and a table for each purpose. */
function sectionOf(sources, type, isPage) {
    const resource = sources.resources[type];
    const page = fileNameOf(type);
    const given = inputsOf(sources, type);
    const outputs = sources.outputs(classes, type);
    const purposes = purposesOf(type, given);
    const [own, same] = splitSame(given, type === first ? [] : inputsOf(sources, first));
    const describe = (inputs) =>
        inputs
            .filter((one) => own.some(({ name }) => name === one.name))
            .flatMap((one) => [...meaningOf(resource, one), ...nested(one)])
            .join("\n");
    const heading = (text) => (isPage ? [`## ${text}`] : []);
    const tables = isPage ? purposes : [["", purposes.flatMap(([, inputs]) => inputs)]];
    return [
        ...(isPage ? [] : [`## ${type}`]),
        withoutChanges(sources.textOf(sources.exported(classes, type))),
        operationsOf(sources, type),
        ...examplesOf(type),
        ...heading("Inputs"),
        part(page),
        ...tables.flatMap(([purpose, inputs]) => [
            isPage ? `### ${purpose}` : "",
            tableOf(sources, type, inputs),
            describe(inputs),
        ]),
        same.length === 0 ? "" : `As for a [service](service.md#inputs): ${listed(same)}.`,
        ...heading("Outputs"),
        ...outputList(sources, type, outputs, given, isPage),
        ...heading("States and waits"),
        part(page, "states"),
        statuses(resource, sources.openapi),
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

function outputList(sources, type, outputs, given, isPage) {
    const other = similar[type];
    const notReturned = given.filter(missingIn(outputs));
    const others = other === undefined ? [] : sources.outputs(classes, other);
    const [own, same] = splitSame(outputs.filter(missingIn(given)), others);
    const [described, named] = [true, false].map((is) =>
        withPorts(own).filter(({ text }) => isMeaningful(text) === is),
    );
    const except = notReturned.length === 0 ? "" : ` except ${listed(notReturned)}`;
    const also = named.length === 0 ? "" : `; also ${listed(named)}`;
    return [
        `${isPage ? "All" : "Outputs: all"} inputs${except}${also}.`,
        described.map(definition).join("\n"),
        same.length === 0 ? "" : `As for a ${linkTo(other)}: ${listed(same)}.`,
    ];
}

/** The outputs without their types. A host and its port share an item, if the port has no text of its own. */
function withPorts(outputs) {
    const portOf = (name) => outputs.find((one) => one.name === name.replace("Host", "Port").replace("host", "port"));
    return outputs
        .filter(({ name }) => !/port$/i.test(name))
        .map(({ name, text }) => ({
            ...(/host$/i.test(name)
                ? { name: `${name}\`, \`${portOf(name).name}`, text: text.replace("The host", "The host and the port") }
                : { name, text }),
            optional: true,
        }));
}

/** The operations of the API that create, read and delete a resource. */
function operationsOf({ cases, resources }, type) {
    const { list, get, delete: remove } = resources[type].operations;
    const creating = Object.keys(cases.untypedKinds[type].creations);
    const all = [...new Set([...creating, get, list, remove])].filter((one) => one !== undefined);
    return `Further calls: ${listed(all.map((name) => ({ name })))}.`;
}

function componentSection(sources) {
    const { productionDefaults, urlOutputs } = sources.component;
    const defaults = Object.entries(productionDefaults).map(([name, value]) => `\`${name}: ${JSON.stringify(value)}\``);
    const own = sources.members(classes, "ProductionDatabaseArgs");
    const notAccepted = inputsOf(sources, "ReadReplicaSet").filter(
        missingIn(sources.members(classes, "ReadReplicaArgs")),
    );
    const [memoryGbs, readReplicas] = ["memoryGbs", "readReplicas"].map((name) => own.find((one) => one.name === name));
    return [
        `## ProductionDatabase`,
        sources.textOf(sources.exported(classes, "ProductionDatabase")),
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

/** The properties of an input that is an object. */
const nested = ({ isObject, members }) => (isObject ? members().map((one) => `  ${definition(one)}`) : []);

/** The known statuses by their meaning for a wait, from the `readiness` function of the resource. None if any text is one. */
function statuses({ observation, operations }, openapi) {
    const values = knownStatuses(operations.list, openapi);
    if (values.length === 0) {
        return "";
    }
    const meanings = { ready: "Complete", pending: "In progress, like any other status", failed: "The wait fails" };
    const known = values.map((status) => {
        const { phase, ways = [] } = observation.readiness({ status, resources: [] }, {});
        const next = ways.map(({ text }) => ` (${text})`).join("");
        return { phase, text: `\`${status}\`${next}` };
    });
    const lines = Object.entries(meanings).map(([phase, meaning]) => {
        const texts = known.filter((one) => one.phase === phase).map(({ text }) => text);
        return `- ${meaning}: ${texts.join(", ")}.`;
    });
    return lines.join("\n");
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
    const longer = forked === create ? "" : `, the creation of a fork ${length(forked)}`;
    const changes = create === update ? length(create) : `creation ${length(create)}, update ${length(update)}`;
    return `[Timeouts](service.md#timeouts): ${changes}${longer}, deletion ${length(remove)}.`;
}

function length(ms) {
    const minutes = ms / msPerMinute;
    return minutes > minutesPerHour && minutes % (minutesPerHour / 2) === 0
        ? `${minutes / minutesPerHour} hours`
        : `${minutes} minutes`;
}
