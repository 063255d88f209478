/** What the sources say: types and comments by the TypeScript compiler, tables of the resources from the build. */
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {string} type - as a program would write it
 * @property {boolean} optional
 * @property {string} text - what its comment says
 * @property {string} [byDefault]
 */

/** @typedef {ReturnType<typeof readSources>} Sources */

/** @param {string} root - of the repository, which has been built */
export function readSources(root) {
    const require = createRequire(join(root, "package.json"));
    const settings = ts.readConfigFile(join(root, "tsconfig.build.json"), ts.sys.readFile);
    const { options, fileNames } = ts.parseJsonConfigFileContent(settings.config, ts.sys, root);
    const program = ts.createProgram(fileNames, options);
    const checker = program.getTypeChecker();

    /** @param {string} path - below the root */
    const file = (path) => {
        const found = program.getSourceFile(join(root, path));
        if (!found) throw new Error(`There is no ${path} among the sources.`);
        return found;
    };
    /**
     * @param {string} path
     * @param {string} name - of something that the file exports
     */
    const exported = (path, name) => {
        const module = checker.getSymbolAtLocation(file(path));
        const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === name);
        if (!symbol) throw new Error(`${path} exports no ${name}.`);
        return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    };
    /** @param {ts.Symbol} symbol */
    const textOf = (symbol) => plain(ts.displayPartsToString(symbol.getDocumentationComment(checker)));

    /** @param {ts.Symbol} symbol @returns {Member} */
    const member = (symbol) => {
        const [declaration] = symbol.declarations ?? [];
        if (!declaration) throw new Error(`${symbol.name} is declared nowhere.`);
        const tag = symbol.getJsDocTags(checker).find(({ name }) => name === "default");
        const byDefault = tag && plain(ts.displayPartsToString(tag.text));
        return {
            name: symbol.name,
            type: writtenType(declaration),
            optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
            text: textOf(symbol),
            ...(byDefault && { byDefault }),
        };
    };

    /**
     * Members, and those of members whose types are written out within, as `outer.inner`.
     *
     * @param {ts.Type} type
     * @param {string} [before]
     * @returns {Member[]}
     */
    const deepMembers = (type, before = "") =>
        checker.getPropertiesOfType(type).flatMap((symbol) => {
            const own = member(symbol);
            const name = `${before}${own.name}`;
            const written = /** @type {ts.PropertySignature} */ (symbol.declarations?.[0]).type;
            if (!written || !ts.isTypeLiteralNode(written)) return [{ ...own, name }];
            const inner = deepMembers(checker.getTypeFromTypeNode(written), `${name}.`);
            return [{ ...own, name, type: "object" }, ...inner];
        });

    return {
        /** The tables of the resources as they are at run time. */
        lifecycles: require("./dist/provider/resources/index.js").lifecycles,
        /** The operations of the contract and the values that it knows. */
        contract: require("./dist/provider/api/operations.gen.js"),
        exported,
        textOf,
        /** @param {string} path @param {string} name - of an interface or a type */
        members: (path, name) =>
            checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported(path, name))).map(member),
        /** The same, and what they are made of. @param {string} path @param {string} name */
        deepMembers: (path, name) => deepMembers(checker.getDeclaredTypeOfSymbol(exported(path, name))),
        /**
         * What a member is made of.
         *
         * @param {string} path @param {string} name - of an interface or a type @param {string} of - one of its members
         */
        membersOf: (path, name, of) => {
            const owner = checker.getDeclaredTypeOfSymbol(exported(path, name));
            const symbol = checker.getPropertyOfType(owner, of);
            if (!symbol) throw new Error(`${name} of ${path} has no ${of}.`);
            return checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)).map(member);
        },
        /**
         * What a class has of its own that is public and not a method.
         *
         * @param {string} path @param {string} name
         */
        outputs: (path, name) =>
            checker
                .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(exported(path, name)))
                .filter(({ flags, declarations }) => {
                    const [declaration] = declarations ?? [];
                    return (
                        flags & ts.SymbolFlags.Property &&
                        declaration?.getSourceFile() === file(path) &&
                        !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private)
                    );
                })
                .map(member),
        /** @param {string} path */
        file,
        /** All files of a folder. @param {string} folder */
        filesIn: (folder) =>
            program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${join(root, folder)}/`)),
        /** Where a name that is used was declared, also in another file. @param {ts.Node} node */
        declaredBy: (node) => {
            const symbol = ts.isShorthandPropertyAssignment(node)
                ? checker.getShorthandAssignmentValueSymbol(node)
                : checker.getSymbolAtLocation(node);
            const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
            return target?.valueDeclaration;
        },
        /** The names that a file exports. @param {string} path */
        namesIn: (path) => {
            const module = checker.getSymbolAtLocation(file(path));
            return module ? checker.getExportsOfModule(module).map(({ name }) => name) : [];
        },
        /** The parameters of a function, and what it answers, as a program would write them. @param {string} path @param {string} name */
        signature: (path, name) => {
            const symbol = exported(path, name);
            const [declaration] = symbol.declarations ?? [];
            const type = declaration && checker.getTypeOfSymbolAtLocation(symbol, declaration);
            const [signature] = type?.getCallSignatures() ?? [];
            if (!signature) throw new Error(`${name} is no function.`);
            return checker.signatureToString(signature);
        },
    };
}

/** Types that say more by what they are than by their names. */
const SPELLED_OUT = { Size: 'number | "shared"' };

/** @param {ts.Declaration} declaration */
function writtenType(declaration) {
    const type = /** @type {{ type?: ts.TypeNode }} */ (/** @type {unknown} */ (declaration)).type;
    if (!type) throw new Error(`${declaration.getText()} has no written type.`);
    return Object.entries(SPELLED_OUT).reduce(
        (text, [name, meaning]) => text.replace(new RegExp(`\\b${name}\\b`, "g"), meaning),
        type.getText().replace(/\s+/g, " "),
    );
}

/** Text in one line, links as code. @param {string} text */
export function plain(text) {
    return text
        .replace(/\{@link ([\w.]+)\}/g, "`$1`")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
        .join("\n\n");
}

/** @param {readonly (readonly string[])[]} rows - the first one is the head */
export function table(rows) {
    const line = (/** @type {readonly string[]} */ cells) =>
        `| ${cells.map((cell) => cell.replaceAll("\n", " ").replaceAll("|", "\\|")).join(" | ")} |`;
    const [head = [], ...rest] = rows;
    return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
}

/** Says that a page is not to be changed by hand. */
export const BANNER = "<!-- Written by `npm run docs` from the code; change it there. -->\n";

/**
 * A page that is written by hand, with generated text in its places: `<!-- NAME:begin -->` to `<!-- NAME:end -->`.
 *
 * @param {string} page
 * @param {Record<string, string>} parts
 */
export function fillIn(page, parts) {
    return Object.entries(parts).reduce((text, [name, part]) => {
        const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
        const [before, rest] = text.split(begin);
        const after = rest?.split(end)[1];
        if (before === undefined || after === undefined) throw new Error(`The page has no place for ${name}.`);
        return `${before}${begin}\n\n${part}\n\n${end}${after}`;
    }, page);
}
