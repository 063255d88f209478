import { join } from "node:path";
import ts from "typescript";
import { root } from "./documents";

const file = join(root, "program.ts");

/** What programs for both packages import. */
const imports = [
    'import * as pulumi from "@pulumi/pulumi";',
    'import * as dynamic from "./sdk/nodejs";',
    'import { Peering, ProductionDatabase, ReadReplicaSet, Service, Vpc } from "./sdk/nodejs";',
    'import type { Fork, ProductionDatabaseArgs, ServiceArgs, Size } from "./sdk/nodejs";',
    'import * as native from "./sdk/nodejs/native";',
];

/** The errors in files of docs/ that do not exist, with the programs of pages, and where each begins. */
export function errorsInPages(texts: ReadonlyMap<string, string>, paths: ts.MapLike<string[]> = {}) {
    const program = programOf(texts, {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.Node16,
        moduleResolution: ts.ModuleResolutionKind.Node16,
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        esModuleInterop: true,
        resolveJsonModule: true,
        types: ["node", "jest"],
        // The sources, not the last build.
        paths: {
            "pulumi-clouddb": [join(root, "sdk", "nodejs", "index.ts")],
            "pulumi-clouddb/native": [join(root, "sdk", "nodejs", "native", "index.ts")],
            "pulumi-clouddb/emulator": [join(root, "emulator", "index.ts")],
            ...paths,
        },
    });
    return (name: string) => {
        const source = program.getSourceFile(name);
        const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
        return found.map(({ messageText, start = 0 }) => ({
            line: source?.getLineAndCharacterOfPosition(start).line ?? 0,
            text: ts.flattenDiagnosticMessageText(messageText, "\n"),
        }));
    };
}

/** The compiler with files that do not exist, which have these texts. */
function programOf(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.Program {
    const host = ts.createCompilerHost(options);
    return ts.createProgram([...texts.keys()], options, {
        ...host,
        fileExists: (name) => texts.has(name) || host.fileExists(name),
        readFile: (name) => texts.get(name) ?? host.readFile(name),
        getSourceFile: (name, version, ...rest) => {
            const text = texts.get(name);
            return text === undefined
                ? host.getSourceFile(name, version, ...rest)
                : ts.createSourceFile(name, text, version);
        },
    });
}

/** A file that does not exist, with programs, as the compiler sees it in a project that `pulumi new` creates. */
export function compiled(sources: readonly string[]) {
    const text = [...imports, ...sources.map((source) => `{\n${source}\n}`)].join("\n");
    const { compilerOptions } = ts.readConfigFile(join(root, "tsconfig.json"), (name) => ts.sys.readFile(name))
        .config as { compilerOptions: object };
    const options: ts.CompilerOptions = {
        ...ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
        exactOptionalPropertyTypes: false,
    };
    const program = programOf(new Map([[file, text]]), options);
    return {
        program,
        /** The codes of the errors in each program. */
        errors: (): number[][] => {
            const found = program.getSemanticDiagnostics(program.getSourceFile(file));
            const lineOf = ({ start = 0 }: ts.Diagnostic) => text.slice(0, start).split("\n").length;
            let line = imports.length;
            return sources.map((source) => {
                const from = line;
                line += source.split("\n").length + 2;
                return found.filter((one) => lineOf(one) > from && lineOf(one) <= line).map(({ code }) => code);
            });
        },
    };
}
