/** Generates the functions of `pulumi-clouddb/native` from those of `pulumi-clouddb`. */
import { functionSources, index } from "./schema.mjs";

/** `getServiceLogs` returns an iterator, so it is hand-written. */
const generated = Object.entries(functionSources).filter(([name]) => name !== "getServiceLogs");

/**
 * The source of the module.
 *
 * @param {ReturnType<typeof import("../docs/sources.mjs").readSources>} sources
 */
export function nativeFunctions(sources) {
    const types = new Set(generated.flatMap(([, one]) => Object.values(one)));
    return `// Generated from sdk/nodejs/lookups by \`npm run generate\`.

import type { Output } from "@pulumi/pulumi";
import type { Args } from "../types";
import type { ${[...types].sort().join(", ")} } from "../lookups";
import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from "./invoke";

// The functions of \`pulumi-clouddb\`, through the plugin: with the settings of the provider in their options.

${generated.map(([name, one]) => functionOf(sources, name, one)).join("\n")}`;
}

function functionOf(sources, name, { args, result }) {
    const { list, required } = sources.functions[name];
    const type = list === undefined ? result : `${result}[]`;
    const byDefault = required.length === 0 ? " = {}" : "";
    const parameter = (of) => (args === undefined ? "" : `args: ${of}${byDefault}, `);
    const passed = args === undefined ? "{}" : "args";
    const takes = args === undefined ? "" : "takes inputs and ";
    // Every failure of the plugin is a FunctionError.
    const [text] = sources.textOf(sources.exported(index, name)).split(" Throws an ");
    return `/** ${text} */
export function ${name}(${parameter(args)}options?: FunctionOptions): Promise<${type}> {
    return invoke("${name}", ${passed}, options);
}

/** Like {@link ${name}}, but ${takes}returns an output. */
export function ${name}Output(${parameter(`Args<${args}>`)}options?: FunctionOutputOptions): Output<${type}> {
    return invokeOutput("${name}", ${passed}, options);
}
`;
}
