import { isDeepStrictEqual } from "node:util";
import type { AxiosAdapter } from "axios";
import { loadContract, type Schema } from "../../emulator/contract";
import { Client } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { operations } from "../../provider/api/operations.gen";
import { resourceTypes, untypedResources } from "../../provider/resources";
import { withToken } from "../support/client";
import { TestClock } from "../support/virtualClock";
import { callOperation } from "./exercises";
import { kindsWithId } from "./world";

/** Every id of the requests, and every text of the answers. */
const text = "1";
const ids = Object.fromEntries(kindsWithId.map(([, param]) => [param, text]));
const texts: Readonly<Record<string, string>> = { "date-time": "2024-01-01T00:00:00.000Z", cidr: "10.0.0.0/16" };

type Json = object | string | number | boolean | null;
type Fields = Readonly<Record<string, unknown>>;

/** An answer with all fields of the contract. */
function complete({ anyOf: [first] = [], enum: [word] = [], ...schema }: Schema): Json {
    if (first) {
        return complete(first);
    }
    const { format = "", items, properties, type } = schema;
    if (properties) {
        return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, complete(one)]));
    }
    return items ? [complete(items)] : type === "string" ? (word ?? texts[format] ?? text) : type === "boolean" || 1;
}

/** A field of an answer, with the names and indices that lead to it. */
interface Place {
    readonly path: readonly string[];
    readonly schema: Schema;
}

/** The optional fields of an answer, at any depth. */
function optionalFields({ items, properties = {}, required = [] }: Schema, path: readonly string[] = []): Place[] {
    return [
        ...(items ? optionalFields(items, [...path, "0"]) : []),
        ...Object.entries(properties).flatMap(([name, schema]) => [
            ...(required.includes(name) ? [] : [{ path: [...path, name], schema }]),
            // The current name has precedence, so what is in a deprecated one does not count. Some fields are read by nothing.
            ...(schema["x-replaced-by"] || schema["x-unread"] ? [] : optionalFields(schema, [...path, name])),
        ]),
    ];
}

/** The answer with another value in this place, or without one. Of a list, the place is in its only entry. */
function replaced(answer: Fields, [name = "", ...rest]: readonly string[], value: Json | undefined): Json {
    const { [name]: old, ...others } = answer;
    const next = rest.length > 0 ? replaced(old as Fields, rest, value) : value;
    if (Array.isArray(answer)) {
        return [next ?? null];
    }
    return next === undefined ? others : { ...answer, [name]: next };
}

/** The empty value that says the same as its absence, if any. */
const emptyOf = ({ properties, type, "x-absent-means": meaning }: Schema): Json | undefined => {
    const empty = properties ? {} : type === "array" ? [] : type === "string" ? "" : undefined;
    return properties && meaning !== null ? undefined : empty;
};

/** The answers that the provider reads, each with all fields, and the places of its optional ones. */
const answers = loadContract().operations.flatMap(({ operationId, responses }) =>
    Object.values(responses)
        .flatMap(({ content }) => content?.["application/json"].schema ?? [])
        .slice(0, "answer" in operations[operationId] ? 1 : 0)
        .map((schema) => [operationId, complete(schema) as Fields, optionalFields(schema)] as const)
        .filter(([, , places]) => places.length > 0),
);

/** What the provider makes of an answer: the result of the call, and the outputs of each resource in it. */
async function madeOf(id: OperationId, answer: Json): Promise<{ result: unknown; outputs?: object[] | undefined }> {
    const status = operations[id].success;
    const data = JSON.stringify(answer);
    const adapter: AxiosAdapter = (config) => Promise.resolve({ status, statusText: "", headers: {}, data, config });
    const parts = { adapter, clock: TestClock.automatic(), random: () => 0.5 };
    const client = new Client(withToken("http://127.0.0.1:9/v1"), parts);
    const result = await callOperation(id, client, text, ids);
    const kind = resourceTypes.find((type) => {
        const { list, get } = untypedResources[type].operations;
        return id === list || id === get || id === `create${type}`;
    });
    const path = { ...ids, project_id: text };
    const outputs = kind && [result].flat().map((item) => untypedResources[kind].observation.observe(item, path));
    return { result, outputs };
}

/**
 * What is not as it must be in this place: absent, null and empty are the same, and 0 is a value. A field whose absence is a value
 * shows it. Any other one that is absent changes no output, but may leave it out.
 */
async function problemsAt(id: OperationId, answer: Fields, { path, schema }: Place): Promise<string[]> {
    const made = (value: Json | undefined) => madeOf(id, replaced(answer, path, value));
    const absent = await made(undefined);
    const empty = emptyOf(schema);
    const same = [null, ...(empty === undefined ? [] : [empty])];
    const results = await Promise.all(same.map(made));
    const { "x-absent-means": meaning } = schema;
    const isCounted = schema.type === "number" && meaning !== 0;
    const isLost = isCounted && isDeepStrictEqual(await made(0), absent);
    const complete = await made(answerAt(answer, path));
    const hasMeaning = meaning !== undefined || path.includes("connection_pooler") || schema["x-unread"];
    const changed = hasMeaning ? [] : changedOutputs(absent.outputs, complete.outputs);
    const isValue = meaning !== undefined && meaning !== null && typeof meaning === schema.type;
    const isOther = isValue && !isDeepStrictEqual(await made(meaning), absent);
    return [
        ...changed,
        ...(isOther ? [`not ${JSON.stringify(meaning)}`] : []),
        ...same.filter((_, index) => !isDeepStrictEqual(results[index], absent)).map((one) => JSON.stringify(one)),
        ...(isLost ? ["0"] : []),
    ].map((value) => `${path.join(".")}: ${value}`);
}

/** The value in a place. */
const answerAt = (answer: Fields, path: readonly string[]): Json =>
    path.reduce<unknown>((value, name) => (value as Fields)[name], answer) as Json;

/** The outputs with another value. One that is left out keeps its last known value. */
const changedOutputs = (outputs: object[] = [], complete: object[] = []): string[] =>
    outputs.flatMap((one, index) =>
        Object.entries(one).flatMap(([name, value]) => {
            const before = (complete[index] as Fields)[name];
            // A part of an object can be unknown.
            const whole: unknown = before === Object(before) ? { ...(before as object), ...(value as object) } : value;
            return isDeepStrictEqual(whole, before) ? [] : [`changes ${name}`];
        }),
    );

it.each(answers)(
    "each optional field of the answer to %s means the same if it is absent, null or empty, and 0 is a value",
    async (id, answer, places) => {
        const problems = await Promise.all(places.map((place) => problemsAt(id, answer, place)));
        expect(problems.flat()).toEqual([]);
    },
);

it("each answer with optional fields is tested", () => {
    expect(answers.length).toBeGreaterThan(10);
});
