/** Generates the page of the functions. */
import { functionsFolder } from "../generate/code.mjs";
import { functionSources, resultTypes } from "../generate/functions.mjs";
import { index } from "../generate/schema.mjs";
import { table } from "./inputs.mjs";
import { linkTo } from "./resources.mjs";
import { banner, definition, examplesOf, part } from "./sources.mjs";

export async function functionsPage(sources) {
    const functions = functionSources(sources);
    const rows = await Promise.all(functions.map((one) => row(sources, one)));
    const types = resultTypes(sources);
    const [ofResources, others] = [true, false].map((is) =>
        types.filter((type) => resourceOf(type) in sources.resources === is),
    );
    const [, ...folded] = examplesOf("getServiceLogs");
    const parts = [
        "# Functions",
        banner,
        part("functions"),
        ...folded,
        part("functions", "notes"),
        "## All functions",
        part("functions", "states"),
        table([["function", "inputs", "result", "in other languages", "calls"], ...rows]),
        ...functions.map((one) => about(sources, one)),
        "## Results",
        ofResources.map((type) => resourceResult(sources, type)).join("\n"),
        `\`\`\`ts\n${others.map((type) => declarationOf(sources, type)).join("\n\n")}\n\`\`\``,
    ];
    return `${parts.filter((text) => text !== "").join("\n\n")}\n`;
}

async function row({ functions }, { name, result }) {
    const { required, list } = functions[name];
    const inputs = required.map((one) =>
        [one]
            .flat()
            .map((input) => `\`${input}\``)
            .join(" or "),
    );
    const calls = await callsOf(functions[name]);
    return [
        `\`${name}\``,
        inputs.join(", "),
        `\`${result}${list === undefined ? "" : "[]"}\``,
        list === undefined ? "" : `\`${list}\``,
        calls.map((call) => `\`${call}\``).join(" or "),
    ];
}

/** The operations that the function calls first, with each of the inputs that exclude each other. */
function callsOf({ required, run }) {
    const [alternatives = [undefined]] = required.filter(Array.isArray);
    return Promise.all(
        alternatives.map(async (alternative) => {
            const names = required.map((one) => (Array.isArray(one) ? alternative : one));
            let called;
            const call = (operation) => {
                called = operation;
                throw new Error("Recorded.");
            };
            const args = Object.fromEntries(names.map((name) => [name, "1"]));
            await run(args, { client: { call }, projectId: () => "project001" }).catch((error) => {
                if (called === undefined) {
                    throw error;
                }
            });
            return called;
        }),
    );
}

/** What the table does not say about a function: the first sentence of its comment says what its name says. */
function about(sources, { name, args }) {
    const [, text = ""] = /^.*?\.(?: (.*))?$/s.exec(
        withoutMissing(sources.textOf(sources.exported(functionsFolder, name))),
    );
    const { required } = sources.functions[name];
    const given = args === undefined ? [] : sources.members(functionsFolder, args);
    const more = given.filter(({ name: input }) => input !== "projectId" && !required.flat().includes(input));
    return text === ""
        ? ""
        : [`### ${name}`, text, more.map(definition).join("\n")].filter((one) => one !== "").join("\n\n");
}

/** The beginning of the page describes the error for a resource that does not exist. */
const withoutMissing = (text) => text.replace(/ Fails with status 404 if [^.]*\./, "");

/** The resource with the same properties. */
const resourceOf = (type) => type.replace(/^Get|Result$/g, "");

function resourceResult(sources, type) {
    const resource = resourceOf(type);
    const members = sources.members(functionsFolder, type);
    const unknown = members.filter(({ name }) => !namesOf(sources, resource).includes(name));
    if (unknown.length > 0) {
        throw new Error(`${type}.${unknown[0].name} is no property of ${resource}.`);
    }
    const named = members.map(({ name, optional }) => `\`${name}${optional ? "?" : ""}\``).join(", ");
    return `- \`${type}\`: as ${linkTo(resource, "resources/")}: ${named}.`;
}

/** The names of the inputs and outputs of a resource. */
function namesOf(sources, resource) {
    const given = sources.members("provider/resources", `${resource}Inputs`);
    return [...given, ...sources.outputs(index, resource)].map(({ name }) => name);
}

function declarationOf(sources, type) {
    const [declaration] = sources.exported(functionsFolder, type).declarations;
    return declaration
        .getText()
        .replace(/^export /, "")
        .replaceAll("readonly ", "");
}
