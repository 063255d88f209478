import type { Interceptor } from "../../emulator";
import { respond } from "./fixtures";

/** An API that carries out the first new password of this service without an answer, and rejects each other one. */
export function losesPassword(serviceId: string): Interceptor {
    let isSent = false;
    return async (exchange, carryOut) => {
        if (exchange.operationId !== "updatePassword") {
            return carryOut();
        }
        const isFirst = !isSent && exchange.request.path.includes(serviceId);
        if (isFirst) {
            isSent = true;
            await carryOut();
        }
        return respond(isFirst ? 502 : 400, isFirst ? "" : '{"code":"NO","message":"not today"}')(exchange, carryOut);
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
