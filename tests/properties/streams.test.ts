import fc from "fast-check";
import { nameFrom, namesFrom, recordOf } from "../support/streams";

const sample = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(fc.tuple(arbitrary, fc.nat()), { numRuns: 200, seed: 1 });

const fields = { size: fc.nat(), name: fc.string() };
const without = <T extends { readonly added?: unknown }>({ added, ...others }: T) => [others, added] as const;

it("an added input changes neither the other ones, nor what is drawn after them", () => {
    const before = sample(recordOf(fields, { requiredKeys: ["size"] }));
    const after = sample(recordOf({ added: fc.array(fc.nat()), ...fields }, { requiredKeys: ["size"] }));
    expect(after.map(([record, next]) => [without(record)[0], next])).toEqual(before);
    expect(new Set(after.map(([record]) => without(record)[1])).size).toBeGreaterThan(50);
});

it("the values of two inputs, and of two records, do not depend on each other", () => {
    const twice = recordOf({ one: fc.nat(), other: fc.nat() });
    const all = sample(fc.tuple(twice, twice)).flatMap(([[left, right]]) => [
        Object.values(left),
        Object.values(right),
    ]);
    expect(all.filter(([one, other]) => one === other).length).toBeLessThan(20);
    expect(new Set(all.map(String)).size).toBeGreaterThan(350);
});

it("an added operation changes only the draws that choose it, and each one is chosen", () => {
    const names = ["resize", "rename", "setHA"] as const;
    const before = sample(nameFrom(...names));
    const after = sample(nameFrom(...names, "added"));
    const others = after.map(([name, next], index) => [name === "added" ? before[index]?.[0] : name, next]);
    expect(others).toEqual(before);
    expect(new Set(after.map(([name]) => name)).size).toBe(4);
});

it("an added name is in a selection or not, and the others stay", () => {
    const [before, after] = [
        ["a", "b"],
        ["a", "added", "b"],
    ].map((names) => sample(namesFrom(names)));
    expect(after?.map(([names, next]) => [names.filter((name) => name !== "added"), next])).toEqual(before);
});
