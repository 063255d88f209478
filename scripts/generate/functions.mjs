/** Generates the functions of `pulumi-clouddb` and of `pulumi-clouddb/native` from their definitions. */
import { relative } from "node:path";
import { repositoryRoot } from "../lib/repository.mjs";
import { functionSources, functionsFolder, resultTypes } from "./schema.mjs";

/** How a program calls the functions of each package: the calls, and the options that they take. */
const packages = {
    "sdk/nodejs/functions/functions.gen.ts": {
        imports: 'import { call, callOutput, type FunctionOptions } from "./call";\nimport { readLogs } from "./logs";',
        call: "call",
        outputOptions: "FunctionOptions",
        textOf: (text) => text,
    },
    "sdk/nodejs/native/functions.gen.ts": {
        imports:
            'import { readLogs } from "../functions/logs";\n' +
            'import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from "./invoke";',
        call: "invoke",
        options: "FunctionOptions",
        outputOptions: "FunctionOutputOptions",
        // Every failure of the plugin is a FunctionError.
        textOf: (text) => text.split(" Throws an ")[0],
    },
};

/**
 * The sources of both modules, by their paths.
 *
 * @param {ReturnType<typeof import("../docs/sources.mjs").readSources>} sources
 */
export function functionModules(sources) {
    return Object.fromEntries(Object.entries(packages).map(([path, one]) => [path, moduleOf(sources, one)]));
}

function moduleOf(sources, one) {
    const types = [...new Set(Object.values(functionSources).flatMap(({ args = [] }) => args)), ...resultTypes].sort();
    const fileOf = (type) => {
        const [{ parent }] = sources.exported(functionsFolder, type).declarations;
        return relative(repositoryRoot, parent.fileName).replace(/\.ts$/, "");
    };
    const imports = [...new Set(types.map(fileOf))].map((file) => {
        const names = types.filter((type) => fileOf(type) === file);
        return `import type { ${names.join(", ")} } from "../../../${file}";`;
    });
    return `// Generated from ${functionsFolder} by \`npm run generate\`.

import type { Output } from "@pulumi/pulumi";
${imports.join("\n")}
import type { Args } from "../types";
${one.imports}

export type { ${types.join(", ")} };

${Object.entries(functionSources)
    .map(([name, types]) => functionOf(sources, one, name, types))
    .join("\n")}`;
}

function functionOf(sources, { call, options, outputOptions, textOf }, name, { args, result, pages }) {
    const { list, required } = sources.functions[name];
    const type = list === undefined ? result : `${result}[]`;
    const byDefault = required.length === 0 ? " = {}" : "";
    const parameters = (argsType, optionsType) =>
        [
            ...(args === undefined ? [] : [`args: ${argsType}${byDefault}`]),
            ...(optionsType === undefined ? [] : [`options?: ${optionsType}`]),
        ].join(", ");
    const given = args === undefined ? "{}" : "args";
    const withOptions = options === undefined ? "" : ", options";
    const [resultType, body] =
        pages === undefined
            ? [`Promise<${type}>`, `${call}("${name}", ${given}${withOptions})`]
            : [
                  `AsyncGenerator<${result}, void, undefined>`,
                  `readLogs(args, (page) => ${call}("${pages}", page${withOptions}))`,
              ];
    const takes = args === undefined ? "" : "takes inputs and ";
    const returns = pages === undefined ? "an output" : "all entries as one output";
    return `${comment(textOf(sources.textOf(sources.exported(functionsFolder, name))))}
export function ${name}(${parameters(args, options)}): ${resultType} {
    return ${body};
}

/** Like {@link ${name}}, but ${takes}returns ${returns}. */
export function ${name}Output(${parameters(`Args<${args}>`, outputOptions)}): Output<${type}> {
    return ${call}Output("${name}", ${given}, options);
}
`;
}

/** A doc comment with lines of at most 120 characters. */
export function comment(text) {
    const paragraphs = text.split("\n\n").map((one) => one.match(/.{1,116}(?:\s|$)/g).map((line) => line.trim()));
    const lines = paragraphs.flatMap((one, index) => (index === 0 ? one : ["", ...one]));
    return lines.length === 1 ? `/** ${text} */` : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */`;
}
