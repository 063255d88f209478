import { join } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { blocksOf, pages, root, type Block } from "../support/documents";

const blocks = pages
    .flatMap((page) => blocksOf(page, ["ts", "typescript"]))
    // networks.test.ts compiles the one for AWS.
    .filter(({ text }) => !text.includes('"@pulumi/aws"'));

/** The path of a virtual file for the block. No file is written. */
const fileOf = ({ page, line }: Block) => join(root, "docs", `${page.replace(/\W/g, "-")}-${line}.ts`);

const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    esModuleInterop: true,
    resolveJsonModule: true,
    types: ["node", "jest"],
    // Use the sources, not the last build.
    paths: {
        "pulumi-clouddb": [join(root, "sdk", "nodejs", "index.ts")],
        "pulumi-clouddb/native": [join(root, "sdk", "nodejs", "native", "index.ts")],
        "pulumi-clouddb/emulator": [join(root, "emulator", "index.ts")],
    },
};

const texts = new Map(blocks.map((block) => [fileOf(block), block.text]));
const host = ts.createCompilerHost(options);
const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    fileExists: (name) => texts.has(name) || host.fileExists(name),
    readFile: (name) => texts.get(name) ?? host.readFile(name),
    getSourceFile: (name, ...rest) => {
        const text = texts.get(name);
        return text === undefined ? host.getSourceFile(name, ...rest) : ts.createSourceFile(name, text, rest[0]);
    },
});

test.each(blocks.map((block) => [`${block.page}:${block.line}`, block] as const))("%s compiles", (_, block) => {
    const source = program.getSourceFile(fileOf(block));
    const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    const messages = diagnostics.map(({ messageText, start = 0 }) => {
        const line = block.line + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
        return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    expect(messages).toEqual([]);
});

const settings = pages.flatMap((page) => blocksOf(page, ["yaml", "json"]));

test.each(settings.map((block) => [`${block.page}:${block.line}`, block] as const))("%s can be parsed", (_, block) => {
    expect(parse(block.text)).toEqual(expect.anything());
});
