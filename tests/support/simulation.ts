import type { AxiosAdapter } from "axios";
import { startEmulator, virtualClock, type Emulator, type EmulatorOptions, type VirtualClock } from "../../emulator";
import { Client } from "../../provider/api/client";
import type { Clock } from "../../provider/api/clock";
import { Queue } from "../../provider/resources/queue";
import type { Run } from "../../provider/resources/run";
import { History } from "../../provider/wait/history";
import { Poller } from "../../provider/wait/poller";

/** The provider and the emulator in one process on one virtual clock, on which waiting takes no time at all. */
export interface Simulation {
    readonly emulator: Emulator;
    readonly clock: VirtualClock;
    readonly client: Client;
    /** What status lines were said. */
    readonly said: string[];
    /** What was said to stay. */
    readonly told: string[];
    /** A run with this many milliseconds until its deadline. */
    readonly run: (parts?: { timeMs?: number; replacing?: string }) => Run;
    /** Calls that change something, in order, as `operationId body`, since the last time this was asked. */
    readonly changes: () => string[];
}

const running = new Set<Emulator>();

/** Starts one; `closeSimulations` ends all of them. */
export async function simulate(options: EmulatorOptions = {}): Promise<Simulation> {
    const clock = virtualClock();
    const emulator = await startEmulator({ seed: 1, clock, ...options });
    running.add(emulator);
    const said: string[] = [];
    const told: string[] = [];
    const skipping: Clock = {
        now: () => clock.now(),
        sleep: async (ms, signal) => {
            signal?.throwIfAborted();
            clock.advance(Math.max(ms, 0));
            await Promise.resolve();
        },
    };
    const settings = { baseUrl: emulator.url, credentials: { kind: "bearer", token: emulator.token } } as const;
    const parts = { clock: skipping, random: () => 0.5 };
    const client = new Client(settings, { ...parts, adapter: inProcess(emulator) });
    const queue = new Queue();
    const wait = { ...parts, poller: new Poller(skipping), history: new History() };
    return {
        emulator,
        clock,
        client,
        said,
        told,
        run: ({ timeMs = 3_600_000, replacing } = {}) => ({
            client,
            wait,
            queue,
            deadlineAt: clock.now() + timeMs,
            timeoutSetting: "customTimeouts.update",
            signal: undefined,
            say: (text) => said.push(text),
            tell: (text) => told.push(text),
            usualMs: 600_000,
            replacing,
        }),
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

/** Ends the emulators of a test file; to be given to afterEach or afterAll. */
export async function closeSimulations(): Promise<void> {
    await Promise.all([...running].map((emulator) => emulator.close()));
    running.clear();
}

/** Carries requests to the emulator without a socket. */
export function inProcess(emulator: Emulator): AxiosAdapter {
    return async (config) => {
        const query = new URLSearchParams(
            Object.entries((config.params ?? {}) as Record<string, string | readonly string[]>).flatMap(
                ([name, value]) =>
                    (typeof value === "string" ? [value] : value).map((item): [string, string] => [name, item]),
            ),
        );
        const path = `${new URL(config.baseURL ?? "").pathname}${config.url ?? ""}`;
        const { status, headers, body } = await emulator.handle({
            method: config.method ?? "GET",
            path: query.size === 0 ? path : `${path}?${query.toString()}`,
            headers: Object.fromEntries(
                Object.entries(config.headers.toJSON()).map(([name, value]) => [name, String(value)]),
            ),
            ...(config.data === undefined ? {} : { body: String(config.data) }),
        });
        return { status, statusText: "", headers, data: body, config };
    };
}
