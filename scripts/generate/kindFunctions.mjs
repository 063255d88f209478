/**
 * Generates the functions that the operations of a kind imply, with their types and comments: `getXs` from its list,
 * and `getX` from the operation that reads one. A definition in another file of `provider/functions` replaces that with its name.
 */
import { comment, fileOf, functionsFolder, kindsFolder as kinds, nameOf } from "./code.mjs";
import { capitalized } from "./words.mjs";

const generated = `${functionsFolder}/resources.gen`;

/**
 * The functions of each kind that exists in the API.
 *
 * @param {ReturnType<typeof import("./sources.mjs").readSources>} sources
 */
function kindFunctions({ resources }) {
    const created = Object.entries(resources).filter(([, { operations }]) => operations.delete !== undefined);
    return created.flatMap(([type, resource]) => {
        const { noun, operations, outputs, parent } = resource;
        const [ownId] = Object.keys(outputs).filter((name) => outputs[name].fromId);
        const container = parent?.kind.noun ?? "project";
        const parentIn = (text) => (parent === undefined ? [] : [{ name: parent.input, text }]);
        const all = {
            type,
            name: `get${plural(type)}`,
            list: plural(nameOf(type)),
            args: parentIn(`The id of the ${container} whose ${plural(noun)} are returned.`),
            text:
                `Returns all ${plural(noun)} of ${withArticle(container)}.` +
                (parent === undefined ? "" : notFound(`the ${container}`)),
        };
        if (operations.get === undefined) {
            return [all];
        }
        const within = parent === undefined ? "" : ` within the ${container}`;
        const one = {
            type,
            name: `get${type}`,
            args: [
                ...parentIn(`The id of the ${container} that contains the ${noun}.`),
                { name: ownId, text: `The id of the ${noun}${within}.` },
            ],
            text: `Returns one ${noun}.${notFound("it")}`,
        };
        return [all, one];
    });
}

const notFound = (what) => ` Fails with status 404 if ${what} does not exist.`;
/** As in the paths of the API: `Delivery` -> `Deliveries`. */
const plural = (name) => (/[^aeiou]y$/.test(name) ? name.replace(/y$/, "ies") : `${name}s`);
const withArticle = (noun) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;

/** The module with these functions. */
export function kindFunctionsModule(sources) {
    const functions = kindFunctions(sources);
    const exported = sources.exportsOf(functionsFolder).map((symbol) => [symbol.name, fileOf(symbol)]);
    const written = new Map(exported.filter(([, file]) => file !== generated));
    const own = functions.filter(({ name }) => !written.has(name));
    const types = [...new Set(own.map(({ type }) => type))];
    const imported = [
        ...types.map((type) => [
            fileOf(sources.exported(kinds, nameOf(type))),
            `${nameOf(type)}, type ${type}Observed`,
        ]),
        ...functions.flatMap(({ name }) => (written.has(name) ? [[written.get(name), name]] : [])),
    ];
    const imports = [...new Set(imported.map(([file]) => file))].map((file) => {
        const names = imported.filter(([from]) => from === file).map(([, name]) => name);
        return `import { ${names.join(", ")} } from "../../${file}";`;
    });
    return `// Generated from ${kinds} by \`npm run generate\`.

${imports.join("\n")}
import type { InProject, ProjectArgs, ProviderFunction } from "./function";
import { getFunction, listFunction } from "./resources";

${types.map((type) => resultOf(sources, type)).join("\n")}
${own.map(functionOf).join("\n")}
/** The functions of all kinds. */
export const kindFunctions = { ${functions.map(({ name }) => name).join(", ")} };
`;
}

const resultOf = ({ resources }, type) => `
/** ${capitalized(withArticle(resources[type].noun))}. The properties have the same names as the outputs of \`${type}\`. */
export type Get${type}Result = ${type}Observed & InProject;
`;

function functionOf({ type, name, list, args, text }) {
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
