import type { Emulator, EmulatorOptions, EmulatorResponse, Exchange, VirtualClock } from "../../emulator";
import { Client, parametersIn } from "../../provider/api/client";
import { operations } from "../../provider/api/operations.gen";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { untypedKinds } from "../support/cases";
import { symbols, type CallApi } from "../support/cases/kind";
import { withToken } from "../support/client";
import { longMs, startWorld } from "../support/emulator";

/** The kinds that exist in the API, each after the one that contains it, with the path parameter of their ids. */
export const kindsWithId = resourceTypes.flatMap((type) => {
    const { get, delete: remove } = untypedResources[type].operations;
    const operation = remove ?? get;
    const param = operation && parametersIn(operations[operation].path).at(-1);
    return remove === undefined || param === undefined ? [] : [[type, param] as const];
});

/** The ids of the resources that a test needs, by their path parameters. */
export type Ids = Readonly<Record<string, string>>;

/** The path parameters of every operation. Those without a resource are empty. */
export const pathOf = (project: string, ids: Ids) => ({
    ...Object.fromEntries(kindsWithId.map(([, param]) => [param, ""])),
    ...ids,
    project_id: project,
});

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
    /** Creates a resource of each kind, with what contains it, and advances the clock until they are ready. */
    readonly make: (...types: readonly ResourceType[]) => Promise<Ids>;
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

    const call: CallApi = (operation, path, body) =>
        client.call(operation, { path: { project_id: project, ...path }, body } as never, {});
    const make = async (...types: readonly ResourceType[]): Promise<Ids> => {
        const needed = new Set<string>(
            types.flatMap((type) => [type, untypedResources[type].parent?.kind.type ?? type]),
        );
        const ids: Record<string, string> = {};
        let refs = symbols;
        for (const [type, param] of kindsWithId.filter(([one]) => needed.has(one))) {
            const id = await untypedKinds[type].create(call, refs, 0);
            ids[param] = id;
            refs = { ...refs, [type]: [id, id] };
            finish();
        }
        return ids;
    };
    return { client, emulator, clock, project, passed, make, finish };
}
