import { apiRoot, type Schema } from "../../emulator/contract";
import { described, type DescribedOperation } from "../support/described";

const operationOf = ({ parameters, body, responses }: DescribedOperation) => ({
    parameters: parameters.map((one) => ({ ...one, required: one.in === "path" })),
    ...(body && { requestBody: { required: true, ...contentOf(body) } }),
    responses: Object.fromEntries(
        Object.entries(responses).map(([status, schema]) => [
            status,
            { description: status, ...(schema && contentOf(schema)) },
        ]),
    ),
});

const itemOf = (path: string) =>
    Object.fromEntries(
        described
            .filter((one) => one.path === path)
            .map((operation) => [operation.method.toLowerCase(), operationOf(operation)]),
    );

const contentOf = (schema: Schema) => ({ content: { "application/json": { schema: documented(schema) } } });

/** The schema without what OpenAPI 3.0 does not allow: an empty list of required members. */
function documented({ required = [], properties, items, ...others }: Schema): object {
    return {
        ...others,
        ...(required.length > 0 && { required }),
        ...(items && { items: documented(items) }),
        ...(properties && {
            properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, documented(one)])),
        }),
    };
}

/** The published description as an OpenAPI document. */
export const document = {
    openapi: "3.0.3",
    info: { title: "The published description", version: "2026-08" },
    paths: Object.fromEntries(described.map(({ path }) => [`${apiRoot}${path}`, itemOf(path)])),
};
