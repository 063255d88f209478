import { kindFacts } from "../messages";
import type { Kind, Resource, ResourceName } from "../messages";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** An elapsed time: `7 s`, `3 min 20 s`, `2 h 5 min`, `4 d 1 h`. */
export function elapsed(ms: number): string {
    const whole = Math.max(0, Math.floor(ms / secondMs)) * secondMs;
    const parts = (first: number, second: number): [number, number] => [
        Math.floor(whole / first),
        Math.floor((whole % first) / second),
    ];
    const text = ([large, small]: [number, number], units: [string, string]): string =>
        small === 0 ? `${large} ${units[0]}` : `${large} ${units[0]} ${small} ${units[1]}`;
    if (whole >= dayMs) {
        return text(parts(dayMs, hourMs), ["d", "h"]);
    }
    if (whole >= hourMs) {
        return text(parts(hourMs, minuteMs), ["h", "min"]);
    }
    if (whole >= minuteMs) {
        return text(parts(minuteMs, secondMs), ["min", "s"]);
    }
    return `${whole / secondMs} s`;
}

/** A remaining time, rounded up to seconds. */
export const remaining = (ms: number): string => elapsed(Math.ceil(Math.max(0, ms) / secondMs) * secondMs);

/** A size: `2 CPU, 8 GB`, or `shared` without numbers. */
export function size(cpuMillis: number | undefined, memoryGbs: number | undefined): string {
    if (cpuMillis === undefined || memoryGbs === undefined) {
        return "shared";
    }
    return `${cpuMillis / 1000} CPU, ${memoryGbs} GB`;
}

export const timeOf = (at: number): string => {
    const date = new Date(at);
    return Number.isNaN(date.getTime()) ? String(at) : date.toISOString().slice(11, 23);
};

export const dateTimeOf = (at: number): string => {
    const date = new Date(at);
    return Number.isNaN(date.getTime()) ? String(at) : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
};

export const address = ({ host, port }: { host?: string; port?: number }): string => `${host ?? "?"}:${port ?? "?"}`;

/** Control characters, and characters that change the direction of text or are invisible. */
const unsafeCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name in which every character is visible. */
export const nameOf = (name: string): string =>
    name.trim() === ""
        ? "(no name)"
        : name.replace(unsafeCharacters, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The colour of a status. An unknown status looks like one in progress. */
export function toneOf(status: string): "good" | "busy" | "bad" | "idle" {
    if (/^(ready|active)$/i.test(status)) {
        return "good";
    }
    if (/^(paused|deleted)$/i.test(status)) {
        return "idle";
    }
    if (/^(unstable|error|failed|rejected|expired)$/i.test(status)) {
        return "bad";
    }
    return "busy";
}

export const count = (number: number, one: string, many = `${one}s`): string =>
    `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** The colour of the HTTP status of a response. */
export const toneOfCode = (status: number | undefined): string =>
    status === undefined ? "busy" : status < 400 ? "good" : status === 409 || status === 429 ? "busy" : "bad";

/** Identifies a resource among those of all kinds, also as the id of its row. */
export const keyOf = ({ kind, id }: ResourceName): string => `${kind}-${id}`;

/** The name of a resource. A peering has that of its peer VPC. */
export const displayName = ({ value }: Resource<Kind>): string =>
    nameOf("name" in value ? value.name : value.peer_vpc_id);

/** The id of what contains a resource. */
export const parentIdOf = ({ kind, value }: Resource<Kind>): string =>
    (value as unknown as Readonly<Record<string, string>>)[`${kindFacts[kind].parent}_id`] ?? "";
