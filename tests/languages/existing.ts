import type { Emulator } from "../../emulator";
import { readOptions } from "../../provider/api/client";
import { clientOf } from "../support/existing";

/** The ids of existing resources. */
export interface ExistingIds {
    readonly vpc: string;
    readonly peering: string;
    readonly service: string;
    readonly readReplicaSet: string;
}

/** Creates a resource of each kind without Pulumi. */
export async function existingResources(emulator: Emulator): Promise<ExistingIds> {
    const client = clientOf(emulator);
    const { projectId } = emulator;
    const network = await client.call(
        "createVpc",
        { path: { project_id: projectId }, body: { name: "network", cidr: "10.0.0.0/20", region_code: "us-east-1" } },
        readOptions,
    );
    const peering = await client.call(
        "createPeering",
        {
            path: { project_id: projectId, vpc_id: network.id },
            body: { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a1b2c3d" },
        },
        readOptions,
    );
    const service = await client.call(
        "createService",
        { path: { project_id: projectId }, body: { name: "orders", cpu_millis: "1000", memory_gbs: "4" } },
        readOptions,
    );
    await until(() => emulator.snapshot().services[0]?.status === "READY");
    const set = await client.call(
        "createReplicaSet",
        {
            path: { project_id: projectId, service_id: service.service_id },
            body: { name: "reports", nodes: 2, cpu_millis: 500, memory_gbs: 2 },
        },
        readOptions,
    );
    await until(() => emulator.snapshot().services[0]?.read_replica_sets?.[0]?.status === "active");
    return { vpc: network.id, peering: peering.id, service: service.service_id, readReplicaSet: set.id };
}

async function until(condition: () => boolean): Promise<void> {
    const limit = Date.now() + 60_000;
    while (!condition() && Date.now() < limit) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
