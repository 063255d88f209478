import type { AxiosAdapter } from "axios";
import type { Emulator } from "../../emulator";

/** Sends requests to the emulator without a socket. */
export function inProcess(emulator: Emulator): AxiosAdapter {
    return async (config) => {
        const query = new URLSearchParams(
            Object.entries((config.params ?? {}) as Record<string, string | readonly string[]>).flatMap(
                ([name, value]) =>
                    (typeof value === "string" ? [value] : value).map((item): [string, string] => [name, item]),
            ),
        );
        const path = `${new URL(config.baseURL ?? "").pathname}${config.url ?? ""}`;
        const { status, headers, body } = await emulator.handle({
            method: config.method ?? "GET",
            path: query.size === 0 ? path : `${path}?${query.toString()}`,
            headers: Object.fromEntries(
                Object.entries(config.headers.toJSON()).map(([name, value]) => [name, String(value)]),
            ),
            ...(config.data === undefined ? {} : { body: String(config.data) }),
        });
        return { status, statusText: "", headers, data: body, config };
    };
}
