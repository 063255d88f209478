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
export const defaultSize: Size = { cpuMillis: 500, memoryGbs: 2 };

const memoryOf = (cpuMillis: number): number => cpuMillis / cpuMillisPerGb;

/** The sizes of services. */
export const documentedSizes: readonly Size[] = [
    "shared",
    ...documentedCpuMillis.map((cpuMillis) => ({ cpuMillis, memoryGbs: memoryOf(cpuMillis) })),
];

/** The size in a request. A missing value is that of `fallback`: of the parent of a fork, or of a service without a size. */
export function parseSize({ cpu_millis, memory_gbs }: Partial<WireSize<string>>, fallback: Size): Size {
    if (cpu_millis === undefined && memory_gbs === undefined) {
        return fallback;
    }
    const others = fallback === "shared" ? { cpuMillis: fallback, memoryGbs: fallback } : fallback;
    const [cpu, memory] = [cpu_millis ?? others.cpuMillis, memory_gbs ?? others.memoryGbs];
    if (cpu === "shared" || memory === "shared") {
        if (cpu !== memory) {
            throw invalid('cpu_millis and memory_gbs must both be "shared" or both be numbers.');
        }
        return "shared";
    }
    return checkSize({ cpu_millis: Number(cpu), memory_gbs: Number(memory) });
}

/** Rejects sizes that are not in the table, and "shared", which a read replica set cannot have. */
export function parseDedicatedSize(input: WireSize<string>, fallback: DedicatedSize): DedicatedSize {
    const size = parseSize(input, fallback);
    if (size === "shared") {
        throw invalid('The size of a read replica set cannot be "shared". Set cpu_millis and memory_gbs to numbers.');
    }
    return size;
}

/** Rejects sizes that are not in the table. */
export function checkSize({ cpu_millis: cpuMillis, memory_gbs: memoryGbs }: WireSize<number>): DedicatedSize {
    if (!documentedCpuMillis.includes(cpuMillis) || memoryGbs !== memoryOf(cpuMillis)) {
        const table = documentedCpuMillis.map((cpu) => `${cpu}/${memoryOf(cpu)}`).join(", ");
        throw invalid(
            `cpu_millis ${cpuMillis} with memory_gbs ${memoryGbs} is not an available size. The sizes are ${table}.`,
        );
    }
    return { cpuMillis, memoryGbs };
}

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

export function checkReplicas(replicaCount: number, syncReplicaCount: number): void {
    if (replicaCount > maxReplicas) {
        throw invalid(`replica_count must be 0 to ${maxReplicas}, not ${replicaCount}.`);
    }
    if (syncReplicaCount > maxSyncReplicas) {
        throw invalid(`sync_replica_count must be 0 or ${maxSyncReplicas}, not ${syncReplicaCount}.`);
    }
    if (syncReplicaCount > 0 && replicaCount < maxReplicas) {
        throw invalid(
            `sync_replica_count ${syncReplicaCount} requires replica_count ${maxReplicas}, not ${replicaCount}.`,
        );
    }
}

/** The region in the form of the world. */
export function checkRegion({ regions, regionsInAnyCase }: Rules, regionCode: string): string {
    const isMeant = (one: string): boolean =>
        one === regionCode || (regionsInAnyCase && one.toLowerCase() === regionCode.toLowerCase());
    const region = regions.find(isMeant);
    if (region === undefined) {
        throw invalid(`region_code "${regionCode}" is unknown. The regions are ${regions.join(", ")}.`);
    }
    return region;
}
