/**
 * Generates the functions that the operations of a kind imply, with their types and comments: `getXs` from its list, and `getX`
 * from the operation that reads one. A definition in another file of `provider/functions` replaces that with its name.
 */
import { comment, fileOf, functionsFolder, kindsFolder, nameOf, statements } from "./code.mjs";
import { capitalized } from "./words.mjs";

/**
 * The module with these functions.
 *
 * @param {Awaited<ReturnType<typeof import("./sources.mjs").readKinds>>} sources
 */
export function kindFunctionsModule(sources) {
    const functions = Object.entries(sources.resources).flatMap(functionsOf);
    const written = sources
        .exportsOf(functionsFolder)
        .filter((one) => !fileOf(one).endsWith(".gen") && functions.some(({ name }) => name === one.name));
    const own = functions.filter(({ name }) => !written.some((one) => one.name === name));
    const types = [...new Set(own.map(({ type }) => type))];
    const ofKinds = (nameOf) => types.map((type) => sources.exported(kindsFolder, nameOf(type)));
    return `// Generated from ${kindsFolder} by \`npm run generate\`.

${statements("import", [...ofKinds(nameOf), ...written], "../..")}
${statements(
    "import type",
    ofKinds((type) => `${type}Observed`),
    "../..",
)}
import type { InProject, ProjectArgs, ProviderFunction } from "./function";
import { getFunction, listFunction } from "./resources";

${types.map((type) => resultOf(sources, type)).join("\n")}
${own.map(codeOf).join("\n")}
/** The functions of all kinds. */
export const kindFunctions = { ${functions.map(({ name }) => name).join(", ")} };
`;
}

/** The functions of a kind that exists in the API. */
function functionsOf([type, { noun, operations, outputs, parent }]) {
    const ownId = Object.keys(outputs).find((name) => outputs[name].fromId);
    const container = parent?.kind.noun ?? "project";
    const inParent = (text) => (parent === undefined ? "" : text);
    const parentWith = (text) => (parent === undefined ? [] : [{ name: parent.input, text }]);
    const all = {
        type,
        name: `get${plural(type)}`,
        list: plural(nameOf(type)),
        args: parentWith(`The id of the ${container} whose ${plural(noun)} are returned.`),
        text: `Returns all ${plural(noun)} of ${withArticle(container)}.${inParent(notFound(`the ${container}`))}`,
    };
    const one = {
        type,
        name: `get${type}`,
        args: [
            ...parentWith(`The id of the ${container} that contains the ${noun}.`),
            { name: ownId, text: `The id of the ${noun}${inParent(` within the ${container}`)}.` },
        ],
        text: `Returns one ${noun}.${notFound("it")}`,
    };
    return operations.delete === undefined ? [] : operations.get === undefined ? [all] : [all, one];
}

const notFound = (what) => ` Fails with status 404 if ${what} does not exist.`;
/** As in the paths of the API: `Delivery` -> `Deliveries`. */
const plural = (name) => (/[^aeiou]y$/.test(name) ? name.replace(/y$/, "ies") : `${name}s`);
const withArticle = (noun) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

const resultOf = ({ resources }, type) => `
/** ${capitalized(withArticle(resources[type].noun))}. The properties have the same names as the outputs of \`${type}\`. */
export type Get${type}Result = ${type}Observed & InProject;
`;

function codeOf({ type, name, list, args, text }) {
    const argsType = args.length === 0 ? "ProjectArgs" : `${capitalized(name)}Args`;
    const members = args.map((one) => `    /** ${one.text} */\n    ${one.name}: string;`);
    const declared = `
/** The arguments of {@link ${name}}. */
export interface ${argsType} extends ProjectArgs {
${members.join("\n")}
}
`;
    const [result, reads] = list
        ? [`Get${type}Result[]`, `listFunction(${nameOf(type)}, "${list}")`]
        : [`Get${type}Result`, `getFunction(${nameOf(type)})`];
    return `${args.length === 0 ? "" : declared}
${comment(text)}
export const ${name}: ProviderFunction<${argsType}, ${result}> = ${reads};
`;
}
