/** A page for each resource. */
import { BANNER, part, table } from "./sources.mjs";

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;

/** Where each resource is declared. `page` is its page and the part of it that is written by hand. */
const RESOURCES = [
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
        local: "ConnectionArgs",
        statuses: "knownReplicaSetStatusValues",
    },
];

/** What a change of an input does, by its classification. */
const EFFECTS = {
    replace: "replaces",
    update: "in place",
    stateOnly: "state only",
    await: "changes the wait",
    ignore: "nothing",
};

const COMPONENT = { type: "ProductionDatabase", page: "production-database", sdk: "sdk/productionDatabase.ts" };

export function resourcePages(sources) {
    const pages = RESOURCES.map((resource) => [`docs/resources/${resource.page}.md`, resourcePage(sources, resource)]);
    return Object.fromEntries([...pages, [`docs/resources/${COMPONENT.page}.md`, componentPage(sources)]]);
}

function resourcePage(sources, { type, page, sdk, inputs, ...rest }) {
    const { resource } = sources.lifecycles[type];
    const given = sources.members(inputs, `${type}Inputs`);
    const outputs = sources.outputs(sdk, type);
    const more = outputs.filter(({ name }) => !given.some((input) => input.name === name));
    // Arguments that the class uses itself.
    const local = "local" in rest ? sources.members(sdk, rest.local) : [];
    const unseen = given.filter(({ name }) => !outputs.some((output) => output.name === name));
    const parts = [
        `# ${type}`,
        BANNER,
        sources.textOf(sources.exported(sdk, type)),
        part(page, "example"),
        "## Arguments",
        "“In place” is a call to the service; “replaces” means that another one takes its place; “state only”, “changes the wait” and “nothing” change nothing at the service.",
        table([
            ["argument", "type", "a change", "meaning"],
            ...given.map((input) => [
                `\`${input.name}\`${input.optional ? "" : " (required)"}`,
                `\`${input.type}\``,
                EFFECTS[resource.fields[input.name].effect],
                meaning(input),
            ]),
            ...local.map((input) => [`\`${input.name}\``, `\`${input.type}\``, EFFECTS.ignore, meaning(input)]),
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

const butFor = (members) =>
    members.length === 0 ? "" : ` but ${members.map(({ name }) => `\`${name}\``).join(" and ")}`;

const meaning = ({ text, byDefault }) => `${text}${byDefault ? ` Default: ${byDefault}.` : ""}`;

/** `Output<string | undefined>` -> `string | undefined`. */
const valueType = (type) => type.replace(/^(?:pulumi\.)?Output(?:Instance)?<(.*)>$/, "$1");

/** Arguments that are objects. */
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

/** What each known status means for a wait, asked of the very function that waits ask. */
function statuses({ contract }, resource, names) {
    const words = {
        ready: "at rest",
        pending: "in progress",
        failed: "an error: it does not become ready by itself",
    };
    const rows = contract[names].map((status) => {
        const { kind, detail, reason } = resource.readiness({ status, resources: [] }, {});
        const more = detail ?? reason;
        return [`\`${status}\``, `${words[kind]}${more ? `: ${more}` : ""}`];
    });
    return `${table([["status", "meaning for a wait"], ...rows])}\n\nA status that is not in this table counts as in progress. The status line and the time-out error name it.`;
}

function times(resource) {
    const { create, update, delete: remove } = resource.times(undefined);
    // Whatever has no forks takes no notice of it.
    const forked = resource.times({ fork: {} }).create;
    const longer = forked === create ? "" : `; ${length(forked)} with \`fork\``;
    return `An operation times out after ${length(create)} (create${longer}), ${length(update)} (update) and ${length(remove)} (delete); \`customTimeouts\` changes that. A time-out undoes nothing: the next \`pulumi up\` resumes.`;
}

function length(ms) {
    const minutes = ms / MS_PER_MINUTE;
    return minutes > MINUTES_PER_HOUR && minutes % MINUTES_PER_HOUR === 0
        ? `${minutes / MINUTES_PER_HOUR} hours`
        : `${minutes} minutes`;
}
