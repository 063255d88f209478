import { show } from "./fields";
import { unknown, type Unknown } from "./unknown";

/** CPU or memory: a number, or "shared" where the API accepts that. */
export type Size = number | "shared";

/** The documented sizes. The API decides whether it accepts others. */
const documentedCpuMillis = [500, 1000, 2000, 4000, 8000, 16000, 32000, 48000, 64000];
const cpuMillisPerGb = 250;

/** The documented memory for a CPU size. */
export function memoryFor(cpuMillis: Size | Unknown): Size | Unknown {
    return typeof cpuMillis === "number" ? cpuMillis / cpuMillisPerGb : cpuMillis;
}

/** The documented CPU size for an amount of memory. */
export function cpuFor(memoryGbs: Size | Unknown): Size | Unknown {
    return typeof memoryGbs === "number" ? memoryGbs * cpuMillisPerGb : memoryGbs;
}

/** Formats a size, for example `1000m/4GB` or `shared`. */
export function formatSize(cpuMillis: unknown, memoryGbs: unknown): string {
    if (cpuMillis === "shared" || memoryGbs === "shared") {
        return "shared";
    }
    const part = (value: unknown, unit: string) =>
        typeof value === "number" ? `${value}${unit}` : value === undefined ? `?${unit}` : show(value);
    return `${part(cpuMillis, "m")}/${part(memoryGbs, "GB")}`;
}

/** Formats a declared size. A half that is left out follows from the documented ratio. */
export function formatDeclaredSize(
    cpuMillis: Size | Unknown | undefined,
    memoryGbs: Size | Unknown | undefined,
): string {
    return formatSize(
        cpuMillis ?? (memoryGbs === undefined ? undefined : cpuFor(memoryGbs)),
        memoryGbs ?? (cpuMillis === undefined ? undefined : memoryFor(cpuMillis)),
    );
}

/** Formats a size for a request. The API expects a string. */
export function wireSize(value: Size | Unknown): string {
    return value === unknown ? (value as unknown as string) : String(value);
}

/** The reason why the API may reject a size. Undefined if the size is documented or unknown. */
export function sizeWarning(cpuMillis: unknown, memoryGbs: unknown): string | undefined {
    if (typeof cpuMillis === "number" && !documentedCpuMillis.includes(cpuMillis)) {
        return `cpuMillis ${cpuMillis} is not one of the documented sizes ${documentedCpuMillis.join(", ")}; the API may reject it`;
    }
    if (typeof cpuMillis === "number" && typeof memoryGbs === "number" && memoryGbs !== cpuMillis / cpuMillisPerGb) {
        return (
            `memoryGbs ${memoryGbs} does not match cpuMillis ${cpuMillis}; the documented value is ` +
            `${cpuMillis / cpuMillisPerGb}, and the API may reject others`
        );
    }
    return undefined;
}
