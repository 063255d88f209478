import { show, type Computed } from "./fields";

/** CPU or memory: a number, or "shared" if the API accepts that. */
export type Size = number | "shared";

export const sizeNames = ["cpuMillis", "memoryGbs"] as const;

/** CPU and memory, which may be unknown. */
export type FullSize = Readonly<Record<(typeof sizeNames)[number], Size | Computed>>;

/** CPU and memory, which may be unknown or left out. */
export type PartialSize = { readonly [Name in keyof FullSize]?: FullSize[Name] | undefined };

/** The documented sizes. The API decides whether it accepts others. */
const documentedCpuMillis = [500, 1000, 2000, 4000, 8000, 16000, 32000, 48000, 64000];
const cpuMillisPerGb = 250;

/** The documented memory for a CPU size. */
function memoryFor(cpuMillis: number): number {
    return cpuMillis / cpuMillisPerGb;
}

/** The declared size. A part that is left out follows from the documented ratio. Undefined if both are left out. */
export function fullSize({ cpuMillis, memoryGbs }: PartialSize): FullSize | undefined {
    if (cpuMillis !== undefined) {
        return {
            cpuMillis,
            memoryGbs: memoryGbs ?? (typeof cpuMillis === "number" ? memoryFor(cpuMillis) : cpuMillis),
        };
    }
    return memoryGbs === undefined
        ? undefined
        : { cpuMillis: typeof memoryGbs === "number" ? memoryGbs * cpuMillisPerGb : memoryGbs, memoryGbs };
}

/** The size after a resize. Undefined if no declared part differs from the state, as far as that is known. */
export function newSize(state: PartialSize, declared: PartialSize): FullSize | undefined {
    const changes = (part: keyof PartialSize) =>
        declared[part] !== undefined && state[part] !== undefined && declared[part] !== state[part];
    return changes("cpuMillis") || changes("memoryGbs") ? fullSize(declared) : undefined;
}

/** Formats a size, for example `1000m/4GB` or `shared`. */
export function formatSize({ cpuMillis, memoryGbs }: PartialSize): string {
    if (cpuMillis === "shared" || memoryGbs === "shared") {
        return "shared";
    }
    const part = (value: unknown, unit: string) =>
        typeof value === "number" ? `${value}${unit}` : value === undefined ? `?${unit}` : show(value);
    return `${part(cpuMillis, "m")}/${part(memoryGbs, "GB")}`;
}

/** Formats a size for a request. The API expects strings. */
export const wireSize = ({ cpuMillis, memoryGbs }: FullSize) => ({
    cpu_millis: wirePart(cpuMillis),
    memory_gbs: wirePart(memoryGbs),
});

function wirePart(value: Size | Computed): string {
    // A request with an unknown value is only planned.
    return typeof value === "number" ? String(value) : (value as string);
}

/** A shared service has neither CPU nor memory of its own. */
export function sizeProblems({ cpuMillis, memoryGbs }: PartialSize): string[] {
    const parts = [cpuMillis, memoryGbs];
    if (!parts.includes("shared") || !parts.some((value) => typeof value === "number")) {
        return [];
    }
    return [
        `cpuMillis ${show(cpuMillis)} and memoryGbs ${show(memoryGbs)} cannot be combined; use "shared" for both or for neither`,
    ];
}

/** The reasons why the API may reject a size. */
export function sizeWarnings(size: PartialSize): string[] {
    const { cpuMillis, memoryGbs } = fullSize(size) ?? {};
    if (typeof cpuMillis !== "number") {
        return [];
    }
    if (!documentedCpuMillis.includes(cpuMillis)) {
        // 0500 is octal in YAML.
        const [declared, documented] =
            size.cpuMillis === undefined
                ? [`memoryGbs, read as ${show(memoryGbs)},`, documentedCpuMillis.map(memoryFor)]
                : [`cpuMillis, read as ${cpuMillis},`, documentedCpuMillis];
        return [`${declared} is not one of the documented sizes ${documented.join(", ")}; the API may reject it`];
    }
    const documented = memoryFor(cpuMillis);
    if (typeof memoryGbs !== "number" || memoryGbs === documented) {
        return [];
    }
    return [
        `memoryGbs ${memoryGbs} does not match cpuMillis ${cpuMillis}; the documented value is ` +
            `${documented}, and the API may reject others`,
    ];
}
