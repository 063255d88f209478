import fc from "fast-check";
import type { Death } from "./mortal";
import { programs } from "./program";
import type { Key, Program } from "./program";

/** Something that somebody does behind the program's back. */
export type Drift =
    | { on: "orders" | "reports"; does: "delete" }
    | {
          on: "orders" | "reports";
          does: "change";
          to: { environment?: "DEV" | "PROD"; pooler?: boolean; replicaCount?: number };
      }
    | { on: "network"; does: "rename"; to: string }
    | { on: "readers"; does: "delete" }
    | { on: "readers"; does: "change"; to: { nodes: number } }
    | { on: "peering"; does: "delete" };

/** One `pulumi up` with all that happens before and during it. */
export interface Round {
    drifts: readonly Drift[];
    refresh: boolean;
    program: Program;
    /** In short, as the emulator takes them. */
    faults: readonly string[];
    death: Death | undefined;
}

export interface Scenario {
    rounds: readonly Round[];
    /** While everything is deleted at the end. */
    lastFaults: readonly string[];
}

/** All that passes by itself, and refusals, which the next run does not meet any more. */
const effects = [
    ...["400", "401", "403", "409", "429,retryAfterMs=1000", "429,retryAfterMs=1000,retryAfterForm=date"],
    ...["500", "500,carriedOut", "502,body=html", "502,body=html,carriedOut", "503,body=empty,retryAfterMs=2000"],
    ...["504,body=empty,carriedOut", "reset-before", "reset-after", "reset-middle", "malformed", "truncated"],
    ...["unknowns", "delay,ms=2000", "stale,ms=1500", "hidden,ms=3000", "stuck,ms=15000", "stuck,ms=600000"],
];

/** Where some effects make sense only. */
const special = [
    ...["listServices:omit", "listVpcs:omit", "listReplicaSets:omit", "listPeerings:omit"],
    ...["createPeering:peeringFails,ms=20000", "createPeering:peeringFails,message=no route,ms=600000"],
    ...["createService:status,status=UNSTABLE,ms=15000", "resizeService:status,status=UNSTABLE,ms=600000"],
    ...["createReplicaSet:status,status=error,ms=15000", "resizeReplicaSet:status,status=error,ms=15000"],
    ...["createService:status,status=HIBERNATING,ms=15000"],
];

const operations = [
    ...["createVpc", "renameVpc", "deleteVpc", "getVpc", "listVpcs"],
    ...["createPeering", "deletePeering", "getPeering", "listPeerings"],
    ...["createService", "deleteService", "getService", "listServices", "resizeService", "setHA", "attachToVPC"],
    ...["detachFromVPC", "enablePooler", "disablePooler", "setEnvironment", "updatePassword"],
    ...["startService", "stopService", "createReplicaSet", "deleteReplicaSet", "listReplicaSets"],
    ...["resizeReplicaSet", "enableReplicaSetPooler", "disableReplicaSetPooler", "*", "GET", "POST", "DELETE"],
];

const when = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))
    .map(([from, times]) => (times === 1 ? `#${from}` : `#${from}x${times}`));

const fault = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...operations), when, fc.constantFrom(...effects)) },
    {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom(...special), when).map(([text, count]): [string, string, string] => {
            const [operation = "", effect = ""] = text.split(":");
            // A moment is one look.
            return [operation, effect === "omit" ? (count.split("x")[0] ?? "") : count, effect];
        }),
    },
);

const faults = fc.array(
    fault.map(([where, count, effect]) => `${where}${count}:${effect}`),
    { maxLength: 3 },
);

const on = fc.constantFrom("orders" as const, "reports" as const);
const drift: fc.Arbitrary<Drift> = fc.oneof(
    fc.record({ on, does: fc.constant("delete" as const) }),
    fc.record({
        on,
        does: fc.constant("change" as const),
        to: fc.record(
            {
                environment: fc.constantFrom("DEV" as const, "PROD" as const),
                pooler: fc.boolean(),
                replicaCount: fc.integer({ min: 0, max: 2 }),
            },
            { requiredKeys: [] },
        ),
    }),
    fc.constantFrom<Drift>(
        { on: "network", does: "rename", to: "renamed" },
        { on: "readers", does: "delete" },
        { on: "readers", does: "change", to: { nodes: 4 } },
        { on: "peering", does: "delete" },
    ),
);

const round = (number: number): fc.Arbitrary<Round> =>
    fc.record({
        drifts: number === 0 ? fc.constant([]) : fc.array(drift, { maxLength: 2 }),
        refresh: fc.boolean(),
        program: programs(number),
        faults,
        death: fc.option(
            fc.record({
                call: fc.integer({ min: 1, max: 30 }),
                when: fc.constantFrom("before" as const, "after" as const),
            }),
            { nil: undefined, freq: 2 },
        ),
    });

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
    rounds: fc.oneof(
        { weight: 12, arbitrary: fc.tuple(round(0)) },
        { weight: 7, arbitrary: fc.tuple(round(0), round(1)) },
        { weight: 1, arbitrary: fc.tuple(round(0), round(1), round(2)) },
    ),
    lastFaults: faults,
});

/** A scenario as a person reads it. */
export function describeScenario({ rounds, lastFaults }: Scenario): string {
    const show = (value: unknown) => JSON.stringify(value).replace(/"(\w+)":/g, " $1: ");
    const lines = rounds.flatMap(({ drifts, refresh, program, faults: some, death }, index) => [
        `run ${index + 1}:`,
        ...drifts.map((one) => `  behind its back:${show(one)}`),
        ...(refresh ? ["  refresh"] : []),
        ...Object.entries(program).map(([key, value]) => `  declares ${key as Key}${show(value)}`),
        ...some.map((text) => `  fault ${text}`),
        ...(death ? [`  everything is killed ${death.when} call ${death.call}`] : []),
    ]);
    return [...lines, ...lastFaults.map((text) => `  fault while it is destroyed: ${text}`)].join("\n");
}
