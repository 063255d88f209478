import type { Emulator } from "../../emulator";
import { Client, readOptions } from "../../provider/api/client";
import { withToken } from "./client";

/** Longer than the start of a PostgreSQL server. */
const settledMs = 20_000;

/** A client that calls the emulator without Pulumi. */
export function clientOf({ url, token }: Emulator): Client {
    return new Client(withToken(url, token));
}

/** Creates a service without Pulumi. */
export async function existingService(emulator: Emulator): Promise<string> {
    const input = { name: "by hand", cpu_millis: "1000", memory_gbs: "4" };
    const { service_id: id } = await clientOf(emulator).call(
        "createService",
        { path: { project_id: emulator.projectId }, body: input },
        readOptions,
    );
    const until = Date.now() + settledMs;
    while (emulator.snapshot().services[0]?.status !== "READY" && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return id;
}
