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

/** An API that shows nothing of its project, and says this about the token, or answers with these statuses. */
export const blind =
    (account: Readonly<Record<"getAuthInfo" | "listProjects", object | number>>): Interceptor =>
    (exchange, carryOut) => {
        const answers: Readonly<Record<string, object | number>> = { ...emptyLists, ...account };
        const answer = answers[exchange.operationId] ?? 404;
        const [status, body] =
            typeof answer === "number" ? [answer, { code: "NO", message: "no" }] : ([200, answer] as const);
        const headers = { "content-type": "application/json" };
        return respond(status, JSON.stringify(body), headers)(exchange, carryOut);
    };

/** The same, of a token that belongs to this project. */
export const blindOf = (id: string): Interceptor =>
    blind({ listProjects: [{ id, name: "Project" }], getAuthInfo: { type: "apiKey", api_key: { project: { id } } } });
