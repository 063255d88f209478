import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";
import { join } from "node:path";
import { Client } from "../../provider/api/client";
import { probeVariable } from "./names";

// Loaded with `node --require` into every process that Pulumi starts; it watches the one that holds the provider and
// writes down what can only be seen from inside.

/** What is written down. */
export interface ProbeReport {
    /** The most memory that the process ever had, in bytes. */
    readonly peakBytes: number;
    /** Processor time so far, in milliseconds. */
    readonly cpuMs: number;
    /** The most often that one call was answered 429 without another answer between. */
    readonly mostRefusalsInARow: number;
    readonly refusals: number;
    /** Calls that ended in an error. */
    readonly failedCalls: number;
}

/** Pulumi does not tell the process that it is about to be killed, so it is written down all the time. */
const everyMs = 100;
const kilobyte = 1024;

const folder = process.env[probeVariable];
if (folder !== undefined && process.argv[1]?.includes("dynamic-provider")) {
    watch(join(folder, `${process.pid}.json`));
}

function watch(file: string): void {
    const seen = { mostRefusalsInARow: 0, refusals: 0, failedCalls: 0 };
    const calls = new AsyncLocalStorage<{ refusedInARow: number }>();
    const callOf = new WeakMap<ClientRequest, { refusedInARow: number }>();
    // All tries of a call share what was stored when it began.
    const send = Reflect.get(Client.prototype, "call") as (...args: unknown[]) => Promise<unknown>;
    Client.prototype.call = function (this: Client, ...args: unknown[]) {
        return calls.run({ refusedInARow: 0 }, async () => {
            try {
                return await send.apply(this, args);
            } catch (error) {
                seen.failedCalls += 1;
                throw error;
            }
        });
    } as Client["call"];
    subscribe("http.client.request.start", (message) => {
        const call = calls.getStore();
        if (call) {
            callOf.set((message as { request: ClientRequest }).request, call);
        }
    });
    subscribe("http.client.response.finish", (message) => {
        const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
        const call = callOf.get(request);
        if (!call) {
            return;
        }
        call.refusedInARow = response.statusCode === 429 ? call.refusedInARow + 1 : 0;
        seen.refusals += response.statusCode === 429 ? 1 : 0;
        seen.mostRefusalsInARow = Math.max(seen.mostRefusalsInARow, call.refusedInARow);
    });
    const write = () => {
        const { user, system } = process.cpuUsage();
        const report: ProbeReport = {
            peakBytes: process.resourceUsage().maxRSS * kilobyte,
            cpuMs: (user + system) / 1000,
            ...seen,
        };
        writeFileSync(file, JSON.stringify(report));
    };
    setInterval(write, everyMs).unref();
    process.on("exit", write);
}
