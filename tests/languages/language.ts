import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator";
import { run } from "../support/command";
import { environmentOf, secretsProvider } from "../support/engine";
import { newFolder } from "../support/folder";
import { root } from "../support/documents";
import { createEnvironment } from "./pythonPackages";
import type { Language } from "./tools";
import { goModule, pythonEnvironment } from "./userSdks";

export { root } from "../support/documents";
export { pathWith, type Language } from "./tools";

/** The engine contains the language host of Node.js. */
export type AnyLanguage = Language | "nodejs";

/** A small program of each language, whose file a test replaces. */
export const programs = {
    yaml: { source: "tests/languages/providers/yaml", file: "Pulumi.yaml" },
    python: { source: "tests/languages/providers/python", file: "__main__.py" },
    go: { source: "tests/languages/providers/go", file: "main.go" },
    java: { source: "examples/java", file: "src/main/java/shop/App.java" },
    nodejs: { source: "tests/languages/typescript", file: "index.ts" },
} as const satisfies Readonly<Record<AnyLanguage, { readonly source: string; readonly file: string }>>;

/** `vpcId` -> `vpc_id`, as in Python */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `vpcId` -> `VpcId`, as in Go */
export const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

interface Options {
    /** Changes the files of the program. */
    readonly edit?: (text: string) => string;
    readonly env?: NodeJS.ProcessEnv;
    /** Installs the packages that a program in Python requires, instead of using those of the repository. */
    readonly ownPackages?: boolean;
    /** Leaves the services of the stack protected. */
    readonly isProtected?: boolean;
}

/** A Pulumi project in a temporary folder, with a stack. */
export class Project {
    private constructor(
        private readonly folder: string,
        private readonly env: NodeJS.ProcessEnv,
    ) {}

    /** Copies a program, installs what it needs and creates the stack. */
    static async create(
        source: string,
        language: AnyLanguage,
        path: string,
        emulator: Emulator,
        { edit = (text: string) => text, env = {}, ownPackages = false, isProtected = false }: Options = {},
    ): Promise<Project> {
        const folder = newFolder();
        const program = join(folder, "program");
        cpSync(join(root, source), program, { recursive: true });
        if (language === "go") {
            for (const file of ["go.mod", "go.sum"]) {
                cpSync(join(root, "examples", "go", file), join(program, file));
            }
        }
        if (language === "nodejs") {
            symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
        }
        const files = readdirSync(program, { withFileTypes: true }).filter((entry) => entry.isFile());
        for (const { name: file } of files) {
            // The programs refer to the repository by its relative path.
            const text = readFileSync(join(program, file), "utf8")
                .replace(/(\.\.\/)+\.\.(?=[/\s])/g, root)
                .replaceAll(join(root, "sdk", "go"), goModule);
            writeFileSync(join(program, file), edit(text));
        }
        mkdirSync(join(folder, "state"));
        // The language host that Go can build ignores the option `virtualenv` of Pulumi.yaml.
        const environment = ownPackages ? join(program, "venv") : pythonEnvironment();
        const activated = language === "python" ? `${join(environment, "bin")}${delimiter}${path}` : path;
        const project = new Project(program, {
            ...process.env,
            ...(await environmentOf(folder, emulator)),
            PATH: activated,
            // As `go mod tidy` of `pulumi install`, which the programs do without.
            GOFLAGS: "-mod=mod",
            ...env,
        });
        if (ownPackages) {
            await createEnvironment(environment, ["-r", "requirements.txt"], program);
        }
        await project.pulumi("stack", "init", "test", "--secrets-provider", secretsProvider);
        if (!isProtected) {
            await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
        }
        return project;
    }

    /** The same project with another folder at the start of PATH. */
    withPath(folder: string): Project {
        return new Project(this.folder, { ...this.env, PATH: [folder, this.env.PATH].join(delimiter) });
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
        return this.run("bash", ["-c", `set -o pipefail; ${line}`]);
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
