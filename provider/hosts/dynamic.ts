import type { dynamic } from "@pulumi/pulumi";
import { lifecycles } from "../resources/index";
import { DynamicProvider } from "./dynamicProvider";
import { connectEngine } from "./engine";
import { quieten } from "./quiet";
import { Session } from "./session";

/** What was begun when the engine went has this long to end by itself. */
const lastWordsMs = 5_000;

// Pulumi starts the process that loads this with the engine's address, and leaves it running when the engine is killed.
const engine = connectEngine(process.argv[2]);
engine.gone.addEventListener("abort", () => {
    setTimeout(() => process.exit(1), lastWordsMs);
});
quieten(console);
const session = new Session(engine);

/** What `__provider` of each resource asks for; a name here is in the state of every stack and stays. */
export const Vpc: dynamic.ResourceProvider = new DynamicProvider(lifecycles.Vpc, session);
export const Peering: dynamic.ResourceProvider = new DynamicProvider(lifecycles.Peering, session);
export const PeeringActivation: dynamic.ResourceProvider = new DynamicProvider(lifecycles.PeeringActivation, session);
export const Service: dynamic.ResourceProvider = new DynamicProvider(lifecycles.Service, session);
export const ReadReplicaSet: dynamic.ResourceProvider = new DynamicProvider(lifecycles.ReadReplicaSet, session);
