import { withoutDeprecatedAliases } from "../../../provider/api/client";

describe("a field with a deprecated alias", () => {
    it.each([
        { old: "vpcEndpoint", now: "vpc_endpoint", value: { host: "h", vpc_id: "1" } },
        { old: "apiKey", now: "api_key", value: { public_key: "k" } },
        { old: "lastCursor", now: "last_cursor", value: "c" },
    ])(
        "a response field has the name $now if the API sends $now, $old, both, or one of them and null",
        ({ old, now, value }) => {
            const wanted = { [now]: value };
            expect(withoutDeprecatedAliases({ [now]: value })).toEqual(wanted);
            expect(withoutDeprecatedAliases({ [old]: value })).toEqual(wanted);
            expect(withoutDeprecatedAliases({ [old]: value, [now]: value })).toEqual(wanted);
            expect(withoutDeprecatedAliases({ [now]: value, [old]: value })).toEqual(wanted);
            expect(withoutDeprecatedAliases({ [old]: value, [now]: null })).toEqual(wanted);
            expect(withoutDeprecatedAliases({ [old]: null, [now]: value })).toEqual(wanted);
            expect(withoutDeprecatedAliases({ [old]: null, [now]: null })).toEqual({});
            expect(withoutDeprecatedAliases({ [old]: value, [now]: "" })).toEqual({ [now]: "" });
        },
    );

    it("aliases are replaced at any depth, including in lists", () => {
        expect(withoutDeprecatedAliases([{ a: [{ vpcEndpoint: { b: { lastCursor: "c" } } }] }])).toEqual([
            { a: [{ vpc_endpoint: { b: { last_cursor: "c" } } }] },
        ]);
    });
});

describe("other fields", () => {
    it("other fields do not change", () => {
        const answer = { s: "", n: 0, b: false, list: [1, null, "x", [true]], deep: { er: {} } };
        expect(withoutDeprecatedAliases(answer)).toEqual(answer);
        for (const value of ["text", 1, true, null, undefined]) {
            expect(withoutDeprecatedAliases(value)).toBe(value);
        }
    });

    it.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
        "a field without an alias keeps its name, even that of a JavaScript member: %s",
        (name) => {
            const answer = JSON.parse(`{"${name}":"v"}`) as object;
            expect(JSON.stringify(withoutDeprecatedAliases(answer))).toBe(`{"${name}":"v"}`);
        },
    );

    it("the input is not modified", () => {
        const answer = { vpcEndpoint: { host: "h" }, gone: null };
        withoutDeprecatedAliases(answer);
        expect(answer).toEqual({ vpcEndpoint: { host: "h" }, gone: null });
    });
});
