import { eventNames } from "./events";
import type { IdentityChange } from "./identities";
import { runScenario } from "./runScenario";
import { allAre } from "./program";
import type { Key, Program, ServiceDeclaration } from "./program";
import { plainRound, type Adoption, type Round } from "./scenario";
import type { Setting } from "./world";

// Histories of a few runs that lost a database in an earlier version, or could not be completed.

const kept: ServiceDeclaration = { deletionProtection: true, generation: 0 };
const named: ServiceDeclaration = { deletionProtection: true, generation: 1 };

const unprotected: ServiceDeclaration = { deletionProtection: false, generation: 0 };
const large: ServiceDeclaration = { ...unprotected, cpuMillis: 2000 };
const unset: ServiceDeclaration = { generation: 0 };

const alias = (key: Key, to: string): IdentityChange => ({ does: "alias", key, to });
const withoutAlias = (key: Key): IdentityChange => ({ does: "move", key, hasAlias: false });
const deleteFirst = (key: Key): IdentityChange => ({ does: "deleteFirst", key });
const otherProvider = (key: Key): IdentityChange => ({ does: "provider", key, to: "first" });
const adopting = (key: Key, of: Adoption["of"], some: Partial<Adoption> = {}) => ({
    adoption: { key, of, isNamed: false, fails: false, ...some },
});

const round = (program: Program, some: Partial<Round> = {}): Round => ({ ...plainRound, program, ...some });

/** A run of the program, and further ones with these events. */
const runs = (program: Program, ...events: readonly Partial<Round>[]): [Round, ...Round[]] => [
    round(program),
    ...events.map((some) => round(program, some)),
];

/** A history in which services that do not declare `deletionProtection` are not protected. */
const history = ([first, ...rounds]: readonly [Round, ...Round[]], setting: Partial<Setting> = {}) => ({
    rounds: [{ ...first, defaults: { environment: false } }, ...rounds],
    setting,
});

const histories: Readonly<Record<string, ReturnType<typeof history>>> = {
    "a taint after a rename by alias": history(
        runs({ orders: kept }, { identities: [alias("orders", "legacy")] }, { tainted: "orders" }),
    ),
    "a taint and a rename by alias in the same run": history(
        runs({ orders: kept }, { identities: [alias("orders", "legacy")], tainted: "orders" }),
    ),
    "--replace after `state rename`": history(
        runs(
            { orders: kept },
            { identities: [{ does: "stateRename", key: "orders", to: "legacy" }] },
            { replaced: "orders" },
        ),
    ),
    "a taint after a renamed component": history([
        round({ orders: kept }, { identities: [{ does: "move", key: "orders", hasAlias: true }] }),
        round({ orders: kept }, { identities: [{ does: "renameComponent" }] }),
        round({ orders: kept }, { tainted: "orders" }),
    ]),
    "--replace with deleteBeforeReplace and a name after a rename by alias": history(
        runs(
            { orders: named },
            { identities: [alias("orders", "legacy")] },
            { identities: [deleteFirst("orders")], replaced: "orders" },
        ),
    ),
    "a taint after `stack rename`": history(
        runs({ orders: kept }, { identities: [{ does: "renameStack" }] }, { tainted: "orders" }),
    ),
    "a taint after `state move` to another stack": history([
        round({ reports: kept }),
        round({}, { moved: true, tainted: "reports" }),
    ]),
    "a new resource with the name of one that was moved to another stack": history(
        runs({ reports: named }, { moved: true }),
    ),
    "a refresh, an update and a deletion with an old token": history([
        round({ orders: kept, reports: named }),
        round({ orders: { ...kept, cpuMillis: 2000 } }, { refresh: true, hasOldToken: true }),
        round({ orders: { ...kept, cpuMillis: 2000 } }),
    ]),
    "a service without a name whose generated name a second backend has used": history(
        [
            round(
                { orders: unset, reports: { generation: 1 } },
                {
                    ...adopting("orders", "manual"),
                    concurrent: { program: { reports: { generation: 1 } }, faults: [], afterMs: 5_000 },
                    restartMs: 0,
                },
            ),
            round(
                {},
                {
                    reverted: true,
                    edited: { on: "orders", input: "cpuMillis" },
                    concurrent: { program: { reports: { generation: 2 } }, faults: [], afterMs: 5_000 },
                },
            ),
            round(
                {},
                {
                    linesRemoved: true,
                    reverted: true,
                    concurrent: {
                        program: { orders: unset, reports: { generation: 3 } },
                        faults: ["createService#1:502,body=html"],
                        afterMs: 5_000,
                    },
                    restartMs: 0,
                },
            ),
        ],
        { hasSecondBackend: true },
    ),
    "a run that is cancelled during a creation": history([
        round(
            { timeouts: allAre("30m"), orders: { ...kept, password: "first-password" } },
            { cancellation: { call: 4 }, faults: ["createService#1:stuck,ms=600000"] },
        ),
        round({ timeouts: allAre("30m"), orders: { ...kept, password: "first-password" } }),
    ]),
    "a move without an alias after `stack rename`": history(
        runs({ orders: kept }, { identities: [{ does: "renameStack" }] }, { identities: [withoutAlias("orders")] }),
    ),
    "a repeated run after a move without an alias": history(
        runs({ orders: kept }, { identities: [withoutAlias("orders")] }, {}),
    ),
    "--exclude of the new resource after a move without an alias": history(
        runs({ orders: kept }, { identities: [withoutAlias("orders")] }, { excluded: "orders" }),
    ),
    "--target of the old resource after a move without an alias": history(
        runs({ orders: kept }, { identities: [withoutAlias("orders")] }, { target: "orders" }),
    ),
    "a move without an alias in a run that is killed, and whose new database is adopted": history(
        runs({ orders: kept }, { identities: [withoutAlias("orders")], death: { call: 3, when: "after" } }, {}),
    ),
    "a rename without an alias, whose creation fails with --continue-on-error because the name exists": history(
        runs(
            { orders: named },
            { identities: [{ does: "rename", key: "orders", to: "legacy" }], continueOnError: true },
            { continueOnError: true },
        ),
    ),
    "a rename by alias that is reverted without an alias": history(
        runs(
            { orders: kept },
            { identities: [alias("orders", "legacy")] },
            { identities: [{ does: "restore", key: "orders" }] },
            {},
        ),
    ),
    "another resource with the old name of a renamed one, which is removed": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [alias("orders", "legacy")] }),
        round({ orders: kept, reports: named }, { identities: [alias("reports", "orders")] }),
        round({ reports: named }),
    ]),
    "a move without an alias to another provider": history(
        runs({ orders: kept }, { identities: [withoutAlias("orders"), otherProvider("orders")] }),
    ),
    "an adoption through another provider": history([
        round({ orders: kept }),
        round({ reports: kept }, { identities: [otherProvider("reports")], ...adopting("reports", "other") }),
    ]),
    "--replace with deleteBeforeReplace and another provider": history(
        runs({ orders: kept }, { identities: [deleteFirst("orders"), otherProvider("orders")], replaced: "orders" }),
    ),
    "a failed adoption with --continue-on-error": history([
        round({ orders: kept }),
        round(
            { reports: named },
            {
                ...adopting("reports", "other", { isNamed: true }),
                continueOnError: true,
                faults: ["getService#1+:400"],
            },
        ),
    ]),
    "an excluded adoption": history([
        round({ orders: kept }),
        round({ reports: kept }, { ...adopting("reports", "other"), excluded: "reports" }),
    ]),
    "--replace with deleteBeforeReplace of an adopted service, whose second adoption fails": history([
        round({ orders: unset, reports: unset }, adopting("reports", "manual")),
        round(
            { orders: unset, reports: { fork: true, generation: 0 } },
            { identities: [deleteFirst("reports")], replaced: "reports" },
        ),
    ]),
    "deleteBeforeReplace of a service that was moved, and whose former replica set is still in the state": history(
        [
            round({ orders: unset, readers: { nodes: 1, cpuMillis: 500, generation: 0 } }),
            round(
                { orders: named, readers: { nodes: 1, cpuMillis: 500, generation: 0 } },
                {
                    ...adopting("orders", "itself", { isNamed: true }),
                    identities: [withoutAlias("orders"), deleteFirst("orders")],
                },
            ),
        ],
        { olderApi: true },
    ),
    "another resource with the old name of a removed one that `state rename` has renamed": history([
        round({ reports: unset }),
        round(
            { orders: { deletionProtection: true, generation: 2 } },
            { identities: [{ does: "stateRename", key: "reports", to: "legacy" }, alias("orders", "reports")] },
        ),
    ]),
    "a replacement that is killed during the creation, and that the next program no longer needs": history([
        round({ orders: unset, reports: { fork: true, generation: 0 } }),
        round(
            { reports: { fork: true, ai: true, generation: 0 } },
            { death: { call: 4, when: "before" }, restartMs: 0 },
        ),
        round({ orders: unset }),
    ]),
    "a refresh of a service that a killed run deletes": history([
        round({ orders: unset }),
        round({}, { death: { call: 2, when: "after" }, restartMs: 0 }),
        round({}, { refresh: true, death: { call: 2, when: "before" } }),
    ]),
    "an adoption after a killed --replace with deleteBeforeReplace, which has created the adopted service": history([
        round({ reports: unset }),
        round(
            { reports: { generation: 2 } },
            { identities: [deleteFirst("reports")], tainted: "reports", death: { call: 8, when: "after" } },
        ),
    ]),
    "a service with the generated name that another one keeps since its adoption": history([
        round({ orders: unset, reports: unset }),
        round({ orders: unset }, { ...adopting("orders", "other"), identities: [withoutAlias("orders")] }),
        round({ orders: unset, reports: unset }),
    ]),
    "a taint of a service that is moved to the other host, with an existingId line": history(
        [
            round({ orders: unset }, adopting("orders", "manual")),
            round({ orders: kept }, { identities: [{ does: "host", key: "orders" }], tainted: "orders" }),
        ],
        { isTypeScript: true, readsState: true },
    ),
    "a taint of a service that is moved to the other host, and that the program protects now": history(
        [
            round({ orders: unprotected }),
            round(
                { orders: kept },
                { identities: [{ does: "host", key: "orders" }, deleteFirst("orders")], tainted: "orders" },
            ),
        ],
        { isTypeScript: true, readsState: true },
    ),
    "--replace of a service whose stack was renamed, and that the program protects now": history([
        round({ orders: unprotected }),
        round({ orders: kept }, { identities: [{ does: "renameStack" }], replaced: "orders" }),
    ]),
    "a taint and a rename by alias of a service that the program protects now": history(
        [
            round({ orders: unprotected }),
            round({ orders: kept }, { identities: [alias("orders", "legacy")], tainted: "orders" }),
        ],
        { isTypeScript: true },
    ),
    "a new service with the former name of another one, whose alias stays": history([
        round({ orders: unprotected }),
        round({ orders: kept }, { identities: [alias("orders", "legacy")] }),
        round(
            { orders: kept, reports: unprotected },
            { identities: [{ does: "rename", key: "reports", to: "orders" }] },
        ),
        round({ orders: kept }),
    ]),
    "a lost response in a second backend with the same URNs": history(
        [
            round(
                { orders: { ...kept, password: "first-password" } },
                {
                    concurrent: {
                        program: { orders: { ...kept, password: "second-password" } },
                        faults: ["createService#1:unlisted,ms=6000", "createService#2:502,body=html"],
                        afterMs: 4_000,
                    },
                },
            ),
        ],
        { hasSecondBackend: true },
    ),
};

/** A history with each event, which random histories contain as well. */
const withEvents: Readonly<Record<string, readonly [Round, ...Round[]]>> = {
    "repeats a failed run": [
        round({ orders: unprotected }, { faults: ["createService#1+:400"] }),
        round({ orders: unprotected }, { repeated: true }),
    ],
    "reverts the program after a failed run": [
        round({ orders: unprotected }),
        round({ orders: large }, { faults: ["resizeService#1+:400"] }),
        round({ orders: unprotected }, { reverted: true }),
    ],
    "changes by hand after a failed run": [
        round({ orders: unprotected }),
        round({ orders: large }, { faults: ["resizeService#1+:400"] }),
        round(
            { orders: large },
            { repeated: true, drifts: [{ on: "orders", does: "change", to: { replicaCount: 2 } }] },
        ),
    ],
    "replaces a tainted resource": runs(
        { orders: unprotected },
        { tainted: "orders", identities: [deleteFirst("orders")] },
    ),
    "raises deletionProtection in the run of a replacement": [
        round({ orders: unprotected }),
        round({ orders: kept }, { replaced: "orders", identities: [deleteFirst("orders")] }),
        round({ orders: kept }, { repeated: true, replaced: "orders" }),
    ],
    "fails in an adoption": [
        round({ orders: large }, { ...adopting("orders", "manual", { fails: true }), faults: ["POST#1+:400"] }),
        round({}),
    ],
    "has two entries of one id": [
        round({ orders: unprotected }),
        round(
            { reports: { ...large, deletionProtection: true, password: "first-password" } },
            { ...adopting("reports", "other", { fails: true }), faults: ["POST#1+:400"] },
        ),
        round({}, { repeated: true, continueOnError: true, faults: ["POST#1+:400"] }),
    ],
    "has entries of both hosts": [
        round({ orders: unprotected, reports: unprotected }),
        round(
            { orders: large, reports: unprotected },
            { identities: [{ does: "host", key: "orders" }], faults: ["resizeService#1+:400"] },
        ),
        round({}, { repeated: true }),
        round({ reports: kept }, adopting("reports", "other")),
        round({ reports: unprotected }, { linesRemoved: true }),
    ],
    "has an entry that is pending deletion": [
        round({ reports: unprotected }),
        round({ reports: { ...unprotected, ai: true, generation: 1 } }, { faults: ["deleteService#1+:400"] }),
        round({ reports: { ...kept, ai: true, generation: 1 } }),
    ],
};

test("there is a history with each event", () => {
    expect(Object.keys(withEvents).sort()).toEqual([...eventNames].sort());
});

describe.each<Pick<Setting, "host" | "isTypeScript"> & { name: string }>([
    { name: "dynamic host", host: "dynamic", isTypeScript: true },
    { name: "native host", host: "native", isTypeScript: true },
    { name: "native host, in another language", host: "native", isTypeScript: false },
])("$name", ({ host, isTypeScript }) => {
    const recorded = {
        setting: {
            host,
            isTypeScript,
            onOtherHost: [],
            readsState: false,
            olderApi: false,
            hasOldState: false,
            hasSecondBackend: false,
        },
        ending: { does: "recover", keeps: true },
        lastFaults: [],
    } as const;

    test.each(Object.entries(withEvents))("a history that %s", async (event, rounds) => {
        const { events } = await runScenario({
            ...recorded,
            rounds,
        });
        expect([...events]).toContain(event);
    });

    test.each(Object.entries(histories))("%s", async (_, { rounds, setting }) => {
        const { runs, skipped } = await runScenario({
            ...recorded,
            setting: { ...recorded.setting, ...setting },
            rounds,
        });
        expect(runs).toBeGreaterThan(rounds.length);
        // The dynamic host has no explicit providers.
        expect(skipped.filter((one) => one !== "provider" || host === "native")).toEqual([]);
    });
});
