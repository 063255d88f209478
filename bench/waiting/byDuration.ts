import { mean } from "../statistics";
import { ours, withServices } from "./contestants";
import { runsAround } from "./work";

/** The result of single waits with one duration. */
export interface ByDuration {
    readonly durationMs: number;
    readonly meanDelayMs: number;
    /** The mean of delay divided by duration. */
    readonly partOfDuration: number;
}

/** Measures real waits for one service. */
export function measureByDuration(durationMs: number, runs: number): Promise<ByDuration> {
    return withServices(1, async (world) => {
        const delaysMs: number[] = [];
        const parts: number[] = [];
        for (const [index, job] of runsAround(durationMs, runs).entries()) {
            const [delayMs = NaN] = (await ours(world, [job], index)).delaysMs;
            delaysMs.push(delayMs);
            parts.push(delayMs / job.durationMs);
        }
        return { durationMs, meanDelayMs: mean(delaysMs), partOfDuration: mean(parts) };
    });
}
