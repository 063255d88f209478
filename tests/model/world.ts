import { startEmulator, type Emulator } from "../../emulator";
import { Stack, type Setting } from "./stack";
import { Created } from "./created";
import { otherProject } from "../support/cases/common";
import { inProcess } from "../support/inProcess";
import { TestClock } from "../support/virtualClock";
import type { Engine } from "./engine/engine";
import type { Failure } from "./engine/entry";
import { stackName } from "./identities";
import { Ledger } from "./ledger";
import { Operator } from "./operator";
import { recordFound } from "./expectations";
import { unannounced } from "./preview";
import { startRun, type Provider, type RunOptions } from "./provider";
import { incomplete, KnownPasswords, rejectedSecrets, secondPreview } from "./truth";

/** The emulator and its users: two stacks and a person. */
export class World {
    readonly dev: Stack;
    readonly prod: Stack;
    readonly ledger: Ledger;
    readonly operator: Operator;
    readonly created: Created;
    /** What a person wanted to do, and the state or the program made impossible. */
    readonly skipped: string[] = [];
    /** Whether a person or a killed run has changed something that no refresh has read. A run that reads it leaves the repair to the next one. */
    hasDrift = false;
    /** The services whose password a killed run may have set: nothing recorded it. */
    private readonly unrecordedPasswords = new Set<string>();
    private readonly passwords: KnownPasswords;
    /** Runs of the engine. */
    runs = 0;
    readonly dialect: string;

    private constructor(
        readonly emulator: Emulator,
        readonly clock: TestClock,
        { hasSecondBackend, ...setting }: Setting,
    ) {
        this.dialect = setting.dialect ?? "";
        this.dev = new Stack("dev", setting, stackName);
        this.prod = new Stack("prod", setting, hasSecondBackend ? stackName : "prod");
        this.ledger = new Ledger(emulator, (stack) => this[stack].engine);
        this.operator = new Operator(emulator, clock, this.ledger);
        this.passwords = new KnownPasswords(emulator, this.operator.passwords);
        this.created = new Created(emulator, this.ledger, () => [this.dev, this.prod]);
    }

    static async start(setting: Setting): Promise<World> {
        const clock = TestClock.automatic();
        const projects = [{ id: otherProject, name: "Foreign" }];
        return new World(
            await startEmulator({ clock, seed: 1, projects, dialect: setting.dialect ?? "" }),
            clock,
            setting,
        );
    }

    /**
     * One run of the engine. Checks four invariants: each deletion follows the rule, each change of a resource is in the
     * preview of the same state, after a successful run, what the state says is what the platform has, and nothing that the run
     * has created is lost.
     */
    async run(
        stack: Stack,
        work: (engine: Engine, provider: Provider) => Promise<readonly Failure[]>,
        options?: RunOptions,
    ): Promise<{ failures: readonly Failure[]; interrupted: boolean }> {
        this.runs += 1;
        const { emulator, clock, ledger } = this;
        const { engine, existing } = stack;
        engine.notes.before = engine.state.entries();
        engine.notes.checked.clear();
        for (const id of existing.values()) {
            ledger.adopt(stack.stack, id);
        }
        const requestsBefore = emulator.journal().length;
        const provider = startRun(emulator, clock, ledger.watch(stack.stack, inProcess(emulator)), {
            isProtected: stack.isProtected,
            ...options,
            note: (call) => {
                options?.note?.(call);
                // The work of a killed run can end during a later one.
                if (!provider.isDead()) {
                    const journal = emulator.journal().slice(requestsBefore);
                    ledger.violations.push(...unannounced(call, journal, provider.startSilent));
                }
            },
        });
        const lostBy = this.created.watch(stack);
        const failures = await work(engine, provider);
        stack.note(provider, failures);
        ledger.violations.push(...lostBy({ stack, provider, failures }));
        const interrupted = provider.isDead() || provider.cancelledAt() !== undefined;
        this.hasDrift ||= provider.isDead();
        for (const { operationId, path, status } of emulator.journal().slice(requestsBefore)) {
            const [, id = ""] = /\/services\/([\w-]+)/.exec(path) ?? [];
            if (operationId === "updatePassword" && provider.isDead()) {
                this.unrecordedPasswords.add(id);
            } else if (
                operationId === "updatePassword" &&
                Number(status) < 300 &&
                engine.state.entries().some((one) => one.id === id)
            ) {
                // The request of a killed run can be between those of a concurrent one of another stack.
                this.unrecordedPasswords.delete(id);
            }
        }
        this.passwords.recordAdoptions(stack);
        recordFound(stack, emulator);
        if (failures.length === 0 && !interrupted) {
            const changes = this.hasDrift ? [] : await secondPreview(engine, provider.startSilent);
            ledger.violations.push(
                ...incomplete(engine),
                ...rejectedSecrets(stack, emulator, this.unrecordedPasswords),
                ...this.passwords.unsaid(stack, provider.warnings, this.unrecordedPasswords),
                ...changes,
            );
        }
        if (!provider.isDead()) {
            this.passwords.record(stack);
        }
        const found = ledger.violations.splice(0);
        if (found.length > 0 && !ledger.undecidable) {
            throw new Error(found.join("\n"));
        }
        return { failures, interrupted };
    }
}
