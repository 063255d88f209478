import { operations } from "../../../provider/api/operations.gen";
import { mismatch, verify, withEmptyLists, type Shape } from "../../../provider/api/client";

const shape: Shape = {
    fields: {
        id: "string",
        size: "number",
        "busy?": "boolean",
        "endpoint?": { fields: { host: "string" } },
        "tags?": { items: "string" },
    },
};
const good = { id: "a", size: 1 };

it.each([
    { reason: "only required fields", answer: good },
    { reason: "optional fields", answer: { ...good, busy: false, endpoint: { host: "h" }, tags: ["x"] } },
    { reason: "unknown fields", answer: { ...good, surprise: { deep: [1] } } },
    { reason: "null for optional fields", answer: { ...good, busy: null, endpoint: null, tags: null } },
    { reason: "empty text and zero", answer: { ...good, size: 0, endpoint: { host: "" } } },
])("a response is valid with $reason", ({ answer }) => {
    expect(mismatch(answer, shape)).toBeUndefined();
});

it.each([
    { answer: { size: 1 }, problem: 'the response has no field "id"' },
    { answer: { id: "", size: 1 }, problem: 'the response has no field "id"' },
    { answer: { id: 1, size: 1 }, problem: "the response.id is a number, not a string" },
    { answer: { id: "a", size: "1" }, problem: "the response.size is a string, not a number" },
    { answer: { ...good, busy: "no" }, problem: "the response.busy is a string, not a boolean" },
    { answer: { ...good, endpoint: "h" }, problem: "the response.endpoint is a string, not an object" },
    { answer: { ...good, endpoint: {} }, problem: 'the response.endpoint has no field "host"' },
    { answer: { ...good, tags: "x" }, problem: "the response.tags is a string, not an array" },
    { answer: { ...good, tags: ["x", 2] }, problem: "the response.tags[1] is a number, not a string" },
    { answer: [good], problem: "the response is an array, not an object" },
    { answer: null, problem: "the response is null, not an object" },
    { answer: undefined, problem: "the response is empty, not an object" },
    { answer: { id: ["hunter2"], size: "hunter2" }, problem: "the response.id is an array, not a string" },
])("a response is invalid: $problem", ({ answer, problem }) => {
    expect(mismatch(answer, shape)).toBe(problem);
});

describe("a list that is null", () => {
    const { answer } = operations.listServices;
    const service = { created: "", name: "", project_id: "p", region_code: "", service_type: "", status: "" };

    it("a list that is null is empty, at any depth, and nothing else changes", () => {
        expect(withEmptyLists(null, answer)).toEqual([]);
        const found = withEmptyLists([{ ...service, service_id: "a", resources: null, extra: null }, null, 7], answer);
        expect(found).toEqual([{ ...service, service_id: "a", resources: [], extra: null }, null, 7]);
        expect(withEmptyLists(undefined, answer)).toBeUndefined();
        const nulls = { ...good, endpoint: null };
        expect(withEmptyLists({ ...nulls, tags: null }, shape)).toEqual({ ...nulls, tags: [] });
    });
});

it.each([{ items: [good] }, null, "text", undefined])("what is not a list is returned unchanged (%j)", (value) => {
    const malformed = jest.fn();
    const problem = mismatch(value, { items: shape });
    expect(verify(value, { items: shape }, malformed)).toEqual({ wellFormed: value, problem });
    expect(malformed).not.toHaveBeenCalled();
});

const service = {
    created: "2030-01-01T00:00:00Z",
    name: "db",
    project_id: "p",
    region_code: "r",
    resources: [{ id: "1", spec: { cpu_millis: 500 } }],
    service_id: "s",
    service_type: "A_TYPE_OF_TOMORROW",
    status: "A_STATUS_OF_TOMORROW",
};

it.each(Object.keys(service))("a service without %s is invalid, because the contract requires it", (field) => {
    const answer = { ...service, [field]: undefined };
    expect(mismatch(answer, operations.getService.answer)).toBe(`the response has no field "${field}"`);
});
