import fc from "fast-check";
import { inspect, isDeepStrictEqual } from "node:util";
import type { ServicePatch } from "../../emulator";
import type { Method } from "../../provider/api/callAdvice";
import type { OperationId } from "../../provider/api/contract";
import { methods, operations } from "../../provider/api/operations.gen";
import { cpuMillis, keys, passwordSource, programs, type Key, type Program, type ServiceDeclaration } from "./program";
import { identityChanges, type IdentityChange } from "./identities";
import type { Cancellation, Death } from "./provider";
import { otherProject } from "../support/cases/common";
import type { Setting } from "./stack";
import { dialects } from "../support/dialects";
import { nameFrom } from "../support/streams";

export type Drift =
    | { on: "orders" | "reports"; does: "delete" | "pause" }
    | {
          on: "orders" | "reports";
          does: "change";
          to: { name?: string; environment?: "DEV" | "PROD"; pooler?: boolean; replicaCount?: number };
      }
    | { on: "network"; does: "rename"; to: string }
    | { on: "readers"; does: "delete" }
    | { on: "readers"; does: "change"; to: { nodes: number } }
    | { on: "peering"; does: "delete" };

/**
 * An `existingId` line that a person adds: the id of the resource itself, of the other service of the program (a rename), from
 * an error message, from an earlier state, or of a database that belongs to no stack. An import has no such line, and only the plugin
 * has it.
 */
export interface Adoption {
    key: Key;
    of: "itself" | "other" | "suggested" | "former" | "manual" | "imported";
    /** Whether the program also declares a name. Otherwise, the resource keeps its name. */
    isNamed: boolean;
    fails: boolean;
    /** What a database that belongs to no stack has. */
    has?: Pick<ServicePatch, "environment" | "pooler" | "replicaCount"> & { paused?: boolean };
    /** Its HA replicas after a change that somebody else makes while the run adopts it. */
    replicasThen?: number | undefined;
}

/** A size, a changed source of the passwords, or an input that only the state holds, for each database. */
export type Edit = Pick<ServiceDeclaration, "cpuMillis" | "sslRootCert"> &
    Partial<Pick<ServiceDeclaration, "password" | "passwordOutside">>;

/** The commands in which a token may see nothing. */
export type Verb = "refresh" | "up" | "destroy";

export interface ConcurrentRun {
    program: Program;
    faults: readonly string[];
    /**
     * When it starts: after the first creation request, because concurrent creations of the same name cannot be distinguished,
     * but while the first run may still search for the resource that it created.
     */
    afterMs: number;
}

/** One `pulumi up` with everything that happens before and during it. */
export interface Round {
    drifts: readonly Drift[];
    /** The command of the previous round again, with the same program: only faults and manual changes differ. */
    repeated?: boolean | undefined;
    refresh?: boolean | undefined;
    program: Program;
    /** The program of the previous round replaces this one. */
    reverted?: boolean | undefined;
    /** What a person changes in the program of the previous round, instead, or in the one before it if it is also reverted. */
    edited?: Edit | undefined;
    adoption?: Adoption | undefined;
    /** The `existingId` lines are removed. */
    linesRemoved?: boolean | undefined;
    /** `pulumi state taint`. */
    tainted?: Key | undefined;
    /** `--replace`. */
    replaced?: Key | undefined;
    /** `--target`. */
    target?: Key | undefined;
    /** `--exclude`. */
    excluded?: Key | undefined;
    /** `--continue-on-error`. */
    continueOnError?: boolean | undefined;
    /** Renames, moves and changed options. */
    identities: readonly IdentityChange[];
    /** `pulumi state delete` of reports. */
    forgotten?: boolean | undefined;
    /** `pulumi state unprotect --all`. */
    unprotected?: boolean | undefined;
    /** `clouddb:deletionProtection` of the stacks from now on. */
    isProtected?: boolean | undefined;
    /** Another stack that runs at the same time, with the same explicit name for reports. */
    concurrent?: ConcurrentRun | undefined;
    /** In the emulator's short form. */
    faults: readonly string[];
    death?: Death | undefined;
    cancellation?: Cancellation | undefined;
    /** The token of this run is no longer valid. */
    hasOldToken?: boolean | undefined;
    /** Before this run, a command whose token belongs to another project, and sees nothing of this one. */
    blind?: Verb | undefined;
    /** `clouddb:projectId` of this run: a project that does not exist, or that the token may not use. */
    wrongProject?: string | undefined;
    /** The pause before the next round. It can be shorter than the delay until lists show a new resource. */
    restartMs: number;
}

/** Longer than any temporary fault. */
export const longMs = 24 * 3_600_000;

export interface Scenario {
    setting: Setting;
    rounds: readonly Round[];
    ending: Ending;
    /** The faults during the destroy at the end. */
    lastFaults: readonly string[];
}

/** What a person does after the rounds. */
export type Ending =
    /** Runs the programs until they succeed. The person keeps a database whose deletion was refused, or deletes it. */
    | { does: "recover"; keeps: boolean }
    /** Deletes the services, one after the other. */
    | { does: "delete" };

/** Responses that do not have the API's error format, or that are temporary. */
const unexpected = [
    ...["302,body=html", "400,body=html", "403,body=html", "408,body=empty", "520,body=html", "522,body=html", "401"],
    ...["525,body=empty"],
];

/** Lists show a new resource with a delay, but before a resource that was created later is ready. */
const unlisted = "unlisted,ms=2500";

/** Temporary faults, and rejected calls that do not occur in the next run. */
const effects = [
    ...unexpected,
    ...["400", "401", "403", "409", "429,retryAfterMs=1000", "429,retryAfterMs=1000,retryAfterForm=date"],
    ...["409,retryAfterMs=0", "409,retryAfterMs=600000", "429,retryAfterMs=0", "503,retryAfterMs=0"],
    ...["503,body=empty,retryAfterMs=600000"],
    ...["500", "500,carriedOut", "502,body=html", "502,body=html,carriedOut", "503,body=empty,retryAfterMs=2000"],
    ...["504,body=empty,carriedOut", "reset-before", "reset-after", "reset-middle", "malformed", "truncated"],
    ...["302,body=html", "400,body=html", "403,body=html", "404", "404,body=html", "404,body=empty", "408,body=empty"],
    ...["520,body=html"],
    ...["unknowns", "delay,ms=2000", "stale,ms=1500", "hidden,ms=3000", "stuck,ms=15000", "stuck,ms=600000"],
    ...[unlisted, "malformedEntry"],
    ...["delay,ms=45000", "unanswered", "unanswered,carriedOut"],
];

/** Effects that only apply to some operations. */
const special = [
    ...["listServices:omit", "listVpcs:omit", "listReplicaSets:omit", "listPeerings:omit"],
    ...["createPeering:peeringFails,ms=20000", "createPeering:peeringFails,message=no route,ms=600000"],
    ...["createService:status,status=UNSTABLE,ms=15000", "resizeService:status,status=UNSTABLE,ms=600000"],
    ...["forkService:status,status=UNSTABLE,ms=15000", "stopService:status,status=UNSTABLE,ms=600000"],
    ...["createReplicaSet:status,status=error,ms=15000", "resizeReplicaSet:status,status=error,ms=15000"],
    ...["createService:status,status=HIBERNATING,ms=15000"],
    ...["createService", "createReplicaSet", "createPeering", "forkService"].map(
        (operation) => `${operation}:${unlisted}`,
    ),
    ...["createVpc", "createPeering", "createService", "createReplicaSet", "forkService"].map(
        (operation) => `${operation}:otherObject`,
    ),
    ...["getVpc", "getPeering", "getService"].map((operation) => `${operation}:otherObject`),
    ...["listVpcs", "listPeerings", "listServices", "listReplicaSets"].map((operation) => `${operation}:nullList`),
];

/** It is unknown whether the API set a new password, or created a service that has no known password yet. */
const lostPasswords: readonly (readonly string[])[] = [
    ...["reset-after", "502,body=html,carriedOut", "unanswered,carriedOut", "delay,ms=45000"].flatMap((effect) =>
        ["#1", "#1x2", "#1+"].map((when) => [`updatePassword${when}:${effect}`]),
    ),
    ["updatePassword#1:reset-after", "updatePassword#2+:400"],
    ...[2, 4, 6].map((read) => ["createService#1:reset-after", `GET#${read}+:503,body=empty`]),
    ["createService#1:reset-after", "updatePassword#1+:500"],
    ["createService#1:unanswered,carriedOut"],
];

/** The API returns 404 once for one resource. */
const notFound = ["getService#1:404", "getService#2:404", "getVpc#1:404", "getPeering#1:404", "GET#1+:404"];

/** The operations that no program of the model sends. */
const unsent: readonly OperationId[] = ["getAuthInfo", "listProjects", "getServiceLogs"];
const sent = (Object.keys(operations) as OperationId[]).filter((id) => !unsent.includes(id));

const when = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))
    .map(([from, times]) => (times === 1 ? `#${from}` : `#${from}x${times}`));

const fault = fc.oneof(
    {
        weight: 4,
        arbitrary: fc.tuple(
            nameFrom(...sent, "*", ...(Object.keys(methods) as Method[])),
            when,
            fc.constantFrom(...effects),
        ),
    },
    {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom(...special), when).map(([text, count]): [string, string, string] => {
            const [operation = "", effect = ""] = text.split(":");
            // Only one read omits an entry.
            return [operation, effect === "omit" ? (count.split("x")[0] ?? "") : count, effect];
        }),
    },
);

const faults: fc.Arbitrary<readonly string[]> = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
        weight: 6,
        arbitrary: fc.array(
            fault.map(([where, count, effect]) => `${where}${count}:${effect}`),
            { maxLength: 3 },
        ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...notFound).map((one) => [one]) },
    { weight: 1, arbitrary: fc.constantFrom(...lostPasswords) },
);

const on = fc.constantFrom("orders" as const, "reports" as const);
const drift: fc.Arbitrary<Drift> = fc.oneof(
    fc.record({ on, does: fc.constantFrom("delete" as const, "pause" as const) }),
    fc.record({
        on,
        does: fc.constant("change" as const),
        to: fc.record(
            {
                name: fc.constantFrom("renamed", "renamed-2"),
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

/** Defined in one of `oneIn` rounds. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | undefined> =>
    fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const key = nameFrom(...keys);

/** The first of two creations of the same name fails without an effect, but its sender cannot detect that. */
const lostCreations: readonly (readonly string[])[] = [
    ...["500", "502,body=html", "504,body=empty", "reset-before"].map((effect) => [`createService#1:${effect}`]),
    ["createVpc#1:500"],
];

/** Both stacks declare the same explicit name. */
function withSameNames(one: Round, generation: number): Round {
    const { concurrent, program } = one;
    if (concurrent === undefined) {
        return one;
    }
    const named = (own: Program): Program => ({ ...own, reports: { ...own.reports, generation } });
    return { ...one, program: named(program), concurrent: { ...concurrent, program: named(concurrent.program) } };
}

/** The API rejects each change of a run in which an adoption fails. */
const withFailedAdoption = (one: Round): Round =>
    one.adoption?.fails ? { ...one, faults: [...one.faults, "POST#1+:400"] } : one;

const later =
    (number: number) =>
    <T>(arbitrary: fc.Arbitrary<T>, first: T) =>
        number === 0 ? fc.constant(first) : arbitrary;

const edits = (number: number): fc.Arbitrary<Edit> =>
    fc.oneof(passwordSource, fc.constant({ sslRootCert: `ca-${number}.pem` }));

const round = (number: number): fc.Arbitrary<Round> => {
    const afterFirst = later(number);
    const rounds: fc.Arbitrary<Round> = fc.record({
        drifts: afterFirst<readonly Drift[]>(fc.array(drift, { maxLength: 2 }), []),
        repeated: afterFirst(rarely(fc.constant(true), 4), undefined),
        refresh: fc.boolean(),
        program: programs(number),
        reverted: afterFirst(rarely(fc.constant(true), 4), undefined),
        edited: afterFirst(rarely(edits(number), 3), undefined),
        adoption: rarely<Adoption>(
            number === 0
                ? fc.record({
                      key: on,
                      of: fc.constantFrom("manual" as const, "imported" as const),
                      isNamed: fc.boolean(),
                      fails: fc.boolean(),
                  })
                : fc.record({
                      key: fc.oneof(on, key),
                      of: fc.constantFrom("itself", "other", "other", "suggested", "former", "manual", "imported"),
                      isNamed: fc.boolean(),
                      fails: fc.boolean(),
                  }),
            4,
        ),
        linesRemoved: rarely(fc.constant(true), 4),
        tainted: afterFirst(rarely(fc.oneof(on, key), 6), undefined),
        replaced: afterFirst(rarely(fc.oneof(on, key), 6), undefined),
        target: afterFirst(rarely(key, 8), undefined),
        excluded: afterFirst(rarely(key, 8), undefined),
        continueOnError: rarely(fc.constant(true), 6),
        identities: afterFirst<readonly IdentityChange[]>(
            fc.oneof(fc.constant([]), fc.array(identityChanges, { maxLength: 2 })),
            [],
        ),
        forgotten: afterFirst(rarely(fc.constant(true), 12), undefined),
        unprotected: afterFirst(rarely(fc.constant(true), 8), undefined),
        isProtected: fc.constantFrom(undefined, undefined, true, false, false),
        concurrent: rarely(
            fc.record({
                program: programs(number),
                faults: fc.constantFrom([], ...lostCreations),
                afterMs: fc.integer({ min: 3_000, max: 20_000 }),
            }),
            5,
        ),
        faults,
        death: rarely(
            fc.record({
                call: fc.integer({ min: 1, max: 30 }),
                when: fc.constantFrom("before" as const, "after" as const),
            }),
            3,
        ),
        cancellation: rarely(fc.record({ call: fc.integer({ min: 1, max: 30 }) }), 6),
        hasOldToken: rarely(fc.constant(true), 12),
        blind: afterFirst(rarely(fc.constantFrom<Verb[]>("refresh", "up", "destroy"), 8), undefined),
        wrongProject: afterFirst(rarely(fc.constantFrom("projectttt", otherProject), 12), undefined),
        restartMs: fc.oneof(fc.constant(10_000), fc.integer({ min: 0, max: 4_000 }), fc.constant(longMs)),
    });
    return rounds.map((one) => withFailedAdoption(withSameNames(one, number + 1)));
};

/** The rounds. Of a repeated one, only what happens to it is its own: it has the command and the program of the one before. */
const withRepetitions = (rounds: readonly Round[]): Round[] =>
    rounds.reduce<Round[]>((done, one) => {
        const { program, target, replaced, excluded, continueOnError } = done.at(-1) ?? one;
        const command = { program, target, replaced, excluded, continueOnError, identities: [] };
        const { repeated, drifts, refresh, faults, death, cancellation, hasOldToken, blind, wrongProject } = one;
        const events = { drifts, refresh, faults, death, cancellation, hasOldToken, blind, wrongProject };
        return [...done, repeated ? { repeated, ...command, ...events, restartMs: one.restartMs } : one];
    }, []);

/** A run of a program that declares nothing, without any event. */
export const plainRound: Round = { drifts: [], program: {}, identities: [], faults: [], restartMs: 10_000 };

/** A resize that is interrupted, and what a person takes back together with another input. */
const takenBack: fc.Arbitrary<readonly Round[]> = fc
    .record({
        program: programs(0),
        cpuMillis,
        fault: fc.constantFrom("status,status=CONFIGURING,ms=100000", "reset-after", "unanswered,carriedOut"),
        cancellation: rarely(fc.record({ call: fc.integer({ min: 1, max: 6 }) }), 3),
        edited: edits(2),
        restartMs: fc.constantFrom(0, 10_000, longMs),
    })
    .map(({ program, cpuMillis, fault, cancellation, edited, restartMs }) => [
        { ...plainRound, program },
        { ...plainRound, edited: { cpuMillis }, faults: [`resizeService#1+:${fault}`], cancellation, restartMs },
        { ...plainRound, edited, reverted: true },
    ]);

/** A database with values of its own is adopted or imported, and what the program declares of them is removed, or refused and reverted. */
const tidied: fc.Arbitrary<readonly Round[]> = fc
    .record({
        of: fc.constantFrom("manual" as const, "imported" as const),
        has: fc.record({
            environment: fc.constantFrom("DEV" as const, "PROD" as const),
            pooler: fc.boolean(),
            replicaCount: fc.integer({ min: 0, max: 2 }),
            paused: fc.boolean(),
        }),
        replicasThen: rarely(fc.integer({ min: 0, max: 2 }), 3),
        declared: fc.record(
            {
                environment: fc.constantFrom("DEV" as const, "PROD" as const),
                connectionPooler: fc.boolean(),
                replicaCount: fc.integer({ min: 0, max: 2 }),
                paused: fc.boolean(),
            },
            { requiredKeys: [] },
        ),
        refresh: fc.boolean(),
        faults: fc.oneof(faults, fc.constant(["POST#1+:400"])),
    })
    .map(({ of, has, replicasThen, declared, refresh, faults }) => {
        const program: Program = { reports: { generation: 0 } };
        const isChanging = of === "manual" && !has.paused;
        const adoption = { key: "reports", of, isNamed: false, fails: false, has } as const;
        return [
            { ...plainRound, program, adoption: { ...adoption, ...(isChanging && { replicasThen }) } },
            { ...plainRound, program: { reports: { ...declared, generation: 0 } }, refresh, faults },
            { ...plainRound, program, refresh, linesRemoved: true },
        ];
    });

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
    setting: fc.record({
        host: fc.constantFrom("dynamic" as const, "native" as const),
        isTypeScript: fc.boolean(),
        hasSecondBackend: fc.boolean(),
        dialect: dialects,
    }),
    rounds: fc
        .oneof(
            { weight: 2, arbitrary: takenBack },
            { weight: 2, arbitrary: tidied },
            { weight: 6, arbitrary: fc.tuple(round(0)) },
            { weight: 8, arbitrary: fc.tuple(round(0), round(1)) },
            { weight: 4, arbitrary: fc.tuple(round(0), round(1), round(2)) },
            { weight: 2, arbitrary: fc.tuple(round(0), round(1), round(2), round(3)) },
        )
        .map(withRepetitions),
    ending: fc.oneof(
        { weight: 2, arbitrary: fc.record({ does: fc.constant("recover" as const), keeps: fc.boolean() }) },
        { weight: 1, arbitrary: fc.constant({ does: "delete" as const }) },
    ),
    lastFaults: faults,
});

/** A scenario as the tests of single histories declare it: each round with what differs from a plain run. */
export function describeScenario({ rounds, ...others }: Scenario): string {
    const differing = rounds.map((one) =>
        Object.fromEntries(
            Object.entries(one).filter(
                ([name, value]) => value !== undefined && !isDeepStrictEqual(value, plainRound[name as keyof Round]),
            ),
        ),
    );
    return inspect(structuredClone({ ...others, rounds: differing }), {
        depth: null,
        breakLength: 120,
        maxStringLength: null,
    });
}
