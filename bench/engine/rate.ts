import { startEmulator } from "../../emulator";
import { messageOf } from "../../provider/api/errors";
import { Stack, type EngineRun, type Surroundings } from "./stack";

/** What becomes of many services at a service that lets few requests through. */
export interface RateStory {
    readonly services: number;
    readonly perSecond: number;
    readonly cameUp: number;
    readonly ms: number;
    readonly requests: number;
    readonly refused: number;
    /** The most often that one call was refused before it was answered. */
    readonly mostRefusalsInARow: number;
    readonly failedCalls: number;
    /** How `pulumi up` failed, if it did. */
    readonly failure: string | undefined;
}

export async function tellRateStory(
    surroundings: Surroundings,
    { services, perSecond, durationMs }: { services: number; perSecond: number; durationMs: number },
): Promise<RateStory> {
    const emulator = await startEmulator({ rate: perSecond, durations: { queued: 0, create: durationMs } });
    const stack = await Stack.create("clouddb", surroundings, emulator);
    try {
        let run: EngineRun | undefined;
        let failure: string | undefined;
        try {
            run = await stack.up({ count: services, parallel: services });
        } catch (error) {
            failure = messageOf(error);
        }
        const journal = emulator.journal();
        return {
            services,
            perSecond,
            cameUp: emulator.snapshot().services.filter(({ status }) => status === "READY").length,
            ms: run?.ms ?? NaN,
            requests: journal.length,
            refused: journal.filter(({ status }) => status === 429).length,
            mostRefusalsInARow: run?.probe?.mostRefusalsInARow ?? NaN,
            failedCalls: run?.probe?.failedCalls ?? NaN,
            failure,
        };
    } finally {
        stack.remove();
        await emulator.close();
    }
}
