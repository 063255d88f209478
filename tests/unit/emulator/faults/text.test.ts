import fc from "fast-check";
import { formatFault, parseFault, type Effect, type Fault } from "../../../../emulator";
import { loadContract } from "../../../../emulator/contract";
import { effectKinds, fieldsOf } from "../../../../emulator/faults/effects";
import { faultMethods } from "../../../../emulator/faults/fault";
import { faultList } from "../../../../emulator/faults/input";
import { propertyRuns } from "../../../support/random";

const operations = loadContract().operationIds;
const problem = (...inputs: unknown[]) => faultList.problem("faults", inputs);

/** Values of a field by its type in the documentation. */
const valuesOf = (name: string, type: string): fc.Arbitrary<unknown> => {
    const choices = [...type.matchAll(/"(\w+)"/g)].map(([, choice]) => choice);
    const texts = fc.constantFrom("UNSTABLE", "not today");
    const numbers = name === "status" ? fc.integer({ min: 300, max: 599 }) : fc.integer({ min: 0, max: 1_000_000 });
    const byType: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
        number: numbers,
        boolean: fc.boolean(),
        string: texts,
    };
    return byType[type] ?? fc.constantFrom(...choices);
};
const effects: fc.Arbitrary<Effect> = fc.oneof(
    ...effectKinds.map((kind) => {
        const fields = Object.entries(fieldsOf(kind));
        const values = Object.fromEntries(fields.map(([name, { type }]) => [name, valuesOf(name, type)]));
        const requiredKeys = fields.flatMap(([name, { isNeeded }]) => (isNeeded ? [name] : []));
        return fc.record(values, { requiredKeys }).map((given) => ({ kind, ...given }) as Effect);
    }),
);
const faults: fc.Arbitrary<Fault> = fc
    .tuple(
        fc.oneof(
            fc.constant({}),
            fc.record({ operation: fc.constantFrom(...operations) }),
            fc.record({ method: fc.constantFrom(...faultMethods) }),
        ),
        fc.record(
            {
                from: fc.integer({ min: 1, max: 99 }),
                times: fc.oneof(fc.constant("all" as const), fc.integer({ min: 1, max: 99 })),
                probability: fc.integer({ min: 1, max: 100 }).map((percent) => percent / 100),
            },
            { requiredKeys: [] },
        ),
        fc.oneof(effects, fc.array(effects, { minLength: 2, maxLength: 3 })),
    )
    .map(([where, when, effect]) => ({ ...where, ...when, effect }));

/** A missing `from` is the same as 1. */
const normal = ({ from = 1, ...rest }: Fault): Fault => ({ from, ...rest });

it("the short form expresses every fault", () => {
    fc.assert(
        fc.property(faults, (fault) => {
            expect(normal(parseFault(formatFault(fault)))).toEqual(normal(fault));
            expect(problem(fault)).toBeUndefined();
        }),
        { numRuns: propertyRuns, seed: 6 },
    );
});

describe("invalid faults", () => {
    it.each<[string, unknown, string]>([
        ["text without a fault", "createService", 'Fault 1 ("createService"): '],
        ["a number", 7, "Fault 1: It must be an object"],
        ["an unknown operation", "makeService:503", 'not "makeService"'],
        ["an unknown field", { effect: { kind: "omit" }, when: 1 }, "There is no field when."],
        ["operation and method", { operation: "setHA", method: "POST", effect: { kind: "omit" } }, "not both"],
        ["an id with other characters", { resource: "a/b", effect: { kind: "omit" } }, "resource must be the id"],
        ["a bad count", "GET#often:503", "must have the form 2, 2+, 2x3 or @0.05"],
        ["a probability above one", "GET#@2:503", "probability must be"],
        ["no effect", { operation: "setHA" }, "effect is required"],
        ["no effects", { effect: [] }, "must not be an empty list"],
        ["an unknown effect", "GET:explode", 'There is no effect "explode"'],
        ["a reset with an invalid time", "GET:reset-never", "when of reset must be one of before, after, middle"],
        ["a status of success", "GET:200", "status of answer must be an integer from 300 to 599"],
        ["a missing field", "GET:delay", "ms of delay is required"],
        ["a field of another effect", "GET:delay,ms=1,status=2", "There is no field status of delay. Use one of ms."],
        ["a string for a number", "GET:delay,ms=long", "ms of delay must be an integer"],
    ])("an invalid fault is rejected with a message: %s", (_, input, message) => {
        expect(problem(input)).toContain(message);
    });

    it("faults that are not a list are rejected with a message", () => {
        expect(faultList.problem("faults", "GET:503")).toContain("a list");
    });
});
