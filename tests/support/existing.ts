import type { Emulator } from "../../emulator";
import type { Wire } from "../../emulator/wire";
import { Client } from "../../provider/api/client";
import { withToken } from "./client";

/** A client that calls the emulator without Pulumi. */
export function clientOf({ url, token }: Emulator): Client {
    return new Client(withToken(url, token));
}

/** Creates a resource of each kind without Pulumi. Returns their ids within their parents. */
export async function existingResources(emulator: Emulator, input: Partial<Wire["ServiceCreateInput"]> = {}) {
    const network = await emulator.createVpc();
    const peering = await emulator.createPeering(network);
    const service = await emulator.createService({ name: "orders", cpu_millis: "1000", memory_gbs: "4", ...input });
    const set = await emulator.createReadReplicaSet(service, { name: "reports", nodes: 2 });
    return { vpc: network.id, peering: peering.id, service: service.id, readReplicaSet: set.id };
}
