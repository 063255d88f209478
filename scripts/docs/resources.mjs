/** A page for each resource. */
import { readFileSync } from "node:fs";
import { BANNER, table } from "./sources.mjs";

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;

/** Where each resource is declared. `page` is its page and the part of it that is written by hand. */
const RESOURCES = /** @type {const} */ ([
    { type: "Vpc", page: "vpc", sdk: "sdk/vpc.ts", inputs: "provider/resources/vpc.ts" },
    { type: "Peering", page: "peering", sdk: "sdk/peering.ts", inputs: "provider/resources/peering.ts" },
    {
        type: "PeeringActivation",
        page: "peering-activation",
        sdk: "sdk/peeringActivation.ts",
        inputs: "provider/resources/peeringActivation.ts",
    },
    {
        type: "Service",
        page: "service",
        sdk: "sdk/service.ts",
        inputs: "provider/resources/service/inputs.ts",
        statuses: "knownServiceStatusValues",
    },
    {
        type: "ReadReplicaSet",
        page: "read-replica-set",
        sdk: "sdk/readReplicaSet.ts",
        inputs: "provider/resources/readReplicaSet.ts",
        statuses: "knownReplicaSetStatusValues",
    },
]);

/** What a change of an input does, by its classification. */
const EFFECTS = {
    replace: "replaces",
    update: "in place",
    remember: "state only",
    ignore: "nothing",
};

const COMPONENT = { type: "ProductionDatabase", page: "production-database", sdk: "sdk/productionDatabase.ts" };

/**
 * @param {import("./sources.mjs").Sources} sources
 * @returns {Record<string, string>} text by path
 */
export function resourcePages(sources) {
    const pages = RESOURCES.map((resource) => [`docs/resources/${resource.page}.md`, resourcePage(sources, resource)]);
    return Object.fromEntries([...pages, [`docs/resources/${COMPONENT.page}.md`, componentPage(sources)]]);
}

/** @param {import("./sources.mjs").Sources} sources @param {(typeof RESOURCES)[number]} resource */
function resourcePage(sources, { type, page, sdk, inputs, ...rest }) {
    const { resource } = sources.lifecycles[type];
    const given = sources.members(inputs, `${type}Inputs`);
    const outputs = sources.outputs(sdk, type);
    const more = outputs.filter(({ name }) => !given.some((input) => input.name === name));
    const unseen = given.filter(({ name }) => !outputs.some((output) => output.name === name));
    const parts = [
        `# ${type}`,
        BANNER,
        sources.textOf(sources.exported(sdk, type)),
        part(page, "example"),
        "## Arguments",
        "“In place” is a call to the service; “replaces” means that another one takes its place; “state only” and “nothing” call nothing.",
        table([
            ["argument", "type", "a change", "meaning"],
            ...given.map((input) => [
                `\`${input.name}\`${input.optional ? "" : " (required)"}`,
                `\`${input.type}\``,
                EFFECTS[/** @type {keyof typeof EFFECTS} */ (resource.fields[input.name].effect)],
                meaning(input),
            ]),
        ]),
        nested(sources, type),
        "## Outputs",
        `All arguments${butFor(unseen)}, as they are in force, and:`,
        table([
            ["output", "type", "meaning"],
            ...more.map(({ name, type: is, text }) => [`\`${name}\``, `\`${valueType(is)}\``, text]),
        ]),
        "## States and waits",
        part(page, "states"),
        "statuses" in rest ? statuses(sources, resource, rest.statuses) : "",
        times(resource),
        part(page, "notes"),
    ];
    return `${parts.filter((text) => text !== "").join("\n\n")}\n`;
}

/** @param {import("./sources.mjs").Sources} sources */
function componentPage(sources) {
    const { sdk, type, page } = COMPONENT;
    const own = sources
        .members(sdk, "ProductionDatabaseArgs")
        .filter(({ name }) => ["cpuMillis", "memoryGbs", "readReplicas"].includes(name));
    const parts = [
        `# ${type}`,
        BANNER,
        sources.textOf(sources.exported(sdk, type)),
        part(page, "example"),
        "## Arguments",
        table([
            ["argument", "meaning"],
            ...own.map((input) => [`\`${input.name}\`${input.optional ? "" : " (required)"}`, meaning(input)]),
            [
                "all others",
                'Those of [Service](service.md), with other defaults: `replicaCount` 1, `connectionPooler` true, `environment` `"PROD"`, `deletionProtection` true.',
            ],
        ]),
        "A replica set takes the arguments of [ReadReplicaSet](read-replica-set.md) but `serviceId` and `projectId`.",
        "## Outputs",
        table([["output", "meaning"], ...sources.outputs(sdk, type).map(({ name, text }) => [`\`${name}\``, text])]),
        part(page, "notes"),
    ];
    return `${parts.join("\n\n")}\n`;
}

/** @param {import("./sources.mjs").Member[]} members */
const butFor = (members) =>
    members.length === 0 ? "" : ` but ${members.map(({ name }) => `\`${name}\``).join(" and ")}`;

/** @param {import("./sources.mjs").Member} member */
const meaning = ({ text, byDefault }) => `${text}${byDefault ? ` Default: ${byDefault}.` : ""}`;

/** `Output<string | undefined>` -> `string | undefined`. @param {string} type */
const valueType = (type) => type.replace(/^(?:pulumi\.)?Output(?:Instance)?<(.*)>$/, "$1");

/** Arguments that are objects. @param {import("./sources.mjs").Sources} sources @param {string} type */
function nested(sources, type) {
    if (type !== "Service") return "";
    const rows = sources
        .members("provider/resources/service/inputs.ts", "Fork")
        .map((member) => [
            `\`${member.name}\`${member.optional ? "" : " (required)"}`,
            `\`${member.type}\``,
            member.text,
        ]);
    return `\`fork\` is:\n\n${table([["property", "type", "meaning"], ...rows])}`;
}

/**
 * What each known status means for a wait, asked of the very function that waits ask.
 *
 * @param {import("./sources.mjs").Sources} sources
 * @param {{ settled: (item: object, inputs: object) => { kind: string, detail?: string, reason?: string } }} resource
 * @param {"knownServiceStatusValues" | "knownReplicaSetStatusValues"} names
 */
function statuses({ contract }, resource, names) {
    const words = {
        ready: "at rest",
        pending: "on its way; waited for",
        failed: "will not become ready by itself; an error",
    };
    const rows = contract[names].map((/** @type {string} */ status) => {
        const { kind, detail, reason } = resource.settled({ status, resources: [] }, {});
        const more = detail ?? reason;
        return [`\`${status}\``, `${words[/** @type {keyof typeof words} */ (kind)]}${more ? `: ${more}` : ""}`];
    });
    return `${table([["status", "what a wait makes of it"], ...rows])}\n\nA status that is not in this table is waited for as one on its way, and named in the status line and in the time-out.`;
}

/** @param {{ times: (inputs: object | undefined) => { create: number, update: number, delete: number } }} resource */
function times(resource) {
    const { create, update, delete: remove } = resource.times(undefined);
    // Whatever has no forks takes no notice of it.
    const forked = resource.times({ fork: {} }).create;
    const longer = forked === create ? "" : `; ${length(forked)} with \`fork\``;
    return `An operation is given up after ${length(create)} (create${longer}), ${length(update)} (update) and ${length(remove)} (delete); \`customTimeouts\` changes that. Nothing is undone then: the next \`pulumi up\` goes on waiting.`;
}

/** @param {number} ms - whole minutes, in hours where there are many */
function length(ms) {
    const minutes = ms / MS_PER_MINUTE;
    return minutes > MINUTES_PER_HOUR && minutes % MINUTES_PER_HOUR === 0
        ? `${minutes / MINUTES_PER_HOUR} hours`
        : `${minutes} minutes`;
}

/**
 * A section of the part of a page that is written by hand; what stands before the first heading is the example.
 *
 * @param {string} page
 * @param {"example" | "states" | "notes"} section
 */
function part(page, section) {
    const text = readFileSync(new URL(`parts/${page}.md`, import.meta.url), "utf8");
    const [example = "", states = "", notes = ""] = text.split(/<!-- (?:states|notes) -->/).map((one) => one.trim());
    return { example, states, notes }[section];
}
