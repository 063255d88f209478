import { isDeepStrictEqual } from "node:util";
import type { AxiosAdapter } from "axios";
import { parse } from "yaml";
import type { Schema } from "../../emulator/contract";
import { Client, parametersIn } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { operations } from "../../provider/api/operations.gen";
import { functions } from "../../provider/functions";
import type { ProviderFunction } from "../../provider/functions/function";
import schema from "../../provider/hosts/native/schema.gen.json";
import { resourceTypes, untypedResources } from "../../provider/resources";
import { untypedKinds } from "../support/cases";
import { withToken } from "../support/client";
import { read } from "../support/documents";
import { TestClock } from "../support/virtualClock";
import { camel } from "./exercises";
import { kindsWithId } from "./world";

// Each field of the contract has a place where a user finds it, or a reason why it has none.

/** Fields of answers that change no result of a function: the output that has them, or why a user does not find them. */
const fieldsElsewhere: Readonly<Record<string, string>> = {
    "Service.initial_password": "output Service.initialPassword",
    "Service.project_id": "output Service.projectId: a request names the project, and its answer cannot be of another",
    "ServiceResource.id": "nothing of the API takes the id of a node",
    "Service.read_replica_sets": "getReadReplicaSets returns them",
    "ServiceLogsResponse.logs": "the same texts as in entries, which are returned if they are there",
    "ServiceLogsResponse.last_cursor": "getServiceLogs follows it",
    "Message.message": "a text about a change that the preview and the row of the resource describe",
    "Error.code": "the message and the property code of an ApiError",
    "Error.message": "the message of an ApiError",
    "Error.details": "the message of an ApiError",
};

/** Parts of requests whose input has another name, or that no program sets. */
const parametersElsewhere: Readonly<Record<string, string>> = {
    "ServiceCreateInput.environment_tag": "input Service.environment",
    "ForkServiceInput.environment_tag": "input Service.environment",
    "ForkServiceInput.fork_strategy": "input Service.fork.strategy",
    "ForkServiceInput.target_time": "input Service.fork.targetTime",
    "getServiceLogs.cursor": "getServiceLogs follows it",
};

type Json = object | string | number | boolean;
type Part = Schema & { readonly $ref?: string };
interface Contract {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface Described {
    readonly operationId?: OperationId;
    readonly requestBody?: Body;
    readonly responses?: Readonly<Record<string, Body & { readonly $ref?: string }>>;
    readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}
interface Body {
    readonly content?: { readonly "application/json": { readonly schema: Part } };
}

const contract = (): Contract => parse(read("provider/api/openapi.yaml")) as Contract;

/** What a reference leads to, with its name. */
function resolved<T extends object>(
    of: Contract,
    part: T & { readonly $ref?: string },
): T & { readonly name?: string } {
    if (part.$ref === undefined) {
        return part;
    }
    const [, , group = "", name = ""] = part.$ref.split("/");
    const named = resolved(of, of.components[group]?.[name] as T);
    return { ...named, ...part, name: named.name ?? name };
}

/** A value of a schema, another one of each text, number and boolean, and where these are. */
interface Leaf {
    /** The schema that has the field, and the name of the field. */
    readonly key: string;
    readonly path: readonly string[];
    readonly values: readonly [Json, Json];
}

const texts: Readonly<Record<string, readonly [string, string]>> = {
    "date-time": ["2024-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z"],
    cidr: ["10.0.0.0/16", "10.1.0.0/16"],
};

function leavesOf(of: Contract, part: Part, owner: string, key: string, path: readonly string[] = []): Leaf[] {
    const { anyOf: [first] = [], name = owner, ...one } = resolved(of, part);
    if (first) {
        return leavesOf(of, first, owner, key, path);
    }
    if (one.properties) {
        return Object.entries(one.properties).flatMap(([field, inner]) =>
            inner["x-replaced-by"] === undefined
                ? leavesOf(of, inner, `${name}.${field}`, `${name}.${field}`, [...path, field])
                : [],
        );
    }
    if (one["x-unread"]) {
        return [{ key, path: [...path, "0"], values: [{}, {}] }];
    }
    if (one.items) {
        return leavesOf(of, one.items, owner, key, [...path, "0"]);
    }
    const [word = "1", other = "2"] = one.enum ?? [];
    const ofText = texts[one.format ?? ""] ?? ([word, other] as const);
    return [{ key, path, values: one.type === "string" ? ofText : one.type === "boolean" ? [false, true] : [1, 2] }];
}

/** The answer with these values. */
function answerWith(leaves: readonly Leaf[], valueOf: (leaf: Leaf) => Json): Json {
    const answer: Record<string, unknown> = {};
    for (const leaf of leaves) {
        leaf.path.reduce<Record<string, unknown>>((within, name, index) => {
            const isLast = index === leaf.path.length - 1;
            return (within[name] ??= isLast ? valueOf(leaf) : {}) as Record<string, unknown>;
        }, answer);
    }
    return withLists(answer) as Json;
}

/** A list has one entry, with the name 0. */
function withLists(value: unknown): unknown {
    if (typeof value !== "object" || value === null) {
        return value;
    }
    const entries = Object.entries(value).map(([name, one]) => [name, withLists(one)] as const);
    const [[name, only] = []] = entries;
    return name === "0" ? [only] : Object.fromEntries(entries);
}

const argumentsFor = (required: readonly (string | readonly string[])[]) => ({
    ...(Object.fromEntries(required.map((one) => [[one].flat()[0], "1"])) as object),
    limit: 1,
});
const all = Object.values(functions) as unknown as readonly ProviderFunction<object, unknown>[];

/** The functions that begin with each operation. */
async function readers(): Promise<ReadonlyMap<OperationId, ProviderFunction<object, unknown>>> {
    const found = all.map(async (one) => {
        const id = await new Promise<OperationId>((resolve) => {
            const call = (operation: OperationId) => new Promise(() => resolve(operation));
            void one.run(argumentsFor(one.required), { client: { call, at: call }, projectId: () => "1" } as never);
        });
        return [id, one] as const;
    });
    return new Map(await Promise.all(found));
}

async function resultOf(id: OperationId, { required, run }: ProviderFunction<object, unknown>, answer: Json) {
    const data = JSON.stringify(answer);
    const adapter: AxiosAdapter = (config) =>
        Promise.resolve({ status: operations[id].success, statusText: "", headers: {}, data, config });
    const client = new Client(withToken("http://127.0.0.1:9/v1"), { adapter, clock: TestClock.automatic() });
    return run(argumentsFor(required), { client, projectId: () => "1", options: {} });
}

/** The operations of a document, each with the parameters of its path and its query. */
const operationsOf = (of: Contract) =>
    Object.entries(of.paths).flatMap(([path, item]) =>
        Object.values(item).flatMap(({ operationId: id, ...one }) => (id === undefined ? [] : [{ id, path, ...one }])),
    );

const schemaIn = (body: Body | undefined): Part | undefined => body?.content?.["application/json"].schema;

/** The answers to all operations, also those of a failure. */
const answersOf = (of: Contract) =>
    operationsOf(of).flatMap(({ id, responses = {} }) =>
        Object.entries(responses).map(([status, response]) => {
            const part = schemaIn(resolved(of, response));
            const isSuccess = status === String(operations[id].success);
            return { id, isSuccess, leaves: part === undefined ? [] : leavesOf(of, part, id, id) };
        }),
    );

const keysOf = (answers: ReturnType<typeof answersOf>): string[] => [
    ...new Set(answers.flatMap(({ leaves }) => leaves.map(({ key }) => key))),
];

/** The fields of answers that neither a result of a function nor the table has. */
async function unplacedFields(of: Contract): Promise<string[]> {
    const byOperation = await readers();
    const placed = new Set(Object.keys(fieldsElsewhere));
    const answers = answersOf(of);
    for (const { id, isSuccess, leaves } of answers) {
        const reader = isSuccess ? byOperation.get(id) : undefined;
        if (reader !== undefined) {
            const before = await resultOf(
                id,
                reader,
                answerWith(leaves, ({ values: [one] }) => one),
            );
            for (const leaf of leaves.filter(({ key }) => !placed.has(key))) {
                const changed = answerWith(leaves, (one) => one.values[one === leaf ? 1 : 0]);
                if (!isDeepStrictEqual(await resultOf(id, reader, changed), before)) {
                    placed.add(leaf.key);
                }
            }
        }
    }
    return keysOf(answers).filter((key) => !placed.has(key));
}

/** The parameters of paths: the project, and the ids of all kinds. */
const inPaths: ReadonlySet<string> = new Set(["project_id", ...kindsWithId.map(([, param]) => param)]);

/** The parts of requests that are neither an input of the kind or function with the operation, nor in the table. */
function unplacedParameters(of: Contract): string[] {
    const argumentsOf = (id: OperationId): object =>
        (schema.functions as Readonly<Record<string, { inputs?: { properties: object } }>>)[`clouddb:index:${id}`]
            ?.inputs?.properties ?? {};
    return operationsOf(of).flatMap(({ id, path, parameters = [], requestBody }) => {
        const type = resourceTypes.find((one) => id in untypedKinds[one].exercises);
        const inputs = { ...(type && untypedResources[type].fields), ...argumentsOf(id) };
        const part = schemaIn(requestBody);
        const ofBody = part === undefined ? [] : leavesOf(of, part, id, id).map(({ key }) => key);
        const ofQuery = parameters.map(({ name }) => `${id}.${name}`);
        const ofPath = parametersIn(path).filter((param) => !inPaths.has(param));
        return [...ofBody, ...ofQuery, ...ofPath.map((param) => `${id}.${param}`)].filter(
            (key) => !(camel(key.split(".").at(-1) ?? "") in inputs) && !(key in parametersElsewhere),
        );
    });
}

/** The contract with another field of a schema. */
function withField(name: string, part: Part): Contract {
    const of = contract();
    const { schemas = {} } = of.components;
    const { properties, ...one } = schemas[name] as Schema;
    const changed = { ...one, properties: { ...properties, x_new: part } };
    return { ...of, components: { ...of.components, schemas: { ...schemas, [name]: changed } } };
}

test("each field of an answer is in a result of a function, or has a row with its output or the reason", async () => {
    expect(await unplacedFields(contract())).toEqual([]);
});

test("each part of a request is an input or an argument, or has a row with its name or the reason", () => {
    expect(unplacedParameters(contract())).toEqual([]);
});

test.each(["Service", "Metrics", "Vpc", "Peering", "ReadReplicaSet", "LogEntry", "Project", "ApiKeyInfo"])(
    "a new field of %s in an answer has no place",
    async (name) => {
        expect(await unplacedFields(withField(name, { type: "string" }))).toEqual([`${name}.x_new`]);
    },
);

test("a new field of a request has no place", () => {
    const name = "ServiceCreateInput";
    expect(unplacedParameters(withField(name, { type: "string" }))).toEqual([`${name}.x_new`]);
});

test("each row is of a field that exists, and names an output or input that exists", () => {
    const members = (type: string, group: "fields" | "outputs"): object =>
        Object(untypedResources[type as "Service"][group]) as object;
    const problems = Object.entries({ ...fieldsElsewhere, ...parametersElsewhere }).filter(([, text]) => {
        const [, what = "", type = "", name = ""] = /^(output|input) (\w+)\.(\w+)/.exec(text) ?? [];
        return what !== "" && !(name in members(type, what === "input" ? "fields" : "outputs"));
    });
    expect(problems).toEqual([]);
    expect(keysOf(answersOf(contract()))).toEqual(expect.arrayContaining(Object.keys(fieldsElsewhere)));
});
