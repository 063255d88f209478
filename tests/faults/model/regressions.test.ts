import { eventNames } from "./events";
import { runScenario } from "./runScenario";
import { allAre } from "./program";
import type { Program, ServiceDeclaration } from "./program";
import { unchanged, type Round } from "./scenario";
import type { Setting } from "./world";

// Histories of a few runs that lost a database in an earlier version, or could not be completed.

const kept: ServiceDeclaration = { deletionProtection: true, generation: 0 };
const named: ServiceDeclaration = { deletionProtection: true, generation: 1 };

const round = (program: Program, some: Partial<Round> = {}): Round => ({
    ...unchanged,
    drifts: [],
    repeated: false,
    refresh: false,
    program,
    replaced: undefined,
    raised: false,
    target: undefined,
    excluded: undefined,
    continueOnError: false,
    faults: [],
    death: undefined,
    cancellation: undefined,
    hasOldToken: false,
    restartMs: 10_000,
    ...some,
});

/** A history in which services that do not declare `deletionProtection` are not protected. */
const history = ([first, ...rounds]: readonly [Round, ...Round[]], setting: Partial<Setting> = {}) => ({
    rounds: [{ ...first, defaults: { environment: false } }, ...rounds],
    setting,
});

const histories: Readonly<Record<string, ReturnType<typeof history>>> = {
    "a taint after a rename by alias": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "alias", key: "orders", to: "legacy" }] }),
        round({ orders: kept }, { tainted: "orders" }),
    ]),
    "a taint and a rename by alias in the same run": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "alias", key: "orders", to: "legacy" }], tainted: "orders" }),
    ]),
    "--replace after `state rename`": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "stateRename", key: "orders", to: "legacy" }] }),
        round({ orders: kept }, { replaced: "orders" }),
    ]),
    "a taint after a renamed component": history([
        round({ orders: kept }, { identities: [{ does: "move", key: "orders", hasAlias: true }] }),
        round({ orders: kept }, { identities: [{ does: "renameComponent" }] }),
        round({ orders: kept }, { tainted: "orders" }),
    ]),
    "--replace with deleteBeforeReplace and a name after a rename by alias": history([
        round({ orders: named }),
        round({ orders: named }, { identities: [{ does: "alias", key: "orders", to: "legacy" }] }),
        round({ orders: named }, { identities: [{ does: "deleteFirst", key: "orders" }], replaced: "orders" }),
    ]),
    "a taint after `stack rename`": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "renameStack" }] }),
        round({ orders: kept }, { tainted: "orders" }),
    ]),
    "a taint after `state move` to another stack": history([
        round({ reports: kept }),
        round({}, { moved: true, tainted: "reports" }),
    ]),
    "a new resource with the name of one that was moved to another stack": history([
        round({ reports: named }),
        round({ reports: named }, { moved: true }),
    ]),
    "a refresh, an update and a deletion with an old token": history([
        round({ orders: kept, reports: named }),
        round({ orders: { ...kept, cpuMillis: 2000 } }, { refresh: true, hasOldToken: true }),
        round({ orders: { ...kept, cpuMillis: 2000 } }),
    ]),
    "a service without a name whose generated name a second backend has used": history(
        [
            round(
                { orders: { generation: 0 }, reports: { generation: 1 } },
                {
                    adoption: { key: "orders", of: "manual", isNamed: false, fails: false },
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
                        program: { orders: { generation: 0 }, reports: { generation: 3 } },
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
    "a move without an alias after `stack rename`": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "renameStack" }] }),
        round({ orders: kept }, { identities: [{ does: "move", key: "orders", hasAlias: false }] }),
    ]),
    "a repeated run after a move without an alias": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "move", key: "orders", hasAlias: false }] }),
        round({ orders: kept }),
    ]),
    "--exclude of the new resource after a move without an alias": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "move", key: "orders", hasAlias: false }] }),
        round({ orders: kept }, { excluded: "orders" }),
    ]),
    "--target of the old resource after a move without an alias": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "move", key: "orders", hasAlias: false }] }),
        round({ orders: kept }, { target: "orders" }),
    ]),
    "a move without an alias in a run that is killed, and whose new database is adopted": history([
        round({ orders: kept }),
        round(
            { orders: kept },
            {
                identities: [{ does: "move", key: "orders", hasAlias: false }],
                death: { call: 3, when: "after" },
            },
        ),
        round({ orders: kept }),
    ]),
    "a rename without an alias, whose creation fails with --continue-on-error because the name exists": history([
        round({ orders: named }),
        round(
            { orders: named },
            { identities: [{ does: "rename", key: "orders", to: "legacy" }], continueOnError: true },
        ),
        round({ orders: named }, { continueOnError: true }),
    ]),
    "a rename by alias that is reverted without an alias": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "alias", key: "orders", to: "legacy" }] }),
        round({ orders: kept }, { identities: [{ does: "restore", key: "orders" }] }),
        round({ orders: kept }),
    ]),
    "another resource with the old name of a renamed one, which is removed": history([
        round({ orders: kept }),
        round({ orders: kept }, { identities: [{ does: "alias", key: "orders", to: "legacy" }] }),
        round({ orders: kept, reports: named }, { identities: [{ does: "alias", key: "reports", to: "orders" }] }),
        round({ reports: named }),
    ]),
    "a move without an alias to another provider": history([
        round({ orders: kept }),
        round(
            { orders: kept },
            {
                identities: [
                    { does: "move", key: "orders", hasAlias: false },
                    { does: "provider", key: "orders", to: "first" },
                ],
            },
        ),
    ]),
    "an adoption through another provider": history([
        round({ orders: kept }),
        round(
            { reports: kept },
            {
                identities: [{ does: "provider", key: "reports", to: "first" }],
                adoption: { key: "reports", of: "other", isNamed: false, fails: false },
            },
        ),
    ]),
    "--replace with deleteBeforeReplace and another provider": history([
        round({ orders: kept }),
        round(
            { orders: kept },
            {
                identities: [
                    { does: "deleteFirst", key: "orders" },
                    { does: "provider", key: "orders", to: "first" },
                ],
                replaced: "orders",
            },
        ),
    ]),
    "a failed adoption with --continue-on-error": history([
        round({ orders: kept }),
        round(
            { reports: named },
            {
                adoption: { key: "reports", of: "other", isNamed: true, fails: false },
                continueOnError: true,
                faults: ["getService#1+:400"],
            },
        ),
    ]),
    "an excluded adoption": history([
        round({ orders: kept }),
        round(
            { reports: kept },
            { adoption: { key: "reports", of: "other", isNamed: false, fails: false }, excluded: "reports" },
        ),
    ]),
    "--replace with deleteBeforeReplace of an adopted service, whose second adoption fails": history([
        round(
            { orders: { generation: 0 }, reports: { generation: 0 } },
            { adoption: { key: "reports", of: "manual", isNamed: false, fails: false } },
        ),
        round(
            { orders: { generation: 0 }, reports: { fork: true, generation: 0 } },
            { identities: [{ does: "deleteFirst", key: "reports" }], replaced: "reports" },
        ),
    ]),
    "deleteBeforeReplace of a service that was moved, and whose former replica set is still in the state": history(
        [
            round({ orders: { generation: 0 }, readers: { nodes: 1, cpuMillis: 500, generation: 0 } }),
            round(
                { orders: named, readers: { nodes: 1, cpuMillis: 500, generation: 0 } },
                {
                    adoption: { key: "orders", of: "itself", isNamed: true, fails: false },
                    identities: [
                        { does: "move", key: "orders", hasAlias: false },
                        { does: "deleteFirst", key: "orders" },
                    ],
                },
            ),
        ],
        { olderApi: true },
    ),
    "another resource with the old name of a removed one that `state rename` has renamed": history([
        round({ reports: { generation: 0 } }),
        round(
            { orders: { deletionProtection: true, generation: 2 } },
            {
                identities: [
                    { does: "stateRename", key: "reports", to: "legacy" },
                    { does: "alias", key: "orders", to: "reports" },
                ],
            },
        ),
    ]),
    "a replacement that is killed during the creation, and that the next program no longer needs": history([
        round({ orders: { generation: 0 }, reports: { fork: true, generation: 0 } }),
        round(
            { reports: { fork: true, ai: true, generation: 0 } },
            { death: { call: 4, when: "before" }, restartMs: 0 },
        ),
        round({ orders: { generation: 0 } }),
    ]),
    "a refresh of a service that a killed run deletes": history([
        round({ orders: { generation: 0 } }),
        round({}, { death: { call: 2, when: "after" }, restartMs: 0 }),
        round({}, { refresh: true, death: { call: 2, when: "before" } }),
    ]),
    "an adoption after a killed --replace with deleteBeforeReplace, which has created the adopted service": history([
        round({ reports: { generation: 0 } }),
        round(
            { reports: { generation: 2 } },
            {
                identities: [{ does: "deleteFirst", key: "reports" }],
                tainted: "reports",
                death: { call: 8, when: "after" },
            },
        ),
    ]),
    "a service with the generated name that another one keeps since its adoption": history([
        round({ orders: { generation: 0 }, reports: { generation: 0 } }),
        round(
            { orders: { generation: 0 } },
            {
                adoption: { key: "orders", of: "other", isNamed: false, fails: false },
                identities: [{ does: "move", key: "orders", hasAlias: false }],
            },
        ),
        round({ orders: { generation: 0 }, reports: { generation: 0 } }),
    ]),
    "a taint of a service that is moved to the other host, with an existingId line": history(
        [
            round(
                { orders: { generation: 0 } },
                { adoption: { key: "orders", of: "manual", isNamed: false, fails: false } },
            ),
            round({ orders: kept }, { identities: [{ does: "host", key: "orders" }], tainted: "orders" }),
        ],
        { isTypeScript: true, readsState: true },
    ),
    "a taint of a service that is moved to the other host, and that the program protects now": history(
        [
            round({ orders: { deletionProtection: false, generation: 0 } }),
            round(
                { orders: { deletionProtection: true, generation: 0 } },
                {
                    identities: [
                        { does: "host", key: "orders" },
                        { does: "deleteFirst", key: "orders" },
                    ],
                    tainted: "orders",
                },
            ),
        ],
        { isTypeScript: true, readsState: true },
    ),
    "--replace of a service whose stack was renamed, and that the program protects now": history([
        round({ orders: { deletionProtection: false, generation: 0 } }),
        round(
            { orders: { deletionProtection: true, generation: 0 } },
            { identities: [{ does: "renameStack" }], replaced: "orders" },
        ),
    ]),
    "a taint and a rename by alias of a service that the program protects now": history(
        [
            round({ orders: { deletionProtection: false, generation: 0 } }),
            round(
                { orders: { deletionProtection: true, generation: 0 } },
                { identities: [{ does: "alias", key: "orders", to: "legacy" }], tainted: "orders" },
            ),
        ],
        { isTypeScript: true },
    ),
    "a new service with the former name of another one, whose alias stays": history([
        round({ orders: { deletionProtection: false, generation: 0 } }),
        round(
            { orders: { deletionProtection: true, generation: 0 } },
            { identities: [{ does: "alias", key: "orders", to: "legacy" }] },
        ),
        round(
            {
                orders: { deletionProtection: true, generation: 0 },
                reports: { deletionProtection: false, generation: 0 },
            },
            { identities: [{ does: "rename", key: "reports", to: "orders" }] },
        ),
        round({ orders: { deletionProtection: true, generation: 0 } }),
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

const off: ServiceDeclaration = { deletionProtection: false, generation: 0 };
const large: ServiceDeclaration = { ...off, cpuMillis: 2000 };
const deletedFirst = (key: "orders" | "reports") => ({ identities: [{ does: "deleteFirst", key } as const] });

/** A history with each event, which random histories contain as well. */
const withEvents: Readonly<Record<string, readonly [Round, ...Round[]]>> = {
    "repeats a failed run": [
        round({ orders: off }, { faults: ["createService#1+:400"] }),
        round({ orders: off }, { repeated: true }),
    ],
    "reverts the program after a failed run": [
        round({ orders: off }),
        round({ orders: large }, { faults: ["resizeService#1+:400"] }),
        round({ orders: off }, { reverted: true }),
    ],
    "changes by hand after a failed run": [
        round({ orders: off }),
        round({ orders: large }, { faults: ["resizeService#1+:400"] }),
        round(
            { orders: large },
            { repeated: true, drifts: [{ on: "orders", does: "change", to: { replicaCount: 2 } }] },
        ),
    ],
    "replaces a tainted resource": [
        round({ orders: off }),
        round({ orders: off }, { tainted: "orders", ...deletedFirst("orders") }),
    ],
    "raises deletionProtection in the run of a replacement": [
        round({ orders: off }),
        round({ orders: kept }, { replaced: "orders", ...deletedFirst("orders") }),
        round({ orders: kept }, { repeated: true, replaced: "orders" }),
    ],
    "fails in an adoption": [
        round(
            { orders: large },
            { adoption: { key: "orders", of: "manual", isNamed: false, fails: true }, faults: ["POST#1+:400"] },
        ),
        round({}),
    ],
    "has two entries of one id": [
        round({ orders: off }),
        round(
            { reports: { ...large, deletionProtection: true, password: "first-password" } },
            { adoption: { key: "reports", of: "other", isNamed: false, fails: true }, faults: ["POST#1+:400"] },
        ),
        round({}, { repeated: true, continueOnError: true, faults: ["POST#1+:400"] }),
    ],
    "has entries of both hosts": [
        round({ orders: off, reports: off }),
        round(
            { orders: large, reports: off },
            { identities: [{ does: "host", key: "orders" }], faults: ["resizeService#1+:400"] },
        ),
        round({}, { repeated: true }),
        round({ reports: kept }, { adoption: { key: "reports", of: "other", isNamed: false, fails: false } }),
        round({ reports: off }, { linesRemoved: true }),
    ],
    "has an entry that is pending deletion": [
        round({ reports: off }),
        round({ reports: { ...off, ai: true, generation: 1 } }, { faults: ["deleteService#1+:400"] }),
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
