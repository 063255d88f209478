import { startEmulator } from "../../../emulator";
import type { Emulator } from "../../../emulator";
import { inProcess } from "../../support/simulation";
import { TestClock } from "../../support/virtualClock";
import type { RecordedCall } from "../model/engine/calls";
import { Engine } from "../model/engine/engine";
import type { Failures } from "../model/engine/engine";
import type { HostName } from "../model/engine/registration";
import { startRun } from "../model/provider";
import type { Command, Resource, Step } from "./history";

/** The calls of one step, and the step without the parts that the state makes impossible. */
export interface StepResult {
    readonly step: Step;
    readonly calls: readonly RecordedCall[];
    readonly isFailed: boolean;
    readonly errors: readonly string[];
}

/** Runs a history with the model of the engine. */
export async function runInModel(history: readonly Step[], host: HostName): Promise<StepResult[]> {
    const clock = TestClock.automatic();
    const emulator = await startEmulator({ clock, seed: 1, movingEndpoints: true });
    try {
        const engine = new Engine(clock);
        const results: StepResult[] = [];
        for (const step of history) {
            results.push(await runStep(step, engine, emulator, clock, host));
        }
        return results;
    } finally {
        await emulator.close();
    }
}

async function runStep(
    step: Step,
    engine: Engine,
    emulator: Emulator,
    clock: TestClock,
    hostName: HostName,
): Promise<StepResult> {
    const commands = step.commands.filter((command) => apply(command, engine));
    const replace = step.replace.filter((urn) => engine.state.get(urn) !== undefined);
    const resources = step.resources.map((resource) => withExistingId(resource, engine));
    const possible = { ...step, commands, replace, resources };
    const calls: RecordedCall[] = [];
    const provider = startRun(emulator, clock, inProcess(emulator), {
        hostName,
        defaults: step.defaults,
        note: (call) => calls.push(call),
    });
    emulator.addFaults(faultsOf(step));
    const failures = await runEngine(possible, engine, provider);
    emulator.clearFaults();
    const errors = [...failures.values()].map((error) => (error instanceof Error ? error.message : String(error)));
    return { step: possible, calls, isFailed: failures.size > 0, errors };
}

function withExistingId(resource: Resource, engine: Engine): Resource {
    const id = resource.adopts === undefined ? undefined : engine.entry(resource.adopts)?.id;
    return id === undefined ? resource : { ...resource, inputs: { ...resource.inputs, existingId: id } };
}

/** The faults of a step, in the emulator's short form. */
export const faultsOf = ({ rejects }: Step): string[] => (rejects === undefined ? [] : [`${rejects}#1+:400`]);

function runEngine(
    { run, resources, replace, exclude, continueOnError }: Step,
    engine: Engine,
    provider: ReturnType<typeof startRun>,
): Promise<Failures> {
    switch (run) {
        case "up":
            return engine.up(resources, provider, { replace, exclude, continueOnError, sequential: true });
        case "refresh":
            return engine.refresh(provider);
        case "destroy":
            return engine.destroy(provider);
    }
}

/** Changes the state. Returns false if the command is impossible. */
function apply(command: Command, engine: Engine): boolean {
    const { state } = engine;
    if (command.does === "renameStack") {
        state.renameStack(command.to);
        return true;
    }
    if (command.does === "unprotect") {
        engine.unprotect();
        return true;
    }
    const entry = state.get(command.urn);
    const pending = state.pendingDeletion().map(({ urn }) => urn);
    if (entry === undefined || pending.includes(command.urn)) {
        return false;
    }
    switch (command.does) {
        case "taint":
            state.swap(entry, { ...entry, tainted: true });
            return true;
        case "forget": {
            const isNeeded = state
                .entries()
                .some(({ dependencies }) => Object.values(dependencies).includes(command.urn));
            if (!isNeeded) {
                state.drop(entry);
            }
            return !isNeeded;
        }
        case "rename": {
            const to = command.urn.replace(/[^:]+$/, command.to);
            const isFree = state.get(to) === undefined && !pending.includes(to);
            if (isFree) {
                state.rename(command.urn, to);
            }
            return isFree;
        }
    }
}
