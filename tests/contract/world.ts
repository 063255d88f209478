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

export const nothing: Ids = { vpc: "", peering: "", service: "", set: "" };

/** The resources that a call needs, each after those that it needs itself. */
const resourcesOf = {
    nothing: [],
    vpc: ["vpc"],
    peering: ["vpc", "peering"],
    service: ["service"],
    "vpc and service": ["vpc", "service"],
    set: ["service", "set"],
} as const satisfies Readonly<Record<string, readonly (keyof Ids)[]>>;

export type Need = keyof typeof resourcesOf;

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

    const path = { project_id: project };
    const creations: Readonly<Record<keyof Ids, (ids: Ids) => Promise<string>>> = {
        vpc: async () => (await client.call("createVpc", { path, body: aVpc }, readOptions)).id,
        peering: async ({ vpc }) => {
            const call = { path: { ...path, vpc_id: vpc }, body: aPeering };
            return (await client.call("createPeering", call, readOptions)).id;
        },
        service: async () =>
            (await client.call("createService", { path, body: { name: "db" } }, readOptions)).service_id,
        set: async ({ service }) => {
            finish();
            const call = { path: { ...path, service_id: service }, body: aReplicaSet };
            return (await client.call("createReplicaSet", call, readOptions)).id;
        },
    };
    const make = async (need: Need): Promise<Ids> => {
        const ids = { ...nothing };
        for (const resource of resourcesOf[need]) {
            ids[resource] = await creations[resource](ids);
        }
        finish();
        return ids;
    };
    return { client, emulator, clock, project, passed, make, finish };
}

export const aVpc = { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" };
export const aPeering = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a" };
export const aReplicaSet = { name: "readers", nodes: 2, cpu_millis: 500, memory_gbs: 2 };
