import { parseTimeout } from "../../../provider/base/time";
import { checkFields, maybe, oneOf, objectWith, wholeNumber, unknown } from "../../../provider/base/fields";
import { fields } from "../../../provider/resources/service/inputs";

interface Window {
    readonly day: string;
    readonly hour: number;
    readonly zone?: string;
}

const window = objectWith<Window>("a window", {
    day: oneOf(["MON", "TUE"]),
    hour: wholeNumber(0),
    zone: maybe(oneOf(["UTC"])),
});

const isWrong = "which is not allowed; use";

test.each([
    ["is not an object", "MON", "is not a window; use { day, hour, zone? }"],
    ["is a list", [], "is not a window; use { day, hour, zone? }"],
    [
        "has another property",
        { day: "MON", hour: 1, minute: 2 },
        "has minute, which is not a property of a window; the properties are day, hour and zone",
    ],
    ["lacks a property", { day: "MON" }, "has no hour; set it"],
    ["has null for a property", { day: null, hour: 1 }, "has no day; set it"],
    ["has a wrong value", { day: "SUN", hour: 1 }, `has day "SUN", ${isWrong} "MON" or "TUE"`],
    ["has a low number", { day: "MON", hour: -1 }, `has hour -1, ${isWrong} a whole number of at least 0`],
    ["has a wrong optional value", { day: "MON", hour: 1, zone: "CET" }, `has zone "CET", ${isWrong} "UTC"`],
])("a record that %s is a problem", (_, value, problem) => {
    expect(window(value)).toBe(problem);
});

test.each([
    [{ day: "MON", hour: 0 }],
    [{ day: "TUE", hour: 23, zone: "UTC" }],
    [{ day: "MON", hour: 1, zone: null }],
    [{ day: unknown, hour: 5 }],
])("the record %j has no problem", (value) => {
    expect(window(value)).toBeUndefined();
});

test.each([
    ["30s", 30_000],
    ["1h30m", 5_400_000],
    ["1.5m", 90_000],
    ["250ms", 250],
    ["30", undefined],
    ["", undefined],
    ["1h 30m", undefined],
    ["-5m", undefined],
])("a timeout of %j is %s milliseconds", (text, expected) => {
    expect(parseTimeout(text)).toBe(expected);
});

test.each(["constructor", "toString"])("an input named %s is not a property of a resource", (name) => {
    const [problem] = checkFields({ [name]: "a" }, {});
    expect(problem).toContain(name);
});

test("an empty id in an optional input can be removed", () => {
    expect(["", "x", "42"].map(fields.vpcId.test)).toEqual([
        expect.stringMatching(/^has no value; .* remove it; in Java, \.filter\(x -> !x\.isEmpty\(\)\) removes it$/),
        "is not valid; use the id of a VPC (digits)",
        undefined,
    ]);
});
