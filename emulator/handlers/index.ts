import type { OperationId } from "../wire";
import type { HandlersOf } from "./handler";
import { identityHandlers } from "./identity";
import { replicaSetHandlers } from "./replicaSets";
import { serviceHandlers } from "./services";
import { vpcHandlers } from "./vpcs";

/** One handler for each operation of the contract; a missing one does not compile. */
export const handlers: HandlersOf<OperationId> = {
    ...identityHandlers,
    ...vpcHandlers,
    ...serviceHandlers,
    ...replicaSetHandlers,
};
