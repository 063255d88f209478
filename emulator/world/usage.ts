import type { Wire } from "../wire";
import { Random } from "./random";
import { defaultSize } from "./sizes";
import type { ServiceRecord } from "./state";

const minuteMs = 60_000;
const mbPerGb = 1024;
const emptyStorageMb = 64;

/**
 * What a service uses, which changes each minute. It follows from the id, and thereby from the seed, and from the age: the same
 * run shows the same values.
 */
export function usageOf(
    { createdAt, id, values: { size } }: Pick<ServiceRecord, "createdAt" | "id" | "values">,
    now: number,
): Required<Wire["Metrics"]> {
    const { cpuMillis, memoryGbs } = size === "shared" ? defaultSize : size;
    const minutes = Math.floor((now - createdAt) / minuteMs);
    const random = new Random(numberOf(id) + minutes);
    const part = (whole: number, fromPercent: number, toPercent: number): number =>
        Math.floor((whole * random.integer(fromPercent, toPercent)) / 100);
    return {
        milli_cpu: part(cpuMillis, 2, 60),
        memory_mb: part(memoryGbs * mbPerGb, 10, 50),
        storage_mb: emptyStorageMb + minutes,
    };
}

/** A number for a text, which need not be an id of the usual form. */
const numberOf = (text: string): number =>
    Array.from(text).reduce((sum, one) => (Math.imul(sum, 31) + one.charCodeAt(0)) | 0, 0);
