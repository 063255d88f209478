import { Ajv } from "ajv";
import { formats, loadContract } from "../../emulator/contract";
import type { OperationId } from "../../emulator/wire";

const { operations } = loadContract();
const ajv = new Ajv({ formats, strict: false, validateSchema: false });

/** The first violation of the contract in a response. Undefined if the response is valid. */
export function answerFault(operationId: OperationId, status: number, body: unknown): string | undefined {
    const { responses = {} } = operations.find((one) => one.operationId === operationId) ?? {};
    const { content } = responses[status] ?? responses.default ?? {};
    if (!content) {
        return body === undefined ? undefined : `${operationId} ${status}: a body is not allowed`;
    }
    if (ajv.validate(content["application/json"].schema, body)) {
        return undefined;
    }
    const [first] = ajv.errors ?? [];
    return `${operationId} ${status}: ${first?.instancePath ?? ""} ${first?.message ?? "is wrong"}`;
}
