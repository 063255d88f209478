import type { Shown, Wire } from "../messages";

const units = [
    { unit: "d", seconds: 86_400, most: Infinity },
    { unit: "h", seconds: 3_600, most: 24 },
    { unit: "min", seconds: 60, most: 60 },
    { unit: "s", seconds: 1, most: 60 },
];

/** An elapsed time: `7 s`, `3 min 20 s`, `2 h 5 min`, `4 d 1 h`. */
export function elapsed(ms: number): string {
    const whole = Math.max(0, Math.floor(ms / 1_000));
    const parts = units.map(({ unit, seconds, most }) => ({ unit, number: Math.floor(whole / seconds) % most }));
    const first = parts.findIndex(({ number }) => number > 0);
    const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + 2).filter(({ number }) => number > 0);
    return shown.map(({ unit, number }) => `${number} ${unit}`).join(" ");
}

/** A remaining time, rounded up to seconds. */
export const remaining = (ms: number): string => elapsed(Math.ceil(ms / 1_000) * 1_000);

/** A size: `2 CPU, 8 GB`, or `shared` without numbers. */
export const size = (cpuMillis: number | undefined, memoryGbs: number | undefined): string =>
    cpuMillis === undefined || memoryGbs === undefined ? "shared" : `${cpuMillis / 1000} CPU, ${memoryGbs} GB`;

/** What a service uses: `uses 0.02 CPU, 0.4 GB, 64 MB of storage`. Empty if nothing is known of it. */
export const usage = ({ milli_cpu, memory_mb, storage_mb }: Wire["Metrics"] = {}): string => {
    const known = [
        milli_cpu !== undefined && `${milli_cpu / 1000} CPU`,
        memory_mb !== undefined && `${(memory_mb / 1024).toFixed(1)} GB`,
        storage_mb !== undefined && `${storage_mb} MB of storage`,
    ].filter((one) => one !== false);
    return known.length === 0 ? "" : `uses ${known.join(", ")}`;
};

/** The text of a time. A virtual clock can show one that is too late for a date. */
const iso = (at: number): string => (Number.isNaN(new Date(at).getTime()) ? "" : new Date(at).toISOString());

export const timeOf = (at: number): string => iso(at).slice(11, 23);

export const dateTimeOf = (at: number): string => `${iso(at).slice(0, 19).replace("T", " ")} UTC`;

/** Control characters, and characters that change the direction of text or are invisible. */
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name in which every character is visible. */
export const nameOf = (name: string): string =>
    name.trim() === ""
        ? "(no name)"
        : name.replace(unsafeCharacters, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The text of a value, which can be a size. */
export function textOf(value: unknown): string {
    const { cpuMillis, memoryGbs } = Object(value) as { cpuMillis?: number; memoryGbs?: number };
    if (cpuMillis !== undefined) {
        return size(cpuMillis, memoryGbs);
    }
    return typeof value === "string" ? nameOf(value) : JSON.stringify(value ?? "none");
}

/** The colour of the HTTP status of a response. */
export const toneOfCode = (status: number | undefined): string =>
    status === undefined ? "busy" : status < 400 ? "good" : status === 409 || status === 429 ? "busy" : "bad";

export const count = (number: number, one: string): string =>
    `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

/** A part as a width. */
export const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

/** An address. An empty text without an endpoint. */
export const address = (endpoint?: { host?: string; port?: number }): string =>
    endpoint ? `${endpoint.host ?? "?"}:${endpoint.port ?? "?"}` : "";

/** The name of a resource. */
export const displayName = ({ name }: Pick<Shown, "name">): string => nameOf(name);

/** The time of the last status change. */
export const sinceOf = ({ statuses }: Shown): number => statuses.at(-1)?.at ?? 0;

/** A name of the API as it is in programs: `cpu_millis` becomes `cpuMillis`. */
export const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The same for all names of an object. */
export const camelled = (values: object = {}): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [camel(name), value]));

const words: Readonly<Record<string, string>> = {
    cpu: "CPU",
    vpc: "VPC",
    gbs: "in GB",
    millis: "in millicores",
    ms: "milliseconds",
    cidr: "CIDR",
    ha: "HA",
    sync: "Synchronous",
};

/** The label of a property or of a control: `cpu_millis` and `cpuMillis` become `CPU in millicores`. */
export function labelOf(name: string): string {
    const parts = camel(name).split(/(?<=[a-z])(?=[A-Z])/);
    const text = parts.map((part) => words[part.toLowerCase()] ?? part.toLowerCase()).join(" ");
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
