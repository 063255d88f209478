import type { OperationId } from "../wire";
import type { HandlersOf } from "./handler";
import { identityHandlers } from "./identity";
import { replicaSetHandlers } from "./replicaSets";
import { serviceHandlers } from "./services";
import { vpcHandlers } from "./vpcs";

/** The handler of each operation. A new operation does not compile until it has one. */
export const handlers: HandlersOf<OperationId> = {
    ...identityHandlers,
    ...vpcHandlers,
    ...serviceHandlers,
    ...replicaSetHandlers,
};
