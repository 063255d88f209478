import { spawn } from "node:child_process";
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator";
import { environmentOf, secretsProvider, typeToken } from "../../support/engine";
import type { Protection, ServiceEntry } from "./checks";
import { descendantsOf, endProcesses } from "./processes";
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
    pid: number;
    ended: Promise<CommandRun>;
}

// Below the root of the repository, where the provider process finds this package by its name.
const workFolder = join(__dirname, "..", "..", "engine", ".work");
const orphansCommand = join(__dirname, "..", "..", "..", "dist", "cli", "clouddb-orphans.js");

/** A project with its stack, its emulator's data and its Pulumi home in one folder, which can be copied. */
export class Sandbox {
    emulator!: Emulator;
    private stack = stackName;
    private environment: NodeJS.ProcessEnv = {};
    private protection: Protection = {};

    private constructor(private readonly folder: string) {}

    static async empty(): Promise<Sandbox> {
        const sandbox = new Sandbox(newFolder());
        mkdirSync(sandbox.project);
        mkdirSync(join(sandbox.folder, "state"));
        writeFileSync(join(sandbox.project, "Pulumi.yaml"), projectFile);
        writeFileSync(join(sandbox.project, "package.json"), '{ "private": true, "main": "index.js" }\n');
        writeFileSync(join(sandbox.project, "index.js"), program);
        await sandbox.open();
        await sandbox.initStack(stackName);
        return sandbox;
    }

    /** Copies a closed sandbox. */
    static copyOf({ folder }: Sandbox): Sandbox {
        const copy = new Sandbox(newFolder());
        for (const part of ["project", "state", "world.json"]) {
            if (existsSync(join(folder, part))) {
                cpSync(join(folder, part), join(copy.folder, part), { recursive: true });
            }
        }
        return copy;
    }

    async initStack(name: string): Promise<void> {
        await this.succeed("stack", "init", name, "--secrets-provider", secretsProvider);
    }

    /** Starts the emulator with the stored data. With another token, the environment has none. */
    async open(options: EmulatorOptions = {}): Promise<void> {
        this.emulator = await startEmulator({
            speed,
            seed: 1,
            stateFile: join(this.folder, "world.json"),
            ...options,
        });
        await this.setEnvironment();
        if (options.token !== undefined) {
            delete this.environment.CLOUDDB_ACCESS_TOKEN;
        }
    }

    private async setEnvironment(): Promise<void> {
        this.environment = {
            ...process.env,
            ...(await environmentOf(this.folder, this.emulator)),
            PULUMI_STACK: this.stack,
        };
    }

    /** Declares the protection of the services. The input takes effect with the next program. */
    async protect(protection: Protection = {}): Promise<void> {
        const { config } = protection;
        if (config !== this.protection.config) {
            await this.succeed(
                "config",
                ...(config === undefined ? ["rm", setting] : ["set", setting, String(config)]),
            );
        }
        this.protection = protection;
    }

    /** Selects a stack for the next time that the emulator starts. */
    select(stack = stackName): void {
        this.stack = stack;
    }

    /** Stops the emulator and keeps its data. */
    async close(): Promise<void> {
        await this.emulator.close();
    }

    /** Removes the folder. */
    remove(): void {
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    }

    /** Restores Pulumi's backup if Pulumi was killed while it wrote the state. */
    restoreState(): void {
        const folder = join(this.folder, "state", ".pulumi", "stacks", "crash");
        for (const end of [".json", ".json.attrs"]) {
            const file = join(folder, `${this.stack}${end}`);
            const backup = join(folder, `${this.stack}${end.replace(".json", ".json.bak")}`);
            if (existsSync(backup) && (!existsSync(file) || statSync(file).size === 0)) {
                cpSync(backup, file);
            }
        }
    }

    declare(declaration: Declaration, existing: Existing = {}, variant: Variant = {}): void {
        writeFileSync(
            join(this.project, "declared.json"),
            JSON.stringify({ program: declaration, existing, input: this.protection.input, ...variant }),
        );
    }

    /** The id of the database. Empty if there is none. */
    databaseId(): string {
        return this.emulator.snapshot().services[0]?.service_id ?? "";
    }

    /** The services in the states of all stacks and backends. Undefined while a state cannot be read. */
    serviceEntries(): ServiceEntry[] | undefined {
        const isState = /[/\\]\.pulumi[/\\]stacks[/\\]crash[/\\]\w[\w-]*\.json$/;
        try {
            return readdirSync(this.folder, { recursive: true, encoding: "utf8" })
                .filter((file) => isState.test(file))
                .flatMap((file) => entriesIn(readFileSync(join(this.folder, file), "utf8")));
        } catch {
            return undefined;
        }
    }

    /** Whether the state contains this id. */
    stored(id: string): boolean {
        const file = join(this.folder, "state", ".pulumi", "stacks", "crash", `${this.stack}.json`);
        return existsSync(file) && readFileSync(file, "utf8").includes(id);
    }

    /** The content of all files that the backend has written for the stack. */
    files(): string[] {
        const folder = join(this.folder, "state");
        return readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    }

    start(...args: string[]): Running {
        const child = spawn("pulumi", [...args, "--non-interactive"], { cwd: this.project, env: this.environment });
        const { pid = 0 } = child;
        let output = "";
        for (const stream of [child.stdout, child.stderr]) {
            stream.on("data", (text: Buffer) => (output += text.toString()));
        }
        const ended = new Promise<CommandRun>((resolve, reject) => {
            const limit = setTimeout(() => {
                const started = [pid, ...descendantsOf(pid)];
                void endProcesses(started);
                reject(new Error(`pulumi ${args.join(" ")} did not end:\n${output}`));
            }, commandLimitMs);
            child.on("error", reject);
            // Not "close", because child processes of a killed engine keep its pipes open.
            child.on("exit", (code) => {
                clearTimeout(limit);
                resolve({ code: code ?? undefined, output });
            });
        });
        return { pid, ended };
    }

    run(...args: string[]): Promise<CommandRun> {
        return this.start(...args).ended;
    }

    async succeed(...args: string[]): Promise<string> {
        const { code, output } = await this.run(...args);
        if (code !== 0) {
            throw new Error(`pulumi ${args.join(" ")} ended with ${String(code)}:\n${output}`);
        }
        return output;
    }

    /** The output of `clouddb-orphans` for this stack. */
    async unmanaged(): Promise<string> {
        const file = join(this.folder, "export.json");
        await this.succeed("stack", "export", "--file", file);
        const orphans = spawn(process.execPath, [orphansCommand, file], {
            env: { ...this.environment, CLOUDDB_ACCESS_TOKEN: this.emulator.token },
        });
        let output = "";
        for await (const text of orphans.stdout) {
            output += String(text);
        }
        return output;
    }

    private get project(): string {
        return join(this.folder, "project");
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

function newFolder(): string {
    mkdirSync(workFolder, { recursive: true });
    return mkdtempSync(join(workFolder, "crash-"));
}
