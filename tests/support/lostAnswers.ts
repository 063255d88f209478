import type { Interceptor } from "../../emulator";
import { loseResponse, refuse, respond } from "./fixtures";

/** An API that carries out the first new password of a service, by default of each, without an answer, and rejects each other one. */
export function losesPasswords(serviceId = ""): Interceptor {
    const sent = new Set<string>();
    return async (exchange, carryOut) => {
        const { path } = exchange.request;
        if (exchange.operationId !== "updatePassword") {
            return carryOut();
        }
        if (sent.has(path) || !path.includes(serviceId)) {
            return refuse(exchange, carryOut);
        }
        sent.add(path);
        return loseResponse(exchange, carryOut);
    };
}

/** An API that shows nothing of its project, and says that the token belongs to this one. */
export const blindOf =
    (project: string): Interceptor =>
    (exchange, carryOut) => {
        const answers: Readonly<Record<string, unknown>> = {
            listServices: [],
            listVpcs: [],
            listProjects: [{ id: project, name: "Project" }],
            getAuthInfo: { type: "apiKey", api_key: { project: { id: project } } },
        };
        const answer = answers[exchange.operationId];
        const body = JSON.stringify(answer ?? { code: "NOT_FOUND", message: "not found" });
        const headers = { "content-type": "application/json" };
        return respond(answer === undefined ? 404 : 200, body, headers)(exchange, carryOut);
    };
