import type { Emulator, EmulatorOptions, EmulatorResponse, Exchange, VirtualClock } from "../../emulator";
import { Client, readOptions } from "../../provider/api/client";
import type { OperationId, PathOf } from "../../provider/api/contract";
import { withToken } from "../support/client";
import { longMs, startWorld } from "../support/emulator";

export const aVpc = { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1" };
export const aPeering = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-0a" };
export const aReplicaSet = { name: "readers", nodes: 2, cpu_millis: 500, memory_gbs: 2 };

/** The path parameters of all resources that exist. */
type Path = Readonly<Record<"project_id" | "vpc_id" | "service_id", string>>;

/** Each resource after the one that contains it, with the path parameter of its id, and its creation. */
const resources = {
    vpc: {
        param: "vpc_id",
        create: async (client: Client, path: Path) =>
            (await client.call("createVpc", { path, body: aVpc }, readOptions)).id,
    },
    peering: {
        of: "vpc",
        param: "peering_id",
        create: async (client: Client, path: Path) =>
            (await client.call("createPeering", { path, body: aPeering }, readOptions)).id,
    },
    service: {
        param: "service_id",
        create: async (client: Client, path: Path) =>
            (await client.call("createService", { path, body: { name: "db" } }, readOptions)).service_id,
    },
    set: {
        of: "service",
        param: "replica_set_id",
        create: async (client: Client, path: Path) =>
            (await client.call("createReplicaSet", { path, body: aReplicaSet }, readOptions)).id,
    },
} as const;

type Resource = keyof typeof resources;
type PathParameter = { [Id in OperationId]: PathOf<Id> extends object ? keyof PathOf<Id> : never }[OperationId];

/** The ids of the resources that a test needs. Empty if it does not need one. */
export type Ids = Readonly<Record<Resource, string>>;

const names = Object.keys(resources) as Resource[];

export const nothing = Object.fromEntries(names.map((name) => [name, ""])) as Ids;

/** The path parameters of an operation. A resource without a parameter here does not compile. */
export function pathOf(project: string, ids: Ids): Readonly<Record<PathParameter, string>> {
    type Known = "project_id" | (typeof resources)[Resource]["param"];
    const known = names.map((name) => [resources[name].param, ids[name]]);
    return { project_id: project, ...Object.fromEntries(known) } as Readonly<Record<Known, string>>;
}

/** What a call needs, with what contains it. */
export type Need = "nothing" | Resource | "vpc and service" | typeof makesAll;

/** One resource of each kind. */
export const makesAll = "all";

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

    const make = async (need: Need): Promise<Ids> => {
        const needed: readonly string[] = need.split(" and ");
        const isNeeded = (name: Resource) => need === makesAll || needed.includes(name);
        const parents = names.flatMap((name) => {
            const { of } = resources[name] as { readonly of?: Resource };
            return isNeeded(name) && of !== undefined ? [of] : [];
        });
        let ids = nothing;
        for (const name of names.filter((one) => isNeeded(one) || parents.includes(one))) {
            ids = { ...ids, [name]: await resources[name].create(client, pathOf(project, ids)) };
            finish();
        }
        return ids;
    };
    return { client, emulator, clock, project, passed, make, finish };
}
