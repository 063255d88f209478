import { setTimeout as sleep } from "node:timers/promises";
import type { Schemas } from "../../provider/api/contract";
import type { Target } from "./target";

/** The status and the parsed body of a response. */
export interface Answer {
    readonly status: number;
    readonly body: unknown;
}

export type Api = ReturnType<typeof openApi>;

/** Platforms create a small database within minutes. */
const waitLimitMs = 30 * 60_000;

/** Direct requests, without the provider. Paths are below the project. */
export function openApi(baseUrl: string, { token: own, projectId, pollMs }: Target) {
    const send = async (method: string, path: string, body?: unknown, token = own): Promise<Answer> => {
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
    return {
        send,
        service: (id: string) => read<Schemas["Service"]>(`/services/${id}`),
        replicaSets: (serviceId: string) => read<Schemas["ReadReplicaSet"][]>(`/services/${serviceId}/replicaSets`),
        /** Reads a service until the condition holds. */
        serviceWhen: async (
            id: string,
            holds: (service: Schemas["Service"]) => boolean,
        ): Promise<Schemas["Service"]> => {
            const deadline = Date.now() + waitLimitMs;
            for (;;) {
                const { status, body } = await send("GET", `/services/${id}`);
                if (status === 200 && holds(body as Schemas["Service"])) {
                    return body as Schemas["Service"];
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
