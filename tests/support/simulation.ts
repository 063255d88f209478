import { startEmulator, virtualClock, type Emulator, type EmulatorOptions, type Interceptor } from "../../emulator";
import type { OperationId } from "../../emulator/wire";
import type { Clock } from "../../provider/api/clock";
import type { Text } from "../../provider/base/message";
import { atEnd } from "./atEnd";
import { startProvider } from "./provider";
import { Sleepers } from "./sleepers";
import { TestClock } from "./virtualClock";

export type Simulation = Awaited<ReturnType<typeof simulate>>;

/** A virtual clock with callbacks, which are called while it is advanced. */
function clockWithCallbacks() {
    const clock = virtualClock();
    const callbacks = new Sleepers();
    return {
        now: () => clock.now(),
        advance: (ms: number) => {
            const until = clock.now() + ms;
            for (let next = callbacks.first(); next && next.dueAt <= until; next = callbacks.first()) {
                clock.advance(Math.max(next.dueAt - clock.now(), 0));
                next.wake();
            }
            clock.advance(Math.max(until - clock.now(), 0));
        },
        after: (ms: number, call: () => void) => callbacks.callAt(clock.now() + ms, call),
    };
}

/** Starts an emulator that stops after the tests of the file. */
async function started(options: EmulatorOptions): Promise<Emulator> {
    const emulator = await startEmulator({ seed: 1, ...options });
    atEnd(() => emulator.close());
    return emulator;
}

/**
 * The provider and the emulator in one process with one virtual clock, so that waits take no real time. The clock of the
 * provider has this offset.
 */
export async function simulate(options: EmulatorOptions = {}, offMs = 0) {
    const clock = clockWithCallbacks();
    const emulator = await started({ clock, ...options });
    const statusLines: string[] = [];
    /** The permanent lines. */
    const infos: string[] = [];
    const warnings: string[] = [];
    const skipping: Clock = {
        now: () => clock.now() + offMs,
        sleep: async (ms, signal) => {
            signal?.throwIfAborted();
            clock.advance(Math.max(ms, 0));
            await Promise.resolve();
        },
        after: clock.after,
    };
    const output = {
        showRow: (text: string, step?: string) => statusLines.push(step === undefined ? text : `${step}: ${text}`),
        info: (text: Text) => infos.push([text].flat().join("\n")),
        warn: (text: Text) => warnings.push([text].flat().join("\n")),
    };
    const { client, run } = startProvider(emulator, skipping, output);
    return {
        emulator,
        clock,
        client,
        statusLines,
        infos,
        warnings,
        fault: {
            /** Intercepts this number of calls of an operation, and no others any more. */
            at: (operation: string, effect: Interceptor, times: number | "all" = "all") => {
                emulator.clearFaults();
                emulator.addFaults([{ operation: operation as OperationId, effect, times }]);
            },
            over: () => emulator.clearFaults(),
        },
        run,
        /** The changes since the last call of this function, in order, as `operationId body`. */
        changes: () => {
            const entries = emulator.changes().filter(({ status = 500 }) => status < 400);
            emulator.clearJournal();
            return entries.map(({ operationId, body }) =>
                [operationId, body && JSON.stringify(body)].filter(Boolean).join(" "),
            );
        },
    };
}

/** A simulation for operations at the same time: its clock advances while all of them sleep. */
export async function simulateConcurrently(options: EmulatorOptions = {}) {
    const clock = TestClock.automatic();
    const emulator = await started({ clock, ...options });
    const statusLines: string[] = [];
    const showRow = (text: string) => void statusLines.push(text);
    return { clock, emulator, statusLines, provider: startProvider(emulator, clock, { showRow }) };
}
