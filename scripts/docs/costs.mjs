/** Generates the table of what each change of a resource does to applications, and how long it takes. */
import { createRequire } from "node:module";
import { withBundle } from "../lib/bundle.mjs";

/** The test cases of the tests, which have values for each input. */
export const readCases = () => withBundle(["tests/support/cases/index.ts"], (file) => createRequire(file)(file));

/** The outputs that depend on an input. */
const dependent = {
    connectionPooler: ({ connectionPooler }) => (connectionPooler ? { poolerHost: "", poolerPort: 0 } : {}),
    vpcId: ({ vpcId }) => (vpcId ? { vpcHost: "", vpcPort: 0 } : {}),
};

/** The rows of the table, or none for a resource whose changes all replace it. */
export function costs({ cases, resources, disruptions, takesMinutes }, type) {
    const resource = resources[type];
    const own = cases.propertiesOf(type);
    const refs = { ...cases.symbols, Vpc: ["41", "42"] };
    const values = (name, one) => cases.changeOf(name, one, refs);
    const restored = Object.fromEntries(own.flatMap(([name, one]) => (one.default ? [[name, one.default.value]] : [])));
    const first = Object.fromEntries(
        own.flatMap(([name, one]) =>
            one.announced && !(name in restored) ? [[name, values(name, one)[0][name]]] : [],
        ),
    );
    const before = { ...first, ...restored };
    const rows = own
        .filter(([, { announced }]) => announced !== undefined)
        .flatMap(([name, one]) => {
            const [from, to] = values(name, one);
            const initial = one.default === undefined ? from[name] : one.default.value;
            const found = new Map();
            for (const [old, wanted] of [
                [from[name], to[name]],
                [initial, to[name]],
                [to[name], initial],
            ]) {
                const state = { __defaults: {}, ...before, ...from, [name]: old };
                const plan = resource.steps(
                    { ...state, ...dependent[name]?.(state) },
                    { ...before, ...to, [name]: wanted },
                );
                const effects = [...plan.flatMap((step) => disruptionOf(step, disruptions)), ...lostEndpoints(plan)];
                const cells = [
                    plan.map(({ call }) => `\`${call.operation}\``).join(", "),
                    effects.join(", "),
                    plan.some(takesMinutes) ? "minutes" : "seconds",
                ];
                const isSame = [...found.keys()].includes(cells.join());
                if (plan.length > 0 && !isSame) {
                    found.set(cells.join(), { cells, change: `${shown(old)}→${shown(wanted)}` });
                }
            }
            const all = [...found.values()];
            if (all.length === 0) {
                throw new Error(`The values of ${type}.${name} change nothing.`);
            }
            return all.map(({ cells, change }) => [all.length === 1 ? `\`${name}\`` : `\`${name}\` ${change}`, cells]);
        });
    // Inputs that are changed alike share a row.
    const alike = new Map();
    for (const row of rows) {
        const key = row[1].join();
        alike.set(key, [...(alike.get(key) ?? []), row]);
    }
    const table = [...alike.values()].map((some) => [some.map(([label]) => label).join(", "), ...some[0][1]]);
    return table.length === 0
        ? ""
        : [["change", "calls", "effect on applications", "wait"], ["---", "---", "---", "---"], ...table]
              .map((cells) => `| ${cells.join(" | ")} |`)
              .join("\n");
}

const shown = (value) => value ?? "none";

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
