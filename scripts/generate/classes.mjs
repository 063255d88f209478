/** Generates the resource classes of `pulumi-clouddb` and of `pulumi-clouddb/native`, and exports their types. */
import ts from "typescript";
import { sectionPath } from "../docs/resources.mjs";
import { readJson } from "../lib/files.mjs";
import { comment, kindsFolder, nameOf, statements } from "./code.mjs";

const classes = "sdk/nodejs";
const { repository } = readJson("package.json");
/** The pages are in the installed package until the repository has an address. */
const base =
    repository === undefined
        ? "node_modules/pulumi-clouddb"
        : `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main`;
const pages = `${base}/docs/resources/`;
const banner = `// Generated from ${kindsFolder} by \`npm run generate\`.\n`;

/**
 * The sources of both modules, by their paths.
 *
 * @param {Awaited<ReturnType<typeof import("./sources.mjs").readKinds>>} sources
 */
export function classModules(sources) {
    const types = Object.keys(sources.resources);
    const named = typesOfInputs(sources, types);
    return {
        [`${classes}/resources.gen.ts`]: dynamicClasses(sources, types, named),
        [`${classes}/native/resources.gen.ts`]: nativeClasses(types, named),
    };
}

function dynamicClasses(sources, types, named) {
    const imported = types.flatMap((type) => [`${type}Inputs`, `${type}Outputs`]);
    return `${banner}
import type * as pulumi from "@pulumi/pulumi";
${statements(
    "import type",
    imported.map((name) => sources.exported(kindsFolder, name)),
    "../..",
)}
import { isOfType } from "./isOfType";
import { resourceClass } from "./resourceClass";
import type { Args, OutputsOf } from "./types";

${statements("export type", named, "../..")}
${types.map((type) => classOf(sources, type)).join("\n")}`;
}

function classOf(sources, type) {
    const resource = sources.resources[type];
    return `
/** The arguments of a {@link ${type}}. */
export interface ${type}Args extends Args<${type}Inputs> {}

export interface ${type} extends OutputsOf<${type}Outputs> {}

${comment(`${sources.text(kindsFolder, nameOf(type))}\n\n@see ${sectionPath(type, pages)}`)}
export class ${type} extends resourceClass<${type}Args>("${type}") {${constructorOf(type, resource)}${getterOf(type, resource)}${recognizerOf(type)}}
`;
}

/** A resource without a required input needs no arguments. */
const constructorOf = (type, { fields }) =>
    Object.values(fields).some(({ required }) => required)
        ? ""
        : `
    constructor(name: string, args: ${type}Args = {}, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
    }
`;

/** What exists in the API can be read without being managed. */
function getterOf(type, { noun, operations, outputs, parent }) {
    const ownId = Object.keys(outputs).find((name) => outputs[name].fromId);
    const form = parent === undefined ? "" : ` \`<${parent.input}>/<${ownId}>\``;
    return operations.delete === undefined
        ? ""
        : `
    ${comment(`Reads an existing ${noun} by its id${form}. Does not manage it.`)}
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${type} {
        return new this(name, {} as ${type}Args, { ...opts, id });
    }
`;
}

/** Called without its class, such as by `filter` of an array, it needs the name of the class. */
const recognizerOf = (type) => `
    /** Whether an object is ${/^[AEIOU]/.test(type) ? "an" : "a"} \`${type}\` of this entry point, also of another copy of the package. */
    static override isInstance(object: unknown): object is ${type} {
        return isOfType(object, ${type});
    }
`;

/** The named types of objects and unions that inputs have. */
function typesOfInputs({ checker, symbols }, types) {
    const named = types
        .flatMap((type) => symbols(kindsFolder, `${type}Inputs`))
        .map(({ declarations: [declaration] }) => declaration.type)
        .filter((written) => written && ts.isTypeReferenceNode(written) && written.typeArguments === undefined)
        .map((written) => checker.getSymbolAtLocation(written.typeName))
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    return [...new Set(named)];
}

function nativeClasses(types, named) {
    const declared = types.map(
        (type) => `
/** {@link dynamic.${type}}, served by the plugin. */
export class ${type} extends dynamic.${type} {
    static override readonly host = nativeHost;
${recognizerOf(type)}}
`,
    );
    const exported = [...types.map((type) => `${type}Args`), ...named.map(({ name }) => name)];
    return `${banner}
import * as dynamic from "../resources.gen";
import { nativeHost } from "../host";
import { isOfType } from "../isOfType";

export type { ${exported.join(", ")} } from "../resources.gen";
${declared.join("")}`;
}
