/** Reads types and comments with the TypeScript compiler, and the tables of the resources from the build. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import ts from "typescript";

export function readSources(root) {
    const require = createRequire(join(root, "package.json"));
    const settings = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(settings.config, ts.sys, root);
    const program = ts.createProgram(fileNames, options);
    const checker = program.getTypeChecker();

    const file = (path) => {
        const found = program.getSourceFile(join(root, path));
        if (!found) {
            throw new Error(`${path} is not a source file.`);
        }
        return found;
    };
    const exportsOf = (path) => checker.getExportsOfModule(checker.getSymbolAtLocation(file(path)));
    const filesIn = (folder) =>
        program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${join(root, folder)}/`));
    const fileThatExports = (folder, name) => {
        const found = filesIn(folder).find((one) =>
            checker.getExportsOfModule(checker.getSymbolAtLocation(one)).some((symbol) => symbol.name === name),
        );
        if (!found) {
            throw new Error(`No file in ${folder} exports ${name}.`);
        }
        return relative(root, found.fileName);
    };
    const exported = (path, name) => {
        const symbol = exportsOf(path).find((one) => one.name === name);
        if (!symbol) {
            throw new Error(`${path} does not export ${name}.`);
        }
        return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    };
    const propertiesOf = (path, name) =>
        checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported(path, name)));
    const symbolsIn = (folder, name) => propertiesOf(fileThatExports(folder, name), name);
    const textOf = (symbol) => plain(ts.displayPartsToString(symbol.getDocumentationComment(checker)));

    const defaultOf = (symbol) => {
        const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "default");
        return tag && plain(ts.displayPartsToString(tag.text));
    };

    const member = (symbol) => {
        const [declaration] = symbol.declarations ?? [];
        if (!declaration) {
            throw new Error(`${symbol.name} has no declaration.`);
        }
        const byDefault = defaultOf(symbol);
        return {
            name: symbol.name,
            type: writtenType(declaration),
            optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
            text: textOf(symbol),
            ...(byDefault && { byDefault }),
        };
    };

    /** The members of a type. Members of an inline type are included as `outer.inner`. */
    const deepMembers = (type, before = "") =>
        checker.getPropertiesOfType(type).flatMap((symbol) => {
            const own = member(symbol);
            const name = `${before}${own.name}`;
            const written = (symbol.declarations?.[0]).type;
            if (!written || !ts.isTypeLiteralNode(written)) {
                return [{ ...own, name }];
            }
            const inner = deepMembers(checker.getTypeFromTypeNode(written), `${name}.`);
            return [{ ...own, name, type: "object" }, ...inner];
        });

    return {
        /** The resources with their tables. */
        lifecycles: require("./dist/.build/provider/resources/index.js").lifecycles,
        /** The operations and the known values of the contract. */
        contract: require("./dist/.build/provider/api/operations.gen.js"),
        functions: require("./dist/.build/provider/functions/index.js").functions,
        /** The environment variables of the settings. */
        settings: require("./dist/.build/provider/api/settings.js"),
        checker,
        exported,
        textOf,
        defaultOf,
        typeOf: (path, name) => checker.getDeclaredTypeOfSymbol(exported(path, name)),
        /** The members of a type as symbols of the compiler. */
        symbols: propertiesOf,
        /** The members of a type that a file of a folder exports. */
        symbolsIn,
        /** The same as texts, with the members of those that are objects. */
        membersIn: (folder, name) =>
            symbolsIn(folder, name).map((symbol) => {
                const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
                const isObject = type.flags & ts.TypeFlags.Object && !checker.isArrayType(type);
                return { ...member(symbol), members: isObject ? checker.getPropertiesOfType(type).map(member) : [] };
            }),
        member,
        members: (path, name) => propertiesOf(path, name).map(member),
        /** The same, with members of inline types. */
        deepMembers: (path, name) => deepMembers(checker.getDeclaredTypeOfSymbol(exported(path, name))),
        /** The members of the type of a member. */
        membersOf: (path, name, of) => {
            const symbol = propertiesOf(path, name).find((one) => one.name === of);
            return checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)).map(member);
        },
        /** The public properties of a class, without those of its base class in Pulumi. First those that the provider returns. */
        outputs: (path, name) => {
            const own = propertiesOf(path, name).filter(({ flags, declarations }) => {
                const [declaration] = declarations ?? [];
                return (
                    flags & ts.SymbolFlags.Property &&
                    declaration &&
                    !declaration.getSourceFile().fileName.includes("/node_modules/") &&
                    !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private)
                );
            });
            const isComputed = ({ declarations }) => ts.isClassLike(declarations[0].parent);
            return [...own.filter((one) => !isComputed(one)), ...own.filter(isComputed)].map(member);
        },
        file,
        /** All files of a folder. */
        filesIn,
        /** The file of a folder that exports a name. */
        fileThatExports,
        /** The names that a file exports. */
        namesIn: (path) => exportsOf(path).map(({ name }) => name),
        /** The signature of a function. */
        signature: (path, name) => {
            const [signature] = checker.getTypeOfSymbol(exported(path, name)).getCallSignatures();
            return checker.signatureToString(signature);
        },
    };
}

/** Types that are shown by their definition instead of their name. */
const spelledOut = {
    Size: 'number | "shared"',
    ForkedFrom: "{ readonly projectId?: string; readonly serviceId?: string }",
};

function writtenType(declaration) {
    const type = declaration.type;
    if (!type) {
        throw new Error(`${declaration.getText()} has no type annotation.`);
    }
    return Object.entries(spelledOut).reduce(
        (text, [name, meaning]) => text.replace(new RegExp(`\\b${name}\\b`, "g"), meaning),
        type.getText().replace(/\s+/g, " "),
    );
}

/** Text without line breaks within paragraphs. Links become code. */
export function plain(text) {
    return text
        .replace(/\{@link ([\w.]+)\}/g, "`$1`")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
        .join("\n\n");
}

export function table(rows) {
    const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("\n", " ").replaceAll("|", "\\|")).join(" | ")} |`;
    const [head = [], ...rest] = rows;
    return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
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

/** A section of the hand-written part of a page. The text before the first comment is the example. */
export function part(page, section = "example") {
    const text = readFileSync(new URL(`parts/${page}.md`, import.meta.url), "utf8");
    const [example, states = "", notes = ""] = text.split(/<!-- (?:states|notes) -->/).map((one) => one.trim());
    return { example, states, notes }[section];
}
