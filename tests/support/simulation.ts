import type { AxiosAdapter } from "axios";
import { startEmulator, virtualClock, type Emulator, type EmulatorOptions, type VirtualClock } from "../../emulator";
import { Client } from "../../provider/api/client";
import type { Clock } from "../../provider/api/clock";
import { KeyedMutex } from "../../provider/lifecycle/keyedMutex";
import type { OperationContext } from "../../provider/lifecycle/operation";
import { History } from "../../provider/wait/schedule";
import { Poller } from "../../provider/wait/poller";
import { SharedCalls } from "../../provider/wait/shared";

/** The provider and the emulator in one process on one virtual clock, on which waiting takes no time at all. */
export interface Simulation {
    readonly emulator: Emulator;
    readonly clock: VirtualClock;
    readonly client: Client;
    /** What status lines were said. */
    readonly said: string[];
    /** What was said to stay. */
    readonly told: string[];
    /** What was warned of. */
    readonly warned: string[];
    /** A run with this many milliseconds until its deadline. */
    readonly run: (parts?: RunParts) => OperationContext;
    /** Calls that change something, in order, as `operationId body`, since the last time this was asked. */
    readonly changes: () => string[];
}

/** What all resources of a run share, as in one provider process. */
export interface ProviderProcess {
    readonly client: Client;
    /** A run with this many milliseconds until its deadline. */
    readonly run: (parts?: RunParts) => OperationContext;
}

interface RunParts {
    timeMs?: number;
    replacing?: string | undefined;
    declaredFor?: OperationContext["declaredFor"];
}

/** Where a run says what goes on. */
type Ears = Pick<OperationContext, "status" | "info" | "warn">;

const deaf: Ears = { status: () => undefined, info: () => undefined, warn: () => undefined };

/** A provider process that lives in this one and asks the emulator without a socket. */
export function startProvider(
    emulator: Emulator,
    clock: Clock,
    ears: Ears = deaf,
    adapter = inProcess(emulator),
): ProviderProcess {
    const settings = { baseUrl: emulator.url, credentials: { kind: "bearer", token: emulator.token } } as const;
    const parts = { clock, random: () => 0.5 };
    const client = new Client(settings, { ...parts, adapter });
    const queue = new KeyedMutex();
    const lists = new SharedCalls(clock);
    const wait = { ...parts, poller: new Poller(clock, parts.random), history: new History() };
    return {
        client,
        run: ({ timeMs = 3_600_000, replacing, declaredFor = () => undefined } = {}) => ({
            client,
            wait,
            lists,
            locks: queue,
            beganAt: clock.now(),
            deadlineAt: clock.now() + timeMs,
            timeoutSetting: "customTimeouts.update",
            signal: undefined,
            ...ears,
            usualMs: 600_000,
            replacing,
            declaredFor,
        }),
    };
}

const running = new Set<Emulator>();

/** Starts one whose provider has a clock that is off by this much; `closeSimulations` ends all of them. */
export async function simulate(options: EmulatorOptions = {}, offMs = 0): Promise<Simulation> {
    const clock = virtualClock();
    const emulator = await startEmulator({ seed: 1, clock, ...options });
    running.add(emulator);
    const said: string[] = [];
    const told: string[] = [];
    const warned: string[] = [];
    const skipping: Clock = {
        now: () => clock.now() + offMs,
        sleep: async (ms, signal) => {
            signal?.throwIfAborted();
            clock.advance(Math.max(ms, 0));
            await Promise.resolve();
        },
    };
    const ears = {
        status: (text: string) => said.push(text),
        info: (text: string) => told.push(text),
        warn: (text: string) => warned.push(text),
    };
    const { client, run } = startProvider(emulator, skipping, ears);
    return {
        emulator,
        clock,
        client,
        said,
        told,
        warned,
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
