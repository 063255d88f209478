import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator";
import { run } from "../support/command";
import { environmentOf, secretsProvider } from "../support/engine";
import { newFolder } from "../support/folder";
import { root } from "../support/documents";
import { generatorFolder, pathWith, type AnyLanguage } from "./tools";
import { goModule, pythonEnvironment } from "./userSdks";

export { root } from "../support/documents";
export { pathWith, testWith, type AnyLanguage, type Language } from "./tools";

/** The file of the program in each language. */
export const fileOf = {
    yaml: "Pulumi.yaml",
    python: "__main__.py",
    go: "main.go",
    java: "src/main/java/shop/App.java",
    nodejs: "index.ts",
} as const satisfies Readonly<Record<AnyLanguage, string>>;

/** `vpcId` -> `vpc_id`, as in Python */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `vpcId` -> `VpcId`, as in Go */
export const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** A program in Go with these statements, which use `ctx` and the packages pulumi and clouddb. */
export const goProgram = (statements: string): string => `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${statements}
		return nil
	})
}
`;

interface Options {
    /** By default, that of the example. */
    readonly program?: string;
    readonly env?: NodeJS.ProcessEnv;
    /** Leaves the services of the stack protected. */
    readonly isProtected?: boolean;
}

/** A Pulumi project in a temporary folder, with a stack. */
export class Project {
    private constructor(
        private readonly folder: string,
        private readonly env: NodeJS.ProcessEnv,
    ) {}

    /** Copies the example of a language with another program, and creates the stack. Java also gets the SDK for it. */
    static async create(
        language: AnyLanguage,
        emulator: Emulator,
        { program, env = {}, isProtected = false }: Options = {},
    ): Promise<Project> {
        const above = newFolder();
        const folder = join(above, "program");
        const source = language === "nodejs" ? "tests/languages/typescript" : `examples/${language}`;
        cpSync(join(root, source), folder, { recursive: true });
        if (language === "nodejs") {
            symlinkSync(join(root, "node_modules"), join(above, "node_modules"));
        }
        const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
        for (const { name: file } of files) {
            // The programs refer to the repository by its relative path.
            const text = readFileSync(join(folder, file), "utf8")
                .replace(/(\.\.\/)+\.\.(?=[/\s])/g, root)
                .replaceAll(join(root, "sdk", "go"), goModule)
                .replace(/^name: clouddb-.*$/m, "name: tests");
            writeFileSync(join(folder, file), text);
        }
        mkdirSync(join(above, "state"));
        // The language host that Go can build ignores the option `virtualenv` of Pulumi.yaml.
        const activated = language === "python" ? [join(pythonEnvironment(), "bin")] : [];
        const project = new Project(folder, {
            ...process.env,
            ...(await environmentOf(above, emulator)),
            PATH: [...activated, pathWith(language)].join(delimiter),
            // As `go mod tidy` of `pulumi install`, which the programs do without.
            GOFLAGS: "-mod=mod",
            // The compiler of the JVM costs more time than it saves.
            MAVEN_OPTS: "-XX:TieredStopAtLevel=1",
            ...env,
        });
        if (program !== undefined) {
            project.write(fileOf[language], program);
        }
        await project.pulumi("stack", "init", "test", "--secrets-provider", secretsProvider);
        if (!isProtected) {
            await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
        }
        if (language === "java" && program !== undefined) {
            await project.pulumi("install");
        }
        return project;
    }

    /** The same project with the programs that generate SDKs and programs at the start of PATH. */
    withGenerator(): Project {
        return new Project(this.folder, { ...this.env, PATH: [generatorFolder(), this.env.PATH].join(delimiter) });
    }

    /** Writes a file in the folder of the program. */
    write(file: string, text: string): void {
        writeFileSync(join(this.folder, file), text);
    }

    read(file: string): string {
        return readFileSync(join(this.folder, file), "utf8");
    }

    /** Runs a Pulumi command. An error contains its output. */
    pulumi(...args: string[]): Promise<string> {
        return this.run("pulumi", [...args, "--non-interactive"]);
    }

    /** Runs a shell line of a user. An error contains its output. */
    shell(line: string): Promise<string> {
        return this.run("bash", ["--norc", "-c", `set -o pipefail; ${line}`]);
    }

    /** Runs `pulumi up`. With `expectNoChanges`, it fails on a change. */
    async up({ expectNoChanges = false } = {}): Promise<string> {
        return this.pulumi("up", "--yes", "--skip-preview", ...(expectNoChanges ? ["--expect-no-changes"] : []));
    }

    async outputs(): Promise<Record<string, unknown>> {
        return JSON.parse(await this.pulumi("stack", "output", "--json", "--show-secrets")) as Record<string, unknown>;
    }

    private run(command: string, args: readonly string[]): Promise<string> {
        return run(command, args, { cwd: this.folder, env: this.env });
    }
}

const url = expect.stringMatching(/^postgres:\/\/tsdbadmin:.+@/) as string;

/** The outputs of the examples. */
export const outputsOfExamples = { connectionString: url, urlInNetwork: url, reportsUrl: url };
