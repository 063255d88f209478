/** Generates a page for each resource. */
import { banner, cellsOf, part, table } from "./sources.mjs";

const msPerMinute = 60_000;
const minutesPerHour = 60;

/** The text for the effect of a change of an input. */
const effects = {
    replace: "replaces",
    update: "in place",
    stateOnly: "state only",
    await: "changes the wait",
    ignore: "none",
};

const classes = "sdk/nodejs/index.ts";

const component = { type: "ProductionDatabase", page: "production-database" };

export function resourcePages(sources) {
    const pages = Object.keys(sources.lifecycles).map((type) => [
        `docs/resources/${pageOf(type)}.md`,
        resourcePage(sources, type),
    ]);
    return Object.fromEntries([...pages, [`docs/resources/${component.page}.md`, componentPage(sources)]]);
}

/** `ReadReplicaSet` -> `read-replica-set`: the name of the page and of its hand-written part. */
const pageOf = (type) => type.replace(/\B[A-Z]/g, "-$&").toLowerCase();

function resourcePage(sources, type) {
    const { resource } = sources.lifecycles[type];
    const page = pageOf(type);
    const given = sources.members("provider/resources", `${type}Inputs`);
    const outputs = sources.outputs(classes, type);
    const missingIn = (members) => (one) => !members.some(({ name }) => name === one.name);
    const more = outputs.filter(missingIn(given));
    // Arguments that the class uses itself.
    const local = sources.members(classes, `${type}Args`).filter(missingIn(given));
    const notReturned = given.filter(missingIn(outputs));
    const parts = [
        `# ${type}`,
        banner,
        sources.textOf(sources.exported(classes, type)),
        part(page, "example"),
        "## Arguments",
        "The column “change” describes the effect of a change. “In place” sends a call to the API. “Replaces” creates a new resource and deletes the old one. “State only”, “changes the wait” and “none” change nothing on the platform.",
        table([
            ["argument", "type", "change", "meaning"],
            ...[...given, ...local].map((input) => {
                const [name, is, meaning] = cellsOf(input);
                return [name, is, effects[resource.fields[input.name]?.effect ?? "ignore"], meaning];
            }),
        ]),
        ...given.filter(({ isObject }) => isObject).map(nested),
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
        resource.state.statuses ? statuses(resource) : "",
        times(resource),
        part(page, "notes"),
    ];
    return `${parts.filter((text) => text !== "").join("\n\n")}\n`;
}

function componentPage(sources) {
    const { type, page } = component;
    const own = sources
        .members(classes, "ProductionDatabaseArgs")
        .filter(({ name }) => ["cpuMillis", "memoryGbs", "readReplicas"].includes(name));
    const parts = [
        `# ${type}`,
        banner,
        sources.textOf(sources.exported(classes, type)),
        part(page, "example"),
        "## Arguments",
        table([
            ["argument", "meaning"],
            ...own.map(cellsOf).map(([name, , meaning]) => [name, meaning]),
            [
                "other arguments",
                'The arguments of [Service](service.md), with these defaults: `replicaCount` 1, `connectionPooler` true, `environment` `"PROD"`, `deletionProtection` true.',
            ],
        ]),
        "A replica set has the arguments of [ReadReplicaSet](read-replica-set.md) except `serviceId` and `projectId`.",
        "## Outputs",
        table([
            ["output", "meaning"],
            ...sources.outputs(classes, type).map(({ name, text }) => [`\`${name}\``, text]),
        ]),
        part(page, "notes"),
    ];
    return `${parts.join("\n\n")}\n`;
}

const exceptFor = (members) =>
    members.length === 0 ? "" : ` except ${members.map(({ name }) => `\`${name}\``).join(" and ")}`;

/** `Output<string | undefined>` -> `string | undefined`. */
const valueType = (type) => type.replace(/^(?:pulumi\.)?Output(?:Instance)?<(.*)>$/, "$1").replaceAll("readonly ", "");

/** The properties of an argument that is an object. */
function nested({ name, members }) {
    const rows = members().map(cellsOf);
    return `\`${name}\` has these properties:\n\n${table([["property", "type", "meaning"], ...rows])}`;
}

/** The meaning of each known status for a wait, from the `readiness` function of the resource. */
function statuses({ state }) {
    const meanings = { ready: "complete", pending: "in progress", failed: "error: the wait fails" };
    const rows = state.statuses.map((status) => {
        const { kind, detail, reason } = state.readiness({ status, resources: [] }, {});
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
