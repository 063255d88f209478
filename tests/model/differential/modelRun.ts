import type { RecordedCall } from "../engine/calls";
import { isChild } from "../identities";
import { optionsOf, prepare, type Command } from "../preparation";
import type { Declared } from "../engine/registration";
import type { Scenario } from "../scenario";
import { World } from "../world";
import { rejectedIn } from "./history";

/** A run of the engine, and the commands before it. */
export interface Step {
    readonly commands: readonly Command[];
    readonly run: "up" | "refresh" | "destroy";
    readonly resources: readonly Declared[];
    readonly replace: readonly string[];
    readonly exclude: readonly string[];
    readonly continueOnError: boolean;
    readonly isProtected: boolean | undefined;
    /** Whether the program uses the classes in TypeScript, and not only their properties, as in other languages. */
    readonly hasClasses: boolean;
    /** The API rejects this operation during the run. */
    readonly rejects: string | undefined;
}

/** Runs a history with the model of the engine. Returns its steps, each with its calls. */
export async function runInModel({ setting, rounds, ending }: Scenario) {
    const world = await World.start(setting);
    const { dev, emulator } = world;
    const results: { step: Step; calls: readonly RecordedCall[]; isFailed: boolean; errors: readonly string[] }[] = [];
    const run = async (step: Step) => {
        const calls: RecordedCall[] = [];
        emulator.addFaults(faultsOf(step));
        const { failures } = await world.run(
            dev,
            (engine, provider) =>
                step.run === "up"
                    ? engine.up(step.resources, provider, { ...step, sequential: true })
                    : engine[step.run](provider),
            { note: (call) => calls.push(call) },
        );
        emulator.clearFaults();
        const errors = failures.map(({ error }) => (error instanceof Error ? error.message : String(error)));
        results.push({ step, calls, isFailed: failures.length > 0, errors });
    };
    const stepOf = (kind: Step["run"], rest: Partial<Step> = {}): Step => ({
        commands: [],
        run: kind,
        resources: dev.declared(),
        replace: [],
        exclude: [],
        continueOnError: false,
        isProtected: dev.isProtected,
        hasClasses: setting.isTypeScript || setting.host === "dynamic",
        rejects: undefined,
        ...rest,
    });
    try {
        for (const round of rounds) {
            const commands = await prepare(round, world);
            const rejects = rejectedIn(round);
            if (round.refresh) {
                await run(stepOf("refresh", { commands }));
            }
            const { replace = [], exclude = [], continueOnError = false } = optionsOf(round, dev);
            await run(
                stepOf("up", {
                    commands: round.refresh ? [] : commands,
                    replace,
                    // Pulumi stores an invalid state if it excludes a child of a component that has a new name.
                    exclude: exclude.filter((urn) => !isChild(urn)),
                    continueOnError,
                    rejects,
                }),
            );
        }
        if (ending.does === "delete") {
            await run(stepOf("destroy"));
        }
        return results;
    } finally {
        await emulator.close();
    }
}

/** The faults of a step, in the emulator's short form. */
export const faultsOf = ({ rejects }: Step): string[] => (rejects === undefined ? [] : [`${rejects}#1+:400`]);
