/** Generates the functions of `pulumi-clouddb` and of `pulumi-clouddb/native` from their definitions. */
import { comment, functionsFolder, statements } from "./code.mjs";

/** How a program calls the functions of each package: the calls, and the options that they take. */
const packages = {
    "sdk/nodejs/functions/functions.gen.ts": {
        imports: 'import { call, callOutput, type FunctionOptions } from "./call";',
        call: "call",
        outputOptions: "options?: FunctionOptions",
    },
    "sdk/nodejs/native/functions.gen.ts": {
        imports: 'import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from "./invoke";',
        call: "invoke",
        options: "options?: FunctionOptions",
        outputOptions: "options?: FunctionOutputOptions",
    },
};

/**
 * The functions with the names of their types: of the arguments, and of the result or of an item of it.
 *
 * @param {Awaited<ReturnType<typeof import("./sources.mjs").readSources>>} sources
 */
export function functionSources({ checker, exported, functions }) {
    return Object.keys(functions).map((name) => {
        const type = checker.getTypeOfSymbol(exported(functionsFolder, name));
        const [args, result] = checker.getTypeArguments(type);
        const item = checker.isArrayType(result) ? checker.getTypeArguments(result)[0] : result;
        return { name, args: args.symbol?.name, result: (item.aliasSymbol ?? item.symbol).name };
    });
}

/** The types of all results, and those that they contain. */
export const resultTypes = (sources) => [...new Set(functionSources(sources).map(({ result }) => result)), "User"];

/**
 * The sources of both modules, by their paths.
 *
 * @param {Awaited<ReturnType<typeof import("./sources.mjs").readSources>>} sources
 */
export function functionModules(sources) {
    return Object.fromEntries(Object.entries(packages).map(([path, one]) => [path, moduleOf(sources, one)]));
}

function moduleOf(sources, one) {
    const functions = functionSources(sources);
    const types = [...new Set(functions.flatMap(({ args = [] }) => args)), ...resultTypes(sources)].sort();
    const symbols = types.map((type) => sources.exported(functionsFolder, type));
    return `// Generated from ${functionsFolder} by \`npm run generate\`.

import type { Output } from "@pulumi/pulumi";
${statements("import type", symbols, "../../..")}
import type { Args } from "../types";
${one.imports}

export type { ${types.join(", ")} };

${functions.map((types) => functionOf(sources, one, types)).join("\n")}`;
}

function functionOf(sources, { call, options, outputOptions }, { name, args, result }) {
    const { list, required } = sources.functions[name];
    const type = list === undefined ? result : `${result}[]`;
    const parameters = (argsType, ofOptions) => {
        const ofArgs = args && `args: ${argsType}${required.length === 0 ? " = {}" : ""}`;
        return [ofArgs, ofOptions].filter((one) => one !== undefined).join(", ");
    };
    const given = args === undefined ? "{}" : "args";
    const withOptions = options === undefined ? "" : ", options";
    const takes = args === undefined ? "" : "takes inputs and ";
    return `${comment(sources.text(functionsFolder, name))}
export function ${name}(${parameters(args, options)}): Promise<${type}> {
    return ${call}("${name}", ${given}${withOptions});
}

/** Like {@link ${name}}, but ${takes}returns an output. */
export function ${name}Output(${parameters(`Args<${args}>`, outputOptions)}): Output<${type}> {
    return ${call}Output("${name}", ${given}, options);
}
`;
}
