import type { Emulator, EmulatorOptions, EmulatorResponse, Exchange, VirtualClock } from "../../emulator";
import { Client, readOptions } from "../../provider/api/client";
import { withToken } from "../support/client";
import { longMs, startWorld } from "../support/emulator";

/** The ids of the resources that a test needs. Empty if it does not need one. */
export interface Ids {
    readonly vpc: string;
    readonly peering: string;
    readonly service: string;
    readonly set: string;
}

/** The resources that a call needs. Each one needs the previous one, except a service, which needs none. */
export type Need = "nothing" | "vpc" | "peering" | "service" | "vpc and service" | "set";

/** The request and the response of one operation. */
export interface Passed {
    readonly exchange: Exchange;
    readonly response: EmulatorResponse;
}

/** A client and its emulator over HTTP, with a virtual clock. */
export interface World {
    readonly client: Client;
    readonly emulator: Emulator;
    readonly clock: VirtualClock;
    readonly project: string;
    readonly passed: readonly Passed[];
    /** Creates the needed resources and advances the clock until they are ready. */
    readonly make: (need: Need) => Promise<Ids>;
    /** Advances the clock until all operations are complete. */
    readonly finish: () => void;
}

export async function startClient(options: EmulatorOptions = {}): Promise<World> {
    const passed: Passed[] = [];
    const { emulator, clock } = await startWorld({
        intercept: async (exchange, carryOut) => {
            const response = await carryOut();
            passed.push({ exchange, response });
            return response;
        },
        ...options,
    });
    const project = emulator.projectId;
    const client = new Client(withToken(emulator.url, emulator.token));
    const finish = () => clock.advance(longMs);

    const vpc = async () =>
        (await client.call("createVpc", { path: { project_id: project }, body: aVpc }, readOptions)).id;
    const peering = async (vpcId: string) =>
        (
            await client.call(
                "createPeering",
                { path: { project_id: project, vpc_id: vpcId }, body: aPeering },
                readOptions,
            )
        ).id;
    const service = async () =>
        (await client.call("createService", { path: { project_id: project }, body: { name: "db" } }, readOptions))
            .service_id;
    const set = async (serviceId: string) => {
        finish();
        return (
            await client.call(
                "createReplicaSet",
                { path: { project_id: project, service_id: serviceId }, body: aReplicaSet },
                readOptions,
            )
        ).id;
    };
    const make = async (need: Need): Promise<Ids> => {
        const vpcId = ["vpc", "peering", "vpc and service"].includes(need) ? await vpc() : "";
        const serviceId = ["service", "vpc and service", "set"].includes(need) ? await service() : "";
        const ids = {
            vpc: vpcId,
            peering: need === "peering" ? await peering(vpcId) : "",
            service: serviceId,
            set: need === "set" ? await set(serviceId) : "",
        };
        finish();
        return ids;
    };
    return { client, emulator, clock, project, passed, make, finish };
}

export const aVpc = { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" };
export const aPeering = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a" };
export const aReplicaSet = { name: "readers", nodes: 2, cpu_millis: 500, memory_gbs: 2 };
