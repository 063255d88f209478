import type { Emulator } from "../../emulator";

/** The ids of existing resources. */
export interface ExistingIds {
    readonly vpc: string;
    readonly peering: string;
    readonly service: string;
    readonly readReplicaSet: string;
}

/** Creates a resource of each kind without Pulumi. */
export async function existingResources(emulator: Emulator): Promise<ExistingIds> {
    const network = await emulator.createVpc();
    const peering = await emulator.createPeering(network);
    const service = await emulator.createService({ name: "orders", cpu_millis: "1000", memory_gbs: "4" });
    const set = await emulator.createReadReplicaSet(service, { name: "reports", nodes: 2 });
    return { vpc: network.id, peering: peering.id, service: service.id, readReplicaSet: set.id };
}
