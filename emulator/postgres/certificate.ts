import { generateKeyPairSync, sign } from "node:crypto";
import { realClock } from "../clock";
import { newSalt } from "../secureRandom";

// Node.js can sign, but it cannot create a certificate. This is the necessary part of ASN.1.

const der = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    const { length } = content;
    const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
    return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes));
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const time = (date: Date): Buffer => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, "")));

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = oid(0x55, 0x04, 0x03);
const basicConstraints = oid(0x55, 0x1d, 0x13);
const subjectAltName = oid(0x55, 0x1d, 0x11);
const derTrue = der(0x01, Buffer.from([0xff]));
const years = 10;

export interface Certificate {
    /** PEM. */
    certificate: string;
    /** PEM. */
    key: string;
}

/** A self-signed certificate for 127.0.0.1 and localhost, which is its own certificate authority. */
export function selfSigned(now = new Date(realClock.now())): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("clouddb-emulator")))));
    const until = new Date(now);
    until.setUTCFullYear(now.getUTCFullYear() + years);
    const names = sequence(der(0x87, Buffer.from([127, 0, 0, 1])), der(0x82, Buffer.from("localhost")));
    const extensions = sequence(
        sequence(basicConstraints, derTrue, der(0x04, sequence(derTrue))),
        sequence(subjectAltName, der(0x04, names)),
    );
    const signed = sequence(
        der(0xa0, der(0x02, Buffer.from([2]))),
        der(0x02, Buffer.from([1]), newSalt(8)),
        ecdsaWithSha256,
        name,
        sequence(time(now), time(until)),
        name,
        publicKey.export({ type: "spki", format: "der" }),
        der(0xa3, extensions),
    );
    const certificate = sequence(signed, ecdsaWithSha256, bits(sign("sha256", signed, privateKey)));
    return {
        certificate: pem("CERTIFICATE", certificate),
        key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
}

const pem = (label: string, content: Buffer): string =>
    `-----BEGIN ${label}-----\n${(content.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END ${label}-----\n`;
