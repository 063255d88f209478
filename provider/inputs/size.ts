import { show } from "./fields";
import { unknown, type Unknown } from "./unknown";

/** CPU or memory: a number, or "shared" where the service takes that. */
export type Size = number | "shared";

/** Sizes that the service documents; others are for it to refuse. */
const documentedCpuMillis = [500, 1000, 2000, 4000, 8000, 16000, 32000, 48000, 64000];
const cpuMillisPerGb = 250;

/** The memory that is documented to go with a CPU size. */
export function memoryFor(cpuMillis: Size | Unknown): Size | Unknown {
    return typeof cpuMillis === "number" ? cpuMillis / cpuMillisPerGb : cpuMillis;
}

/** The CPU size that is documented to go with memory. */
export function cpuFor(memoryGbs: Size | Unknown): Size | Unknown {
    return typeof memoryGbs === "number" ? memoryGbs * cpuMillisPerGb : memoryGbs;
}

/** A size as a person reads it: `1000m/4GB`, or `shared`. */
export function formatSize(cpuMillis: unknown, memoryGbs: unknown): string {
    if (cpuMillis === "shared" || memoryGbs === "shared") {
        return "shared";
    }
    const part = (value: unknown, unit: string) =>
        typeof value === "number" ? `${value}${unit}` : value === undefined ? `?${unit}` : show(value);
    return `${part(cpuMillis, "m")}/${part(memoryGbs, "GB")}`;
}

/** The same of a declared size, of which the documented ratio determines a part that is left out. */
export function formatDeclaredSize(
    cpuMillis: Size | Unknown | undefined,
    memoryGbs: Size | Unknown | undefined,
): string {
    return formatSize(
        cpuMillis ?? (memoryGbs === undefined ? undefined : cpuFor(memoryGbs)),
        memoryGbs ?? (cpuMillis === undefined ? undefined : memoryFor(cpuMillis)),
    );
}

/** A size as the API takes it: in a string. */
export function wireSize(value: Size | Unknown): string {
    return value === unknown ? (value as unknown as string) : String(value);
}

/** Why the service may refuse a size, or undefined where it is documented or not known yet. */
export function sizeAdvice(cpuMillis: unknown, memoryGbs: unknown): string | undefined {
    if (typeof cpuMillis === "number" && !documentedCpuMillis.includes(cpuMillis)) {
        return `cpuMillis ${cpuMillis} is not one of the documented sizes ${documentedCpuMillis.join(", ")}; the service may refuse it`;
    }
    if (typeof cpuMillis === "number" && typeof memoryGbs === "number" && memoryGbs !== cpuMillis / cpuMillisPerGb) {
        return (
            `memoryGbs ${memoryGbs} does not go with cpuMillis ${cpuMillis}; documented is ` +
            `${cpuMillis / cpuMillisPerGb}, and the service may refuse other pairs`
        );
    }
    return undefined;
}
