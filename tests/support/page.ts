import type { EmulatorOptions } from "../../emulator";
import type { Message, Secret } from "../../emulator/page/messages";
import { startWorld } from "./emulator";

/** A name of this computer, as a browser sends it. */
export const host = "127.0.0.1:8080";

/** An emulator, with requests and sessions of its page. */
export const startWithPage = async (options: EmulatorOptions = {}) => {
    const world = await startWorld(options);
    const ask = async (
        request: string,
        { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
    ) => {
        const [method = "", path = ""] = request.split(" ");
        const answer = await world.emulator.handle({
            method,
            path,
            headers: { host, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return { ...answer, json: () => JSON.parse(answer.body) as unknown };
    };
    const session = async (token?: string) => {
        const answer = await ask("POST /_page/session", { body: token === undefined ? {} : { token } });
        return { authorization: `Bearer ${(answer.json() as Secret<"session">).session}` };
    };
    const news = async () => (await ask("GET /_page/news", { headers: await session() })).json() as Message;
    const shown = async (id: string) => (await news()).resources.find((one) => one.id === id);
    return { ...world, ask, session, news, shown };
};
