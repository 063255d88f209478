import { invalid } from "../errors";
import { CPU_MILLIS_PER_GB, MAX_NODES, MAX_REPLICAS, MAX_SYNC_REPLICAS } from "./rules";
import type { Rules } from "./rules";
import type { Size } from "./state";

type Sizes = Pick<Rules, "cpuMillis">;

const memoryOf = (cpuMillis: number): number => cpuMillis / CPU_MILLIS_PER_GB;

/** The size in a request. A missing value is derived from the other one. Without both, the size is `fallback`. */
export function parseSize(rules: Sizes, cpu: string | undefined, memory: string | undefined, fallback: Size): Size {
    if (cpu === undefined && memory === undefined) {
        return fallback;
    }
    if (cpu === "shared" || memory === "shared") {
        if ((cpu ?? "shared") !== (memory ?? "shared")) {
            throw invalid('cpu_millis and memory_gbs must both be "shared" or both be numbers.');
        }
        return "shared";
    }
    const memoryGbs = memory === undefined ? undefined : Number(memory);
    const cpuMillis = cpu === undefined ? (memoryGbs ?? NaN) * CPU_MILLIS_PER_GB : Number(cpu);
    return checkSize(rules, cpuMillis, memoryGbs ?? memoryOf(cpuMillis));
}

/** Rejects sizes that are not in the table. */
export function checkSize({ cpuMillis: known }: Sizes, cpuMillis: number, memoryGbs: number): Exclude<Size, "shared"> {
    if (!known.includes(cpuMillis) || memoryGbs !== memoryOf(cpuMillis)) {
        const table = known.map((cpu) => `${cpu}/${memoryOf(cpu)}`).join(", ");
        throw invalid(
            `cpu_millis ${cpuMillis} with memory_gbs ${memoryGbs} is not an available size. The sizes are ${table}.`,
        );
    }
    return { cpuMillis, memoryGbs };
}

export function checkNodes(nodes: number): number {
    if (nodes > MAX_NODES) {
        throw invalid(`nodes must be 1 to ${MAX_NODES}, not ${nodes}.`);
    }
    return nodes;
}

export function checkReplicas(replicaCount: number, syncReplicaCount: number): void {
    if (replicaCount > MAX_REPLICAS) {
        throw invalid(`replica_count must be 0 to ${MAX_REPLICAS}, not ${replicaCount}.`);
    }
    if (syncReplicaCount > MAX_SYNC_REPLICAS) {
        throw invalid(`sync_replica_count must be 0 or ${MAX_SYNC_REPLICAS}, not ${syncReplicaCount}.`);
    }
    if (syncReplicaCount > 0 && replicaCount < MAX_REPLICAS) {
        throw invalid(
            `sync_replica_count ${syncReplicaCount} requires replica_count ${MAX_REPLICAS}, not ${replicaCount}.`,
        );
    }
}

export function checkRegion({ regions }: Pick<Rules, "regions">, regionCode: string): string {
    if (!regions.includes(regionCode)) {
        throw invalid(`region_code "${regionCode}" is unknown. The regions are ${regions.join(", ")}.`);
    }
    return regionCode;
}
