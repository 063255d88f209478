import type { Emulator, Snapshot } from "../../../emulator";
import type { AnswerOf, OperationId } from "../../../provider/api/contract";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import type { Exercises } from "./exercise";
import type { Announcements, PropertyCases, Refs, Values } from "./property";

/** Calls an operation of the project. `path` has the other ids of its path. */
export type CallApi = <Id extends OperationId>(operation: Id, path: object, body?: object) => Promise<AnswerOf<Id>>;

/** Random programs with one resource. */
export interface Form {
    /** The inputs with random values, beside those that a change updates in place. */
    readonly also?: readonly string[];
    /** Each program has one of these in addition to the required inputs. References are symbols. */
    readonly fixed: readonly Values[];
}

/** The test cases of one kind. Every test that has something for each kind derives it from them. */
export interface KindCase<Inputs extends object, Item> {
    /** The name of its resource in a program with one resource of each kind. */
    readonly name: string;
    /** The required inputs. A resource with another index can exist beside this one. */
    readonly inputs: (refs: Refs, index: number) => Inputs;
    readonly properties: PropertyCases<Inputs, Item>;
    /** The inputs of each group, with values that the API accepts together. */
    readonly together?: Readonly<Record<string, readonly Partial<Inputs>[]>>;
    readonly forms: readonly Form[];
    /** The types of the outputs that are no inputs. A question mark means that an output is optional. */
    readonly outputs: Readonly<Record<string, string>>;
    /** The inputs and outputs that are always secret. Default: none. */
    readonly secrets?: readonly string[];
    /** The preview lines of the operations that create it. */
    readonly creations: Announcements;
    /** Creates one with the API. Returns its id within its parent. */
    readonly create: (call: CallApi, refs: Refs, index: 0 | 1) => Promise<string>;
    /** The tests of the operations with its path and of its collection. */
    readonly exercises: Exercises;
    /** Those that exist, with their ids within their parents. */
    readonly items: (world: Snapshot) => readonly { id: string; status: string | undefined; item: Item }[];
    /** The status of a resource that is as declared. */
    readonly settled: (declared: Values) => string | undefined;
    /** Makes one fail, so that it can never become ready. Absent if none can. */
    readonly breaks?: (emulator: Emulator, id: string) => void;
    readonly deleteByHand: (emulator: Emulator, id: string) => void;
}

/** A symbol for each resource that inputs can refer to. */
const ofEachKind = Object.fromEntries(resourceTypes.map((type) => [type, [`{${type}.0}`, `{${type}.1}`]]));

/** Stand for what random programs refer to. `filled` replaces them. */
export const symbols: Refs = {
    ...(ofEachKind as unknown as Record<ResourceType, readonly [string, string]>),
    emptyVpcs: ["{emptyVpcs.0}", "{emptyVpcs.1}"],
    itself: "{itself}",
    passwordFile: "{passwordFile}",
    passwordVariable: "{passwordVariable}",
    time: () => "{time}",
};

/** Replaces each text in a value. */
export function withTexts<T>(value: T, replace: (text: string) => unknown): T {
    const fill = (one: unknown): unknown =>
        typeof one === "string"
            ? replace(one)
            : typeof one !== "object" || one === null
              ? one
              : Array.isArray(one)
                ? one.map(fill)
                : Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, fill(inner)]));
    return fill(value) as T;
}

/** Replaces the symbols in a value. */
export const filled = <T>(value: T, refs: Partial<Refs>): T =>
    withTexts(value, (text) =>
        text.replace(/\{(\w+)(?:\.(\d))?\}/g, (_, name: keyof Refs, index?: string) => {
            const found = refs[name];
            return String(index === undefined ? found : (found as readonly string[])[Number(index)]);
        }),
    );

/** Every combination of these values. An undefined value is left out. */
export function combined(choices: Readonly<Record<string, readonly unknown[]>>): Values[] {
    return Object.entries(choices).reduce<Values[]>(
        (found, [name, values]) =>
            found.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
        [{}],
    );
}

/** A part of each password that is only in an environment variable. */
export const outside = "password-outside-";
export const passwordVariables = ["CLOUDDB_TEST_PASSWORD_1", "CLOUDDB_TEST_PASSWORD_2"] as const;
