/** Generates the page of the functions. */
import { functionsFolder } from "../generate/code.mjs";
import { functionSources, resultTypes } from "../generate/functions.mjs";
import { definition, examplesOf, pageOf, part, table } from "./pages.mjs";
import { linkTo } from "./resources.mjs";

export async function functionsPage(sources) {
    const functions = functionSources(sources);
    const rows = await Promise.all(functions.map((one) => row(sources, one)));
    const types = resultTypes(sources);
    const ofResources = types.filter((type) => resourceOf(type) in sources.resources);
    const others = types.filter((type) => !ofResources.includes(type));
    const [, ...folded] = examplesOf("getServiceLogs");
    return pageOf(
        "Functions",
        part("functions"),
        ...folded,
        part("functions", "notes"),
        "## All functions",
        part("functions", "states"),
        table([["function", "inputs", "result", "in other languages", "calls"], ...rows]),
        ...functions.flatMap((one) => about(sources, one)),
        "## Results",
        ofResources.map((type) => resourceResult(sources, type)).join("\n"),
        `\`\`\`ts\n${others.map((type) => declarationOf(sources, type)).join("\n\n")}\n\`\`\``,
    );
}

async function row({ functions }, { name, result }) {
    const { required, list } = functions[name];
    const inputs = required.map((one) => either([one].flat()));
    return [
        `\`${name}\``,
        inputs.join(", "),
        `\`${result}${list === undefined ? "" : "[]"}\``,
        list === undefined ? "" : `\`${list}\``,
        either(await callsOf(functions[name])),
    ];
}

const either = (names) => names.map((name) => `\`${name}\``).join(" or ");

/** The operations that the function calls first, with each of the inputs that exclude each other. */
function callsOf({ required, run }) {
    const [alternatives = [undefined]] = required.filter(Array.isArray);
    const callWith = (alternative) =>
        new Promise((resolve, reject) => {
            const args = required.map((one) => [Array.isArray(one) ? alternative : one, "1"]);
            // This call never returns.
            const call = (operation) => new Promise(() => resolve(operation));
            run(Object.fromEntries(args), { client: { call, at: call }, projectId: () => "project001" }).catch(reject);
        });
    return Promise.all(alternatives.map(callWith));
}

/** What the table does not say about a function: the first sentence of its comment says what its name says. */
function about(sources, { name, args }) {
    // The beginning of the page describes the error for a resource that does not exist.
    const text = sources.text(functionsFolder, name).replace(/ Fails with status 404 if [^.]*\./, "");
    const [, more = ""] = /^.*?\. (.*)$/s.exec(text) ?? [];
    const { required } = sources.functions[name];
    const given = args === undefined ? [] : sources.members(functionsFolder, args);
    const optional = given.filter(({ name: input }) => input !== "projectId" && !required.flat().includes(input));
    return more === "" ? [] : [`### ${name}`, more, optional.map(definition).join("\n")];
}

/** The resource with the same properties. */
const resourceOf = (type) => type.replace(/^Get|Result$/g, "");

/** The outputs of the resource, without those that no response shows, and what only the function returns. */
function resourceResult(sources, type) {
    const kind = resourceOf(type);
    const { outputs } = sources.resources[kind];
    const returned = sources.members(functionsFolder, type);
    const others = Object.entries(outputs).filter(([output]) => !returned.some(({ name }) => name === output));
    const names = others.filter(([, { secret }]) => !secret).map(([name]) => `\`${name}\``);
    const secrets = others.length > names.length ? ["the secrets"] : [];
    const without = `the outputs of ${linkTo(kind, "resources/")} without ${[...names, ...secrets].join(", ")}`;
    const more = returned.filter(({ name }) => !(name in outputs));
    const lines = more.flatMap((one) => [
        `  ${definition({ ...one, type: "" })}`,
        ...one.members().map((member) => `    ${definition({ ...member, type: "" })}`),
    ]);
    return [`- \`${type}\`: ${without}${more.length > 0 ? ". In addition:" : "."}`, ...lines].join("\n");
}

function declarationOf(sources, type) {
    const [declaration] = sources.exported(functionsFolder, type).declarations;
    return declaration.getText().replace(/^export |readonly /g, "");
}
