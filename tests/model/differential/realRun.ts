import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../../sdk/nodejs";
import { valueOf } from "../../../provider/base/fields";
import { promiseOf } from "../../../plugin/promise";
import { host, RunFailed, type TestStack } from "../../support/engine";
import { startRecorded } from "../../support/recorder";
import { tokenOf, withIds } from "../engine/registration";
import { componentType, isChild, nameIn } from "../identities";
import { detach, type Command } from "../preparation";
import { faultsOf, type Step } from "./modelRun";

/** Every operation of the emulator completes before the first poll. */
const speed = 1_000;

/** Much longer than a run takes. A run that has not ended by then is cancelled. */
const limitMs = 60_000;

const setting = "clouddb:deletionProtection";

/**
 * Creates a stack whose engine records the calls to the provider. Returns a function that runs a step. `idOf` translates the ids of
 * adopted services.
 */
export async function startRealRuns() {
    const { stack, take } = await startRecorded({ speed, seed: 1 });
    const { emulator } = stack;
    let isProtected: boolean | undefined = false;
    return async (step: Step, idOf: (id: string) => string) => {
        for (const command of step.commands) {
            await execute(command, stack, idOf);
        }
        if (step.isProtected !== isProtected) {
            isProtected = step.isProtected;
            await (isProtected === undefined
                ? stack.pulumi("config", "rm", setting)
                : stack.setConfig(setting, String(isProtected)));
        }
        take();
        emulator.addFaults(faultsOf(step));
        const signal = AbortSignal.timeout(limitMs);
        const { isFailed, output } = await start(step, stack, idOf, signal).then(
            (run) => ({ isFailed: false, ...run }),
            (error: unknown) => {
                if (error instanceof RunFailed) {
                    return { isFailed: true, ...error.run };
                }
                throw error;
            },
        );
        emulator.clearFaults();
        return { calls: take(), isFailed, isCancelled: signal.aborted, output };
    };
}

function start(step: Step, stack: TestStack, idOf: (id: string) => string, signal: AbortSignal) {
    const { run, replace, exclude, continueOnError } = step;
    const options = { replace: [...replace], exclude: [...exclude], continueOnError, signal };
    return run === "up" ? stack.up(() => declare(step, idOf), options) : stack[run]({ signal });
}

async function execute(command: Command, stack: TestStack, idOf: (id: string) => string): Promise<void> {
    switch (command.does) {
        case "taint":
            await stack.pulumi("state", "taint", command.urn, "--yes");
            break;
        case "forget":
            await stack.pulumi("state", "delete", command.urn, "--force", "--yes");
            detach(idOf(command.id), stack.emulator);
            break;
        case "rename":
            await stack.pulumi("state", "rename", command.urn, command.to, "--yes");
            break;
        case "unprotect":
            await stack.pulumi("state", "unprotect", "--all", "--yes");
            break;
        case "renameStack":
            await stack.rename(command.to);
    }
}

/** Declares the resources of a step, one after the other. */
async function declare({ resources, hasClasses }: Step, idOf: (id: string) => string): Promise<void> {
    const parent = new pulumi.ComponentResource(componentType, "shop");
    await registered(parent);
    const made = new Map<string, pulumi.CustomResource>();
    for (const resource of resources) {
        const { type, key, urn, needs, outputs = {}, aliases = [], timeouts, deleteBeforeReplace } = resource;
        const options: pulumi.CustomResourceOptions = {
            aliases: [...aliases],
            ...(timeouts && { customTimeouts: timeouts }),
            ...(isChild(urn) && { parent }),
            ...(deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace }),
        };
        const { existingId } = resource.inputs;
        const adopted = typeof existingId === "string" ? { existingId: idOf(existingId) } : {};
        const needed = Object.entries(needs).map(([input, one]) => {
            const source = made.get(one);
            return [input, source && valueOf(source, outputs[input] ?? "id")] as const;
        });
        const args = withIds({ ...resource.inputs, ...adopted }, needed);
        const created = hasClasses
            ? new sdk[type](nameIn(urn), args as never, options)
            : new Unclassed(tokenOf(host, type), nameIn(urn), { currentPassword: undefined, ...args }, options);
        made.set(key, created);
        await registered(created);
    }
}

/** A resource as another language than TypeScript registers it. A program can use the outputs that its arguments name. */
class Unclassed extends pulumi.CustomResource {}

/** Resolves when the engine has finished the step of the resource, even if it failed. */
const registered = (resource: pulumi.Resource): Promise<unknown> => promiseOf(resource.urn);
