import { lifecycles } from "../resources/index";
import { DynamicProvider } from "./dynamicProvider";
import { Session } from "./session";

// Pulumi starts the process that loads this with the engine's address.
const session = new Session(process.argv[2]);

/** What `__provider` of each resource asks for; a name here is in the state of every stack and stays. */
export const Vpc = new DynamicProvider(lifecycles.Vpc, session);
export const Peering = new DynamicProvider(lifecycles.Peering, session);
export const PeeringActivation = new DynamicProvider(lifecycles.PeeringActivation, session);
export const Service = new DynamicProvider(lifecycles.Service, session);
export const ReadReplicaSet = new DynamicProvider(lifecycles.ReadReplicaSet, session);
