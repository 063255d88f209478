import fc from "fast-check";
import * as emulator from "../../../emulator/world/cidr";
import { vpc } from "../../../provider/resources/vpc";

const cidrProblem = vpc.fields.cidr.test;
const overlap = (left: string, right: string) =>
    vpc.deletesFirst?.({ cidr: left } as never, { cidr: right } as never) !== undefined;

it.each([
    ["10.0.0.0/8", "10.1.2.0/24", true],
    ["10.1.2.0/24", "10.0.0.0/8", true],
    ["10.0.0.0/24", "10.0.1.0/24", false],
    ["0.0.0.0/0", "192.168.0.0/16", true],
    ["192.168.0.1/32", "192.168.0.1/32", true],
])("%s and %s overlap: %s", (left, right, expected) => {
    expect([cidrProblem(left), cidrProblem(right)]).toEqual([undefined, undefined]);
    expect(overlap(left, right)).toBe(expected);
});

it.each(["", "10.0.0.0", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.256/8", "10.0.0.0/-1", "10.0.0.0/08x", "fe80::/10"])(
    "%j is not a CIDR",
    (text) => {
        expect(cidrProblem(text)).toContain("is not");
    },
);

it("a text is a CIDR, and two of them overlap, exactly if the emulator says so", () => {
    const octet = fc.oneof(fc.constantFrom("0", "10", "128", "255"), fc.constantFrom("256", "01", "", "-1", "1 "));
    const prefix = fc.constantFrom("0", "1", "8", "9", "24", "31", "32", "33", "08", "", "8.0", "+8", "8\n");
    const text = fc
        .tuple(fc.array(octet, { minLength: 3, maxLength: 5 }), prefix)
        .map(([octets, length]) => `${octets.join(".")}/${length}`);
    const block = fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(32)).map(([address, length]) => {
        const first = address - (address % 2 ** (32 - length));
        return `${[24, 16, 8, 0].map((bits) => Math.floor(first / 2 ** bits) % 256).join(".")}/${length}`;
    });
    const isAccepted = (one: string): boolean => {
        try {
            return emulator.parseCidr(one).first >= 0;
        } catch {
            return false;
        }
    };
    fc.assert(
        fc.property(text, block, block, (any, left, right) => {
            expect([any, cidrProblem(any) === undefined]).toEqual([any, isAccepted(any)]);
            expect([cidrProblem(left), cidrProblem(right)]).toEqual([undefined, undefined]);
            expect(overlap(left, right)).toBe(emulator.overlap(left, right));
        }),
        { numRuns: 1_000 },
    );
});
