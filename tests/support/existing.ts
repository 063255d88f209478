import type { Emulator } from "../../emulator";
import type { Wire } from "../../emulator/wire";
import { Client } from "../../provider/api/client";
import { withToken } from "./client";

/** A client that calls the emulator without Pulumi. */
export function clientOf({ url, token }: Emulator): Client {
    return new Client(withToken(url, token));
}

/** The other side of a peering, in a program: by default, that of the emulator's peerings. */
export const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-0a1b2c3d" };

/** Creates a resource of each kind without Pulumi. Returns their ids within their parents. */
export async function existingResources(emulator: Emulator, input: Partial<Wire["ServiceCreateInput"]> = {}) {
    const network = await emulator.createVpc();
    const peering = await emulator.createPeering(network);
    const service = await emulator.createService({ name: "orders", cpu_millis: "1000", memory_gbs: "4", ...input });
    const set = await emulator.createReadReplicaSet(service, { name: "reports", nodes: 2 });
    return { vpc: network.id, peering: peering.id, service: service.id, readReplicaSet: set.id };
}
