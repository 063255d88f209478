import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";

/** Environment variables of the processes that the benchmark starts. */
export const variables = {
    kind: "CLOUDDB_BENCH_KIND",
    count: "CLOUDDB_BENCH_COUNT",
    sleepMs: "CLOUDDB_BENCH_SLEEP_MS",
} as const;

type Values = Record<string, unknown>;

/** The other side of every comparison: a minimal dynamic provider. The benchmark sets the duration of its create. */
export const idler: dynamic.ResourceProvider<Values, Values> = {
    check: (_olds: Values, inputs: Values) => Promise.resolve({ inputs, failures: [] }),
    diff: () => Promise.resolve({ changes: false }),
    create: async (inputs: Values) => {
        await sleep(Number(process.env[variables.sleepMs] ?? 0));
        return { id: "nothing", outs: inputs };
    },
};
