/** Generates the resource classes of `pulumi-clouddb` and of `pulumi-clouddb/native`, and exports their types. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../lib/repository.mjs";
import { comment, fileOf, kindsFolder as kinds, nameOf, placeOf } from "./code.mjs";

const classes = "sdk/nodejs";

const isWritten = (type) => existsSync(join(repositoryRoot, classes, `${nameOf(type)}.ts`));

/**
 * The sources of both modules, by their paths.
 *
 * @param {ReturnType<typeof import("../docs/sources.mjs").readSources>} sources
 */
export function classModules(sources) {
    const types = Object.keys(sources.resources);
    return {
        [`${classes}/resources.gen.ts`]: dynamicClasses(sources, types),
        [`${classes}/native/resources.gen.ts`]: nativeClasses(sources, types),
    };
}

function dynamicClasses(sources, types) {
    const generated = types.filter((type) => !isWritten(type));
    const imports = generated.map((type) => {
        const file = fileOf(sources.exported(kinds, `${type}Inputs`));
        return `import type { ${type}Inputs, ${type}Outputs } from "../../${file}";`;
    });
    return `${banner}
import type * as pulumi from "@pulumi/pulumi";
${imports.join("\n")}
import { resourceClass } from "./resourceClass";
import type { Args, OutputsOf } from "./types";

${types
    .filter(isWritten)
    .map((type) => `export { ${type}, type ${type}Args } from "./${nameOf(type)}";`)
    .join("\n")}
${typesOfInputs(sources, types, "./", "../../")}
${generated.map((type) => classOf(sources, type)).join("\n")}`;
}

function classOf(sources, type) {
    const resource = sources.resources[type];
    const [parameter, ofClass] = parametersOf(sources, type);
    const words = ofClass === "" ? "" : ", Word";
    return `
/** The arguments of a {@link ${type}}. */
export interface ${type}Args${parameter.replace("= string", "= never")} extends Args<${type}Inputs${words}> {}

export interface ${type}${parameter} extends OutputsOf<${type}Outputs${words}> {}

${comment(sources.textOf(sources.exported(kinds, nameOf(type))))}
export class ${type}${parameter} extends resourceClass<${ofClass === "" ? `${type}Args` : "object"}>("${type}") {${
        ofClass === "" ? "" : constructorOf(type, ofClass)
    }${getterOf(sources, type, resource)}}
`;
}

/** The type parameter of a class that infers words of the program, and its use. */
function parametersOf({ checker, symbols }, type) {
    const types = symbols(kinds, `${type}Inputs`).map((symbol) => checker.getTypeOfSymbol(symbol));
    const hasWords = types.some((one) => one.isUnion() && one.types.some((part) => part.isStringLiteral()));
    return hasWords ? ["<Word extends string = string>", "<Word>"] : ["", ""];
}

/** The constructor that infers the type parameter. */
const constructorOf = (type, ofClass) => `
    constructor(name: string, args: ${type}Args${ofClass}, opts?: pulumi.CustomResourceOptions) {
        super(name, args, opts);
    }
`;

/** What exists in the API can be read without being managed. */
function getterOf({ contract }, type, { noun, operations, outputs, parent }) {
    if (operations.delete === undefined) {
        return "";
    }
    const [ownId] = Object.keys(outputs).filter((name) => outputs[name].fromId);
    const form = parent === undefined ? "" : ` \`<${parent.input}>/<${ownId}>\``;
    const { path } = contract.operations[operations.get ?? operations.list];
    return `
    ${comment(`Reads an existing ${noun} by its id${form} (\`GET ${placeOf(path)}\`). Does not manage it.`)}
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type} {
        return new this(name, {} as ${type}Args, { ...opts, id });
    }
`;
}

/** Exports the types of objects and unions that inputs have. The file of a class may have a stricter one. */
function typesOfInputs({ checker, symbols, exportsOf }, types, toClasses, toRoot) {
    const stricter = new Map(
        types
            .filter(isWritten)
            .flatMap((type) => exportsOf(`${classes}/${nameOf(type)}.ts`).map(({ name }) => [name, nameOf(type)])),
    );
    const placeOf = (symbol) =>
        stricter.has(symbol.name) ? `${toClasses}${stricter.get(symbol.name)}` : `${toRoot}${fileOf(symbol)}`;
    const named = types
        .flatMap((type) => symbols(kinds, `${type}Inputs`))
        .map(({ declarations: [declaration] }) => declaration.type)
        .filter((written) => written && ts.isTypeReferenceNode(written) && written.typeArguments === undefined)
        .map((written) => checker.getSymbolAtLocation(written.typeName))
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    return [...new Set(named)].map((symbol) => `export type { ${symbol.name} } from "${placeOf(symbol)}";`).join("\n");
}

function nativeClasses(sources, types) {
    const declared = types.map((type) => {
        const [parameter, ofClass] = parametersOf(sources, type);
        return `
/** {@link dynamic.${type}}, served by the plugin. */
export class ${type}${parameter} extends dynamic.${type}${ofClass} {
    static override readonly host = nativeHost;
}
`;
    });
    return `${banner}
import * as dynamic from "../resources.gen";
import { nativeHost } from "../host";

export type { ${types.map((type) => `${type}Args`).join(", ")} } from "../resources.gen";
${typesOfInputs(sources, types, "../", "../../../")}
${declared.join("")}`;
}

const banner = `// Generated from ${kinds} by \`npm run generate\`.\n`;
