import { OpenAPIValidator } from "openapi-backend";
import { formats, loadContract } from "../../emulator/contract";
import type { OperationId } from "../../emulator/wire";

const { definition, operations } = loadContract();
const validator = new OpenAPIValidator({
    definition,
    lazyCompileValidators: true,
    ajvOpts: { formats, validateSchema: false },
});

/** The first violation of the contract in a response. Undefined if the response is valid. */
export function answerFault(operationId: OperationId, status: number, body: unknown): string | undefined {
    const { responses } = operations.find((one) => one.operationId === operationId) ?? {};
    const described = responses?.[status];
    if (described && !("content" in described)) {
        return body === undefined ? undefined : `${operationId} ${status}: a body is not allowed`;
    }
    const [first] = validator.validateResponse(body, operationId, status).errors ?? [];
    return first && `${operationId} ${status}: ${first.instancePath} ${first.message ?? "is wrong"}`;
}
