import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, Interceptor } from "../../../emulator";
import { secretsProvider, typeToken, workDir } from "../../support/engine";
import { kill, processesBelow } from "../../support/processes";
import { openProject, type TestProject } from "../../support/project";
import type { Protection, ServiceEntry } from "./checks";
import { program, projectFile, stackName, type Declaration, type Existing, type Variant } from "./program";

/** Every operation of the emulator completes before the first poll. */
const speed = 1_000;
/** Longer than any command takes, including its waits. */
const commandLimitMs = 90_000;
const setting = "clouddb:deletionProtection";

/** The result of a Pulumi command. Without a code, it was killed. */
export interface CommandRun {
    code: number | undefined;
    output: string;
}

/** A running Pulumi command. */
export interface Running {
    id: number;
    ended: Promise<CommandRun>;
}

/** A project with its stack and its emulator, which can be copied. */
export class Sandbox {
    private protection: Protection = {};

    private constructor(
        private readonly project: TestProject,
        private readonly stateFile: string,
        /** What happens to requests. */
        readonly hook: { intercept?: Interceptor },
    ) {}

    /** Creates a sandbox with an empty stack, or copies one that is closed. */
    static async open(from?: Sandbox): Promise<Sandbox> {
        const stateFile = join(workDir(), "world.json");
        if (from !== undefined) {
            cpSync(from.stateFile, stateFile);
        }
        const fill = (folder: string) => {
            if (from !== undefined) {
                cpSync(from.project.folder, folder, { recursive: true });
                cpSync(from.state, join(folder, "..", "state"), { recursive: true });
                return;
            }
            writeFileSync(join(folder, "Pulumi.yaml"), projectFile);
            writeFileSync(join(folder, "package.json"), '{ "private": true, "main": "index.js" }\n');
            writeFileSync(join(folder, "index.js"), program);
        };
        const hook: { intercept?: Interceptor } = {};
        const intercept: Interceptor = (exchange, carryOut) => hook.intercept?.(exchange, carryOut) ?? carryOut();
        const project = await openProject(fill, { speed, seed: 1, stateFile, intercept });
        const sandbox = new Sandbox(project, stateFile, hook);
        project.env({ PULUMI_STACK: stackName });
        if (from === undefined) {
            await sandbox.succeed("stack", "init", stackName, "--secrets-provider", secretsProvider);
        } else {
            sandbox.protection = from.protection;
        }
        return sandbox;
    }

    get emulator(): Emulator {
        return this.project.emulator;
    }

    /** Stops the emulator, and keeps its data. */
    close(): Promise<void> {
        return this.emulator.close();
    }

    /** Declares the protection of the services. The input takes effect with the next program. */
    async protect(protection: Protection = {}): Promise<void> {
        const { config } = protection;
        if (config !== this.protection.config) {
            const change = config === undefined ? ["rm", setting] : ["set", setting, String(config)];
            await this.succeed("config", ...change);
        }
        this.protection = protection;
    }

    declare(declaration: Declaration, existing: Existing = {}, variant: Variant = {}): void {
        const declared = { program: declaration, existing, input: this.protection.input, ...variant };
        writeFileSync(join(this.project.folder, "declared.json"), JSON.stringify(declared));
    }

    /** Restores Pulumi's backup if Pulumi was killed while it wrote the state. */
    restoreState(): void {
        for (const attributes of ["", ".attrs"]) {
            const file = `${this.stackFile}.json${attributes}`;
            const backup = `${this.stackFile}.json.bak${attributes}`;
            if (existsSync(backup) && (!existsSync(file) || statSync(file).size === 0)) {
                cpSync(backup, file);
            }
        }
    }

    /** The services in the state. Undefined while it cannot be read. */
    serviceEntries(): ServiceEntry[] | undefined {
        try {
            return entriesIn(readFileSync(`${this.stackFile}.json`, "utf8"));
        } catch {
            return undefined;
        }
    }

    /** Whether the state contains this id. */
    stored(id: string): boolean {
        const file = `${this.stackFile}.json`;
        return existsSync(file) && readFileSync(file, "utf8").includes(id);
    }

    /** The content of all files that the backend has written for the stack. */
    files(): string[] {
        return readdirSync(this.state, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    }

    outputs(): Promise<Record<string, unknown>> {
        return this.project.outputs();
    }

    /** What `clouddb-orphans` lists for this stack. */
    unmanaged(): Promise<string> {
        return this.project.shell("(pulumi stack export | npx clouddb-orphans -) || true");
    }

    /** Starts a Pulumi command, which can be killed. */
    start(...args: string[]): Running {
        const options = { cwd: this.project.folder, env: this.project.environment() };
        const child = spawn("pulumi", [...args, "--non-interactive"], options);
        const { pid = 0 } = child;
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.on("data", (text: Buffer) => (output += text.toString()));
        }
        const ended = new Promise<CommandRun>((resolve, reject) => {
            const limit = setTimeout(() => {
                void processesBelow(pid).then((below) => kill([{ id: pid }, ...below]));
                reject(new Error(`pulumi ${args.join(" ")} did not end:\n${output}`));
            }, commandLimitMs);
            child.on("error", reject);
            // Not "close", because child processes of a killed engine keep its pipes open.
            child.on("exit", (code) => {
                clearTimeout(limit);
                resolve({ code: code ?? undefined, output });
            });
        });
        return { id: pid, ended };
    }

    run(...args: string[]): Promise<CommandRun> {
        return this.start(...args).ended;
    }

    async succeed(...args: string[]): Promise<void> {
        await this.project.pulumi(...args);
    }

    private get state(): string {
        return join(this.project.folder, "..", "state");
    }

    /** The files of the stack, without their endings. */
    private get stackFile(): string {
        return join(this.state, ".pulumi", "stacks", "crash", stackName);
    }
}

/** The services in the file of a state. */
function entriesIn(text: string): ServiceEntry[] {
    const { checkpoint } = JSON.parse(text) as {
        checkpoint: { latest?: { resources?: { type: string; id?: string; outputs?: object }[] } };
    };
    return (checkpoint.latest?.resources ?? [])
        .filter(({ type }) => type === typeToken("Service"))
        .map(({ id = "", outputs = {} }) => ({
            id,
            deletionProtection: (outputs as { deletionProtection?: unknown }).deletionProtection,
        }));
}
