import { setTimeout as sleep } from "node:timers/promises";
import type { dynamic } from "@pulumi/pulumi";
import { variables } from "./names";

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
