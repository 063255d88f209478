/** Generates the tables of the inputs: one a resource, or one for each purpose. */
import { changesOf } from "./changes.mjs";

const other = "Settings";

/** The inputs by their purpose, in the order of the tables. */
const purposes = {
    Identity: ["name", "projectId", "regionCode", "addons", "environment"],
    Size: ["cpuMillis", "memoryGbs", "nodes", "replicaCount", "syncReplicaCount", "paused"],
    Network: [
        ...["vpcId", "connectionPooler", "cidr", "peerAccountId", "peerRegionCode", "peerVpcId"],
        ...["peeringId", "waitFor"],
    ],
    /** All that are not named here. */
    [other]: [],
    Access: ["password", "passwordFile", "passwordVariable", "passwordVersion", "sslMode", "sslRootCert"],
    Protection: ["deletionProtection"],
    Source: ["serviceId", "fork", "existingId"],
};

const names = Object.values(purposes).flat();

/** The inputs of a resource by their purpose. */
export function purposesOf(type, inputs) {
    return Object.entries(purposes).flatMap(([purpose, members]) => {
        const found =
            purpose === other
                ? inputs.filter(({ name }) => !names.includes(name))
                : members.flatMap((name) => inputs.find((one) => one.name === name) ?? []);
        return found.length === 0 ? [] : [[purpose, found]];
    });
}

const header = ["input", "values", "default", "a change", "takes", "calls"];

export function tableOf(sources, type, inputs) {
    const resource = sources.resources[type];
    const rows = inputs.flatMap((input) => {
        const { name } = input;
        return changesOf(sources, type, name).map(({ when, effect, takes = "", calls = "" }, index) => [
            ...(index > 0
                ? ["", "", ""]
                : [
                      `\`${name}\``,
                      valuesOf(resource, input),
                      resource.fields[name].required ? "required" : asCode(defaultsOf(resource, input)[0]),
                  ]),
            when === undefined ? effect : `${when}: ${effect}`,
            takes,
            calls,
        ]);
    });
    return table([header, ...rows]);
}

/** A table without the columns that are empty. */
export function table([titles, ...rows]) {
    const used = titles.flatMap((_, index) => (rows.some((row) => row[index] !== "") ? [index] : []));
    const lines = [titles, titles.map(() => "---"), ...rows].map((row) => used.map((index) => row[index]));
    return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const units = [
    [/Millis$/, ", in millicores"],
    [/Gbs$/, ", in GB"],
];

/** The documented values, otherwise those that the check accepts, as its message says them. */
function valuesOf({ fields }, { name, text }) {
    const [, unit = ""] = units.find(([ending]) => ending.test(name)) ?? [];
    return `${documentedIn(text) ?? acceptedBy(fields[name].test)}${unit}`;
}

/** The documented values in a comment, unless they are too many for a cell. */
const documentedIn = (text) => /, documented as ((?:`[^`]*`|[^`.]){1,30})\./.exec(text)?.[1];

/** No test accepts it. */
const invalid = () => {};

function acceptedBy(test) {
    const [, expected = ""] = / use (?:an? |the )?(.*)$/.exec(test(invalid)) ?? [];
    if (expected === "string") {
        const [, longest] = /at most (\d+)/.exec(test("x".repeat(1000))) ?? [];
        const [, shortest] = /at least (\d+)/.exec(test("x")) ?? [];
        return longest ? `1 to ${longest} characters` : shortest ? `at least ${shortest} characters` : "text";
    }
    if (expected === "true or false") {
        return "boolean";
    }
    return expected === "array" ? `list of ${acceptedBy((one) => test([one]))}` : asCode(expected);
}

/** An id is described by its characters, and a value that is explained by an example by it. */
function asCode(text) {
    const short = /\((.+)\)$/.exec(text)?.[1] ?? text.replace("for example ", "such as ");
    return short.startsWith("{")
        ? `\`${short}\``
        : short.replace(/(?<!`)"[^"]*"|^(?:true|false|\d+)$/g, (value) => `\`${value}\``);
}

/** The default, which a table shows, and what else there is to say about it. */
function defaultsOf({ hasData }, { byDefault = "none" }) {
    // A comment that all kinds share.
    const [, ofService, ofOthers] = /^for a service (.+); for other resources, .+, (.+)$/.exec(byDefault) ?? [];
    return ofService === undefined ? byDefault.split("; ") : [hasData ? ofService : ofOthers];
}

/** A meaning of so few words only spells the name out. */
const fewWords = 8;

/** What the table does not say about an input: an item of a list, or none. */
export function meaningOf(resource, input) {
    const { name, text } = input;
    const [, ...remarks] = defaultsOf(resource, input);
    const documented = documentedIn(text);
    const meaning = text
        .replace(documented === undefined ? "" : `, documented as ${documented}`, "")
        .replace(/, with (at least \d+|\d+ to \d+) characters/, "");
    const more = [withoutChanges(meaning), ...remarks.map(asSentence)].join(" ");
    return isMeaningful(more) ? [`- \`${name}\`: ${more}`] : [];
}

export const isMeaningful = (text) => text.split(" ").length > fewWords;

/** A text without the sentences about changes, which a table shows. */
export const withoutChanges = (text) => text.replace(/(^|\s)A change (?:`[^`]*`|[^`.])*\./g, "");

const asSentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;
