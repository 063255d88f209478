import { Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { removeStacks, startStack } from "../support/engine";
import type { EngineRun, TestStack } from "../support/engine";

// What only the engine shows: that values pass through it unchanged, and that a removed input arrives as removed. Unit
// tests have the plans.

type Networks = Record<"one" | "two", Vpc>;
type Values = ServiceArgs | ((networks: Networks) => ServiceArgs);

/** The calls that create the service with the field, change its value, and remove it from the program. */
interface Row {
    field: string;
    with: Values;
    create: string[];
    changed: Values;
    change: string[];
    removal: string[];
}

describe("each field of a service, alone", () => {
    const rows: Row[] = [
        {
            field: "cpuMillis and memoryGbs",
            with: { cpuMillis: 1000, memoryGbs: 4 },
            create: ["createService"],
            changed: { cpuMillis: 2000, memoryGbs: 8 },
            change: ["resizeService"],
            // An undeclared field does not change.
            removal: [],
        },
        {
            field: 'the size "shared"',
            with: { cpuMillis: "shared", memoryGbs: "shared" },
            create: ["createService"],
            changed: { cpuMillis: 500, memoryGbs: 2 },
            change: ["resizeService"],
            removal: [],
        },
        {
            field: "replicaCount",
            with: { replicaCount: 1 },
            create: ["createService"],
            changed: { replicaCount: 2 },
            change: ["setHA"],
            removal: ["setHA"],
        },
        {
            field: "syncReplicaCount",
            with: { replicaCount: 2, syncReplicaCount: 1 },
            create: ["createService", "setHA"],
            changed: { replicaCount: 2, syncReplicaCount: 0 },
            change: ["setHA"],
            removal: ["setHA"],
        },
        {
            field: "vpcId",
            with: ({ one }) => ({ vpcId: one.vpcId }),
            create: ["createService", "attachToVPC"],
            changed: ({ two }) => ({ vpcId: two.vpcId }),
            change: ["detachFromVPC", "attachToVPC"],
            removal: ["detachFromVPC"],
        },
        {
            field: "environment",
            with: { environment: "PROD" },
            create: ["createService"],
            changed: { environment: "DEV" },
            change: ["setEnvironment"],
            removal: [],
        },
        {
            field: "an environment that is set later",
            with: {},
            create: ["createService"],
            changed: { environment: "PROD" },
            change: ["setEnvironment"],
            removal: ["setEnvironment"],
        },
        {
            field: "connectionPooler",
            with: { connectionPooler: true },
            create: ["createService", "enablePooler"],
            changed: { connectionPooler: false },
            change: ["disablePooler"],
            removal: [],
        },
        {
            field: "a connectionPooler that is set later",
            with: {},
            create: ["createService"],
            changed: { connectionPooler: true },
            change: ["enablePooler"],
            removal: ["disablePooler"],
        },
        {
            field: "paused",
            with: { paused: true },
            create: ["createService", "stopService"],
            changed: { paused: false },
            change: ["startService"],
            removal: [],
        },
        {
            field: "a pause that is set later",
            with: {},
            create: ["createService"],
            changed: { paused: true },
            change: ["stopService"],
            removal: ["startService"],
        },
        {
            field: "password",
            with: { password: "first-password" },
            create: ["createService", "updatePassword"],
            changed: { password: "second-password" },
            change: ["updatePassword"],
            // The last password stays valid.
            removal: [],
        },
        {
            field: "deletionProtection",
            with: { deletionProtection: true },
            create: ["createService"],
            changed: { deletionProtection: false },
            change: [],
            removal: [],
        },
    ];

    let stack: TestStack;
    let created: Record<string, string[]>;
    let changed: Record<string, string[]>;
    let removed: Record<string, string[]>;
    let again: EngineRun;

    const program = (valuesOf: (row: Row) => Values) => () => {
        const network = (name: string, cidr: string) => new Vpc(name, { name, cidr, regionCode: "us-east-1" });
        const networks = { one: network("one", "10.1.0.0/16"), two: network("two", "10.2.0.0/16") };
        for (const row of rows) {
            const values = valuesOf(row);
            const args = typeof values === "function" ? values(networks) : values;
            new Service(row.field, { name: row.field, regionCode: "us-east-1", ...args });
        }
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program((row) => row.with));
        created = stack.callsByName();
        await stack.up(program((row) => row.changed));
        changed = stack.callsByName();
        await stack.up(program(() => ({})));
        removed = stack.callsByName();
        again = await stack.up();
    }, 120_000);
    afterAll(removeStacks);

    describe.each(rows)("$field", (row) => {
        test(`the creation of a service with ${row.field} sends only the necessary calls`, () => {
            expect(created[row.field]).toEqual(row.create);
        });

        test(`another value of ${row.field} sends only the calls that change it`, () => {
            expect(changed[row.field] ?? []).toEqual(row.change);
        });

        test(`the removal of ${row.field} from the program restores its default, if it has one`, () => {
            expect(removed[row.field] ?? []).toEqual(row.removal);
        });
    });

    test("the preview after the changes of all fields is empty", () => {
        expect(new Set(Object.values(again.operations))).toEqual(new Set(["same"]));
        expect(stack.calls()).toEqual([]);
    });

    test("the last password stays valid when it is removed from the program", () => {
        const service = stack.emulator.snapshot().services.find(({ name }) => name === "password");
        expect(stack.emulator.passwordMatches(service?.service_id ?? "", "second-password")).toBe(true);
    });
});
