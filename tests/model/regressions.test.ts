import type { IdentityChange } from "./identities";
import { runScenario } from "./runScenario";
import { allAre, type Key, type Program, type ServiceDeclaration } from "./program";
import { longMs, plainRound, type Adoption, type Round } from "./scenario";
import { sources } from "./sources";
import { otherProject } from "../support/cases/common";
import type { Setting } from "./stack";

// Histories of a few runs that lost a database in an earlier version, or could not be completed.

const kept: ServiceDeclaration = { deletionProtection: true, generation: 0 };
const named: ServiceDeclaration = { deletionProtection: true, generation: 1 };
const unprotected: ServiceDeclaration = { deletionProtection: false, generation: 0 };
const unset: ServiceDeclaration = { generation: 0 };
const slow = { timeouts: allAre("30m"), orders: { ...kept, password: "first-password" } };

const networked: Program = {
    network: { name: "net" },
    peering: { generation: 0 },
    orders: unprotected,
    readers: { nodes: 1, cpuMillis: 500, generation: 0 },
};

/** The replica set has the current password of its service. */
const withReaders: Program = {
    orders: kept,
    readers: { nodes: 1, cpuMillis: 500, hasPasswordOfService: true, generation: 0 },
};
const withPassword: Program = { ...withReaders, orders: { ...kept, password: "first-password" } };

const alias = (key: Key, to: string): IdentityChange => ({ does: "alias", key, to });
const withoutAlias = (key: Key): IdentityChange => ({ does: "move", key, hasAlias: false });
const deleteFirst = (key: Key): IdentityChange => ({ does: "deleteFirst", key });
const adopting = (key: Key, of: Adoption["of"], isNamed = false) => ({ adoption: { key, of, isNamed, fails: false } });
const round = (program: Program, some: Partial<Round> = {}): Round => ({ ...plainRound, program, ...some });

/** A run of the program, and further ones with these events. */
const runs = (program: Program, ...events: readonly Partial<Round>[]): readonly Round[] => [
    round(program),
    ...events.map((some) => round(program, some)),
];

/** The source of the password goes. */
const noSource = { edited: { password: undefined, passwordOutside: undefined } };
const highlyAvailable = { environment: "DEV", pooler: true, replicaCount: 2, paused: false } as const;
const [outside] = sources;
const small: Program = { timeouts: allAre("1m"), orders: { ...kept, cpuMillis: 500 } };
const large: Program = { ...small, orders: { ...kept, cpuMillis: 1000 } };

const histories: Readonly<Record<string, readonly Round[]>> = {
    "a creation whose response is lost, and whose search fails until its time limit": runs({ orders: unset }, {}).map(
        (one, index) =>
            index > 0 ? one : { ...one, faults: ["createService#1:reset-after", "GET#3+:503,body=empty"] },
    ),
    "an interrupted resize that is reverted together with an input of the state alone": [
        round(small),
        round(large, { faults: ["resizeService:stuck,ms=100000"] }),
        round(small, { edited: { sslRootCert: "ca.pem" }, reverted: true, restartMs: longMs }),
    ],
    "the password of an adopted service whose answer was lost, and which is taken back": [
        round({ orders: unset }, adopting("orders", "manual")),
        round({}, { edited: { password: "first-password" }, faults: ["updatePassword#1+:reset-after"] }),
        round({}, noSource),
    ],
    "a creation that ends before it reads its password, whose source is taken back": [
        round({ orders: { ...kept, passwordOutside: outside } }, { faults: ["updatePassword#1+:400"] }),
        round({}, noSource),
    ],
    "a VPC that goes, after the adoption of its service by a program that never declared vpcId": [
        round({ network: { name: "net" }, orders: { ...unprotected, inNetwork: true } }),
        round({ network: { name: "net" }, orders: unprotected }, adopting("reports", "other")),
        round({ reports: unprotected }),
    ],
    "a refused change of an adopted service, which is reverted": [
        round({ reports: unset }, { adoption: { ...adopting("reports", "manual").adoption, has: highlyAvailable } }),
        round({ reports: { ...unset, replicaCount: 1 } }, { faults: ["setHA#1+:400"] }),
        round({ reports: unset }, { linesRemoved: true }),
    ],
    "a taint after a rename by alias": runs(
        { orders: kept },
        { identities: [alias("orders", "legacy")] },
        { tainted: "orders" },
    ),
    "--replace after `state rename`": runs(
        { orders: kept },
        { identities: [{ does: "stateRename", key: "orders", to: "legacy" }] },
        { replaced: "orders" },
    ),
    "--replace with deleteBeforeReplace and a name": runs(
        { orders: named },
        { identities: [deleteFirst("orders")], replaced: "orders" },
    ),
    "a taint after `stack rename`": runs(
        { orders: kept },
        { identities: [{ does: "renameStack" }] },
        { tainted: "orders" },
    ),
    "a taint of a service that the program protects now": [
        round({ orders: unprotected }),
        round({ orders: kept }, { identities: [deleteFirst("orders")], tainted: "orders" }),
    ],
    "a taint of a service that is moved to the other host": [
        round({ orders: unprotected }),
        round({ orders: kept }, { identities: [{ does: "host" }], tainted: "orders" }),
    ],
    "a move to the other host whose update fails": [
        round({ orders: unprotected, reports: unprotected }),
        round(
            { orders: { ...unprotected, cpuMillis: 2000 }, reports: unprotected },
            { identities: [{ does: "host" }], faults: ["resizeService#1+:400"] },
        ),
        round({ reports: kept }),
    ],
    "a repeated run after a move without an alias": runs(
        { orders: kept },
        { identities: [withoutAlias("orders")] },
        {},
    ),
    "--target of the old resource after a move without an alias": runs(
        { orders: kept },
        { identities: [withoutAlias("orders")] },
        { target: "orders" },
    ),
    "a move without an alias in a run that is killed, and whose new database is adopted": runs(
        { orders: kept },
        { identities: [withoutAlias("orders")], death: { call: 3, when: "after" } },
        {},
    ),
    "a rename without an alias, whose creation fails with --continue-on-error because the name exists": runs(
        { orders: named },
        { identities: [{ does: "rename", key: "orders", to: "legacy" }], continueOnError: true },
        { continueOnError: true },
    ),
    "a failed adoption with --continue-on-error": [
        round({ orders: kept }),
        round(
            { reports: named },
            { ...adopting("reports", "other", true), continueOnError: true, faults: ["getService#1+:400"] },
        ),
    ],
    "an excluded adoption": [
        round({ orders: kept }),
        round({ reports: kept }, { ...adopting("reports", "other"), excluded: "reports" }),
    ],
    "an adoption of a service that its old entry may delete": [
        round({ orders: unprotected }),
        round({ reports: kept }, adopting("reports", "other")),
    ],
    "the removal of a service whose adoption failed": [
        round(
            { orders: { ...unprotected, cpuMillis: 2000 } },
            { ...adopting("orders", "manual"), faults: ["POST#1+:400"] },
        ),
        round({}),
    ],
    "an entry that is pending deletion, while the program protects its replacement": [
        round({ reports: unprotected }),
        round({ reports: { ...unprotected, ai: true, generation: 1 } }, { faults: ["deleteService#1+:400"] }),
        round({ reports: { ...kept, ai: true, generation: 1 } }),
    ],
    "a replacement that is killed during the creation, and that the next program no longer needs": [
        round({ orders: unset, reports: { fork: true, generation: 0 } }),
        round({ reports: { ai: true, generation: 0 } }, { death: { call: 4, when: "before" }, restartMs: 0 }),
        round({ orders: unset }),
    ],
    "a refresh of a service that a killed run deletes": [
        round({ orders: unset }),
        round({}, { death: { call: 2, when: "after" }, restartMs: 0 }),
        round({}, { refresh: true, death: { call: 2, when: "before" } }),
    ],
    "a run that is cancelled during a creation": [
        round(slow, { cancellation: { call: 4 }, faults: ["createService#1:stuck,ms=600000"] }),
        round(slow),
    ],
    "a new password whose responses are lost, and a revert": [
        round(withReaders),
        round(withPassword, { faults: ["updatePassword#1+:reset-after"] }),
        round(withReaders),
        round(withReaders),
    ],
    "a cancelled run while a new password is set, and a revert": [
        round(withReaders),
        round(withPassword, { faults: ["updatePassword#1:delay,ms=45000"], cancellation: { call: 2 } }),
        round(withReaders),
        round(withReaders),
    ],
    "a creation whose response is lost, and whose service is not ready in time": runs(
        withReaders,
        { faults: ["createService#1:reset-after", "getService#1+:503,body=empty"] },
        {},
    ),
    "a refresh, an update and a deletion with an old token": [
        round({ orders: kept, reports: named }),
        round({ orders: { ...kept, cpuMillis: 2000 } }, { refresh: true, hasOldToken: true }),
        round({ orders: { ...kept, cpuMillis: 2000 } }),
    ],
    "a wrong project, also while the program deletes its network or its service first": runs(
        networked,
        { wrongProject: "projectttt" },
        { wrongProject: otherProject, identities: [deleteFirst("network")] },
        { wrongProject: otherProject, replaced: "network" },
        { wrongProject: "projectttt", identities: [deleteFirst("orders")] },
        {},
    ),
    "a lost response in a second backend with the same URNs": [
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
};

describe.each<Pick<Setting, "host" | "isTypeScript"> & { name: string }>([
    { name: "dynamic host", host: "dynamic", isTypeScript: true },
    // In TypeScript, Pulumi's protection is in front of that of the provider.
    { name: "native host, in another language", host: "native", isTypeScript: false },
])("$name", ({ host, isTypeScript }) => {
    test.each(Object.entries(histories))("%s", async (_, [first = plainRound, ...rounds]) => {
        const { runs, skipped } = await runScenario({
            // Services that do not declare `deletionProtection` are not protected.
            rounds: [{ ...first, isProtected: false }, ...rounds],
            setting: { host, isTypeScript, hasSecondBackend: true },
            ending: { does: "recover", keeps: true },
            lastFaults: [],
        });
        expect(runs).toBeGreaterThan(rounds.length);
        expect(skipped).toEqual([]);
    });
});
