/** Generates a page for each resource. */
import { banner, part, table } from "./sources.mjs";

const msPerMinute = 60_000;
const minutesPerHour = 60;

/** Where each resource is declared. `page` is the name of its page and of the hand-written part. */
export const resourceSources = [
    { type: "Vpc", page: "vpc", sdk: "sdk/nodejs/vpc.ts", inputs: "provider/resources/vpc.ts" },
    { type: "Peering", page: "peering", sdk: "sdk/nodejs/peering.ts", inputs: "provider/resources/peering.ts" },
    {
        type: "PeeringActivation",
        page: "peering-activation",
        sdk: "sdk/nodejs/peeringActivation.ts",
        inputs: "provider/resources/peeringActivation.ts",
    },
    {
        type: "Service",
        page: "service",
        sdk: "sdk/nodejs/service.ts",
        inputs: "provider/resources/service/inputs.ts",
        statuses: "knownServiceStatusValues",
    },
    {
        type: "ReadReplicaSet",
        page: "read-replica-set",
        sdk: "sdk/nodejs/readReplicaSet.ts",
        inputs: "provider/resources/readReplicaSet.ts",
        local: "ConnectionArgs",
        statuses: "knownReplicaSetStatusValues",
    },
];

/** The text for the effect of a change of an input. */
const effects = {
    replace: "replaces",
    update: "in place",
    stateOnly: "state only",
    await: "changes the wait",
    ignore: "none",
};

const component = { type: "ProductionDatabase", page: "production-database", sdk: "sdk/nodejs/productionDatabase.ts" };

export function resourcePages(sources) {
    const pages = resourceSources.map((resource) => [
        `docs/resources/${resource.page}.md`,
        resourcePage(sources, resource),
    ]);
    return Object.fromEntries([...pages, [`docs/resources/${component.page}.md`, componentPage(sources)]]);
}

function resourcePage(sources, { type, page, sdk, inputs, ...rest }) {
    const { resource } = sources.lifecycles[type];
    const given = sources.members(inputs, `${type}Inputs`);
    const outputs = sources.outputs(sdk, type);
    const more = outputs.filter(({ name }) => !given.some((input) => input.name === name));
    // Arguments that the class uses itself.
    const local = "local" in rest ? sources.members(sdk, rest.local) : [];
    const notReturned = given.filter(({ name }) => !outputs.some((output) => output.name === name));
    const parts = [
        `# ${type}`,
        banner,
        sources.textOf(sources.exported(sdk, type)),
        part(page, "example"),
        "## Arguments",
        "The column “change” describes the effect of a change. “In place” sends a call to the API. “Replaces” creates a new resource and deletes the old one. “State only”, “changes the wait” and “none” change nothing on the platform.",
        table([
            ["argument", "type", "change", "meaning"],
            ...given.map((input) => [
                `\`${input.name}\`${input.optional ? "" : " (required)"}`,
                `\`${input.type}\``,
                effects[resource.fields[input.name].effect],
                meaning(input),
            ]),
            ...local.map((input) => [`\`${input.name}\``, `\`${input.type}\``, effects.ignore, meaning(input)]),
        ]),
        nested(sources, type),
        "## Outputs",
        `All arguments${exceptFor(notReturned)} are outputs with their current values. Further outputs:`,
        table([
            ["output", "type", "meaning"],
            ...more.map(({ name, type: is, text }) => {
                if (text === "") {
                    throw new Error(`${type}.${name} has no comment.`);
                }
                return [`\`${name}\``, `\`${valueType(is)}\``, text];
            }),
        ]),
        "## States and waits",
        part(page, "states"),
        "statuses" in rest ? statuses(sources, resource, rest.statuses) : "",
        times(resource),
        part(page, "notes"),
    ];
    return `${parts.filter((text) => text !== "").join("\n\n")}\n`;
}

function componentPage(sources) {
    const { sdk, type, page } = component;
    const own = sources
        .members(sdk, "ProductionDatabaseArgs")
        .filter(({ name }) => ["cpuMillis", "memoryGbs", "readReplicas"].includes(name));
    const parts = [
        `# ${type}`,
        banner,
        sources.textOf(sources.exported(sdk, type)),
        part(page, "example"),
        "## Arguments",
        table([
            ["argument", "meaning"],
            ...own.map((input) => [`\`${input.name}\`${input.optional ? "" : " (required)"}`, meaning(input)]),
            [
                "other arguments",
                'The arguments of [Service](service.md), with these defaults: `replicaCount` 1, `connectionPooler` true, `environment` `"PROD"`, `deletionProtection` true.',
            ],
        ]),
        "A replica set has the arguments of [ReadReplicaSet](read-replica-set.md) except `serviceId` and `projectId`.",
        "## Outputs",
        table([["output", "meaning"], ...sources.outputs(sdk, type).map(({ name, text }) => [`\`${name}\``, text])]),
        part(page, "notes"),
    ];
    return `${parts.join("\n\n")}\n`;
}

const exceptFor = (members) =>
    members.length === 0 ? "" : ` except ${members.map(({ name }) => `\`${name}\``).join(" and ")}`;

const meaning = ({ text, byDefault }) => `${text}${byDefault ? ` Default: ${byDefault}.` : ""}`;

/** `Output<string | undefined>` -> `string | undefined`. */
const valueType = (type) => type.replace(/^(?:pulumi\.)?Output(?:Instance)?<(.*)>$/, "$1").replaceAll("readonly ", "");

/** Arguments that are objects. */
function nested(sources, type) {
    if (type !== "Service") {
        return "";
    }
    const rows = sources
        .members("provider/resources/service/inputs.ts", "Fork")
        .map((member) => [
            `\`${member.name}\`${member.optional ? "" : " (required)"}`,
            `\`${member.type}\``,
            member.text,
        ]);
    return `\`fork\` has these properties:\n\n${table([["property", "type", "meaning"], ...rows])}`;
}

/** The meaning of each known status for a wait, from the `readiness` function of the resource. */
function statuses({ contract }, resource, names) {
    const meanings = {
        ready: "complete",
        pending: "in progress",
        failed: "error: the wait fails",
    };
    const rows = contract[names].map((status) => {
        const { kind, detail, reason } = resource.state.readiness({ status, resources: [] }, {});
        const more = detail ?? reason;
        return [`\`${status}\``, `${meanings[kind]}${more ? `: ${more}` : ""}`];
    });
    return `${table([["status", "meaning for a wait"], ...rows])}\n\nA status that is not in this table counts as in progress. It appears in the status line and in the time-out error.`;
}

function times(resource) {
    const { create, update, delete: remove } = resource.times(undefined);
    // Resources without forks ignore it.
    const forked = resource.times({ fork: {} }).create;
    const longer = forked === create ? "" : `; ${length(forked)} with \`fork\``;
    return `An operation times out after ${length(create)} (create${longer}), ${length(update)} (update) and ${length(remove)} (delete). \`customTimeouts\` sets other values. A time-out undoes nothing: the next \`pulumi up\` resumes.`;
}

function length(ms) {
    const minutes = ms / msPerMinute;
    return minutes > minutesPerHour && minutes % minutesPerHour === 0
        ? `${minutes / minutesPerHour} hours`
        : `${minutes} minutes`;
}
