import { startEmulator, virtualClock, type Emulator, type EmulatorOptions, type VirtualClock } from "../../emulator";
import type { Client } from "../../provider/api/client";
import type { Clock } from "../../provider/api/clock";
import type { Text } from "../../provider/base/message";
import type { Context } from "../../provider/model/context";
import { faults } from "./fixtures";
import { startProvider, type RunParts } from "./provider";
import { TestClock } from "./virtualClock";

/** The provider and the emulator in one process with one virtual clock, so that waits take no real time. */
export interface Simulation {
    readonly emulator: Emulator;
    readonly clock: VirtualClock;
    readonly client: Client;
    /** The status lines. */
    readonly statusLines: string[];
    /** The permanent lines. */
    readonly infos: string[];
    /** The warnings. */
    readonly warnings: string[];
    /** Intercepts calls of an operation. */
    readonly fault: Pick<ReturnType<typeof faults>, "at" | "over">;
    /** A run with this many milliseconds until its deadline. */
    readonly run: (parts?: RunParts) => Context;
    /** The changes since the last call of this function, in order, as `operationId body`. */
    readonly changes: () => string[];
}

const running = new Set<Emulator>();

/** A virtual clock with callbacks, which are called while it is advanced. */
function clockWithCallbacks() {
    const clock = virtualClock();
    const callbacks = new Set<{ readonly dueAt: number; readonly call: () => void }>();
    const nextBefore = (until: number) =>
        [...callbacks].filter(({ dueAt }) => dueAt <= until).sort((left, right) => left.dueAt - right.dueAt)[0];
    return {
        now: () => clock.now(),
        advance: (ms: number) => {
            const until = clock.now() + ms;
            for (let next = nextBefore(until); next !== undefined; next = nextBefore(until)) {
                callbacks.delete(next);
                clock.advance(Math.max(next.dueAt - clock.now(), 0));
                next.call();
            }
            clock.advance(Math.max(until - clock.now(), 0));
        },
        after: (ms: number, call: () => void) => {
            const callback = { dueAt: clock.now() + ms, call };
            callbacks.add(callback);
            return () => void callbacks.delete(callback);
        },
    };
}

/** Starts a simulation whose provider has a clock with this offset. It stops at the end of the test. */
export async function simulate(options: EmulatorOptions = {}, offMs = 0): Promise<Simulation> {
    const clock = clockWithCallbacks();
    const fault = faults(options);
    const emulator = await startEmulator({ seed: 1, clock, ...fault.options });
    running.add(emulator);
    const statusLines: string[] = [];
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
        status: (text: string, step?: string) => statusLines.push(step === undefined ? text : `${step}: ${text}`),
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
        fault,
        run,
        changes: () => {
            const entries = emulator
                .journal()
                .filter(({ method, status }) => method !== "GET" && (status ?? 500) < 400);
            emulator.clearJournal();
            return entries.map(({ operationId, body }) =>
                [operationId, body && JSON.stringify(body)].filter(Boolean).join(" "),
            );
        },
    };
}

/** A simulation for operations at the same time: its clock advances while all of them sleep. It stops at the end of the test. */
export async function simulateConcurrently(options: EmulatorOptions = {}) {
    const clock = TestClock.automatic();
    const emulator = await startEmulator({ seed: 1, clock, ...options });
    running.add(emulator);
    const statusLines: string[] = [];
    const status = (text: string) => void statusLines.push(text);
    return { clock, emulator, statusLines, provider: startProvider(emulator, clock, { status }) };
}

/** Stops the simulations of a test. */
export async function closeSimulations(): Promise<void> {
    await Promise.all([...running].map((emulator) => emulator.close()));
    running.clear();
}

afterEach(closeSimulations);
