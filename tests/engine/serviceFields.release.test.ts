import * as sdk from "../../sdk/nodejs";
import { propertiesOf } from "../support/cases";
import { symbols } from "../support/cases/kind";
import { callsOf, changeOf, type Refs, type Values } from "../support/cases/property";
import { startStack, type EngineRun, type TestStack } from "../support/engine";

// What only the engine shows: that values pass through it unchanged, and that a removed input arrives as removed. Unit
// tests have the plans.

/** The calls that create the service with the property, change its value, and remove it from the program. */
interface Row {
    readonly name: string;
    readonly with: Values;
    readonly create: readonly string[];
    readonly changed: Values;
    readonly change: readonly string[];
    readonly removal: readonly string[];
}

/** The declared inputs and the operations of a change of one property, and of the change in the other direction. */
function rowsOf(refs: Refs): Row[] {
    const ofService = new Map(propertiesOf("Service"));
    const restored = (name: string, values: Values) =>
        Object.entries(values).some(([one, value]) => {
            const restores = ofService.get(one)?.default;
            return restores !== undefined && (one === name || one === "replicaCount") && restores.value !== value;
        });
    return propertiesOf("Service")
        .filter(([, { replaces, isIgnored, beside }]) => !replaces && !isIgnored && typeof beside !== "function")
        .filter(([name]) => !["name", "passwordFile", "passwordVersion"].includes(name))
        .flatMap(([name, one]) => {
            const [before, after] = changeOf(name, one, refs);
            const row = (from: Values, to: Values): Row => {
                // A value that is the default is not declared.
                const isDefault = one.default !== undefined && one.default.value === from[name];
                const initial = isDefault && one.beside === undefined ? {} : from;
                return {
                    name: `${name} ${from === before ? "1" : "2"}`,
                    with: initial,
                    create: [
                        "createService",
                        ...(one.isCreated || isDefault ? [] : callsOf(one, one.default?.value, from[name])),
                    ],
                    changed: to,
                    change: callsOf(one, from[name], to[name]),
                    removal: restored(name, to) ? callsOf(one, to[name], one.default?.value) : [],
                };
            };
            return [row(before, after), row(after, before)];
        });
}

/** Both sizes are declared together. The removal changes nothing. */
const shared: Row = {
    name: 'the size "shared"',
    with: { cpuMillis: "shared", memoryGbs: "shared" },
    create: ["createService"],
    changed: { cpuMillis: 500, memoryGbs: 2 },
    change: ["resizeService"],
    removal: [],
};

describe("each field of a service, alone", () => {
    const rows = [...rowsOf(symbols), shared];

    let stack: TestStack;
    let created: Record<string, string[]>;
    let changed: Record<string, string[]>;
    let removed: Record<string, string[]>;
    let again: EngineRun;

    const program = (side: "with" | "changed" | "none") => () => {
        const network = (name: string, cidr: string) =>
            new sdk.Vpc(name, { name, cidr, regionCode: "us-east-1" }).vpcId as unknown as string;
        const Vpc = [network("one", "10.1.0.0/16"), network("two", "10.2.0.0/16")] as const;
        const own = new Map([...rowsOf({ ...symbols, Vpc }), shared].map((row) => [row.name, row]));
        for (const { name } of rows) {
            const values = side === "none" ? {} : own.get(name)?.[side];
            new sdk.Service(name, { name, regionCode: "us-east-1", ...values });
        }
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program("with"));
        created = stack.callsByName();
        await stack.up(program("changed"));
        changed = stack.callsByName();
        await stack.up(program("none"));
        removed = stack.callsByName();
        again = await stack.up();
    });
    describe.each(rows)("$name", (row) => {
        test(`the creation of a service with ${row.name} sends only the necessary calls`, () => {
            expect(created[row.name]).toEqual(row.create);
        });

        test(`another value of ${row.name} sends only the calls that change it`, () => {
            expect(changed[row.name] ?? []).toEqual(row.change);
        });

        test(`the removal of ${row.name} from the program restores its default, if it has one`, () => {
            expect(removed[row.name] ?? []).toEqual(row.removal);
        });
    });

    test("the preview after the changes of all fields is empty", () => {
        expect(new Set(Object.values(again.operations))).toEqual(new Set(["same"]));
        expect(stack.calls()).toEqual([]);
    });

    test("the last password stays valid when it is removed from the program", () => {
        const service = stack.emulator.snapshot().services.find(({ name }) => name === "password 1");
        expect(stack.emulator.passwordMatches(service?.service_id ?? "", "second-password")).toBe(true);
    });
});
