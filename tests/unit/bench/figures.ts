import type { Comparison, Group } from "../../../bench/engine/measure";
import type { Figures } from "../../../bench/measure";
import type { Cell } from "../../../bench/waiting/cells";
import { peers } from "../../../bench/waiting/peers";
import { allKinds } from "../../../bench/waiting/work";

/** Sample figures of a run. With them, every claim holds. */
const cells: Cell[] = [1, 10, 100, 1_000].flatMap((services) =>
    allKinds.map((kind) => ({
        kind,
        services,
        ours: { contestant: "this provider", meanDelayMs: 450, requests: 15 },
        peers: peers.map(({ name, thenMs }) => ({
            contestant: name,
            meanDelayMs: thenMs / 2,
            requests: (1_800_000 / thenMs) * services,
        })),
        timesThoseForOne: 1.1,
    })),
);

const run = { ms: 15_711, peakBytes: 150e6, ratio: 0.85 };
const group = (resources: readonly number[], commands: readonly Comparison["command"][]): Group => ({
    comparisons: resources.flatMap((count) =>
        commands.map((command) => ({
            command,
            resources: count,
            of: { clouddb: run, native: run, single: run, idler: run, empty: run },
        })),
    ),
    bytesPerService: { clouddb: 2_569, native: 2_300, idler: 1_200, empty: 1_200 },
    providerBytes: 62,
});

export const figures: Figures = {
    quick: false,
    load: 0.1,
    waiting: {
        cells,
        rejections: {
            visible: [{ most: 1, meanDelayMs: 400, longestDelayMs: 14_000 }],
            hidden: { most: 5, meanDelayMs: 400, longestDelayMs: 14_000 },
            failing: 14,
        },
        byDuration: [5_000, 600_000].map((durationMs) => ({ durationMs, meanDelayMs: 400, partOfDuration: 0.008 })),
        errorOfArithmetic: 0,
    },
    engine: {
        upMs: 10_000,
        ups: group([1, 100], ["up"]),
        quiets: group([1_000], ["preview of a new stack", "up without changes"]),
        hosts: group([1_000], ["preview of a new stack", "up", "preview without changes"]),
    },
    single: {
        previews: group([100], ["preview of a new stack"]),
        starts: {
            single: { ms: 110, bytes: 80e6 },
            script: { ms: 170, bytes: 75e6 },
            ratio: { ms: 0.65, bytes: 1.07 },
        },
    },
};
