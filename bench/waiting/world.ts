import type { AxiosAdapter } from "axios";
import { startEmulator, type Emulator } from "../../emulator";
import { Client, readOptions } from "../../provider/api/client";
import { resolveSettings } from "../../provider/api/settings";
import { TestClock } from "../../tests/support/virtualClock";
import { roundTripMs } from "./work";

/** An emulator on a virtual clock with services whose changes the benchmark times. */
export interface World {
    readonly clock: TestClock;
    readonly projectId: string;
    readonly serviceIds: readonly string[];
    /** A new client with its own rate limit. */
    client(random: () => number): Client;
    /** Keeps a service from being ready for this time. */
    keepBusy(serviceId: string, ms: number): void;
    /** The number of requests since the last call. */
    requests(): number;
    close(): Promise<void>;
}

export async function startBenchWorld(services: number): Promise<World> {
    const clock = TestClock.automatic();
    const durations = { queued: 0, create: 0 };
    const emulator = await startEmulator({ clock: { now: () => clock.now() }, seed: 1, durations });
    const { projectId, token, url } = emulator;
    const counter = { requests: 0 };
    const adapter = inProcess(emulator, clock, () => (counter.requests += 1));
    const env = { CLOUDDB_BASE_URL: url, CLOUDDB_ACCESS_TOKEN: token };
    const settings = resolveSettings({ config: () => undefined, env });
    const client = (random: () => number) => new Client(settings, { clock, random, adapter });
    const creator = client(() => 0);
    const serviceIds: string[] = [];
    for (let index = 0; index < services; index++) {
        const created = await creator.call(
            "createService",
            { path: { project_id: projectId }, body: { name: `service-${index}` } },
            readOptions,
        );
        serviceIds.push(created.service_id);
    }
    counter.requests = 0;
    return {
        clock,
        projectId,
        serviceIds,
        client,
        keepBusy: (id, ms) => emulator.setServiceStatus(id, "CONFIGURING", ms),
        requests: () => {
            const { requests } = counter;
            counter.requests = 0;
            emulator.clearJournal();
            return requests;
        },
        close: () => emulator.close(),
    };
}

/** Passes requests to the emulator without a socket. They take the round-trip time on the virtual clock. */
export function inProcess(emulator: Emulator, clock: TestClock, onRequest?: () => void): AxiosAdapter {
    return async (config) => {
        onRequest?.();
        await clock.sleep(roundTripMs / 2);
        const { status, headers, body } = await emulator.handle({
            method: config.method ?? "GET",
            path: `${new URL(config.baseURL ?? "").pathname}${config.url ?? ""}`,
            headers: Object.fromEntries(
                Object.entries(config.headers.toJSON()).map(([name, value]) => [name, String(value)]),
            ),
            ...(config.data === undefined ? {} : { body: String(config.data) }),
        });
        await clock.sleep(roundTripMs / 2);
        return { status, statusText: "", headers, data: body, config };
    };
}
