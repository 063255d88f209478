import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../../emulator";
import * as sdk from "../../../sdk/nodejs";
import { promiseOf } from "../../../plugin/promise";
import {
    environmentOf,
    findPulumi,
    host,
    InlineProgram,
    secretsProvider,
    startFastEmulator,
    workDir,
} from "../../support/engine";
import type { RecordedCall } from "../engine/calls";
import { tokenOf, withIds } from "../engine/registration";
import { componentType, isChild, nameIn, projectName } from "../identities";
import { detach, type Command } from "../preparation";
import { faultsOf, type Step } from "./modelRun";

/** Every operation of the emulator completes before the first poll. */
const speed = 1_000;

/** Much longer than a run takes. A run that has not ended by then is cancelled. */
const limitMs = 60_000;

const setting = "clouddb:deletionProtection";

const support = join(__dirname, "..", "..", "support");

/** A project whose engine records the calls to the provider. */
export class RealProject {
    private readonly recordFile: string;
    private stackName: string | undefined;
    private isProtected: boolean | undefined;
    private readonly stacks = new Map<string, pulumi.automation.Stack>();

    private constructor(
        private readonly emulator: Emulator,
        private readonly workspace: pulumi.automation.LocalWorkspace,
    ) {
        this.recordFile = workspace.envVars.CLOUDDB_RECORD ?? "";
    }

    static async create(): Promise<RealProject> {
        const emulator = await startFastEmulator({ speed, seed: 1 });
        const folder = workDir();
        mkdirSync(join(folder, "state"));
        const recorder = `--require ${JSON.stringify(join(support, "recorder", "preload.js"))}`;
        const env = await environmentOf(folder, emulator);
        const plugin = { name: "clouddb", path: join(support, "recorder", "plugin") };
        const workspace = await pulumi.automation.LocalWorkspace.create({
            workDir: folder,
            pulumiCommand: await findPulumi(),
            secretsProvider,
            envVars: {
                ...env,
                CLOUDDB_RECORD: join(folder, "calls.jsonl"),
                NODE_OPTIONS: `${env.NODE_OPTIONS ?? ""} ${recorder}`,
            },
            projectSettings: {
                name: projectName,
                runtime: "nodejs",
                ...(host === "native" ? { plugins: { providers: [plugin] } } : {}),
            },
        });
        return new RealProject(emulator, workspace);
    }

    /** Runs a step. Returns the recorded calls. `idOf` translates the ids of adopted services. */
    async run(
        step: Step,
        idOf: (id: string) => string,
    ): Promise<{ calls: RecordedCall[]; isFailed: boolean; isCancelled: boolean; output: string }> {
        const first = step.commands.find(({ does }) => does === "renameStack") ? undefined : step.stack;
        const name = this.stackName ?? first ?? step.stack;
        this.stackName = name;
        for (const command of step.commands) {
            await this.execute(command, idOf);
        }
        rmSync(this.recordFile, { force: true });
        this.emulator.addFaults(faultsOf(step));
        let output = "";
        const onOutput = (text: string) => (output += text);
        const signal = AbortSignal.timeout(limitMs);
        const isFailed = await this.start(step, idOf, onOutput, signal).then(
            () => false,
            (error: unknown) => {
                if (error instanceof pulumi.automation.CommandError) {
                    return true;
                }
                throw error;
            },
        );
        this.emulator.clearFaults();
        const lines = existsSync(this.recordFile) ? readFileSync(this.recordFile, "utf8").trim().split("\n") : [];
        const calls = lines.filter(Boolean).map((line) => JSON.parse(line) as RecordedCall);
        return { calls, isFailed, isCancelled: signal.aborted, output };
    }

    private async start(
        step: Step,
        idOf: (id: string) => string,
        onOutput: (text: string) => void,
        signal: AbortSignal,
    ): Promise<void> {
        const stack = await this.stack(step.stack);
        const { replace, exclude, continueOnError, isProtected } = step;
        await this.protect(stack, isProtected);
        const inline = new InlineProgram();
        inline.begin(() => declare(step, idOf));
        this.workspace.program = () => inline.run();
        switch (step.run) {
            case "up":
                await stack.up({
                    onOutput,
                    onError: onOutput,
                    replace: [...replace],
                    exclude: [...exclude],
                    continueOnError,
                    signal,
                });
                inline.assertComplete();
                break;
            case "refresh":
                await stack.refresh({ onOutput, onError: onOutput, signal });
                break;
            case "destroy":
                await stack.destroy({ onOutput, onError: onOutput, signal });
        }
    }

    private async protect(stack: pulumi.automation.Stack, isProtected: boolean | undefined): Promise<void> {
        if (isProtected !== this.isProtected) {
            this.isProtected = isProtected;
            await (isProtected === undefined
                ? stack.removeConfig(setting)
                : stack.setConfig(setting, { value: String(isProtected) }));
        }
    }

    private async stack(name: string): Promise<pulumi.automation.Stack> {
        const known = this.stacks.get(name);
        if (known !== undefined) {
            return known;
        }
        const stack = await pulumi.automation.Stack.createOrSelect(name, this.workspace);
        this.stacks.set(name, stack);
        // After each run the Automation API starts three more commands, for outputs and a summary that no test uses.
        stack.outputs = () => Promise.resolve({});
        stack.info = () => Promise.resolve(undefined);
        return stack;
    }

    private async execute(command: Command, idOf: (id: string) => string): Promise<void> {
        const stack = ["--stack", this.stackName ?? ""];
        switch (command.does) {
            case "taint":
                return this.pulumi("state", "taint", command.urn, "--yes", ...stack);
            case "forget":
                await this.pulumi("state", "delete", command.urn, "--force", "--yes", ...stack);
                detach(idOf(command.id), this.emulator);
                return;
            case "rename":
                return this.pulumi("state", "rename", command.urn, command.to, "--yes", ...stack);
            case "unprotect":
                return this.pulumi("state", "unprotect", "--all", "--yes", ...stack);
            case "renameStack":
                await this.pulumi("stack", "rename", command.to, ...stack);
                this.stackName = command.to;
        }
    }

    private async pulumi(...args: string[]): Promise<void> {
        const { workDir: cwd, envVars, pulumiCommand } = this.workspace;
        await promisify(execFile)(pulumiCommand.command, [...args, "--non-interactive"], {
            cwd,
            env: { ...process.env, ...envVars },
        });
    }
}

/** Declares the resources of a step, one after the other. */
async function declare({ resources, hasClasses }: Step, idOf: (id: string) => string): Promise<void> {
    const parent = new pulumi.ComponentResource(componentType, "shop");
    await registered(parent);
    const ids = new Map<string, pulumi.Output<string>>();
    for (const resource of resources) {
        const { type, key, urn, needs, aliases = [], timeouts, deleteBeforeReplace } = resource;
        const options: pulumi.CustomResourceOptions = {
            aliases: [...aliases],
            ...(timeouts && { customTimeouts: timeouts }),
            ...(isChild(urn) && { parent }),
            ...(deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace }),
        };
        const { existingId } = resource.inputs;
        const adopted = typeof existingId === "string" ? { existingId: idOf(existingId) } : {};
        const needed = Object.entries(needs).map(([input, one]) => [input, ids.get(one)] as const);
        const args = withIds({ ...resource.inputs, ...adopted }, needed) as never;
        const created = hasClasses
            ? new sdk[type](nameIn(urn), args, options)
            : new Unclassed(tokenOf(host, type), nameIn(urn), args, options);
        ids.set(key, created.id);
        await registered(created);
    }
}

/** A resource as another language than TypeScript registers it. */
class Unclassed extends pulumi.CustomResource {}

/** Resolves when the engine has finished the step of the resource, even if it failed. */
const registered = (resource: pulumi.Resource): Promise<unknown> => promiseOf(resource.urn);
