import { evaluate } from "../../support/scripts";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const thing = { type: "object", required: ["id"], properties: { id: { type: "string", format: "uuid" } } };
const read = { operationId: "getThing", responses: { 200: json(thing), default: {} } };

const get = (changes: object) => ({ get: { ...read, ...changes } });
const answering = (schema: object) => get({ responses: { 200: json(schema) } });

const add = (name: string) => `Add it to \`${name}\` in scripts/generate/contract.mjs.`;
const methods = `as a method of /things, only get, post, put, patch, delete. ${add("effects")}`;
const takes = "With 202, and only then, it needs x-takes: seconds or minutes.";

/** Contracts with one path, and what is wrong with each. */
const unknown: readonly (readonly [what: string, item: object, problem: string])[] = [
    ["a method", { trace: read }, `"trace" is not known ${methods}`],
    ["a key of a path", { summary: "Things" }, `"summary" is not known ${methods}`],
    [
        "a status",
        get({ responses: { 303: {} } }),
        `"303" is not known as a status of getThing, only 200, 201, 202, 204. ${add("successes")}`,
    ],
    [
        "an alternative",
        answering({ type: "array", items: { anyOf: [thing] } }),
        `"object" is not known as an alternative in the response of getThing, only string. ${add("shapeOf")}`,
    ],
    [
        "a form",
        answering({ ...thing, properties: { id: { oneOf: [] } } }),
        `undefined is not known as the type of id of the response of getThing, only string, boolean, number, integer. ${add("shapeOf")}`,
    ],
    [
        "a header",
        get({ parameters: [{ in: "header", name: "etag" }] }),
        '"header" is not known as where /things has etag, only path, query. Add it to provider/api/client.ts and emulator/contract.ts.',
    ],
    [
        "another type of content",
        get({ responses: { 200: { content: { "text/csv": {} } } } }),
        '"text/csv" is not known as a type of getThing, only application/json. Add it to provider/api/http.ts and emulator/contract.ts.',
    ],
    [
        "two successes",
        get({ responses: { 200: {}, 204: {} } }),
        "getThing has several successes. Keep one of 200, 204.",
    ],
    ["x-takes without 202", get({ "x-takes": "minutes" }), `getThing answers 200. ${takes}`],
    ["202 without x-takes", get({ responses: { 202: {} } }), `getThing answers 202. ${takes}`],
];
const key = { type: "string", format: "password" };
const nested = { type: "object", properties: { keys: { type: "array", items: { properties: { shared_key: key } } } } };
const complete = {
    parameters: [{ in: "query", name: "since" }],
    get: read,
    post: { operationId: "setKeys", requestBody: json(nested), responses: { 204: {} } },
    patch: { operationId: "changeThing", responses: { 204: {} } },
};

/** The tables of each contract, or the error. One process loads the scripts for all of them. */
const tables = evaluate(`
    const { operationTables } = await load("generate/contract.mjs");
    const tablesOf = (item) => {
        try {
            return operationTables({ paths: { "/things": item } });
        } catch (error) {
            return error.constructor.name + ": " + error.message;
        }
    };
    const entries = ${JSON.stringify([...unknown, ["complete", complete]])};
    return Object.fromEntries(entries.map(([name, item]) => [name, tablesOf(item)]));
`) as Promise<Readonly<Record<string, unknown>>>;

it.each(unknown)("the contract with %s is rejected, with what to change", async (name, _, problem) => {
    expect((await tables)[name]).toBe(`ScriptError: provider/api/openapi.yaml: ${problem}`);
});

it("the tables have what each method does, the secret in a body at any depth, and the formats, which the emulator does not compile without", async () => {
    expect((await tables).complete).toMatchObject({
        operations: {
            getThing: { method: "GET", success: 200, answer: { fields: { id: "string" } } },
            setKeys: { method: "POST", success: 204, secret: "shared_key" },
        },
        methods: { GET: "read", POST: "change", PATCH: "change" },
        formats: ["password", "uuid"],
    });
});
