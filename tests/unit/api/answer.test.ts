import { inForm, type Shape } from "../../../provider/api/answer";
import { operations } from "../../../provider/api/operations.gen";

const shape: Shape = {
    fields: {
        id: "id",
        size: "number",
        "busy?": "boolean",
        "note?": "string",
        "endpoint?": {
            shape: { fields: { "host?": "string", "deeper?": { fields: { "port?": "number" } } } },
            ifAbsent: null,
        },
        "spec?": { fields: { "cpu?": { shape: "number", ifAbsent: "shared" } } },
        parts: { items: { fields: { "name?": "string" } } },
        "tags?": { items: "string" },
    },
};
const bare = { id: "a", size: 1 };
const good = { ...bare, parts: [] };

const answerTo = (sent: unknown, of: Shape = shape) => inForm(sent, of);

it.each([
    { reason: "every field", sent: { ...good, busy: true, note: "n", endpoint: { host: "h" }, tags: ["x"] } },
    { reason: "0 and false, which are values", sent: { ...good, size: 0, busy: false } },
    { reason: "an object in which something is known to be there", sent: { ...good, endpoint: { deeper: {} } } },
])("a response with $reason has its form already", ({ sent }) => {
    expect(answerTo(sent)).toEqual({ value: sent, problem: undefined, malformed: [] });
});

it.each([
    { reason: "a field is null", sent: { ...good, busy: null, note: null, endpoint: null, tags: null } },
    { reason: "a text, a list or an object is empty", sent: { ...good, note: "", endpoint: {}, tags: [] } },
    { reason: "an object has only empty fields", sent: { ...good, endpoint: { host: "", deeper: null } } },
    { reason: "a list that must be there is null", sent: { ...bare, parts: null } },
    { reason: "a list that must be there is absent", sent: bare },
    {
        reason: "there are fields that the contract does not have",
        sent: { ...good, extra: { deep: [1] }, toString: 1 },
    },
])("the form is the same if $reason", ({ sent }) => {
    expect(answerTo(sent)).toEqual({ value: good, problem: undefined, malformed: [] });
});

it("a field that is absent has the value that the contract gives its absence, also in an empty object", () => {
    for (const spec of [{}, { cpu: null }]) {
        expect(answerTo({ ...good, spec }).value).toEqual({ ...good, spec: { cpu: "shared" } });
    }
    expect(answerTo({ ...good, spec: null }).value).toEqual(good);
});

it.each([
    { sent: { size: 1 }, problem: 'the response has no field "id"' },
    { sent: { id: "", size: 1 }, problem: 'the response has no field "id"' },
    { sent: { ...good, size: null }, problem: 'the response has no field "size"' },
    { sent: { id: 1, size: 1 }, problem: "the response.id is a number, not a string" },
    { sent: { id: "a", size: "1" }, problem: "the response.size is a string, not a number" },
    { sent: { ...good, busy: "no" }, problem: "the response.busy is a string, not a boolean" },
    { sent: { ...good, endpoint: "h" }, problem: "the response.endpoint is a string, not an object" },
    { sent: { ...good, endpoint: [1] }, problem: "the response.endpoint is an array, not an object" },
    { sent: { ...good, tags: "x" }, problem: "the response.tags is a string, not an array" },
    { sent: { ...good, tags: ["x", 2] }, problem: "the response.tags[1] is a number, not a string" },
    { sent: { ...good, parts: [{ name: 1 }] }, problem: "the response.parts[0].name is a number, not a string" },
    { sent: [good], problem: "the response is an array, not an object" },
    { sent: null, problem: "the response is null, not an object" },
    { sent: undefined, problem: "the response is empty, not an object" },
    { sent: { id: ["hunter2"], size: "hunter2" }, problem: "the response.id is an array, not a string" },
])("a response is invalid: $problem", ({ sent, problem }) => {
    expect(answerTo(sent)).toMatchObject({ problem, malformed: [] });
});

it.each([undefined, null, {}, { message: "" }, { message: null }, "OK", 1])(
    "a message for people can be absent, or %j",
    (sent) => {
        const { answer } = operations.renameVpc;
        expect(answerTo(sent, answer)).toEqual({ value: {}, problem: undefined, malformed: [] });
    },
);

describe("a list", () => {
    const list: Shape = { items: shape };

    it("is empty if it is null", () => {
        expect(answerTo(null, list)).toMatchObject({ value: [], problem: undefined });
    });

    it.each([
        { sent: undefined, problem: "the response is empty, not an array" },
        { sent: { items: [good] }, problem: "the response is an object, not an array" },
        { sent: "text", problem: "the response is a string, not an array" },
    ])("is not one: $problem", ({ sent, problem }) => {
        expect(answerTo(sent, list)).toMatchObject({ problem, malformed: [] });
    });

    it("leaves out malformed entries, which stay as they were sent", () => {
        const odd = { id: 2, name: "odd", tags: null };
        expect(answerTo([odd, bare, null, 7], list)).toEqual({
            value: [good],
            malformed: [
                { entry: odd, problem: "the response[0].id is a number, not a string" },
                { entry: {}, problem: "the response[2] is null, not an object" },
                { entry: Object(7) as object, problem: "the response[3] is a number, not an object" },
            ],
        });
    });
});

it.each([
    {
        old: "vpcEndpoint",
        now: "vpc_endpoint",
        of: operations.getService.answer,
        value: { host: "h", vpc_id: "1" },
    },
    { old: "apiKey", now: "api_key", of: operations.getAuthInfo.answer, value: { public_key: "k" } },
    { old: "lastCursor", now: "last_cursor", of: operations.getServiceLogs.answer, value: "c" },
])(
    "a field with a deprecated name is $now, whether the API sends $now, $old or both, or one of them empty",
    ({ old, now, of, value }) => {
        const empty = typeof value === "string" ? "" : {};
        for (const sent of [
            ...[{ [now]: value }, { [old]: value }, { [now]: value, [old]: "other" }, { [old]: "other", [now]: value }],
            ...[null, empty].flatMap((one) => [
                { [old]: value, [now]: one },
                { [old]: one, [now]: value },
            ]),
        ]) {
            expect(answerTo(sent, of).value).toMatchObject({ [now]: value });
            expect(answerTo(sent, of).value).not.toHaveProperty(old);
        }
        expect(answerTo({ [old]: null, [now]: empty }, of).value).not.toHaveProperty(now);
    },
);

const service = {
    created: "2030-01-01T00:00:00Z",
    name: "db",
    project_id: "p",
    region_code: "r",
    service_id: "s",
    service_type: "A_TYPE_OF_TOMORROW",
    status: "A_STATUS_OF_TOMORROW",
};

it.each(Object.keys(service))("a service without %s is invalid, because the contract requires it", (field) => {
    const { answer } = operations.getService;
    expect(answerTo(service, answer).problem).toBeUndefined();
    for (const absent of [undefined, null]) {
        expect(answerTo({ ...service, [field]: absent }, answer).problem).toBe(`the response has no field "${field}"`);
    }
});

it("an empty text of a service is a name or a status, and otherwise says nothing, but its id is not empty", () => {
    const empty = Object.fromEntries(Object.keys(service).map((field) => [field, ""]));
    const { value, problem } = answerTo(empty, operations.getService.answer);
    expect(problem).toBe('the response has no field "service_id"');
    const shown = Object.entries(value as object).filter(([field]) => field in service);
    expect(Object.fromEntries(shown)).toEqual({ name: "", status: "" });
});

it("an entry of a log can have an empty message", () => {
    const entries = [{ message: "", severity: "", timestamp: "2030-01-01T00:00:00Z" }];
    const sent = { logs: [""], entries };
    expect(answerTo(sent, operations.getServiceLogs.answer)).toMatchObject({
        problem: undefined,
        value: { logs: [""], entries: [{ message: "", timestamp: "2030-01-01T00:00:00Z" }] },
    });
});

it("what nothing reads does not make a service invalid", () => {
    const sent = { ...service, read_replica_sets: [{ id: 7 }] };
    expect(answerTo(sent, operations.getService.answer).problem).toBeUndefined();
});
