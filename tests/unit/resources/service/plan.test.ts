import type { OperationId } from "../../../../provider/api/contract";
import { computed, type Planned } from "../../../../provider/base/fields";
import { lifecycles } from "../../../support/lifecycles";
import type { ServiceInputs } from "../../../../provider/resources/service/inputs";
import { defaultsOf, kindCases, needsRunning, propertiesOf } from "../../../support/cases";
import { symbols } from "../../../support/cases/kind";
import { changeOf, type Refs } from "../../../support/cases/property";
import { linesOf } from "../../../support/fixtures";

type State = Parameters<typeof lifecycles.Service.plan>[0];

const refs: Refs = {
    ...symbols,
    Vpc: ["41", "42"],
    passwordFile: "orders.txt",
    time: () => "2026-01-31T12:00:00Z",
};

/** What a change of each property declares before and after it. */
const pairs = Object.fromEntries(propertiesOf("Service").map(([name, one]) => [name, changeOf(name, one, refs)]));

const declared: ServiceInputs = {
    projectId: "p",
    addons: ["ai"],
    regionCode: "us-east-1",
    cpuMillis: 1000,
    memoryGbs: 4,
    vpcId: "41",
    password: "first-password",
};

/** The first value of each property that is not only recorded in the state. */
const firstValues = Object.fromEntries(
    propertiesOf("Service").flatMap(([name, { announced, replaces }]) =>
        announced === undefined && replaces !== true ? [] : [[name, pairs[name]?.[0][name]] as const],
    ),
);

/** A running service with the declared value of each property, otherwise its default, otherwise the first one of its test case. */
const runningService = {
    ...firstValues,
    ...defaultsOf("Service"),
    ...declared,
    record: { declared: Object.keys(declared), defaults: {} },
    serviceType: "VECTOR",
    serviceId: "abcdefghij",
    status: "READY",
} as unknown as State;

const lines = (state: State, change: Planned<ServiceInputs>) =>
    linesOf(lifecycles.Service.plan(state, { ...declared, ...change }));

/** A change, its lines, and whether it requires a running service. */
interface Change {
    readonly state: State;
    readonly change: ServiceInputs;
    readonly lines: readonly string[];
    readonly running: boolean;
}

/** The change of each property with operations. `paused` has tests of its own. */
const changes = new Map<string, Change>(
    propertiesOf("Service").flatMap(([name, one]) => {
        const { lines: expected, announced = {} } = one;
        const [before, after] = pairs[name] ?? [{}, {}];
        const removed = Object.keys(before).map((one) => [one, undefined]);
        const change = { ...Object.fromEntries(removed), ...after } as ServiceInputs;
        const state = { ...runningService, ...before } as State;
        const running = (Object.keys(announced) as OperationId[]).some(needsRunning);
        const isPlanned = expected !== undefined && name !== "paused";
        return isPlanned ? [[name, { state, change, lines: expected, running }] as const] : [];
    }),
).set("no vpcId", {
    state: runningService,
    change: { vpcId: undefined } as never,
    lines: ["detach from VPC 41, `pulumi refresh` shows new endpoints of any replica sets"],
    running: true,
});

/** The beginnings of the lines in the order of a plan: that of the test cases, with a resume before what may need it. */
const order = propertiesOf("Service").flatMap(([name, { announced = {} }]) => {
    const { stopService: pause, ...others } = announced;
    const { startService: resume } = kindCases.Service.properties.paused.announced ?? {};
    return name === "name" ? [...Object.values(others), resume] : [...Object.values(others), pause];
});
const rank = (line: string) => order.findIndex((start) => start?.test(line));
const inOrder = (all: readonly string[]) => [...all].sort((a, b) => rank(a) - rank(b));

const all = [...changes];
describe("plans of services", () => {
    it("every input that can be updated has a change", () => {
        const updated = Object.entries(lifecycles.Service.resource.fields).filter(
            ([, field]) => field.onChange === "update",
        );
        const changed = new Set(["paused", ...all.flatMap(([, { change }]) => Object.keys(change))]);
        expect(updated.map(([name]) => name).filter((name) => !changed.has(name))).toEqual([]);
    });

    const pause = "pause, connections end";

    it.each(all)(
        "the plan for a change of %s has only the calls that it needs, also of a paused service",
        (_, given) => {
            const { state, change, lines: expected, running: needed } = given;
            expect(expected.map(rank)).not.toContain(-1);
            expect(lines(state, change)).toEqual(expected);
            expect(lines(state, { ...change, paused: true })).toEqual([...expected, pause]);
            const paused = { ...state, paused: true, status: "PAUSED" };
            expect(lines(paused, { ...change, paused: true })).toEqual(
                needed ? ["resume for as long as the changes take", ...expected, pause] : expected,
            );
            expect(lines(paused, change)).toEqual(inOrder(["resume", ...expected]));
        },
    );

    it.each([
        {
            reason: "all changes together are in the declared order",
            change: {
                name: "other",
                password: "new-password",
                vpcId: "42",
                cpuMillis: 2000,
                memoryGbs: 8,
                replicaCount: 2,
                syncReplicaCount: 1,
                connectionPooler: true,
                environment: "PROD",
                paused: true,
            },
            expected: [
                'rename "orders" -> "other"',
                "change the password",
                "detach from VPC 41",
                "attach to VPC 42, `pulumi refresh` shows new endpoints of any replica sets",
                "resize 1000m/4GB -> 2000m/8GB, restarts the service",
                "HA replicas none -> 1 async + 1 sync",
                "connection pooler on",
                "environment DEV -> PROD",
                pause,
            ],
        },
        {
            reason: "a shared size is shown as one word",
            change: { cpuMillis: "shared", memoryGbs: "shared" },
            expected: ["resize 1000m/4GB -> shared (the API may not support this), restarts the service"],
        },
        { reason: "undeclared sizes stay", change: { cpuMillis: undefined, memoryGbs: undefined }, expected: [] },
        {
            reason: "undeclared memory follows a change of the CPU",
            change: { cpuMillis: 2000, memoryGbs: undefined },
            expected: ["resize 1000m/4GB -> 2000m/8GB, restarts the service"],
        },
        {
            reason: "an undeclared CPU follows a change of the memory",
            change: { cpuMillis: undefined, memoryGbs: 2 },
            expected: ["resize 1000m/4GB -> 500m/2GB, restarts the service"],
        },
        { reason: "it is empty without changes", change: {}, expected: [] },
        { reason: "undeclared memory alone changes nothing", change: { memoryGbs: undefined }, expected: [] },
        { reason: "an undeclared password does not change", change: { password: undefined }, expected: [] },
        { reason: "existingId is ignored after the creation", change: { existingId: "abc" }, expected: [] },
    ] as { reason: string; change: ServiceInputs; expected: string[] }[])(
        "the plan of a service: $reason",
        ({ change, expected }) => {
            const plan = lifecycles.Service.plan(runningService, { ...declared, ...change });
            expect([linesOf(plan), plan.replace]).toEqual([expected, []]);
        },
    );

    it.each([
        ["name", 'rename "orders" -> (known after apply)'],
        ["cpuMillis", "resize 1000m/4GB -> (known after apply)/4GB, restarts the service"],
        ["vpcId", "attach to VPC (known after apply), `pulumi refresh` shows new endpoints of any replica sets"],
        ["replicaCount", "HA replicas none -> (known after apply) total, 0 sync"],
        ["connectionPooler", "connection pooler -> (known after apply)"],
        ["environment", "environment DEV -> (known after apply)"],
        ["paused", "pause or resume (known after apply)"],
        ["password", "change the password"],
    ] as const)("the plan of a service shows an unknown %s as an update", (field, line) => {
        const plan = lifecycles.Service.plan(runningService, { ...declared, [field]: computed });
        expect(plan.replace).toEqual([]);
        expect(linesOf(plan)).toContain(line);
    });

    const replacing = propertiesOf("Service")
        .filter(([, { replaces }]) => replaces === true)
        .map(([name]) => name);

    it.each(replacing)(
        "the plan of a service replaces it for another %s, and possibly for an unknown one",
        (property) => {
            const uncertain = lifecycles.Service.plan(runningService, { ...declared, [property]: computed });
            expect(uncertain.replace).toEqual([expect.objectContaining({ property, to: computed })]);
            const { [property]: to } = pairs[property]?.[1] ?? {};
            const plan = lifecycles.Service.plan(runningService, { ...declared, [property]: to });
            const { [property]: from } = runningService as unknown as Record<string, unknown>;
            expect(plan).toMatchObject({ replace: [{ property, from, to }], steps: [] });
        },
    );

    it.each<[from: ServiceInputs["addons"], to: Required<ServiceInputs>["addons"], replaces: number]>([
        [undefined, ["time-series"], 0],
        [undefined, ["time-series", "ai"], 0],
        [undefined, ["ai"], 1],
        [undefined, [], 1],
        [["time-series"], ["time-series", "ai"], 1],
        [["time-series", "ai", "ai"], ["ai", "time-series"], 0],
        [["ai", "time-series"], ["time-series", "ai", "ai"], 0],
    ])(
        "the plan for addons %j (undefined: those of the type of an adopted service) -> %j: %s",
        (from, to, replaces) => {
            const state = { ...runningService, serviceType: "TIMESERIESDB", addons: from } as State;
            expect(lifecycles.Service.plan(state, { ...declared, addons: to }).replace).toHaveLength(replaces);
        },
    );

    it("the plan records no deletionProtection: true for a state without a value, which is protected", () => {
        const state = { ...runningService, deletionProtection: undefined } as State;
        const plan = lifecycles.Service.plan(state, { ...declared, deletionProtection: true });
        expect(plan).toMatchObject({ replace: [], steps: [], stateChanges: [] });
    });
});

describe("previews of new services", () => {
    const fresh = (inputs: Planned<ServiceInputs>) =>
        lifecycles.Service.describeCreation({ projectId: "p", __urn: "urn::orders", ...inputs });

    it("the preview of a new service shows the call that creates it, with its values, and the following steps", () => {
        expect(
            fresh({
                name: "orders",
                addons: ["time-series"],
                regionCode: "us-east-1",
                cpuMillis: 1000,
                memoryGbs: 4,
                replicaCount: 2,
                syncReplicaCount: 1,
                vpcId: computed,
                environment: "PROD",
                password: "a-password",
                paused: true,
            }),
        ).toEqual([
            'create service "orders": 1000m/4GB, 2 HA replicas, PROD, time-series, in "us-east-1"',
            "set the password",
            "attach to VPC (known after apply)",
            "HA replicas 2 async -> 1 async + 1 sync",
            "pause, connections end",
        ]);
    });

    it("the preview of a fork shows where its data comes from, and its high availability as a separate step", () => {
        const fork = { serviceId: "abc", strategy: "PITR", targetTime: "2026-01-31T12:00:00Z" } as const;
        expect(fresh({ name: "copy", fork, replicaCount: 1 })).toEqual([
            'fork "abc" (PITR "2026-01-31T12:00:00Z") as service "copy": DEV',
            "HA replicas none -> 1 async",
        ]);
    });

    it("the preview of a new service shows elements of lists and parts of objects that are not known yet", () => {
        const fork = { serviceId: computed, strategy: computed, targetTime: computed } as never;
        expect(fresh({ name: "copy", fork })).toEqual([
            'fork (known after apply) ((known after apply) (known after apply)) as service "copy": DEV',
        ]);
        expect(fresh({ name: "orders", addons: ["ai", computed] as never })).toEqual([
            'create service "orders": DEV, ai and (known after apply)',
        ]);
    });

    it("the preview of a new service shows no step for unknown values that the call contains", () => {
        const inputs = { name: computed, cpuMillis: computed, replicaCount: computed, environment: computed } as never;
        expect(fresh(inputs)).toHaveLength(1);
    });

    it("the preview of a service with a password outside of the state shows its source and its version", () => {
        const sources: Planned<ServiceInputs>[] = [
            { passwordFile: "orders.txt", passwordVersion: 1 },
            { passwordVariable: "ORDERS_PASSWORD", passwordVersion: computed },
            { passwordFile: computed, passwordVersion: 2 },
        ];
        expect(sources.map((inputs) => fresh({ name: "orders", ...inputs })[1])).toEqual([
            'set the password (version 1 of file "orders.txt")',
            'set the password (version (known after apply) of variable "ORDERS_PASSWORD")',
            "set the password (version 2 of file (known after apply))",
        ]);
    });

    it("the preview of an adoption names the adopted service", () => {
        expect(fresh({ existingId: "abcde12345" })).toEqual([
            'adopt service "abcde12345" and update it to the declared state',
        ]);
    });
});

it.each([0, 1, 2, undefined])(
    "the replicas of a service that was found with a synchronous one are within the limits, with replicaCount %s alone",
    (replicaCount) => {
        const found = { replicaCount: 2, syncReplicaCount: 1 };
        const plan = (values: object, defaults: object) => {
            const state = { ...runningService, ...values, record: { declared: [], defaults } } as unknown as State;
            const own = replicaCount === undefined ? {} : { replicaCount };
            return lifecycles.Service.plan(state, { projectId: "p", ...own });
        };
        const call = ({ steps }: ReturnType<typeof plan>) =>
            steps.flatMap(({ call: { operation, body }, title }) => (operation === "setHA" ? [{ body, title }] : []));
        const [step] = call(plan(found, found));
        if (replicaCount === 2 || replicaCount === undefined) {
            expect(step).toBeUndefined();
            return;
        }
        const to = ["none", "1 async"][replicaCount];
        const body = { replica_count: replicaCount, sync_replica_count: 0 };
        expect(step).toEqual({ body, title: `HA replicas 1 async + 1 sync -> ${to}` });
        // After the run, the number that was found no longer matters.
        expect(call(plan({ replicaCount, syncReplicaCount: 0 }, { syncReplicaCount: 1 }))).toEqual([]);
    },
);

it("a password whose request was lost, and that the program no longer declares, is set again as the state has it", () => {
    const record = { declared: [], defaults: {}, uncertain: ["password"] };
    const state = { ...runningService, password: "in-the-state", initialPassword: "the-initial-one", record };
    const { steps } = lifecycles.Service.plan(state, { projectId: "p" });
    expect(steps.slice(0, 1)).toMatchObject([
        {
            call: { operation: "updatePassword", body: { password: "in-the-state" } },
            title: "set the password",
            note: "because the current one is unknown",
        },
    ]);
});
