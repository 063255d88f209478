/** Generates the table of what each change of a resource does to applications, and how long it takes. */

const small = { cpuMillis: 1000, memoryGbs: 4 };
const large = { cpuMillis: 2000, memoryGbs: 8 };
const withPooler = { connectionPooler: true, poolerHost: "", poolerPort: 0 };
const withoutPooler = { connectionPooler: false };

/** The state of a resource before its change, in which everything has its default. */
const before = {
    Vpc: {},
    Service: { replicaCount: 0, syncReplicaCount: 0, environment: "DEV", paused: false, ...withoutPooler },
    ReadReplicaSet: { nodes: 1, ...small, environment: "DEV", ...withoutPooler },
};

/** An example of each change: its name, what is different in the state, and the declared inputs. */
const changes = {
    Vpc: [["name", { name: "a" }, { name: "b" }]],
    Service: [
        ["name", { name: "a" }, { name: "b" }],
        ["password", { password: "a" }, { password: "b" }],
        ["size", small, large],
        ["replicas", {}, { replicaCount: 1 }],
        ["attach to a VPC", {}, { vpcId: "1" }],
        ["detach from a VPC", { vpcId: "1", vpcHost: "", vpcPort: 0 }, {}],
        ["another VPC", { vpcId: "1", vpcHost: "", vpcPort: 0 }, { vpcId: "2" }],
        ["add the pooler", {}, { connectionPooler: true }],
        ["remove the pooler", withPooler, {}],
        ["environment", {}, { environment: "PROD" }],
        ["pause", {}, { paused: true }],
        ["resume", { paused: true }, {}],
    ],
    ReadReplicaSet: [
        ["size", {}, { nodes: 1, ...large }],
        ["nodes", {}, { nodes: 2, ...small }],
        ["add the pooler", {}, { nodes: 1, ...small, connectionPooler: true }],
        ["remove the pooler", withPooler, { nodes: 1, ...small }],
        ["environment", {}, { nodes: 1, ...small, environment: "PROD" }],
    ],
};

/** The rows of the table, or none for a resource whose changes all replace it. */
export function costs({ resources, disruptions, takesMinutes }, type) {
    const resource = resources[type];
    const rows = (changes[type] ?? []).map(([name, state, declared]) => {
        const plan = resource.steps({ __defaults: {}, ...before[type], ...state }, declared);
        if (plan.length === 0) {
            throw new Error(`The example "${name}" of ${type} changes nothing.`);
        }
        const calls = plan.map(({ call }) => call.operation);
        const effects = [...plan.flatMap((step) => disruptionOf(step, disruptions)), ...lostEndpoints(plan)];
        const isLong = plan.some(takesMinutes);
        return [
            name,
            calls.map((call) => `\`${call}\``).join(", "),
            effects.length === 0 ? "" : effects.join(", "),
            isLong ? "minutes" : "seconds",
        ];
    });
    return rows.length === 0
        ? ""
        : [["change", "calls", "effect on applications", "wait"], ["---", "---", "---", "---"], ...rows]
              .map((cells) => `| ${cells.join(" | ")} |`)
              .join("\n");
}

/** The end of the preview line. */
function disruptionOf({ text }, disruptions) {
    return disruptions.filter((one) => text.endsWith(`, ${one}`)).map((one) => `**${one}**`);
}

/** The endpoints that the plan removes, or replaces by others. */
function lostEndpoints(plan) {
    const changes = plan.flatMap(({ affects = {} }) => Object.entries(affects));
    const lost = changes.filter(([name, value]) => name.endsWith("Host") && value === undefined);
    const after = Object.fromEntries(changes);
    return lost.map(([name]) => `\`${name}\` ${after[name] === undefined ? "is removed" : "changes"}`);
}
