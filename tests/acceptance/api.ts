import { setTimeout as sleep } from "node:timers/promises";
import type { ReadReplicaSet, Service } from "../../provider/api/contract";
import type { Target } from "./target";

/** The status and the parsed body of a response. */
export interface Answer {
    readonly status: number;
    readonly body: unknown;
}

/** Direct requests, without the provider. Paths are below the project. */
export interface Api {
    readonly send: (method: string, path: string, body?: unknown, token?: string) => Promise<Answer>;
    readonly service: (id: string) => Promise<Service>;
    readonly replicaSets: (serviceId: string) => Promise<ReadReplicaSet[]>;
    /** Reads a service until the condition holds. */
    readonly serviceWhen: (id: string, holds: (service: Service) => boolean) => Promise<Service>;
}

/** Platforms create a small database within minutes. */
const waitLimitMs = 30 * 60_000;

export function openApi(baseUrl: string, { token: own, projectId, pollMs }: Target): Api {
    const send: Api["send"] = async (method, path, body, token = own) => {
        const response = await fetch(`${baseUrl}/projects/${projectId}${path}`, {
            method,
            headers: { authorization: authorizationOf(token), "content-type": "application/json" },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
    };
    const read = async <Body>(path: string): Promise<Body> => {
        const { status, body } = await send("GET", path);
        if (status !== 200) {
            throw new Error(`GET ${path} returned ${status}.`);
        }
        return body as Body;
    };
    const service: Api["service"] = (id) => read(`/services/${id}`);
    return {
        send,
        service,
        replicaSets: (id) => read(`/services/${id}/replicaSets`),
        serviceWhen: async (id, holds) => {
            const deadline = Date.now() + waitLimitMs;
            for (;;) {
                const { status, body } = await send("GET", `/services/${id}`);
                if (status === 200 && holds(body as Service)) {
                    return body as Service;
                }
                if (Date.now() > deadline) {
                    throw new Error(`Service ${id} did not change as expected: ${status}, ${JSON.stringify(body)}`);
                }
                await sleep(pollMs);
            }
        },
    };
}

const authorizationOf = (token: string): string =>
    token.includes(":") ? `Basic ${Buffer.from(token).toString("base64")}` : `Bearer ${token}`;
