import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { inForm, type Shape } from "../../provider/api/answer";
import type { Schema } from "../../emulator/contract";
import type { OperationId } from "../../provider/api/contract";
import { operations } from "../../provider/api/operations.gen";
import {
    allowedBy,
    described,
    describedOperations,
    describedResponse,
    requestViolation,
    responseViolation,
    sentOnPurpose,
} from "../support/described";
import { read, root } from "../support/documents";
import { callOperation, exercises, prepare } from "./exercises";
import { strictnessOf, type Document } from "./strictness";
import { startClient } from "./world";

const emptyId = "nothing can be done with a resource that has no id";
const inPath = "the provider takes the ids from answers and checks those of a program";

/** Where the contract is stricter than the published description on purpose, or its requests are not, and why. */
const onPurpose: Readonly<Record<string, string>> = {
    "Peering.id has its own minLength": emptyId,
    "Project.id has its own minLength": emptyId,
    "ReadReplicaSet.id has its own minLength": emptyId,
    "Service.service_id has its own minLength": emptyId,
    "VPC.id has its own minLength": emptyId,
    "parameter peering_id has other forms": inPath,
    "parameter replica_set_id is below": inPath,
    "parameter vpc_id has other forms": inPath,
    "ResizeInput.cpu_millis has other forms": String(sentOnPurpose["ResizeInput.cpu_millis"]?.why),
    "ResizeInput.memory_gbs has other forms": String(sentOnPurpose["ResizeInput.memory_gbs"]?.why),
    "ResizeInput.nodes is unknown": String(sentOnPurpose["ResizeInput.nodes"]?.why),
};

const contract = parse(read("provider/api/openapi.yaml")) as Document;

it("the copy of the published description is the one that is shared", () => {
    const shared = join(root, "../shared/api/published.json");
    if (existsSync(shared)) {
        expect(read("emulator/published.json")).toBe(readFileSync(shared, "utf8"));
    }
});

it("the contract allows every answer of the published description, and the description every request of the contract", () => {
    expect(strictnessOf(contract)).toEqual(Object.keys(onPurpose).sort());
});

const published = new Set(described.map(({ method, path }) => `${method} ${path}`));

it("exactly the operations that the published description lacks are marked in the contract, with the reason", () => {
    const all = Object.entries(contract.paths).flatMap(([path, item]) =>
        Object.entries(item).flatMap(([method, { operationId, "x-not-published": reason }]) =>
            operationId === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, reason }],
        ),
    );
    const marked = all.filter(({ reason }) => typeof reason === "string" && reason !== "");
    const lacking = all.filter(({ name }) => !published.has(name));
    // If one is missing here, its path or its method has a typing error, or it needs `x-not-published: REASON`.
    expect(marked.map(({ name }) => name)).toEqual(lacking.map(({ name }) => name));
});

it("the comparison notices each optional member of an answer that the contract requires", () => {
    const { schemas = {} } = contract.components;
    const optional = Object.entries(schemas as Readonly<Record<string, Schema>>).flatMap(
        ([name, { properties = {}, required = [] }]) =>
            Object.keys(properties)
                .filter((one) => !required.includes(one))
                .map((one) => [name, one] as const),
    );
    const before = strictnessOf(contract).length;
    const isNoticed = (name: string, changed: Schema) => {
        const components = { ...contract.components, schemas: { ...schemas, [name]: changed } };
        return strictnessOf({ ...contract, components }).length !== before;
    };
    const unnoticed = optional.filter(([name, one]) => {
        const { required = [], properties = {}, ...schema } = schemas[name] as Schema;
        const others = Object.entries(properties).filter(([other]) => other !== one);
        const isPublished = isNoticed(name, { ...schema, required, properties: Object.fromEntries(others) });
        return isPublished && !isNoticed(name, { ...schema, properties, required: [...required, one] });
    });
    expect(unnoticed.filter(([name]) => !/Input$|^(ApiKeyInfo|OAuthUser)$/.test(name))).toEqual([]);
});

const rows = (Object.entries(exercises) as [OperationId, (typeof exercises)[OperationId]][]).filter(
    ([id]) => id in describedOperations,
);

it.each(rows.filter(([id]) => "answer" in operations[id]))(
    "each answer to %s that the published description allows is accepted",
    (id, { status }) => {
        const schema = describedResponse(describedOperations[id], status);
        const { answer } = operations[id] as { answer: Shape };
        fc.assert(
            fc.property(allowedBy(schema ?? {}), (body) => {
                const { problem, malformed } = inForm(body, answer);
                expect(
                    [problem, ...malformed.map((one) => one.problem)].filter(
                        (one) => one !== undefined && !/ has no field "(service_)?id"$/.test(one),
                    ),
                ).toEqual([]);
            }),
            { seed: 1, numRuns: 200 },
        );
    },
);

it.each(rows)("the request of %s and the answer of the emulator are in the published description", async (id) => {
    const world = await startClient();
    const ids = await prepare(id, world);
    await callOperation(id, world.client, world.project, ids);
    const { exchange, response } = world.passed.at(-1) ?? {};
    expect(requestViolation(exchange?.request ?? { method: "", path: "" })).toBeUndefined();
    const body: unknown = response?.body ? JSON.parse(response.body) : undefined;
    expect(responseViolation(describedOperations[id], response?.status ?? 0, body)).toBeUndefined();
});
