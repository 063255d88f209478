import type { Contract } from "../contract";
import type { ApiOperation, Schema } from "./messages";

/** The operations of the contract that change something. */
export const changesOf = ({ operations }: Contract): ApiOperation[] =>
    operations
        .filter(({ method }) => method.toUpperCase() !== "GET")
        .map((operation) => {
            const { operationId = "", method, path, summary = "", description } = operation;
            const { content } = (operation.requestBody ?? {}) as { content?: Record<string, { schema?: Schema }> };
            const body = content?.["application/json"]?.schema;
            return {
                id: operationId,
                method: method.toUpperCase(),
                path,
                summary,
                ...(description !== undefined && { description }),
                ...(body && { body }),
            };
        });
