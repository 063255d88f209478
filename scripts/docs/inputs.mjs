/** Generates the tables of the inputs: one a resource, or one for each purpose. */
import { capitalized } from "../generate/words.mjs";
import { changesOf } from "./changes.mjs";
import { table } from "./pages.mjs";

const other = "Settings";

/** The inputs by their purpose, in the order of the tables. */
const purposes = {
    Identity: ["name", "projectId", "regionCode", "addons", "environment"],
    Size: ["cpuMillis", "memoryGbs", "nodes", "replicaCount", "syncReplicaCount", "paused"],
    Network: ["vpcId", "connectionPooler"],
    /** All that are not named here. */
    [other]: [],
    Access: ["password", "passwordFile", "passwordVariable", "passwordVersion", "sslMode", "sslRootCert"],
    Protection: ["deletionProtection"],
    Source: ["serviceId", "fork", "existingId"],
};

const purposeOf = ({ name }) => Object.keys(purposes).find((one) => purposes[one].includes(name)) ?? other;

/** The inputs of a resource by their purpose. */
export const purposesOf = (inputs) =>
    Object.keys(purposes)
        .map((purpose) => [purpose, inputs.filter((one) => purposeOf(one) === purpose)])
        .filter(([, members]) => members.length > 0);

const header = ["input", "values", "default", "a change", "wait", "calls"];

export function tableOf(sources, type, inputs) {
    const resource = sources.resources[type];
    const rows = inputs.flatMap((input) => {
        const { required } = resource.fields[input.name];
        const [byDefault] = defaultsOf(resource, input);
        const first = [
            `\`${input.name}\``,
            valuesOf(sources, resource, input),
            required ? "required" : asCode(byDefault),
        ];
        return changesOf(sources, type, input.name).map(
            ({ when, effect, wait = "", calls = "" }, index, { length }) => [
                ...(index === 0 ? first : ["", "", ""]),
                length === 1 ? effect : `${when}: ${effect}`,
                wait,
                calls,
            ],
        );
    });
    return table([header, ...rows]);
}

/** The documented values, otherwise those that the check accepts, as its message says them. */
function valuesOf({ regions }, { fields, hasData }, { name, text }) {
    if (name === "regionCode") {
        return hasData ? alternatives.format(regions) : "as of a [service](service.md#identity)";
    }
    const unit = name.endsWith("Millis") ? ", in millicores" : name.endsWith("Gbs") ? ", in GB" : "";
    const [, values = acceptedBy(fields[name].test)] = documented.exec(text) ?? [];
    return `${values}${unit}`;
}

const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** The documented values in a comment. */
const documented = /, documented as ((?:`[^`]*`|[^`.])+)\./;

/** The values that the test of an input accepts, as its message says them. */
export function acceptedBy(test) {
    // No test accepts null.
    const [, expected] = / use (?:an? |the )?(.*)$/.exec(test(null));
    if (expected === "string") {
        const [, longest] = /at most (\d+)/.exec(test("x".repeat(1000))) ?? [];
        const [, shortest] = /at least (\d+)/.exec(test("x")) ?? [];
        return longest ? `1 to ${longest} characters` : shortest ? `at least ${shortest} characters` : "text";
    }
    if (expected === "true or false") {
        return "boolean";
    }
    return expected === "array" ? listOf(acceptedBy((one) => test([one]))) : asCode(expected);
}

const listOf = (items) => `list of ${items.startsWith(example) ? "texts " : ""}${items}`;

/** How the values begin that an example describes. */
const example = "such as ";

/** An id is described by its characters, and a value that is explained by an example by it. */
function asCode(text) {
    const [, own, whole, characters] = / in the format (\S+) or (\S+) \((.+)\)$/.exec(text) ?? [];
    if (own !== undefined) {
        return `\`${own}\` or \`${whole}\`: ${characters}`;
    }
    const short = /\((.+)\)$/.exec(text)?.[1] ?? text.replace("for example ", example);
    return short.startsWith("{")
        ? `\`${short}\``
        : short.replace(/(?<!`)"[^"]*"|^(?:true|false|\d+)$/g, (value) => `\`${value}\``);
}

/** The default, which a table shows, and what else there is to say about it. */
function defaultsOf({ hasData }, { byDefault }) {
    // A comment that all kinds share.
    const [, ofService, ofOthers] = /^for a service (.+); for other resources, .+, (.+)$/.exec(byDefault) ?? [];
    return ofService === undefined ? (byDefault || "none").split("; ") : [hasData ? ofService : ofOthers];
}

/** A meaning of so few words only spells the name out. */
const fewWords = 8;

/** What the table does not say about an input: an item of a list, or none. */
export function meaningOf(resource, input) {
    const { name, text } = input;
    const [, ...remarks] = defaultsOf(resource, input);
    const meaning = text.replace(documented, ".").replace(/, with (at least \d+|\d+ to \d+) characters/, "");
    const more = [withoutChanges(meaning), ...remarks.map((one) => `${capitalized(one)}.`)].join(" ");
    return isMeaningful(more) ? [`- \`${name}\`: ${more}`] : [];
}

export const isMeaningful = (text) => text.split(" ").length > fewWords;

/** A text without the sentences about changes, which a table shows. */
export const withoutChanges = (text) => text.replace(/(^|\s)A change (?:`[^`]*`|[^`.])*\./g, "");
