/** Generates the table of what each change of a resource does to applications, and how long it takes. */
import { createRequire } from "node:module";
import { withBundle } from "../lib/bundle.mjs";
import { ScriptError } from "../lib/repository.mjs";

/** The test cases of the tests, which have values for each input. */
export const readCases = () => withBundle(["tests/support/cases/index.ts"], (file) => createRequire(file)(file));

/** The outputs that depend on an input. */
const dependent = {
    connectionPooler: ({ connectionPooler }) => (connectionPooler ? { poolerHost: "", poolerPort: 0 } : {}),
    vpcId: ({ vpcId }) => (vpcId ? { vpcHost: "", vpcPort: 0 } : {}),
};

/** The table, or an empty text for a resource whose changes all replace it. */
export function costs(sources, type) {
    const own = sources.cases.propertiesOf(type);
    const refs = { ...sources.cases.symbols, Vpc: ["41", "42"] };
    const announced = own
        .filter(([, one]) => one.announced)
        .map(([name, one]) => ({ name, default: one.default, values: sources.cases.changeOf(name, one, refs) }));
    const before = {
        ...Object.fromEntries(announced.map(({ name, values: [from] }) => [name, from[name]])),
        ...sources.cases.defaultsOf(type),
    };
    const rows = announced.flatMap((one) => {
        const changes = [...groups(changesOf(sources, type, before, one)).values()].map(([first]) => first);
        if (changes.length === 0) {
            const state = JSON.stringify({ ...before, ...one.values[0] });
            throw new ScriptError(
                `No call changes ${type}.${one.name} in the state ${state}, which follows from the test cases. Write values of it in tests/support/cases that change it there, or what the state lacks in \`dependent\`, scripts/docs/costs.mjs.`,
            );
        }
        return changes.map(({ change, cells }) => ({
            label: changes.length === 1 ? `\`${one.name}\`` : `\`${one.name}\` ${change}`,
            cells,
        }));
    });
    if (rows.length === 0) {
        return "";
    }
    // Inputs that are changed alike share a row.
    const table = [...groups(rows).values()].map((alike) => [
        alike.map(({ label }) => label).join(", "),
        ...alike[0].cells,
    ]);
    return [["change", "calls", "effect on applications", "wait"], ["---", "---", "---", "---"], ...table]
        .map((cells) => `| ${cells.join(" | ")} |`)
        .join("\n");
}

/** The changes of an input that send calls, with the cells of their rows: between its values, and from and to its default. */
function changesOf({ resources, takesMinutes }, type, before, { name, default: restored, values }) {
    const [from, to] = values;
    const initial = restored === undefined ? from[name] : restored.value;
    const changes = [
        [from[name], to[name]],
        [initial, to[name]],
        [to[name], initial],
    ];
    return changes.flatMap(([old, wanted]) => {
        const state = { record: { declared: [], defaults: {} }, ...before, ...from, [name]: old };
        const declared = { ...before, ...to, [name]: wanted };
        const plan = resources[type].steps({ ...state, ...dependent[name]?.(state) }, declared);
        const effects = [...plan.flatMap((step) => disruptionOf(step)), ...lostEndpoints(plan)];
        const cells = [
            plan.map(({ call }) => `\`${call.operation}\``).join(", "),
            effects.join(", "),
            plan.some(takesMinutes) ? "minutes" : "seconds",
        ];
        return plan.length === 0 ? [] : [{ change: `${shown(old)}→${shown(wanted)}`, cells }];
    });
}

/** The rows with the same cells. */
function groups(rows) {
    const found = new Map();
    for (const row of rows) {
        const key = row.cells.join();
        found.set(key, [...(found.get(key) ?? []), row]);
    }
    return found;
}

const shown = (value) => value ?? "none";

/** What the step does to connections. */
function disruptionOf({ disruption }) {
    return disruption === undefined ? [] : [`**${disruption}**`];
}

/** The endpoints that the plan removes, or replaces by others. */
function lostEndpoints(plan) {
    const changes = plan.flatMap(({ affects = {} }) => Object.entries(affects));
    const lost = changes.filter(([name, value]) => name.endsWith("Host") && value === undefined);
    const after = Object.fromEntries(changes);
    return lost.map(([name]) => `\`${name}\` ${after[name] === undefined ? "is removed" : "changes"}`);
}
