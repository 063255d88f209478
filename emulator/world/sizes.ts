import { invalid } from "../errors";
import { cpuMillisPerGb, maxNodes, maxReplicas, maxSyncReplicas } from "./rules";
import type { Rules } from "./rules";
import type { Size } from "./state";

type Sizes = Pick<Rules, "cpuMillis">;

const memoryOf = (cpuMillis: number): number => cpuMillis / cpuMillisPerGb;

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
    const cpuMillis = cpu === undefined ? (memoryGbs ?? NaN) * cpuMillisPerGb : Number(cpu);
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

export function checkRegion({ regions }: Pick<Rules, "regions">, regionCode: string): string {
    if (!regions.includes(regionCode)) {
        throw invalid(`region_code "${regionCode}" is unknown. The regions are ${regions.join(", ")}.`);
    }
    return regionCode;
}
