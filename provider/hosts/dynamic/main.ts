import type { dynamic } from "@pulumi/pulumi";
import { lifecycles } from "../../resources/index";
import { DynamicProvider } from "./dynamicProvider";
import { connectEngine } from "../engine";
import { hideReportedErrors } from "./quiet";
import { Session } from "../session";

/** When the engine has exited, operations in progress have this long to end. */
const exitDelayMs = 5_000;

// Pulumi starts this process with the address of the engine, and does not stop it when the engine is killed.
const engine = connectEngine(process.argv[2]);
engine.gone.addEventListener("abort", () => {
    setTimeout(() => process.exit(1), exitDelayMs);
});
hideReportedErrors(console);
const session = new Session(engine);

/** Loaded through `__provider` of each resource. These names are in the state of every stack and must not change. */
export const Vpc: dynamic.ResourceProvider = new DynamicProvider(lifecycles.Vpc, session);
export const Peering: dynamic.ResourceProvider = new DynamicProvider(lifecycles.Peering, session);
export const PeeringActivation: dynamic.ResourceProvider = new DynamicProvider(lifecycles.PeeringActivation, session);
export const Service: dynamic.ResourceProvider = new DynamicProvider(lifecycles.Service, session);
export const ReadReplicaSet: dynamic.ResourceProvider = new DynamicProvider(lifecycles.ReadReplicaSet, session);
