import { isVirtual } from "../../emulator/clock";
import {
    startEmulator,
    virtualClock,
    type Emulator,
    type EmulatorOptions,
    type EmulatorResponse,
} from "../../emulator";
import type { Wire } from "../../emulator/wire";
import { atEnd } from "./atEnd";
import { answerFault } from "./responses";

type Parsed<Body> = Omit<EmulatorResponse, "body"> & { body: Body };

export type Refusal = Wire["Error"];

export type TestWorld = Awaited<ReturnType<typeof startWorld>>;

/** Longer than any duration of the emulator. */
export const longMs = 60_000;

/**
 * An in-process emulator on a virtual clock, which stops after the tests of the file. Every response of its API is validated
 * against the contract.
 */
export async function startWorld(options: EmulatorOptions = {}) {
    const clock = options.clock && isVirtual(options.clock) ? options.clock : virtualClock();
    const emulator = await startEmulator({ clock, seed: 1, ...options });
    atEnd(() => emulator.close());
    const project = `/projects/${emulator.projectId}`;

    /** Sends a request as the first caller, or with another Authorization header. */
    const api = async <Body = Refusal>(
        method: string,
        path: string,
        body?: unknown,
        authorization = `Bearer ${emulator.token}`,
    ): Promise<Parsed<Body>> => {
        const response = await requestTo(emulator, `${method} /v1${path}`, body, { authorization });
        const parsed: unknown = response.body === "" ? undefined : JSON.parse(response.body);
        const operationId = emulator.journal().at(-1)?.operationId;
        // A proxy in front of the API can return any 5XX response.
        const fault = operationId && response.status < 500 && answerFault(operationId, response.status, parsed);
        if (fault) {
            throw new Error(`The response violates the contract: ${fault}`);
        }
        return { status: response.status, headers: response.headers, body: parsed as Body };
    };
    const made = async <Body>(path: string, input: unknown): Promise<Body> => {
        const response = await api<Body & Refusal>("POST", `${project}${path}`, input);
        if (response.status >= 300) {
            throw new Error(response.body.message);
        }
        return response.body;
    };

    return {
        emulator,
        clock,
        project,
        api,
        /** Creates a service and advances the clock until it is READY. */
        readyService: async (input?: Partial<Wire["ServiceCreateInput"]>) => {
            const service = await made<Wire["Service"]>("/services", { name: "db", ...input });
            clock.advance(longMs);
            return service;
        },
        /** Creates a read replica set and advances the clock until it is active. */
        activeReplicaSet: async (serviceId: string) => {
            const input = { name: "readers", nodes: 1, cpu_millis: 500, memory_gbs: 2 };
            const set = await made<Wire["ReadReplicaSet"]>(`/services/${serviceId}/replicaSets`, input);
            clock.advance(longMs);
            return set;
        },
        vpc: (input?: Partial<Wire["VpcCreateInput"]>) =>
            made<Wire["Vpc"]>("/vpcs", { name: "net", cidr: "10.0.0.0/24", region_code: "us-east-1", ...input }),
        service: async (id: string) => (await api<Wire["Service"]>("GET", `${project}/services/${id}`)).body,
        replicaSets: async (id: string) =>
            (await api<Wire["ReadReplicaSet"][]>("GET", `${project}/services/${id}/replicaSets`)).body,
    };
}

/** The same, with the settings of a provider in the environment of this test file. */
export async function startConnected(options: EmulatorOptions = {}) {
    const world = await startWorld(options);
    Object.assign(process.env, world.emulator.env);
    return world;
}

/** Sends a request such as `GET /v1/projects` as the first caller, or with other headers. A text is sent as it is. */
export function requestTo(
    emulator: Emulator,
    request: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
): Promise<EmulatorResponse> {
    const [method = "", path = ""] = request.split(" ");
    return emulator.handle({
        method,
        path,
        headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
}

export const sizeOf = (service: Wire["Service"]) => service.resources[0]?.spec;

export const newPeering = { peer_account_id: "1", peer_region_code: "us-east-1", peer_vpc_id: "vpc-1" };

export async function startWithService() {
    const world = await startWorld();
    const { service_id: id } = await world.readyService();
    const { id: vpcId } = await world.vpc();
    return { ...world, id, vpcId };
}
