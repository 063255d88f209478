import { invalid } from "../errors";
import type { Wire } from "../wire";
import { maxNodes, maxReplicas, maxSyncReplicas, type Rules } from "./rules";
import type { DedicatedSize, Size } from "./state";

/** A size in a request or in a model of the contract. */
interface WireSize<Part> {
    cpu_millis: Part;
    memory_gbs: Part;
}

/** The CPU sizes of services and replica sets. */
export const documentedCpuMillis: readonly number[] = [500, 1000, 2000, 4000, 8000, 16000, 32000, 48000, 64000];

/** The ratio of CPU to memory in the documented sizes. */
const cpuMillisPerGb = 250;

/** The size of a service whose request contains none. */
export const defaultSize: DedicatedSize = { cpuMillis: 500, memoryGbs: 2 };

const memoryOf = (cpuMillis: number): number => cpuMillis / cpuMillisPerGb;

/** The sizes of services. */
export const documentedSizes: readonly Size[] = [
    "shared",
    ...documentedCpuMillis.map((cpuMillis) => ({ cpuMillis, memoryGbs: memoryOf(cpuMillis) })),
];

/**
 * The size in a request. One that has neither value is `fallback`: that of the parent of a fork, or of a service without a size. A
 * single missing value follows from the other one.
 */
export function parseSize(rules: Rules, { cpu_millis, memory_gbs }: Partial<WireSize<string>>, fallback: Size): Size {
    if (cpu_millis === undefined && memory_gbs === undefined) {
        return fallback;
    }
    if (cpu_millis === "shared" || memory_gbs === "shared") {
        if ((cpu_millis ?? memory_gbs) !== (memory_gbs ?? cpu_millis)) {
            throw invalid('cpu_millis and memory_gbs must both be "shared" or both be numbers.');
        }
        return "shared";
    }
    const cpu = Number(cpu_millis ?? Number(memory_gbs) * cpuMillisPerGb);
    return checkSize(rules, { cpu_millis: cpu, memory_gbs: Number(memory_gbs ?? memoryOf(cpu)) });
}

/** Rejects "shared", which a read replica set cannot have. */
export function parseDedicatedSize(rules: Rules, input: WireSize<string>, fallback: DedicatedSize): DedicatedSize {
    const size = parseSize(rules, input, fallback);
    if (size === "shared") {
        throw invalid('The size of a read replica set cannot be "shared". Set cpu_millis and memory_gbs to numbers.');
    }
    return size;
}

/** Rejects what is no size, and if the documented limits apply, sizes that are not in the table. */
export function checkSize(
    { limitsApply }: Rules,
    { cpu_millis: cpuMillis, memory_gbs: memoryGbs }: WireSize<number>,
): DedicatedSize {
    if (!(cpuMillis > 0 && memoryGbs > 0 && cpuMillis + memoryGbs < Infinity)) {
        throw invalid(`cpu_millis ${cpuMillis} and memory_gbs ${memoryGbs} must be numbers above 0.`);
    }
    if (!limitsApply) {
        return { cpuMillis, memoryGbs };
    }
    if (!documentedCpuMillis.includes(cpuMillis) || memoryGbs !== memoryOf(cpuMillis)) {
        const table = documentedCpuMillis.map((cpu) => `${cpu}/${memoryOf(cpu)}`).join(", ");
        throw invalid(
            `cpu_millis ${cpuMillis} with memory_gbs ${memoryGbs} is not an available size. The sizes are ${table}.`,
        );
    }
    return { cpuMillis, memoryGbs };
}

/** A size in the form of a request. */
export const requested = (size: Size): WireSize<string> =>
    size === "shared"
        ? { cpu_millis: size, memory_gbs: size }
        : { cpu_millis: String(size.cpuMillis), memory_gbs: String(size.memoryGbs) };

/** A shared service has no dedicated CPU and memory, so the optional numbers are left out. */
const sizeView = (size: Size): Partial<WireSize<number>> => (size === "shared" ? {} : dedicatedSizeView(size));

export const dedicatedSizeView = ({ cpuMillis, memoryGbs }: DedicatedSize): WireSize<number> => ({
    cpu_millis: cpuMillis,
    memory_gbs: memoryGbs,
});

/** The servers of a service or read replica set in its model. The only one of a service has no number. */
export const nodesView = (id: string, size: Size, nodes?: number): Wire["Service"]["resources"] =>
    Array.from({ length: nodes ?? 1 }, (_, node) => ({
        id: `${id}-node${nodes === undefined ? "" : `-${node}`}`,
        spec: { ...sizeView(size), volume_type: "gp3" },
    }));

export function checkNodes(nodes: number): number {
    if (nodes > maxNodes) {
        throw invalid(`nodes must be 1 to ${maxNodes}, not ${nodes}.`);
    }
    return nodes;
}

export function checkReplicas({ limitsApply }: Rules, replicaCount: number, syncReplicaCount: number): void {
    if (replicaCount > maxReplicas) {
        throw invalid(`replica_count must be 0 to ${maxReplicas}, not ${replicaCount}.`);
    }
    if (syncReplicaCount > maxSyncReplicas) {
        throw invalid(`sync_replica_count must be 0 or ${maxSyncReplicas}, not ${syncReplicaCount}.`);
    }
    const needed = limitsApply ? maxReplicas : syncReplicaCount;
    if (syncReplicaCount > 0 && replicaCount < needed) {
        throw invalid(`sync_replica_count ${syncReplicaCount} requires replica_count ${needed}, not ${replicaCount}.`);
    }
}

/** The region in the form of the world. */
export function checkRegion({ regions, anyRegion, regionsInAnyCase }: Rules, regionCode: string): string {
    const isMeant = (one: string): boolean =>
        one === regionCode || (regionsInAnyCase && one.toLowerCase() === regionCode.toLowerCase());
    const region = regions.find(isMeant) ?? (anyRegion ? regionCode : undefined);
    if (region === undefined) {
        throw invalid(`region_code "${regionCode}" is unknown. The regions are ${regions.join(", ")}.`);
    }
    return region;
}
