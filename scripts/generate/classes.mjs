/** Generates the resource classes of `pulumi-clouddb` and of `pulumi-clouddb/native`, and exports their types. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { repositoryRoot } from "../lib/repository.mjs";
import { comment } from "./functions.mjs";

const kinds = "provider/resources";
const classes = "sdk/nodejs";

/** `ReadReplicaSet` -> `readReplicaSet`: the name of the kind, and of the file of a class with more than the generated one. */
const nameOf = (type) => `${type[0].toLowerCase()}${type.slice(1)}`;

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
${typesOfInputs(sources, types)
    .map((symbol) => `export type { ${symbol.name} } from "../../${fileOf(symbol)}";`)
    .join("\n")}
${generated.map((type) => classOf(sources, type)).join("\n")}`;
}

function classOf(sources, type) {
    const resource = sources.resources[type];
    return `
/** The arguments of a {@link ${type}}. */
export interface ${type}Args extends Args<${type}Inputs> {}

export interface ${type} extends OutputsOf<${type}Outputs> {}

${comment(sources.textOf(sources.exported(kinds, nameOf(type))))}
export class ${type} extends resourceClass<${type}Args>("${type}") {${getterOf(sources, type, resource)}}
`;
}

/** What exists in the API can be read without being managed. */
function getterOf({ contract }, type, { noun, operations, outputs, parent }) {
    if (operations.delete === undefined) {
        return "";
    }
    const [ownId] = Object.keys(outputs).filter((name) => outputs[name].fromId);
    const form = parent === undefined ? "" : ` \`<${parent.input}>/<${ownId}>\``;
    const { path } = contract.operations[operations.get ?? operations.list];
    const place = path.replace("/projects/{project_id}", "…").replace(/\{\w+\}/g, "{id}");
    return `
    ${comment(`Reads an existing ${noun} by its id${form} (\`GET ${place}\`). Does not manage it.`)}
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type} {
        return new this(name, {} as ${type}Args, { ...opts, id });
    }
`;
}

/** The named types of objects and unions that inputs have. */
function typesOfInputs({ checker, symbols }, types) {
    const named = types
        .flatMap((type) => symbols(kinds, `${type}Inputs`))
        .map(({ declarations: [declaration] }) => declaration.type)
        .filter((written) => written && ts.isTypeReferenceNode(written) && written.typeArguments === undefined)
        .map((written) => checker.getSymbolAtLocation(written.typeName))
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    return [...new Set(named)];
}

function nativeClasses(sources, types) {
    const declared = types.map(
        (type) => `
/** {@link dynamic.${type}}, served by the plugin. */
export class ${type} extends dynamic.${type} {
    static override readonly host = nativeHost;
}
`,
    );
    const exported = [...types.map((type) => `${type}Args`), ...typesOfInputs(sources, types).map(({ name }) => name)];
    return `${banner}
import * as dynamic from "../resources.gen";
import { nativeHost } from "../host";

export type { ${exported.join(", ")} } from "../resources.gen";
${declared.join("")}`;
}

const banner = `// Generated from ${kinds} by \`npm run generate\`.\n`;

/** The file with the declaration of a symbol, without the ending. */
function fileOf({ declarations: [declaration] }) {
    return relative(repositoryRoot, declaration.getSourceFile().fileName).replace(/\.ts$/, "");
}
