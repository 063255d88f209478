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

/** A file that does not exist, with programs, as the compiler sees it in a project that `pulumi new` creates. */
export function compiled(sources: readonly string[]) {
    const text = [...imports, ...sources.map((source) => `{\n${source}\n}`)].join("\n");
    const { compilerOptions } = ts.readConfigFile(join(root, "tsconfig.json"), (name) => ts.sys.readFile(name))
        .config as { compilerOptions: object };
    const options: ts.CompilerOptions = {
        ...ts.convertCompilerOptionsFromJson(compilerOptions, root).options,
        exactOptionalPropertyTypes: false,
    };
    const host = ts.createCompilerHost(options);
    const program = ts.createProgram([file], options, {
        ...host,
        getSourceFile: (name, version, ...rest) =>
            name === file ? ts.createSourceFile(name, text, version) : host.getSourceFile(name, version, ...rest),
    });
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
