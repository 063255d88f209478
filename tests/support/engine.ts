import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { automation, runtime } from "@pulumi/pulumi";
import { startEmulator, type Emulator, type EmulatorOptions, type JournalEntry } from "../../emulator";
import { atEnd, endAll } from "./atEnd";
import { failureOf } from "./client";
import { backendIn } from "./folder";
import { startVault } from "./vault";

/** A Pulumi program. Its result is the outputs of the stack. */
export type Program = () => unknown;

const newRun = () => ({
    /** The output without a terminal. */
    output: "",
    /** The operation on each resource, by name: same, create, update, replace, delete or read. */
    operations: {} as Record<string, string>,
    /**
     * The changed properties of a resource, as the engine shows them with --diff: their paths, and how each changes. The
     * dynamic host cannot name them.
     */
    properties: {} as Record<string, Record<string, string>>,
    /** The permanent lines of a resource: its plan and its warnings. */
    messages: {} as Record<string, string[]>,
    statusLines: {} as Record<string, string[]>,
    /** The errors, without Pulumi's own summary. */
    errors: [] as string[],
    /** All events, as JSON. */
    events: [] as string[],
});
export type EngineRun = ReturnType<typeof newRun>;

export class RunFailed extends Error {
    constructor(readonly run: EngineRun) {
        super(`The run of the engine failed:\n${run.output}`);
    }
}

export type TestStack = Awaited<ReturnType<typeof startStack>>;

/** Options with which the engine passes flags to the provider. */
type Flags = "tracing" | "logFlow" | "logToStdErr" | "logVerbosity";

/** Options of `pulumi preview` and `pulumi up`, as URNs. */
type Options = Pick<
    automation.UpOptions,
    | "diff"
    | "expectNoChanges"
    | "plan"
    | "replace"
    | "target"
    | "exclude"
    | "continueOnError"
    | "refresh"
    | "signal"
    | Flags
>;

export interface StateResource {
    urn: string;
    type: string;
    id: string;
    /** Its deletion is pending. */
    delete?: boolean;
    protect?: boolean;
    customTimeouts?: { create?: number };
    inputs: Record<string, unknown>;
    outputs: Record<string, unknown>;
    /** The URNs on which each input depends. */
    propertyDependencies?: Record<string, string[]>;
}

const root = join(__dirname, "..", "..");
const speed = 50;
/** The names of the project and of the stack. */
const [projectName, stackName] = ["tests", "test"];
// Below the root of the repository, where the provider process finds this package by its name.
const workFolder = join(__dirname, "..", "engine", ".work");

/** Stops the emulators and removes the folders of all stacks, before the end of the test file. */
export async function removeStacks(): Promise<void> {
    await endAll();
    vault = undefined;
    newStack = undefined;
}

/** The failed run of an operation that must fail. */
export const failed = async (running: Promise<EngineRun>): Promise<EngineRun> =>
    (await failureOf(running, RunFailed)).run;

/** Presses Ctrl-C when the requests of a run are like this. */
export async function cancelWhen(
    { emulator }: TestStack,
    holds: (journal: readonly JournalEntry[]) => boolean,
    run: (signal: AbortSignal) => Promise<EngineRun>,
): Promise<void> {
    emulator.clearJournal();
    const keys = new AbortController();
    const watch = setInterval(() => {
        if (holds(emulator.journal())) {
            keys.abort();
        }
    }, 20);
    try {
        await failed(run(keys.signal));
    } finally {
        clearInterval(watch);
    }
    expect(keys.signal.aborted).toBe(true);
}

/** The names of the resources that have Pulumi's protect option. */
export async function protectedResources(stack: TestStack): Promise<string[]> {
    return (await stack.resources())
        .filter(({ protect }) => protect)
        .map(({ urn }) => nameOf(urn))
        .sort();
}

/** A folder below the repository, for a program or a stack. */
export function workDir(): string {
    mkdirSync(workFolder, { recursive: true });
    const folder = mkdtempSync(join(workFolder, "stack-"));
    atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    return folder;
}

/** Starts an emulator that stops at the end of the test file. */
export async function startFastEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
    const emulator = await startEmulator({ speed, ...options });
    atEnd(() => emulator.close());
    return emulator;
}

/** The host of the provider: the same test files run on both. */
export const host: "dynamic" | "native" = process.env.CLOUDDB_TEST_HOST === "native" ? "native" : "dynamic";

/** The type of a resource in its URN. */
export function typeToken(type: string): string {
    return host === "native" ? `clouddb:index:${type}` : `pulumi-nodejs:dynamic/clouddb:${type}`;
}

/** The package that programs import for the host. */
export const packageName = host === "native" ? "pulumi-clouddb/native" : "pulumi-clouddb";

/** The folder of the plugin. Its executable is a script for Node.js, unless tests/standalone has set another folder. */
const pluginFolder = process.env.CLOUDDB_TEST_PLUGIN ?? root;

/** The settings of a project in which Pulumi finds the plugin in this folder, if it is the host. */
const settingsFor = (path: string) =>
    host === "native" ? { plugins: { providers: [{ name: "clouddb", path }] } } : {};

/** The content of a Pulumi.yaml for programs of the host. */
export const projectFileFor = (name: string): string =>
    JSON.stringify({ name, runtime: "nodejs", ...settingsFor(pluginFolder) });

/** Options of Node with which programs and providers start sooner: see lazy/lazy.js. */
export const quickNode = `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(join(__dirname, "lazy", "preload.js"))}`;

/** The secrets provider of stacks, which takes less time than a passphrase. */
export const secretsProvider = "hashivault://tests";

/** Where the API is, and with what it can be used. */
type Api = Pick<Emulator, "url" | "projectId" | "token">;

/** An environment in which Pulumi is independent of the user's Pulumi and stores its state in this folder. */
export async function environmentOf(folder: string, { url, projectId, token }: Api): Promise<Record<string, string>> {
    return {
        ...(await (vault ??= startVault())),
        PULUMI_HOME: join(folder, "home"),
        PULUMI_BACKEND_URL: backendIn(join(folder, "state")),
        PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        CLOUDDB_BASE_URL: url,
        CLOUDDB_PROJECT_ID: projectId,
        CLOUDDB_ACCESS_TOKEN: token,
        // Runs are short and need little memory, so the engine collects garbage less often.
        GOGC: "400",
        NODE_OPTIONS: quickNode,
        // Used by Node 22 and later.
        NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compile"),
        NO_PROXY: "127.0.0.1,localhost",
        no_proxy: "127.0.0.1,localhost",
    };
}

/*
 * Jest hides the events of the process from Pulumi's SDK, so the program of a failed run neither ends nor closes its
 * connection. With a common pool, a later engine on the same port would get that broken connection.
 */
const { grpcClientOptions } = runtime as unknown as { grpcClientOptions: Record<string, unknown> };
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

/** A stack with an emulator. The plugin is in another folder for some tests. */
export async function startStack(options: EmulatorOptions = {}, plugin = pluginFolder) {
    const emulator = await startFastEmulator(options);
    /** The operations since the last call that change something. Clears the journal of the emulator. */
    const calls = () => {
        const changes = emulator.changes();
        emulator.clearJournal();
        return changes.map(({ operationId, method, path }) => operationId ?? `${method} ${path}`);
    };
    return { ...(await openStack(emulator, plugin)), emulator, calls };
}

/** A stack that is independent of the user's Pulumi, with this API. */
export async function openStack(api: Api, plugin = pluginFolder) {
    const folder = workDir();
    mkdirSync(join(folder, "state"));
    const envVars = await environmentOf(folder, api);
    let program: Program = () => undefined;
    let completed = 0;
    const workspace = await automation.LocalWorkspace.create({
        program: async () => {
            const outputs = await program();
            completed += 1;
            return outputs as Record<string, unknown> | undefined;
        },
        workDir: folder,
        pulumiCommand: await findPulumi(),
        envVars,
        projectSettings: { name: projectName, runtime: "nodejs", ...settingsFor(plugin) },
        secretsProvider,
    });
    if (newStack === undefined) {
        await workspace.createStack(stackName);
        // Most tests delete their services. Those of the protection set it to true.
        await workspace.setConfig(stackName, "clouddb:deletionProtection", { value: "false" });
        newStack = copyOf(folder);
    } else {
        cpSync(newStack, folder, { recursive: true });
    }
    workspace.createStack = () => Promise.resolve();
    const select = async (name: string) => {
        const selected = await automation.Stack.create(name, workspace);
        // After each run the Automation API starts three more commands, for outputs and a summary that no test uses.
        selected.outputs = () => Promise.resolve({});
        selected.info = () => Promise.resolve(undefined);
        return selected;
    };
    let stack = await select(stackName);

    let printed = "";
    const run = async (work: (options: Listening) => Promise<unknown>): Promise<EngineRun> => {
        const result = newRun();
        const onText = (text: string) => {
            result.output += text;
            printed += text;
        };
        try {
            await work({ onOutput: onText, onError: onText, onEvent: (event) => note(result, event) });
        } catch (error) {
            if (error instanceof automation.CommandError) {
                throw new RunFailed(result);
            }
            throw error;
        }
        return result;
    };
    const withProgram = async (next: Program | undefined, work: (options: Listening) => Promise<unknown>) => {
        program = next ?? program;
        completed = 0;
        const result = await run(work);
        // If a program loses its connection, Pulumi's SDK reports success, because jest hides the failure.
        if (completed === 0) {
            throw new Error("The program lost its connection to the engine.");
        }
        return result;
    };
    /** Runs another `pulumi` command for this stack. */
    const pulumi = async (...args: string[]) => {
        const { workDir: cwd, envVars, pulumiCommand } = stack.workspace;
        const options = { cwd, env: { ...process.env, ...envVars }, maxBuffer: 2 ** 26 };
        return (await promisify(execFile)(pulumiCommand.command, [...args, "--stack", stack.name], options)).stdout;
    };
    // Each command of Pulumi takes a quarter of a second, so the file of the state is read instead.
    const resources = async () => {
        const file = join(folder, "state", ".pulumi", "stacks", projectName, `${stack.name}.json`);
        return resourcesIn(await readFile(file, "utf8"));
    };
    /** All entries with this name in the state: the current one, and those that are pending deletion. */
    const entries = async (name: string) => (await resources()).filter(({ urn }) => nameOf(urn) === name);

    return {
        folder,
        /** Environment variables that override the defaults in the next runs. */
        env: (changes: Record<string, string>) => {
            stack.workspace.envVars = { ...stack.workspace.envVars, ...changes };
        },
        environment: (): NodeJS.ProcessEnv => ({ ...process.env, ...stack.workspace.envVars }),
        /** Runs the given program, by default the previous one. Throws RunFailed if the run fails. */
        preview: (next?: Program, options?: Options) =>
            withProgram(next, (listening) => stack.preview({ ...listening, ...options })),
        up: (next?: Program, options?: Options) =>
            withProgram(next, (listening) => stack.up({ ...listening, ...options })),
        refresh: (options?: Pick<Options, "signal">) => run((listening) => stack.refresh({ ...listening, ...options })),
        destroy: (options?: Pick<automation.DestroyOptions, "target" | "signal" | "runProgram">) =>
            run((listening) => stack.destroy({ ...listening, ...options })),
        importResources: (resources: automation.ImportResource[]) =>
            run((listening) => stack.import({ ...listening, resources, generateCode: false, protect: true })),
        pulumi,
        rename: async (name: string) => {
            await pulumi("stack", "rename", name);
            stack = await select(name);
        },
        setConfig: (key: string, value: string, secret = false) => stack.setConfig(key, { value, secret }),
        /** The output of `pulumi stack export`. The Automation API's own export shows secrets. */
        exported: () => pulumi("stack", "export"),
        resources,
        /** The resource with this name in the state. */
        state: async (name: string) => {
            const [found] = await entries(name);
            if (!found) {
                throw new Error(`The state does not contain ${name}.`);
            }
            return found;
        },
        entries,
        outputs: async () =>
            JSON.parse(await pulumi("stack", "output", "--json", "--show-secrets")) as Record<string, unknown>,
        printed: () => printed,
        files: () => filesBelow(folder),
    };
}

type Listening = Pick<automation.UpOptions, "onOutput" | "onError" | "onEvent">;

function note(
    { operations, properties, messages, statusLines, errors, events }: EngineRun,
    event: automation.EngineEvent,
): void {
    events.push(JSON.stringify(event));
    const { op, urn: changed, detailedDiff } = (event.resOutputsEvent ?? event.resourcePreEvent)?.metadata ?? {};
    if (changed !== undefined && isOurs(changed) && detailedDiff) {
        const changes = Object.entries(detailedDiff).map(([path, { diffKind }]) => [path, diffKind]);
        properties[nameOf(changed)] = Object.fromEntries(changes) as Record<string, string>;
    }
    // A replacement has three events, and one of them contains the name.
    const isEnd = event.resOutputsEvent !== undefined;
    if (isEnd && op !== undefined && changed !== undefined && isOurs(changed) && !op.includes("-replace")) {
        operations[nameOf(changed)] = op;
    }
    const { severity, message = "", urn = "", ephemeral = false } = event.diagnosticEvent ?? {};
    if (severity === "error" && urn !== "") {
        // A partial failure is a list with one entry.
        errors.push(message.trim().replace(/^1 error occurred:\n\s*\* /, ""));
    } else if (isOurs(urn)) {
        const lines = ephemeral ? statusLines : messages;
        (lines[nameOf(urn)] ??= []).push(...message.trim().split("\n"));
    } else if (ephemeral && urn !== "") {
        // The row of a step, whose title is in place of the type.
        const [, , title = "", name = ""] = urn.split("::");
        (statusLines[name] ??= []).push(`${title}: ${message.trim()}`);
    }
}

/** The resources in the file of a state. */
export function resourcesIn(text: string): StateResource[] {
    const { checkpoint } = JSON.parse(text) as { checkpoint: { latest?: { resources?: StateResource[] } } };
    return checkpoint.latest?.resources ?? [];
}

const isOurs = (urn: string): boolean =>
    /(::|\$)(pulumi-nodejs:dynamic\/clouddb|clouddb:index):(?!ProductionDatabase::)\w+::/.test(urn);

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf("::") + 2);

/** The contents of all files below a folder. */
export function filesBelow(folder: string): string[] {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

/** A copy of a stack's files. */
function copyOf(folder: string): string {
    const copy = workDir();
    for (const name of ["Pulumi.test.yaml", "state"]) {
        cpSync(join(folder, name), join(copy, name), { recursive: true });
    }
    return copy;
}

let vault: ReturnType<typeof startVault> | undefined;
/** The files of a stack without resources. The stacks of a test file start with them, which saves a command for each. */
let newStack: string | undefined;
let pulumi: Promise<automation.PulumiCommand> | undefined;

export function findPulumi(): Promise<automation.PulumiCommand> {
    return (pulumi ??= automation.PulumiCommand.get().catch((cause: unknown) => {
        throw new Error("There is no Pulumi engine on PATH; `npm test -- tests/engine` puts one there.", { cause });
    }));
}
