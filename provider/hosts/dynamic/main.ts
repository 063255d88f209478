import type { dynamic } from "@pulumi/pulumi";
import { resourceTypes, untypedLifecycles } from "../../resources/index";
import { DynamicProvider } from "./dynamicProvider";
import { connectEngine } from "../engine";
import { hideReportedErrors } from "./quiet";
import { Session } from "../session";
import { passRequestUrns } from "./requestUrns";

/** When the engine has exited, operations in progress have this long to end. */
const exitDelayMs = 5_000;

// Pulumi starts this process with the address of the engine, and does not stop it when the engine is killed.
const engine = connectEngine(process.argv[2]);
engine.gone.addEventListener("abort", () => {
    setTimeout(() => process.exit(1), exitDelayMs);
});
hideReportedErrors(console);
passRequestUrns();
const session = new Session(engine);

/** Loaded through `__provider` of each resource, by its type. These names are in the state of every stack and must not change. */
const providers: Readonly<Record<string, dynamic.ResourceProvider>> = Object.fromEntries(
    resourceTypes.map((type) => [type, new DynamicProvider(untypedLifecycles[type], session)]),
);

export = providers;
