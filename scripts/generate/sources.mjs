/** Reads types and comments with the TypeScript compiler, and tables from a bundle of the sources. */
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { withBundle } from "../lib/bundle.mjs";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";
import { kindsFolder } from "./code.mjs";

/** Loads modules of the sources, by their paths without the ending. */
export const load = (...files) =>
    Promise.all(files.map((file) => withBundle([`${file}.ts`], (bundled) => createRequire(bundled)(bundled))));

/** The types and comments, and the table of the kinds. The sources need not compile. */
export async function readKinds() {
    const [{ resources }] = await load(`${kindsFolder}/index`);
    return { ...readTypes(), resources };
}

/** The same with the functions, the settings, and what the component adds to its resources. */
export async function readSources() {
    const files = ["provider/functions/index", "provider/api/settings", "sdk/nodejs/productionDatabaseInputs"];
    const [{ functions }, settings, component] = await load(...files);
    return { ...(await readKinds()), functions, settings, component };
}

function readTypes() {
    const settings = ts.readConfigFile(join(repositoryRoot, "tsconfig.build.json"), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(settings.config, ts.sys, repositoryRoot);
    const program = ts.createProgram(fileNames, options);
    const checker = program.getTypeChecker();

    /** The symbols that a file, or the files of a folder, export. */
    const exportsOf = (path) =>
        program
            .getSourceFiles()
            .filter(({ fileName }) => fileName.startsWith(join(repositoryRoot, path)))
            .flatMap((one) => checker.getSymbolAtLocation(one) ?? [])
            .flatMap((one) => checker.getExportsOfModule(one));
    /** The one with this name. */
    const exported = (path, name) => {
        const symbol = exportsOf(path).find((one) => one.name === name);
        if (!symbol) {
            throw new ScriptError(`${path} does not export ${name}. Export it.`);
        }
        return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    };
    const typeOf = (path, name) => checker.getDeclaredTypeOfSymbol(exported(path, name));
    /** The members of a type as symbols of the compiler. */
    const symbols = (path, name) => checker.getPropertiesOfType(typeOf(path, name));
    /** The text of a public name, which needs one. */
    const commentOf = (symbol) => {
        const text = plain(symbol.getDocumentationComment(checker));
        if (text === "") {
            throw new ScriptError(`${checker.getFullyQualifiedName(symbol)} has no comment. Write it.`);
        }
        return text;
    };
    /** Empty without one. */
    const defaultOf = (symbol) => plain(symbol.getJsDocTags(checker).find(({ name }) => name === "default")?.text);
    /** A member as texts, with the members of its type if that is an object. */
    const member = (symbol) => {
        const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
        const isObject = type.flags & ts.TypeFlags.Object && !checker.isArrayType(type);
        return {
            name: symbol.name,
            type: checker.typeToString(type),
            optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
            text: commentOf(symbol),
            byDefault: defaultOf(symbol),
            members: () => (isObject ? checker.getPropertiesOfType(type).map(member) : []),
        };
    };
    return {
        checker,
        exportsOf,
        exported,
        typeOf,
        symbols,
        commentOf,
        defaultOf,
        /** The comment of an exported name. */
        text: (path, name) => commentOf(exported(path, name)),
        members: (path, name) => symbols(path, name).map(member),
    };
}

/** Text without line breaks within paragraphs. Links become code. */
function plain(comment) {
    return ts
        .displayPartsToString(comment)
        .replace(/\{@link ([\w.]+)\}/g, "`$1`")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
        .join("\n\n");
}
