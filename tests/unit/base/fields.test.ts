import { parseTimeout } from "../../../provider/base/time";
import {
    arrayOf,
    asSet,
    checkFields,
    inCanonicalForm,
    object,
    oneOf,
    optional,
    required,
    text,
    wholeNumber,
    computed,
} from "../../../provider/base/fields";
import { fields } from "../../../provider/resources/service/inputs";

const window = object("replace", {
    day: required("replace", oneOf(["MON", "TUE"])),
    hour: required("replace", wholeNumber(0)),
    zone: optional("replace", oneOf(["UTC"])),
});

const isWrong = "is not allowed; use";

test.each([
    ["is not an object", "MON", 'window "MON" is a string; use { day, hour, zone? }'],
    ["is a list", [], "window [] is an array; use { day, hour, zone? }"],
    [
        "has another property",
        { day: "MON", hour: 1, minute: 2 },
        "window.minute is not a property of this resource; the properties are day, hour, zone",
    ],
    [
        "has a misspelt property",
        { day: "MON", hour: 1, zones: "UTC" },
        "window.zones is not a property of this resource; did you mean zone?",
    ],
    ["lacks a property", { day: "MON" }, "window.hour is missing; set a value"],
    ["has null for a property", { day: null, hour: 1 }, "window.day is missing; set a value"],
    ["has a wrong value", { day: "SUN", hour: 1 }, `window.day "SUN" ${isWrong} "MON" or "TUE"`],
    ["has a low number", { day: "MON", hour: -1 }, `window.hour -1 ${isWrong} a whole number of at least 0`],
    ["has a wrong optional value", { day: "MON", hour: 1, zone: "CET" }, `window.zone "CET" ${isWrong} "UTC"`],
])("an object that %s is a problem", (_, value, problem) => {
    expect(checkFields({ window: value }, { window })).toEqual([problem]);
});

test.each([
    [{ day: "MON", hour: 0 }],
    [{ day: "TUE", hour: 23, zone: "UTC" }],
    [{ day: "MON", hour: 1, zone: null }],
    [{ day: computed, hour: 5 }],
])("the object %j has no problem", (value) => {
    expect(checkFields({ window: value }, { window })).toEqual([]);
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
        expect.stringMatching(/^has no value; .* remove it$/),
        "is not valid; use the id of a VPC (digits)",
        undefined,
    ]);
});

test.each([
    [
        ["b", "a", "b"],
        ["a", "b"],
    ],
    [
        [computed, "a"],
        [computed, "a"],
    ],
    [computed, computed],
])("a list without order %j is %j in a check, and what only a replacement sets keeps its form", (routes, expected) => {
    const fields = {
        routes: { ...optional("update", arrayOf(text())), canonical: asSet },
        region: required("replace", text()),
    };
    expect(inCanonicalForm({ routes, region: "US" }, fields)).toEqual({ routes: expected, region: "US" });
    expect(inCanonicalForm({ region: "US" }, fields)).toEqual({ region: "US" });
});
