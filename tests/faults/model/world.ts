import type { Emulator, EmulatorOptions } from "../../../emulator";
import { lacking } from "../../support/apiVariants";
import { startFaultyEmulator } from "../../support/faultyEmulator";
import { TestClock } from "../../support/virtualClock";
import { inProcess } from "../../support/inProcess";
import type { Engine, Failures } from "./engine/engine";
import type { HostName } from "./engine/registration";
import { violations } from "./invariants";
import { Ledger } from "./ledger";
import { Operator } from "./operator";
import type { Key } from "./program";
import { startRun } from "./provider";
import type { Provider, RunOptions } from "./provider";
import { unannounced } from "./unannounced";
import { Stack } from "./stack";

/** What is the same in all runs of a history. */
export interface Setting {
    /** The host of all resources, until the program moves one to the other host. */
    readonly host: HostName;
    /** Resources that begin on the other host. */
    readonly onOtherHost: readonly Key[];
    /** The resources of the plugin are in TypeScript. Other languages only use the plugin. */
    readonly isTypeScript: boolean;
    /** The classes in TypeScript can read the state. */
    readonly readsState: boolean;
    /** After the first round, the state is that of an earlier version, which did not record `deletionProtection`. */
    readonly hasOldState: boolean;
    /** The API is of an older version and cannot rename a service. */
    readonly olderApi: boolean;
    /** The other stack is in another backend and has the same name, so its resources have the same URNs and generated names. */
    readonly hasSecondBackend: boolean;
}

/** The emulator and its users: two stacks and a person. */
export class World {
    readonly dev: Stack;
    readonly prod: Stack;
    readonly ledger: Ledger;
    readonly operator: Operator;
    /** The ids of manually deleted resources. */
    readonly gone = new Set<string>();
    /** What a person wanted to do, and the state or the program made impossible. */
    readonly skipped: string[] = [];
    /** Runs of the engine. */
    runs = 0;

    private constructor(
        readonly emulator: Emulator,
        readonly clock: TestClock,
        { hasSecondBackend, ...setting }: Setting,
    ) {
        this.dev = new Stack("dev", clock, setting);
        this.prod = new Stack("prod", clock, setting, hasSecondBackend ? "dev" : "prod");
        this.ledger = new Ledger(
            emulator,
            (id) => this.dev.engine.holder(id) ?? this.prod.engine.holder(id),
            (stack, id) => this[stack].wantsCopy(id),
            (stack) => this[stack].engine.notes,
            setting.isTypeScript && setting.readsState,
        );
        this.operator = new Operator(emulator, clock, this.ledger);
    }

    static async start(setting: Setting): Promise<World> {
        const clock = TestClock.automatic();
        const options: EmulatorOptions = setting.olderApi ? { intercept: lacking("renameService") } : {};
        return new World(
            await startFaultyEmulator({ clock, seed: 1, movingEndpoints: true, ...options }),
            clock,
            setting,
        );
    }

    /** One run of the engine, after which the invariants must hold. */
    async run(
        stack: Stack,
        work: (engine: Engine<Key>, provider: Provider) => Promise<Failures<Key>>,
        options?: Omit<RunOptions, "defaults">,
    ): Promise<{ failures: Failures<Key>; interrupted: boolean }> {
        this.runs += 1;
        const { emulator, clock, ledger } = this;
        const before = stack.engine.entries();
        stack.engine.notes.stored.clear();
        stack.engine.notes.protecting.clear();
        for (const id of stack.existing.values()) {
            ledger.adopt(stack.stack, id);
        }
        const requestsBefore = emulator.journal().length;
        const surprises: string[] = [];
        const provider = startRun(emulator, clock, ledger.watch(stack.stack, inProcess(emulator)), {
            defaults: stack.defaults,
            ...options,
            note: (call) => {
                options?.note?.(call);
                surprises.push(...unannounced(call, emulator.journal().slice(requestsBefore)));
            },
        });
        const failures = await work(stack.engine, provider);
        stack.note(provider, failures);
        const found = [...violations(stack, before, ledger, emulator), ...surprises];
        if (found.length > 0 && !ledger.undecidable) {
            throw new Error(found.join("\n"));
        }
        return { failures, interrupted: provider.isDead() || provider.cancelledAt() !== undefined };
    }
}
