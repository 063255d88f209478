import { overlap, parseCidr } from "../../../provider/inputs/cidr";

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
