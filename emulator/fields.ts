import { maxMs } from "./durations";
import { invalid } from "./errors";
import { controlCharacters } from "./text";
import { isSize } from "./world/sizes";
import type { Size } from "./world/state";

/** The types of the fields in a control's body. */
interface Kinds {
    string: string;
    number: number;
    boolean: boolean;
    "string or null": string | null;
    size: Size;
}

/** The length of the longest text. */
const maxCharacters = 1_000;
const maxNumber = maxMs;

const isText = (value: unknown): boolean =>
    typeof value === "string" && value.length <= maxCharacters && !controlCharacters.test(value);

/** What a value must be, for messages. */
const descriptions: Readonly<Record<keyof Kinds, string>> = {
    string: `a string of up to ${maxCharacters} characters without control characters`,
    number: `a number from 0 to ${maxNumber}`,
    boolean: "true or false",
    "string or null": `null or a string of up to ${maxCharacters} characters`,
    size: '{ cpuMillis, memoryGbs } or "shared"',
};

const isOf: { [K in keyof Kinds]: (value: unknown) => boolean } = {
    string: isText,
    number: (value) => typeof value === "number" && value >= 0 && value <= maxNumber,
    boolean: (value) => typeof value === "boolean",
    "string or null": (value) => value === null || isText(value),
    size: isSize,
};

const sizeForm = '{ cpuMillis: number, memoryGbs: number } or "shared"';

type Exactly<A, B> = [A, B] extends [B, A] ? true : false;
type KindFor<T> = {
    [K in keyof Kinds]: Exactly<Kinds[K], Exclude<T, undefined>> extends true ? K : never;
}[keyof Kinds];

/** The kind of each body field. */
export type FieldKinds<T> = { readonly [K in keyof T]-?: KindFor<T[K]> };

/** The body of a request. */
export interface Body<T> {
    /** Its form, as the documentation shows it. */
    readonly form: string;
    /** Returns the valid values. The error names the invalid field. */
    readonly parse: (body: unknown) => T;
}

/** A body with these fields. */
export function fields<T extends object>(kinds: FieldKinds<T>, required: readonly (keyof T & string)[] = []): Body<T> {
    const parse = (body: unknown): T => {
        if (typeof body !== "object" || body === null || Array.isArray(body)) {
            throw invalid("The body must be a JSON object.");
        }
        for (const name of required) {
            if (!Object.hasOwn(body, name)) {
                throw invalid(`${name} is required.`);
            }
        }
        for (const [name, value] of Object.entries(body)) {
            const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof T] : undefined;
            if (!kind) {
                throw invalid(`${name} is unknown. The fields are ${Object.keys(kinds).join(", ")}.`);
            }
            if (!isOf[kind](value)) {
                throw invalid(`${name} must be ${descriptions[kind]}.`);
            }
        }
        return body as T;
    };
    const isRequired = (name: string) => (required as readonly string[]).includes(name);
    const members = Object.entries<keyof Kinds>(kinds).map(
        ([name, kind]) => `${name}${isRequired(name) ? "" : "?"}: ${kind === "size" ? sizeForm : kind}`,
    );
    return { form: `{ ${members.join(", ")} }`, parse };
}
