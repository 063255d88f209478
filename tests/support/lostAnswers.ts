import type { Interceptor } from "../../emulator";
import { kinds } from "../../provider/resources";
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

const emptyLists = Object.fromEntries(
    kinds.filter(({ parent }) => parent === undefined).map(({ operations }) => [operations.list, []]),
);

/** An API that shows nothing of its project. */
export const blind: Interceptor = (exchange, carryOut) => {
    const list = emptyLists[exchange.operationId];
    const [status, body] = list === undefined ? [404, { code: "NO", message: "no" }] : [200, list];
    return respond(status, JSON.stringify(body), { "content-type": "application/json" })(exchange, carryOut);
};
