import { withoutDeprecatedAliases } from "../../../provider/api/client";

it.each([
    { old: "vpcEndpoint", now: "vpc_endpoint", value: { host: "h", vpc_id: "1" } },
    { old: "apiKey", now: "api_key", value: { public_key: "k" } },
    { old: "lastCursor", now: "last_cursor", value: "c" },
])("a response field is $now if the API sends $now, $old, both, or one of them and null", ({ old, now, value }) => {
    const wanted = { [now]: value };
    for (const sent of [
        ...[{ [now]: value }, { [old]: value }, { [old]: value, [now]: value }, { [now]: value, [old]: value }],
        ...[
            { [old]: value, [now]: null },
            { [old]: null, [now]: value },
        ],
    ]) {
        expect(withoutDeprecatedAliases(sent)).toEqual(wanted);
    }
    expect(withoutDeprecatedAliases({ [old]: null, [now]: null })).toEqual({});
    expect(withoutDeprecatedAliases({ [old]: value, [now]: "" })).toEqual({ [now]: "" });
});

it("aliases are replaced at any depth, including in lists, and the input is not modified", () => {
    const answer = [{ a: [{ vpcEndpoint: { b: { lastCursor: "c" } }, gone: null }] }];
    const before = JSON.stringify(answer);
    expect(withoutDeprecatedAliases(answer)).toEqual([{ a: [{ vpc_endpoint: { b: { last_cursor: "c" } } }] }]);
    expect(JSON.stringify(answer)).toBe(before);
});

it("other fields do not change", () => {
    const answer = { s: "", n: 0, b: false, list: [1, null, "x", [true]], deep: { er: {} } };
    expect(withoutDeprecatedAliases(answer)).toEqual(answer);
    for (const value of ["text", 1, true, null, undefined]) {
        expect(withoutDeprecatedAliases(value)).toBe(value);
    }
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"]) {
        const ofObject = JSON.parse(`{"${name}":"v"}`) as object;
        expect(JSON.stringify(withoutDeprecatedAliases(ofObject))).toBe(`{"${name}":"v"}`);
    }
});
