import type { Handlers } from "./world/handler";
import { identityHandlers } from "./world/identity";
import { peeringHandlers } from "./world/peerings";
import { replicaSetHandlers } from "./world/replicaSets";
import { serviceHandlers } from "./world/services";
import { vpcHandlers } from "./world/vpcs";

/** The handler of each operation. A new operation does not compile until it has one. */
export const handlers: Handlers = {
    ...identityHandlers,
    ...vpcHandlers,
    ...peeringHandlers,
    ...serviceHandlers,
    ...replicaSetHandlers,
};
