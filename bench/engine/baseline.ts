import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";
import { sleepVariable } from "./names";

type Values = Record<string, unknown>;

/**
 * The other side of every comparison with the real engine: a dynamic provider as small as they come. What it makes takes
 * as long as the benchmark says and is nothing; it never sees a difference.
 */
export const idler: dynamic.ResourceProvider<Values, Values> = {
    check: (_olds: Values, inputs: Values) => Promise.resolve({ inputs, failures: [] }),
    diff: () => Promise.resolve({ changes: false }),
    create: async (inputs: Values) => {
        await sleep(Number(process.env[sleepVariable] ?? 0));
        return { id: "nothing", outs: inputs };
    },
};
