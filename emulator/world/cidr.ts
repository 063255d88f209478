import { invalid } from "../errors";

interface Block {
    first: number;
    last: number;
}

const octet = "(?:0|[1-9][0-9]{0,2})";
const cidrPattern = new RegExp(`^(${octet})\\.(${octet})\\.(${octet})\\.(${octet})/(0|[1-9][0-9]?)$`);

/** The addresses of an IPv4 block in address/prefix notation. Rejects any other text. */
export function parseCidr(cidr: string): Block {
    const numbers = cidrPattern.exec(cidr)?.slice(1).map(Number);
    const [a = 256, b = 256, c = 256, d = 256, prefix = 33] = numbers ?? [];
    if (Math.max(a, b, c, d) > 255 || prefix > 32) {
        throw invalid(`cidr "${cidr}" is not an IPv4 block in address/prefix notation, such as 10.0.0.0/24.`);
    }
    const address = ((a * 256 + b) * 256 + c) * 256 + d;
    const size = 2 ** (32 - prefix);
    const first = Math.floor(address / size) * size;
    if (first !== address) {
        const octets = [24, 16, 8, 0].map((bits) => Math.floor(first / 2 ** bits) % 256);
        throw invalid(`cidr "${cidr}" has bits set after its prefix. Use ${octets.join(".")}/${prefix}.`);
    }
    return { first, last: first + size - 1 };
}

export function overlap(one: string, other: string): boolean {
    const a = parseCidr(one);
    const b = parseCidr(other);
    return a.first <= b.last && b.first <= a.last;
}
