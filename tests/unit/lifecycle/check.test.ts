import type { Session } from "../../../provider/lifecycle/session";
import { EngineCalls, lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { resourceTypes, untypedResources } from "../../../provider/resources";
import { unknown } from "../../../provider/base/fields";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
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
    const { notices, ...found } = new EngineCalls(untypedLifecycles[type], session).check(inputs, {});
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

describe("checks", () => {
    it.each(Object.keys(valid) as Type[])("a check accepts a valid %s", (type) => {
        expect(checked(type, {})).toMatchObject({ problems: [], warnings: [] });
    });

    it.each([
        ["Vpc", { cidr: "10.0.0" }, 'cidr "10.0.0" is not an IPv4 network; use address/prefix'],
        ["Vpc", { cidr: "10.0.0.0/33" }, 'cidr "10.0.0.0/33" is not an IPv4 network'],
        ["Vpc", { cidr: "10.0.0.1/16" }, "the network is 10.0.0.0/16"],
        ["Vpc", { cidr: "::1/64" }, "is not an IPv4 network"],
        ["Vpc", { cidr: undefined }, "cidr is missing"],
        ["Vpc", { cidr: 7 }, "cidr 7 is not a string"],
        ["Vpc", { regionCode: " " }, 'regionCode " " is empty'],
        ["Vpc", { regoinCode: "x" }, "regoinCode is not a property of this resource; did you mean regionCode?"],
        [
            "Vpc",
            { zzzzzzzz: 1 },
            "the properties are projectId, existingId, deletionProtection, name, cidr, regionCode",
        ],
        [
            "Vpc",
            { __timeouts: { create: "soon" } },
            'customTimeouts.create "soon" is not a duration; use for example "30m"',
        ],
        ["Peering", { waitFor: "acitve" }, 'waitFor "acitve" is not allowed; use "active" or "provisioned"'],
        ["Peering", { vpcId: "vpc-1" }, 'vpcId "vpc-1" is not valid; use the id of a VPC (digits)'],
        ["PeeringActivation", { peeringId: "x" }, 'peeringId "x" is not valid; use the id of a peering'],
        ["Service", { memoryGbs: "lots" }, 'memoryGbs "lots" is not a size; use a number above 0 or "shared"'],
        ["Service", { memoryGbs: NaN }, "memoryGbs null is not a size"],
        ["Service", { cpuMillis: -1 }, "cpuMillis -1 is not a size"],
        ["Service", { environment: "STAGING" }, 'environment "STAGING" is not allowed; use "DEV" or "PROD"'],
        [
            "Service",
            { addons: ["gis"] },
            'addons ["gis"] contains "gis", which is not allowed; use "time-series" or "ai"',
        ],
        ["Service", { addons: "ai" }, 'addons "ai" is a string; use an array'],
        ["Service", { name: "n".repeat(129) }, "has 129 characters; use at most 128"],
        ["Service", { replicaCount: 1.5 }, "replicaCount 1.5 is not allowed; use a whole number of at least 0"],
        ["Service", { paused: "yes" }, 'paused "yes" is a string; use true or false'],
        ["Service", { password: "short" }, "password is too short; use at least 8 characters"],
        ["Service", { replicaCount: 1, syncReplicaCount: 2 }, "syncReplicaCount 2 is more than replicaCount 1"],
        ["Service", { syncReplicaCount: 1 }, "syncReplicaCount 1 requires replicaCount"],
        ["Service", { cpuMillis: "shared", memoryGbs: 4 }, 'use "shared" for both or for neither'],
        ["Service", { fork: { strategy: "NOW" } }, "has no serviceId"],
        ["Service", { fork: { serviceId: "a" } }, "has no strategy; set it"],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "LATER" } },
            'has strategy "LATER", which is not allowed; use "LAST_SNAPSHOT"',
        ],
        ["Service", { fork: { serviceId: "a", strategy: "PITR" } }, 'has strategy "PITR" without a targetTime'],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "PITR", targetTime: "noon" } },
            'targetTime "noon", which is not a time',
        ],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "PITR", targetTime: "2025-02-30T12:00:00Z" } },
            'targetTime "2025-02-30T12:00:00Z", which is not a time; use RFC 3339',
        ],
        [
            "Service",
            { fork: { serviceId: "service/set", strategy: "NOW" } },
            'has serviceId "service/set", which is not valid; use the id of a service',
        ],
        ["ReadReplicaSet", { serviceId: "Orders" }, 'serviceId "Orders" is not valid; use the id of a service'],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "NOW", targetTime: "2026-01-31T12:00:00Z" } },
            "has a targetTime, which requires",
        ],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "NOW", when: 1 } },
            "has when, which is not a property of a fork",
        ],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "NOW" }, regionCode: "x" },
            'regionCode "x" cannot be combined with fork',
        ],
        [
            "Service",
            { fork: { serviceId: "a", strategy: "NOW" }, addons: ["ai"] },
            'addons ["ai"] cannot be combined with fork',
        ],
        [
            "Service",
            { password: "long-enough", ...fromFile },
            "passwordFile cannot be combined with password; remove one of them",
        ],
        [
            "Service",
            { password: "long-enough", passwordVariable: "PW", passwordVersion: 1 },
            "passwordVariable cannot be combined with password; remove one of them",
        ],
        [
            "Service",
            { ...fromFile, passwordVariable: "PW" },
            "passwordVariable cannot be combined with passwordFile; remove one of them",
        ],
        [
            "Service",
            { passwordFile: "pw.txt" },
            "passwordFile requires passwordVersion; set it to 1, and raise it with each new password",
        ],
        ["Service", { passwordVariable: "PW" }, "passwordVariable requires passwordVersion; set it to 1"],
        ["Service", { passwordVersion: 1 }, "passwordVersion requires passwordFile or passwordVariable; set one"],
        [
            "Service",
            { password: "long-enough", passwordVersion: 1 },
            "passwordVersion requires passwordFile or passwordVariable; set one",
        ],
        [
            "Service",
            { ...fromFile, passwordVersion: 1.5 },
            "passwordVersion 1.5 is not allowed; use a whole number of at least 1",
        ],
        ["ReadReplicaSet", { nodes: 0 }, "nodes 0 is not allowed; use a whole number of at least 1"],
        ["ReadReplicaSet", { cpuMillis: "shared" }, 'cpuMillis "shared" is not allowed; use a whole number'],
        ["ReadReplicaSet", { serviceId: undefined }, "serviceId is missing"],
    ] as [Type, object, string][])("a check rejects a %s with %j: %s", (type, change, text) => {
        expect(problems(type, change).join("\n")).toContain(text);
        expect(problems(type, change)).toHaveLength(1);
    });

    it.each([fromFile, { passwordVariable: "PW", passwordVersion: 1 }])("a check accepts %j", (source) => {
        expect(problems("Service", source)).toEqual([]);
    });

    it("a check never prints a password", () => {
        expect(problems("Service", { password: "canary" }).join()).not.toContain("canary");
    });

    it.each(Object.keys(valid) as Type[])("a check accepts an unknown value for every input of a %s", (type) => {
        const { fields } = lifecycles[type].resource;
        const all = Object.fromEntries(Object.keys(fields).map((name) => [name, unknown]));
        const bad = checked(type, all).problems.filter((text) => !text.includes("cannot be combined with"));
        expect(bad).toEqual([]);
        expect(
            checked("Service", { fork: { serviceId: unknown, strategy: "NOW" }, addons: undefined }).problems,
        ).toEqual([]);
    });

    it.each([
        ["Service", { cpuMillis: 1500, memoryGbs: 6 }, "cpuMillis 1500 is not one of the documented sizes 500, 1000"],
        [
            "Service",
            { cpuMillis: 1000, memoryGbs: 8 },
            "memoryGbs 8 does not match cpuMillis 1000; the documented value is 4",
        ],
        ["Service", { replicaCount: 3 }, "replicaCount 3 exceeds the documented maximum of 2"],
        ["Service", { replicaCount: 1, syncReplicaCount: 1 }, "syncReplicaCount 1 is not a documented value"],
        ["ReadReplicaSet", { nodes: 11 }, "nodes 11 exceeds the documented maximum of 10"],
    ] as [Type, object, string][])("a check only warns about a %s with %j: %s", (type, change, text) => {
        expect(problems(type, change)).toEqual([]);
        expect(warnings(type, change).join("\n")).toContain(text);
    });

    it("a check warns about overlapping networks of one program", () => {
        const other = { ...valid.Vpc, name: "other", cidr: "10.0.128.0/20" };
        expect(warnings("Vpc", {}, [other])[0]).toContain('cidr "10.0.0.0/16" overlaps "10.0.128.0/20" of VPC "other"');
        expect(warnings("Vpc", {}, [{ ...other, projectId: "another" }])).toEqual([]);
        expect(
            warnings("Vpc", {}, [
                { ...other, cidr: "10.1.0.0/16" },
                { ...other, cidr: unknown },
            ]),
        ).toEqual([]);
    });

    const named = resourceTypes.filter((type) => Object.hasOwn(untypedResources[type].fields, "name"));

    it.each([
        ...named.map((type) => [
            type,
            { projectId: "project001", name: "one" },
            `${untypedResources[type].noun} "one" is declared by resource "other-0" of this program too`,
        ]),
        ["Peering", { projectId: "project001" }, 'peering "to vpc-1" is declared by resource "other-0"'],
        [
            "Service",
            { projectId: "project001", existingId: "abc" },
            'existingId "abc" is adopted by resource "other-0"',
        ],
    ] as [Type, object, string][])("a check rejects a second %s with %j in one program", (type, inputs, text) => {
        const twice = checked(type, inputs, [inputs]).problems;
        expect(twice).toEqual([expect.stringContaining(text)]);
        expect(checked(type, inputs, [{ ...inputs, projectId: "project002" }]).problems).toEqual([]);
        expect(checked(type, inputs, [{ ...inputs, projectId: unknown }]).problems).toEqual([]);
        expect(checked(type, inputs, [{ ...inputs, __urn: "urn::this" }]).problems).toEqual([]);
    });

    it("a peering that is adopted twice has the same VPC and id, in one form of the id or the other", () => {
        const adopts = (vpcId: string, existingId: string) => ({ projectId: "project001", vpcId, existingId });
        const isAdopted = [expect.stringContaining('is adopted by resource "other-0"')];
        expect(checked("Peering", adopts("7", "42"), [adopts("8", "42")]).problems).toEqual([]);
        expect(checked("Peering", adopts("7", "42"), [adopts("7", "7/42")]).problems).toEqual(isAdopted);
    });

    it("a check does not count generated names as duplicates", () => {
        expect(checked("Service", { projectId: "project001" }, [{ projectId: "project001" }]).problems).toEqual([]);
    });
});

describe("values that the API rejects later", () => {
    it("a targetTime in the future is a problem, and one that a slow clock takes for the future is not", () => {
        const fork = (targetTime: string) => ({ fork: { serviceId: "abc", strategy: "PITR", targetTime } });
        expect(problems("Service", fork("2026-01-31T12:04:00Z"))).toEqual([]);
        expect(problems("Service", fork("2026-01-31t14:04:00+02:00"))).toEqual([]);
        expect(problems("Service", fork("2026-02-01T00:00:00Z"))).toEqual([
            'fork has targetTime "2026-02-01T00:00:00Z", which is in the future; use a time in the past',
        ]);
    });

    it.each(Object.keys(valid) as Type[])("a projectId of another form is a problem of a %s", (type) => {
        expect(problems(type, { projectId: "My-Project" })).toEqual([
            'projectId "My-Project" is not valid; use the id of a project (10 lower-case letters and digits)',
        ]);
    });

    it.each(["Vpc", "Service"] as const)(
        "an unknown region of a %s is a warning with the nearest documented one",
        (type) => {
            expect(warnings(type, { regionCode: "us-est-1" })).toEqual([
                'regionCode "us-est-1" is not a documented region, and the API may reject it; did you mean us-east-1?',
            ]);
            expect(warnings(type, { regionCode: "moon" })).toEqual([
                expect.stringContaining("the documented regions are us-east-1,"),
            ]);
        },
    );
});

describe("the deletionProtection of a check", () => {
    const resolved = (type: Type, given: object, protectsData?: boolean) => {
        const session = startSession();
        session.configure((key) => (key === "deletionProtection" ? protectsData?.toString() : undefined));
        return checkIn(session, type, { ...valid[type], ...given }).inputs.deletionProtection;
    };

    it.each(["Vpc", "Peering", "Service", "ReadReplicaSet"] as const)(
        "is that of the program, else for a resource with data that of the settings: %s",
        (type) => {
            const hasData = type === "Service";
            expect(resolved(type, {})).toBe(hasData);
            expect(resolved(type, {}, true)).toBe(hasData);
            expect(resolved(type, {}, false)).toBe(false);
            for (const given of [true, false, unknown]) {
                expect(resolved(type, { deletionProtection: given }, true)).toBe(given);
                expect(resolved(type, { deletionProtection: given }, false)).toBe(given);
            }
        },
    );

    it("must be a boolean", () => {
        expect(problems("Service", { deletionProtection: "no" })).toEqual([
            'deletionProtection "no" is a string; use true or false',
        ]);
    });

    it.each(["Service", "ReadReplicaSet"] as const)("replaces the allowReplace of a %s", (type) => {
        for (const allowReplace of [true, false, unknown]) {
            expect(problems(type, { allowReplace })).toEqual([
                "allowReplace is not a property of this resource; use deletionProtection instead",
            ]);
        }
    });
});

describe("a service and a VPC in different regions", () => {
    const projectId = "emulator01";
    /** The check of a service, after that of a VPC in eu-west-1. */
    const attached = (service: object, managed = false) => {
        const session = startSession();
        const vpc = { projectId, cidr: "10.0.0.0/16", regionCode: "eu-west-1", __urn: "urn::net" };
        checkIn(session, "Vpc", vpc);
        if (managed) {
            session.registry.update("urn::net", { manages: { type: "Vpc", projectId, id: "41" } });
        }
        const inputs = { projectId, regionCode: "us-east-1", __urn: "urn::orders", ...service };
        const found = checkIn(session, "Service", inputs);
        return { problems: found.problems, warnings: found.warnings };
    };
    const problem =
        'regionCode "us-east-1" differs from the region of the VPC that vpcId refers to, which is "eu-west-1"; use the same regionCode for the service and its VPC';

    it("are a problem if the id of the VPC is known", () => {
        expect(attached({ vpcId: "41" }, true)).toEqual({ problems: [problem], warnings: [] });
        expect(attached({ vpcId: "42" }, true)).toEqual({ problems: [], warnings: [] });
    });

    it("are a warning if no VPC of the program can be the one with the unknown id", () => {
        const { problems: found, warnings: warned } = attached({ vpcId: unknown });
        expect(found).toEqual([]);
        expect(warned).toEqual([
            expect.stringContaining('differs from the region of every VPC of this program ("eu-west-1")'),
        ]);
    });
});
