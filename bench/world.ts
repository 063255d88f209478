import type { AxiosAdapter } from "axios";
import { startEmulator, type Emulator, type EmulatorOptions } from "../emulator";
import { inProcess } from "../tests/support/inProcess";
import { TestClock } from "../tests/support/virtualClock";
import { roundTripMs } from "./work";

/** An emulator on a virtual clock. Requests take the round-trip time on it, and need no socket. */
export interface World {
    readonly clock: TestClock;
    readonly emulator: Emulator;
    readonly adapter: AxiosAdapter;
}

export async function withWorld<T>(
    durations: Required<EmulatorOptions>["durations"],
    work: (world: World) => Promise<T>,
): Promise<T> {
    const clock = TestClock.automatic();
    const emulator = await startEmulator({ clock: { now: () => clock.now() }, seed: 1, durations });
    const send = inProcess(emulator);
    const adapter: AxiosAdapter = async (config) => {
        await clock.sleep(roundTripMs / 2);
        const response = await send(config);
        await clock.sleep(roundTripMs / 2);
        return response;
    };
    try {
        return await work({ clock, emulator, adapter });
    } finally {
        await emulator.close();
    }
}
