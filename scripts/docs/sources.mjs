/** Reads types and comments with the TypeScript compiler, and the tables of the resources from a bundle of the sources. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { exampleOf } from "../generate/examples.mjs";
import { withBundle } from "../lib/bundle.mjs";
import { readJson } from "../lib/files.mjs";
import { ScriptError } from "../lib/repository.mjs";

/** The types and comments of the sources of a checkout. */
export function readTypes(root) {
    const settings = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(settings.config, ts.sys, root);
    const program = ts.createProgram(fileNames, options);
    const checker = program.getTypeChecker();

    /** The symbols that a file, or the files of a folder, export. */
    const exportsOf = (path) =>
        program
            .getSourceFiles()
            .filter(({ fileName }) => fileName.startsWith(join(root, path)))
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
    const textOf = (symbol) => plain(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
    /** The text of a public member, which needs one. */
    const commentOf = (symbol) => {
        const text = textOf(symbol);
        if (text === "") {
            throw new ScriptError(`${symbol.parent?.name}.${symbol.name} has no comment. Write it.`);
        }
        return text;
    };
    const tagOf = (symbol, name) => {
        const tag = symbol.getJsDocTags(checker).find((one) => one.name === name);
        return tag && plain(ts.displayPartsToString(tag.text));
    };
    const defaultOf = (symbol) => tagOf(symbol, "default");
    /** A member as texts, with the members of its type. */
    const member = (symbol) => {
        const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
        const isObject = type.flags & ts.TypeFlags.Object && !checker.isArrayType(type);
        // A member that is derived from a table has none.
        const written = symbol.declarations?.[0]?.type;
        return {
            name: symbol.name,
            type: spelled(written?.getText() ?? checker.typeToString(type)),
            isInline: written?.kind === ts.SyntaxKind.TypeLiteral,
            optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
            // The remarks are about TypeScript.
            text: [commentOf(symbol), tagOf(symbol, "remarks")].filter(Boolean).join(" "),
            byDefault: defaultOf(symbol),
            /** The members of its type; those of a union are the members that all its types have. */
            members: () => checker.getPropertiesOfType(type).map(member),
            isObject,
        };
    };
    const members = (path, name) => symbols(path, name).map(member);
    /** The public properties of a class, without those of its base class in Pulumi. First those that the provider returns. */
    const outputs = (path, name) => {
        const { Property, Accessor } = ts.SymbolFlags;
        const isComputed = ({ declarations }) => ts.isClassLike(declarations[0].parent);
        const own = symbols(path, name).filter(({ flags, declarations: [declaration] = [] }) => {
            const isPrivate = declaration && ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private;
            const isOfPulumi = declaration?.getSourceFile().fileName.includes("/node_modules/");
            return flags & (Property | Accessor) && declaration && !isPrivate && !isOfPulumi;
        });
        return [...own.filter((one) => !isComputed(one)), ...own.filter(isComputed)].map(member);
    };
    return { checker, exported, exportsOf, textOf, commentOf, defaultOf, typeOf, symbols, members, outputs };
}

/** The same with the tables of the kinds. The sources need not compile. */
export async function readKinds(root) {
    const [{ resources }, contract] = await tablesOf("provider/resources/index", "provider/api/operations.gen");
    return { ...readTypes(root), resources, contract };
}

/** The same with all tables. */
export async function readSources(root) {
    const [component, { functions }, step, settings] = await tablesOf(
        "sdk/nodejs/productionDatabaseInputs",
        ...["functions/index", "model/step", "api/settings"].map((file) => `provider/${file}`),
    );
    return {
        ...(await readKinds(root)),
        /** What the component adds to the resources that it consists of. */
        component,
        openapi: readJson("provider/api/openapi.gen.json", root),
        functions,
        /** What a step changes, and how long it takes. */
        ...step,
        /** The environment variables of the settings. */
        settings,
    };
}

const tablesOf = (...files) =>
    withBundle(
        files.map((file) => `${file}.ts`),
        (...bundled) => bundled.map((file) => createRequire(file)(file)),
    );

/** Types that are shown by their definition instead of their name. */
const spelledOut = {
    Size: 'number | "shared"',
    ForkedFrom: "{ readonly projectId?: string; readonly serviceId?: string }",
};

const spelled = (type) =>
    Object.entries(spelledOut).reduce(
        (text, [alias, meaning]) => text.replace(new RegExp(`\\b${alias}\\b`, "g"), meaning),
        type.replace(/\s+/g, " "),
    );

/** Text without line breaks within paragraphs. Links become code. */
export function plain(text) {
    return text
        .replace(/\{@link ([\w.]+)\}/g, "`$1`")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
        .join("\n\n");
}

/** A member as an item of a list: its name, its type, its meaning and its default. */
export function definition({ name, type, optional, text, byDefault }) {
    const notes = [...(optional ? [] : ["required"]), ...(type === undefined ? [] : [`\`${type}\``])];
    const about = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    const more = byDefault && byDefault !== "none" ? ` Default: ${byDefault}.` : "";
    return `- \`${name}\`${about}: ${text.replaceAll("\n\n", " ").replace(/ Default: none\.$/, "")}${more}`;
}

/** The comment at the start of a generated page. */
export const banner = "<!-- Generated from the code by `npm run docs`. Do not edit. -->\n";

/** Replaces the text between `<!-- NAME:begin -->` and `<!-- NAME:end -->` of a hand-written page. */
export function fillIn(page, parts) {
    return Object.entries(parts).reduce((text, [name, part]) => {
        const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
        const [before, rest] = text.split(begin);
        const after = rest?.split(end)[1];
        if (before === undefined || after === undefined) {
            throw new Error(`The page has no comments ${name}:begin and ${name}:end.`);
        }
        return `${before}${begin}\n\n${part}\n\n${end}${after}`;
    }, page);
}

/** A section of the hand-written part of a page, which a page need not have. The text before the first comment is the start. */
export function part(page, section = "start") {
    const file = new URL(`parts/${page}.md`, import.meta.url);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    const [start, states = "", notes = ""] = text.split(/<!-- (?:states|notes) -->/).map((one) => one.trim());
    return { start, states, notes }[section];
}

/** The example of a resource in each language. Only the one in TypeScript is unfolded. */
export function examplesOf(name) {
    const [first, ...others] = exampleOf(name).match(/^```\w+\n.*?^```$/gms);
    const folded = others.map((block) => {
        const language = languages[/\w+/.exec(block)[0]];
        return `<details>\n<summary>${language}</summary>\n\n${block}\n\n</details>`;
    });
    return [first.replace("typescript", "ts").replace("pulumi-clouddb/native", "pulumi-clouddb"), ...folded];
}

const languages = { python: "Python", go: "Go", yaml: "YAML" };
