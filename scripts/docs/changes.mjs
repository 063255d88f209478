/** What a change of an input does: its calls, its effect on applications, and how long it takes. */
import { createRequire } from "node:module";
import { withBundle } from "../lib/bundle.mjs";
import { ScriptError } from "../lib/repository.mjs";

const msPerMinute = 60_000;
const msPerHour = 60 * msPerMinute;

/** The test cases of the tests, which have values for each input. */
export const readCases = () => withBundle(["tests/support/cases/index.ts"], (file) => createRequire(file)(file));

/** The changes of an input with different effects. */
export function changesOf(sources, type, name) {
    const resource = sources.resources[type];
    switch (resource.fields[name].onChange) {
        case "replace":
            return [replacement(resource, name)];
        case "update":
            return updates(sources, type, name);
        case "stateOnly":
            return [{ effect: `state only${derives(resource, name) ? ": connection strings" : ""}` }];
        case "await":
            return [{ effect: "the next wait" }];
        case "ignore":
            return [{ effect: "no effect" }];
    }
}

function replacement({ hasData, times }, name) {
    // The input `fork` is the only one whose new resource has data.
    const isFork = name === "fork";
    const effect = isFork ? "new database with its data" : hasData ? "new empty database" : "replaced";
    const { usual } = times(isFork ? { fork: {} } : undefined);
    const takes = usual > msPerHour ? "hours" : usual > msPerMinute ? "minutes" : "seconds";
    return { effect: `**${effect}**`, takes };
}

const derives = ({ outputs }, name) => Object.values(outputs).some(({ follows }) => follows?.from.includes(name));

/** The plans of the changes between the values of the test cases, and from and to the default. */
function updates(sources, type, name) {
    const { cases, resources } = sources;
    const own = cases.propertiesOf(type);
    const refs = { ...cases.symbols, Vpc: ["41", "42"] };
    const values = own
        .filter(([, { announced }]) => announced)
        .map(([input, one]) => [input, cases.changeOf(input, one, refs)[0][input]]);
    const others = {
        ...Object.fromEntries(values),
        ...cases.defaultsOf(type),
        // So that a change of the network affects each endpoint.
        ...("connectionPooler" in resources[type].fields && { connectionPooler: true }),
    };
    const one = Object.fromEntries(own)[name];
    const [from, to] = cases.changeOf(name, one, refs);
    const initial = one.default ? one.default.value : from[name];
    const changes = [
        [initial, to[name]],
        [from[name], to[name]],
        [to[name], initial],
    ];
    const found = new Map();
    for (const [old, wanted] of changes) {
        const given = { ...others, ...from, [name]: old };
        const state = { record: { declared: [], defaults: {} }, ...given, ...endpointsWith(given) };
        const plan = resources[type].steps(state, { ...others, ...to, [name]: wanted });
        const change = {
            effect: [
                plan.some(({ ifUnsupported }) => ifUnsupported) ? "in place, if supported" : "in place",
                ...effectsOf(sources, state, plan),
            ].join(", "),
            takes: plan.some(sources.takesMinutes) ? "minutes" : "seconds",
            calls: plan.map(({ call }) => `\`${call.operation}\``).join(", "),
        };
        const key = Object.values(change).join();
        if (plan.length > 0 && !found.has(key)) {
            found.set(key, { when: kindOf(old, wanted), ...change });
        }
    }
    if (found.size === 0) {
        throw new ScriptError(
            `No call changes ${type}.${name} with the values of tests/support/cases. Write values of it there that do.`,
        );
    }
    const [first, ...more] = found.values();
    return more.length === 0 ? [{ ...first, when: undefined }] : [first, ...more];
}

function kindOf(old, wanted) {
    if (typeof wanted === "boolean") {
        return `\`${wanted}\``;
    }
    return old === undefined ? "set" : wanted === undefined ? "removed" : "another";
}

/** The endpoints of a database with these inputs. */
const endpointsWith = ({ connectionPooler, vpcId }) => ({
    host: "",
    ...(connectionPooler && { poolerHost: "" }),
    ...(vpcId && { vpcHost: "" }),
});

/** What the steps do to applications: to their connections, their logins, and the endpoints that they use. */
function effectsOf({ valuesAfter }, state, plan) {
    const hosts = Object.entries(valuesAfter(plan)).filter(([name]) => name.endsWith("Host") || name === "host");
    const named = (are, condition) => {
        const changed = hosts.filter(([name, value]) => condition(state[name], value));
        const names = changed.map(([name]) => `\`${name}\``).sort();
        return names.length === 0 ? [] : [`${names.join(" ")} ${are}`];
    };
    return [
        ...plan.flatMap(({ disruption = [] }) => disruption).map((disruption) => `**${disruption}**`),
        ...(plan.some(({ writes }) => writes) ? ["**for new logins**"] : []),
        ...named("can change", (before, after) => before !== undefined && after !== undefined),
        ...named("added", (before, after) => before === undefined && after !== undefined),
        ...named("removed", (before, after) => before !== undefined && after === undefined),
    ];
}
