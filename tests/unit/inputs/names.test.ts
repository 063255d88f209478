import fc from "fast-check";
import { overlap, parseCidr } from "../../../provider/inputs/cidr";
import { parseTimeout } from "../../../provider/inputs/fields";
import { nameFrom } from "../../../provider/inputs/names";

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Service::${name}`;

it("a generated name is readable, and the same for the same URN", () => {
    expect(nameFrom(urn("Orders DB"))).toMatch(/^orders-db-[0-9a-f]{7}$/);
    expect(nameFrom(urn("orders"))).toBe(nameFrom(urn("orders")));
    expect(nameFrom(urn("orders"))).not.toBe(nameFrom(urn("orders").replace("dev", "prod")));
});

it("a generated name is within the limits of the API for any name of the resource", () => {
    fc.assert(
        fc.property(fc.string({ unit: "grapheme" }), (name) => {
            expect(nameFrom(urn(name))).toMatch(/^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/);
        }),
    );
});

describe("CIDRs", () => {
    it.each([
        ["10.0.0.0/8", "10.1.2.0/24", true],
        ["10.1.2.0/24", "10.0.0.0/8", true],
        ["10.0.0.0/24", "10.0.1.0/24", false],
        ["0.0.0.0/0", "192.168.0.0/16", true],
        ["192.168.0.1/32", "192.168.0.1/32", true],
    ])("%s and %s overlap: %s", (left, right, expected) => {
        const [a, b] = [parseCidr(left), parseCidr(right)];
        expect(typeof a === "object" && typeof b === "object" && overlap(a, b)).toBe(expected);
    });

    it.each(["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.256/8", "10.0.0.0/-1", "10.0.0.0/08x", "fe80::/10"])(
        "%j is not a CIDR",
        (text) => {
            expect(typeof parseCidr(text)).toBe("string");
        },
    );
});

it.each([
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
