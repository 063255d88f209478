import { isIPv4 } from "node:net";

/** An IPv4 network: its first address as a number, and the length of its prefix. */
export interface Network {
    readonly address: number;
    readonly prefix: number;
}

/** Parses `address/prefix`. Returns the problem as the end of a sentence if the text is invalid. */
export function parseCidr(text: string): Network | string {
    const [host = "", prefixText = "", ...rest] = text.split("/");
    if (!isIPv4(host) || !/^(0|[1-9]\d?)$/.test(prefixText) || rest.length > 0 || Number(prefixText) > 32) {
        return "is not an IPv4 network; use address/prefix, for example 10.0.0.0/16";
    }
    const prefix = Number(prefixText);
    const address = host.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
    const size = 2 ** (32 - prefix);
    const first = address - (address % size);
    if (first !== address) {
        return `has host bits set; the network is ${dotted(first)}/${prefix}`;
    }
    return { address, prefix };
}

/** Whether two networks have an address in common. */
export function overlap(left: Network, right: Network): boolean {
    const size = 2 ** (32 - Math.min(left.prefix, right.prefix));
    return Math.floor(left.address / size) === Math.floor(right.address / size);
}

function dotted(address: number): string {
    return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}
