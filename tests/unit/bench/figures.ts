import type { Figures } from "../../../bench/main";
import type { Cell } from "../../../bench/waiting/cells";
import { peers } from "../../../bench/waiting/peers";
import { allKinds, textOf } from "../../../bench/waiting/work";

/** Figures as a run gives them, made up; with them every claim holds. */
const cells: Cell[] = [1, 10, 100, 1_000].flatMap((services) =>
    allKinds.map((kind) => ({
        kind,
        text: textOf(kind),
        services,
        runs: 1,
        rows: [
            {
                ...{ contestant: "this provider", ours: true, meanDelayMs: 450, p95DelayMs: 900 },
                ...{ requests: 15, requestsPerService: 15 / services },
            },
            ...peers.map(({ name, thenMs }) => ({
                ...{ contestant: name, ours: false, meanDelayMs: thenMs / 2, p95DelayMs: thenMs },
                ...{ requests: (1_800_000 / thenMs) * services, requestsPerService: 1_800_000 / thenMs },
            })),
        ],
        timesThoseForOne: 1.1,
    })),
);

const comparison = {
    ...{ oursMs: 15_711, theirsMs: 15_408, ratio: 1.02, ratioRange: [0.98, 1.05] as const, rounds: 5 },
    ...{ ourPeakBytes: 150e6, theirPeakBytes: 140e6, ourCpuMs: 1_538, theirCpuMs: 715 },
};

const point = { value: 0.018, requests: 100, meanDelayMs: 2_000 };

export const figures: Figures = {
    quick: false,
    load: 0.1,
    waiting: {
        cells,
        byDuration: [5_000, 600_000].map((durationMs) => ({
            ...{ durationMs, meanDelayMs: 400, partOfDuration: 0.008, requests: 20 },
        })),
        trade: {
            kind: "mixed",
            curves: [
                { name: "partOfElapsed", points: [point, { ...point, value: 0.05, requests: 50 }] },
                { name: "earlyPollMs", points: [{ ...point, value: 300 }, point] },
            ],
            chosen: point,
        },
        errorOfArithmetic: 0,
    },
    engine: {
        ups: [1, 10, 100].map((services) => ({
            ...{ services, durationMs: 10_000, ...comparison },
            requests: { createService: services, getService: 13, listServices: 118 },
        })),
        quiets: (["preview", "no-change up"] as const).map((what) => ({
            ...{ resources: 1_000, what, ...comparison },
        })),
        state: { resources: 1_000, bytesPerService: 2_569, providerBytes: 62 },
        rate: {
            ...{ services: 100, perSecond: 5, cameUp: 100, ms: 60_000, requests: 250, refused: 30 },
            ...{ mostRefusalsInARow: 2, failure: undefined },
        },
        hosts: {
            rounds: 3,
            cells: (["preview of a new stack", "up", "preview without changes"] as const).map((command) => ({
                ...{ command, resources: 1_000, nativeToDynamic: 0.8, nativeToEmpty: 1.05 },
                ms: { clouddb: 10_000, native: 8_000, empty: 7_600 },
            })),
            bytesPerService: { clouddb: 2_569, native: 2_300, empty: 1_200 },
        },
    },
};
