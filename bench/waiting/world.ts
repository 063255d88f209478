import type { AxiosAdapter } from "axios";
import { startEmulator, type Emulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { BenchClock } from "./clock";
import { roundTripMs } from "./work";

/** An emulator on a virtual clock with services whose changes the benchmark times. */
export interface World {
    readonly clock: BenchClock;
    readonly projectId: string;
    readonly serviceIds: readonly string[];
    /** A client of its own, with a pace of its own. */
    client(random: () => number): Client;
    /** From now on and for so long it is not ready. */
    keepBusy(serviceId: string, ms: number): void;
    /** How many requests were sent since this was asked last. */
    requests(): number;
    close(): Promise<void>;
}

export async function startWorld(services: number): Promise<World> {
    const clock = new BenchClock();
    const durations = { queued: 0, create: 0 };
    const emulator = await startEmulator({ clock: { now: () => clock.now() }, seed: 1, durations });
    const { projectId, token, url } = emulator;
    const counter = { requests: 0 };
    const adapter = inProcess(emulator, clock, () => (counter.requests += 1));
    const settings = { baseUrl: url, credentials: { kind: "bearer", token } } as const;
    const client = (random: () => number) => new Client(settings, { clock, random, adapter });
    const maker = client(() => 0);
    const serviceIds: string[] = [];
    for (let index = 0; index < services; index++) {
        const made = await clock.run(maker.createService(projectId, { name: `service-${index}` }));
        serviceIds.push(made.service_id);
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

/** Carries requests to the emulator without a socket, in the time that they take on the virtual clock. */
function inProcess(emulator: Emulator, clock: BenchClock, onRequest: () => void): AxiosAdapter {
    return async (config) => {
        onRequest();
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
