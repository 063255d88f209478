import { inspect } from "node:util";
import type { Session } from "../../../provider/lifecycle/session";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { resourceTypes, untypedResources } from "../../../provider/resources";
import { computed } from "../../../provider/base/fields";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { read } from "../../support/documents";
import { managing } from "../../support/provider";
import { sessionWith } from "../../support/sessions";
import { TestClock } from "../../support/virtualClock";

type Type = keyof typeof lifecycles;

const refs = refsTo({ Vpc: "41", Peering: "41/7", Service: "abc" });
const valid = {
    ...(Object.fromEntries(resourceTypes.map((type) => [type, untypedKinds[type].inputs(refs, 0)])) as Record<
        Type,
        object
    >),
    Vpc: { cidr: "10.0.0.0/16", regionCode: "us-east-1" },
    ReadReplicaSet: { serviceId: "abc", nodes: 1, cpuMillis: 500, memoryGbs: 2 },
};

const startSession = () => sessionWith({ clock: new TestClock(Date.parse("2026-01-31T12:00:00Z")) });

/** Checks a new resource of a program. */
function checkIn(session: Session, type: Type, inputs: Record<string, unknown>) {
    const { notices, ...found } = untypedLifecycles[type].in(session).check(inputs, {});
    return { ...found, warnings: notices.map(({ text }) => text) };
}

function checked(type: Type, change: object, others: readonly object[] = []) {
    const session = startSession();
    const of = (inputs: object, name: string) =>
        checkIn(session, type, { ...valid[type], __urn: `urn::${name}`, ...inputs });
    others.forEach((inputs, index) => of(inputs, `other-${index}`));
    return of(change, "this");
}

const problems = (type: Type, change: object) => checked(type, change).problems;
const warnings = (type: Type, change: object, others: readonly object[] = []) => checked(type, change, others).warnings;

const fromFile = { passwordFile: "pw.txt", passwordVersion: 1 };

it.each(Object.keys(valid) as Type[])("a check accepts a valid %s for which the engine has a name", (type) => {
    expect(checked(type, { __generatedName: "shop-dev" })).toMatchObject({ problems: [], warnings: [] });
});

const fork = { serviceId: "a", strategy: "NOW" };
const rejected: readonly (readonly [Type, object])[] = [
    ["Vpc", { cidr: "10.0.0" }],
    ["Vpc", { cidr: "10.0.0.0/33" }],
    ["Vpc", { cidr: "10.0.0.1/16" }],
    ["Vpc", { cidr: "::1/64" }],
    ["Vpc", { cidr: undefined }],
    ["Vpc", { cidr: 7 }],
    ["Vpc", { regionCode: " " }],
    ["Vpc", { regoinCode: "x" }],
    ["Vpc", { zzzzzzzz: 1 }],
    ["Vpc", { __timeouts: { create: "soon" } }],
    ["Vpc", { __timeouts: { create: "0s" } }],
    ["Peering", { waitFor: "acitve" }],
    ["Peering", { vpcId: "vpc-1" }],
    ["PeeringActivation", { peeringId: "x" }],
    ["Service", { memoryGbs: "lots" }],
    ["Service", { memoryGbs: NaN }],
    ["Service", { cpuMillis: -1 }],
    ["Service", { environment: "STAGING" }],
    ["Service", { addons: ["gis"] }],
    ["Service", { addons: "ai" }],
    ["Service", { name: "n".repeat(129) }],
    ...(["Service", "Vpc", "ReadReplicaSet"] as const).map((type) => [type, { name: "orders " }] as const),
    ["Service", { replicaCount: 1.5 }],
    ["Service", { paused: "yes" }],
    ["Service", { password: "" }],
    ["Service", { replicaCount: 1, syncReplicaCount: 2 }],
    ["Service", { syncReplicaCount: 1 }],
    ["Service", { cpuMillis: "shared", memoryGbs: 4 }],
    ["Service", { fork: { strategy: "NOW" } }],
    ["Service", { fork: { serviceId: "a" } }],
    ["Service", { fork: { ...fork, strategy: "LATER" } }],
    ["Service", { fork: { ...fork, strategy: "PITR" } }],
    ["Service", { fork: { ...fork, strategy: "PITR", targetTime: "noon" } }],
    ["Service", { fork: { ...fork, strategy: "PITR", targetTime: "2025-02-30T12:00:00Z" } }],
    ["Service", { fork: { ...fork, strategy: "PITR", targetTime: "2026-02-01T00:00:00Z" } }],
    ["Service", { fork: { ...fork, serviceId: "service/set" } }],
    ["Service", { fork: { ...fork, targetTime: "2026-01-31T12:00:00Z" } }],
    ["Service", { fork: { ...fork, when: 1 } }],
    ["Service", { fork, regionCode: "x" }],
    ["Service", { fork, addons: ["ai"] }],
    ["Service", { password: "long-enough", ...fromFile }],
    ["Service", { password: "long-enough", passwordVariable: "PW", passwordVersion: 1 }],
    ["Service", { ...fromFile, passwordVariable: "PW" }],
    ["Service", { passwordFile: "pw.txt" }],
    ["Service", { passwordVariable: "PW" }],
    ["Service", { passwordVersion: 1 }],
    ["Service", { password: "long-enough", passwordVersion: 1 }],
    ["Service", { ...fromFile, passwordVersion: 1.5 }],
    ["Service", { deletionProtection: "no" }],
    ["Service", { pausd: true }],
    ["ReadReplicaSet", { serviceId: "orders_db" }],
    ["ReadReplicaSet", { nodes: 0 }],
    ["ReadReplicaSet", { cpuMillis: "shared" }],
    ["ReadReplicaSet", { serviceId: undefined }],
    ["ReadReplicaSet", { connections: computed }],
    ["Service", { projectId: "My-Project" }],
    ["Service", { existingId: "" }],
    ["Service", { projectId: 123456789 }],
    ["Service", { vpcId: 7 }],
    ["Service", { existingId: 7 }],
    ["Peering", { vpcId: 7 }],
    ["Service", { cpuMillis: NaN }],
    ["ReadReplicaSet", { nodes: Infinity }],
];
const warned: readonly (readonly [Type, object])[] = [
    ["Service", { cpuMillis: 1500, memoryGbs: 6 }],
    ["Service", { cpuMillis: 1000, memoryGbs: 8 }],
    ["Service", { regionCode: "us-est-1" }],
    ...resourceTypes
        .filter((type) => Object.hasOwn(untypedResources[type].fields, "regionCode"))
        .map((type) => [type, { regionCode: "moon" }] as const),
];

const approvedReasons = "tests/unit/lifecycle/approved/problems.txt";

/** A case in the file of approved reasons, whose lines are `CASE -> REASON`. */
const nameOf = (type: Type, change: object): string => `${type} ${inspect(change, { breakLength: Infinity })}`;

const approved = new Map(
    read(approvedReasons)
        .trim()
        .split("\n")
        .map((line) => line.split(" -> "))
        .map(([name = "", ...reason]) => [name, reason.join(" -> ")]),
);

function reasonOf(type: Type, change: object): string {
    const name = nameOf(type, change);
    const reason = approved.get(name);
    if (reason === undefined) {
        const found = [...problems(type, change), ...checked(type, change).warnings].join();
        throw new Error(`Add this line to ${approvedReasons}, if it is right: ${name} -> ${found}`);
    }
    return reason;
}

it.each(rejected)("a check rejects a %s with %j, for the approved reason", (type, change) => {
    expect(problems(type, change)).toEqual([reasonOf(type, change)]);
});

it.each(resourceTypes)("a check rejects a %s in the project of another form as it does a service", (type) => {
    const change = { projectId: "My-Project" };
    expect(problems(type, change)).toEqual([reasonOf("Service", change)]);
});

it.each(warned)("a check only warns about a %s with %j, for the approved reason", (type, change) => {
    expect(checked(type, change)).toMatchObject({ problems: [], warnings: [reasonOf(type, change)] });
});

it("each approved reason is that of a case", () => {
    const cases = [...rejected, ...warned].map(([type, change]) => nameOf(type, change));
    expect([...approved.keys()].filter((name) => !cases.includes(name))).toEqual([]);
});

const pitr = (targetTime: string) => ({ fork: { serviceId: "abc", strategy: "PITR", targetTime } });

it.each([
    ["a password in a file", fromFile],
    ["a password in a variable", { passwordVariable: "PW", passwordVersion: 1 }],
    ["a time that a slow clock takes for the future", pitr("2026-01-31T12:04:00Z")],
    ["another form of such a time", pitr("2026-01-31t14:04:00+02:00")],
    ["an unknown source of a fork", { fork: { serviceId: computed, strategy: "NOW" } }],
])("a check accepts %s", (_, inputs) => {
    expect(problems("Service", inputs)).toEqual([]);
});

it.each(Object.keys(valid) as Type[])("a check accepts an unknown value for every input of a %s", (type) => {
    const { fields } = lifecycles[type].resource;
    const all = Object.fromEntries(Object.keys(fields).map((name) => [name, computed]));
    const bad = checked(type, all).problems.filter((text) => !text.includes("cannot be combined with"));
    expect(bad).toEqual([]);
});

it("a check warns about overlapping networks of one program", () => {
    const other = { ...valid.Vpc, name: "other", cidr: "10.0.128.0/20" };
    expect(warnings("Vpc", {}, [other])[0]).toContain('"10.0.128.0/20"');
    expect(warnings("Vpc", {}, [{ ...other, projectId: "another" }])).toEqual([]);
    const apart = ["10.1.0.0/16", computed].map((cidr) => ({ ...other, cidr }));
    expect(warnings("Vpc", {}, apart)).toEqual([]);
});

const created = resourceTypes.filter((type) => Object.keys(untypedKinds[type].creations).length > 0);
const isNamed = (type: Type) => Object.hasOwn(untypedResources[type].fields, "name");

it.each([
    ...created.map((type) => [type, { projectId: "project001", ...(isNamed(type) && { name: "one" }) }]),
    ["Service", { projectId: "project001", existingId: "abc" }],
] as [Type, object][])("a check rejects a second %s with %j in one program", (type, inputs) => {
    const twice = checked(type, inputs, [inputs]).problems;
    expect(twice).toEqual([expect.stringContaining('"other-0"')]);
    expect(checked(type, inputs, [{ ...inputs, projectId: "project002" }]).problems).toEqual([]);
    expect(checked(type, inputs, [{ ...inputs, projectId: computed }]).problems).toEqual([]);
    expect(checked(type, inputs, [{ ...inputs, __urn: "urn::this" }]).problems).toEqual([]);
});

it("a peering that is adopted twice has the same VPC and id, in one form of the id or the other", () => {
    const adopts = (vpcId: string, existingId: string) => ({ projectId: "project001", vpcId, existingId });
    const isAdopted = [expect.stringContaining('"other-0"')];
    expect(checked("Peering", adopts("7", "42"), [adopts("8", "42")]).problems).toEqual([]);
    expect(checked("Peering", adopts("7", "42"), [adopts("7", "7/42")]).problems).toEqual(isAdopted);
});

it("a check does not count generated names as duplicates", () => {
    expect(checked("Service", { projectId: "project001" }, [{ projectId: "project001" }]).problems).toEqual([]);
});

const resolved = (type: Type, given: object, protectsData?: boolean) => {
    const session = startSession();
    session.configure((key) => (key === "deletionProtection" ? protectsData?.toString() : undefined));
    return checkIn(session, type, { ...valid[type], ...given }).inputs.deletionProtection;
};

it.each(["Vpc", "Peering", "Service", "ReadReplicaSet"] as const)(
    "the deletionProtection of a check is that of the program, else for a resource with data that of the settings: %s",
    (type) => {
        const hasData = type === "Service";
        expect(resolved(type, {})).toBe(hasData);
        expect(resolved(type, {}, true)).toBe(hasData);
        expect(resolved(type, {}, false)).toBe(false);
        for (const given of [true, false, computed]) {
            expect(resolved(type, { deletionProtection: given }, true)).toBe(given);
            expect(resolved(type, { deletionProtection: given }, false)).toBe(given);
        }
    },
);

it("a check names a deletionProtection of the settings that is neither true nor false", () => {
    const session = startSession();
    session.configure((key) => (key === "deletionProtection" ? "maybe" : undefined));
    const problem = 'clouddb:deletionProtection "maybe" is not allowed; use true or false.';
    const { problems, inputs } = checkIn(session, "Service", { ...valid.Service });
    expect([problems, inputs.deletionProtection]).toEqual([[problem], true]);
});

describe("a service and a VPC in different regions", () => {
    const projectId = "emulator01";
    /** The check of a service, after that of a VPC in eu-west-1. */
    const attached = (service: object, managed = false) => {
        const session = startSession();
        const vpc = { projectId, cidr: "10.0.0.0/16", regionCode: "eu-west-1", __urn: "urn::net" };
        checkIn(session, "Vpc", vpc);
        if (managed) {
            session.ledger.note("urn::net", managing({ type: "Vpc", projectId, id: "41" }));
        }
        return checkIn(session, "Service", { projectId, regionCode: "us-east-1", __urn: "urn::orders", ...service });
    };
    const reason = [expect.stringContaining('"eu-west-1"')];

    it.each<[string, object, boolean, unknown[]]>([
        ["are a warning if the id of the VPC is known", { vpcId: "41" }, true, reason],
        ["are none if the VPC is another one", { vpcId: "42" }, true, []],
        [
            "are a warning if no VPC of the program can be the one with the unknown id",
            { vpcId: computed },
            false,
            reason,
        ],
    ])("%s", (_, inputs, isManaged, warnings) => {
        expect(attached(inputs, isManaged)).toMatchObject({ problems: [], warnings });
    });
});

describe("an empty vpcId, as Java passes an output without a value", () => {
    const checkAfter = (olds: object, inputs: object = {}) => {
        const warnings: unknown[] = [];
        const session = sessionWith({ engine: { warn: (_, text) => void warnings.push(text) } });
        const calls = untypedLifecycles.Service.in(session);
        const { problems, inputs: found } = calls.check({ vpcId: "", __urn: "urn::this", ...inputs }, olds);
        return { problems, warnings, vpcId: (found as { vpcId?: unknown }).vpcId };
    };
    const warnings = ['vpcId "" counts as absent: the output that it is set to has no value'];
    const olds = { projectId: "emulator01", deletionProtection: true };

    it("counts as absent if the service has had none, with a warning at its creation", () => {
        const absent = { problems: [], vpcId: undefined };
        expect(checkAfter({})).toEqual({ ...absent, warnings });
        expect(checkAfter({}, { existingId: "abc" })).toEqual({ ...absent, warnings });
        expect(checkAfter(olds)).toEqual({ ...absent, warnings: [] });
    });

    it("is an error if it would detach the service", () => {
        const { problems } = checkAfter({ ...olds, vpcId: "42" });
        expect(problems).toEqual([expect.stringMatching(/^vpcId "" has no value; .* remove it$/)]);
    });
});
