/** What a change of an input does: its calls, its effect on applications, and how long the update waits. */
import { ScriptError } from "../lib/repository.mjs";

const msPerMinute = 60_000;
const msPerHour = 60 * msPerMinute;

/** The changes of an input with different effects. */
export function changesOf(sources, type, name) {
    const resource = sources.resources[type];
    const { onChange, isVersioned } = resource.fields[name];
    switch (onChange) {
        case "replace":
            return [replacement(resource, name)];
        case "update":
            return updates(sources, type, name);
        case "stateOnly": {
            const when = isVersioned ? ", with the next change" : "";
            return [{ effect: `state only${derives(resource, name) ? ": connection strings" : when}` }];
        }
        case "await":
            return [{ effect: "in place, waits for this state", wait: "minutes" }];
        case "ignore":
            return [{ effect: "removed: no effect, another: an error" }];
    }
}

function replacement({ hasData, times }, name) {
    // The input `fork` is the only one whose new resource has data.
    const isFork = name === "fork";
    const effect = isFork ? "new database with its data" : hasData ? "new empty database" : "replaced";
    const { create } = times(isFork ? { fork: {} } : undefined);
    const wait = create > msPerHour ? "hours" : create > 10 * msPerMinute ? "minutes" : "seconds";
    return { effect: `**${effect}**`, wait };
}

const derives = ({ outputs }, name) => Object.values(outputs).some(({ follows }) => follows?.from.includes(name));

/** The plans of the changes between the values of the test cases, and from and to the default. */
function updates({ cases, resources, steps }, type, name) {
    const own = Object.fromEntries(cases.propertiesOf(type));
    const valuesOf = (input) => cases.changeOf(input, own[input], { ...cases.symbols, Vpc: ["41", "42"] });
    const inputs = Object.keys(own).filter((input) => own[input].announced);
    const defaults = cases.defaultsOf(type);
    const others = {
        ...Object.fromEntries(inputs.map((input) => [input, valuesOf(input)[0][input]])),
        ...defaults,
        // So that a change of the network affects each endpoint.
        connectionPooler: true,
    };
    const [from, to] = valuesOf(name);
    const initial = name in defaults ? defaults[name] : from[name];
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
        const inPlace = plan.some(({ ifUnsupported }) => ifUnsupported) ? "in place, or fails" : "in place";
        const change = {
            effect: [inPlace, ...effectsOf(state, plan, steps.valuesAfter(plan))].join(", "),
            wait: plan.some(steps.takesMinutes) ? "minutes" : "seconds",
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
    return [...found.values()];
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

/** The operation whose effect on applications neither the API nor the platform describes. */
const undocumented = "resizeReplicaSet";

/** The operation that changes only the logins that follow it. */
const forNewLogins = "updatePassword";

/** What the steps do to applications: to their connections, their logins, and the endpoints that they use. */
function effectsOf(before, plan, after) {
    const hosts = Object.keys(after).filter((name) => /host$/i.test(name));
    const named = (are, condition) => {
        const names = hosts.filter((name) => condition(before[name] !== undefined, after[name] !== undefined));
        return names.length === 0
            ? []
            : [
                  `${names
                      .map((name) => `\`${name}\``)
                      .sort()
                      .join(" ")} ${are}`,
              ];
    };
    return [
        ...plan.flatMap(({ disruption = [] }) => disruption).map((disruption) => `**${disruption}**`),
        ...(plan.some(({ call }) => call.operation === undocumented) ? ["effect on clients not documented"] : []),
        ...(before.vpcHost === undefined && after.vpcHost !== undefined
            ? ["**only its network and peers connect**"]
            : []),
        ...(plan.some(({ call }) => call.operation === forNewLogins) ? ["**for new logins**"] : []),
        ...named("can change", (was, is) => was && is),
        ...named("added", (was, is) => !was && is),
        ...named("removed", (was, is) => was && !is),
    ];
}
