import type { dynamic } from "@pulumi/pulumi";
import { resourceTypes, untypedResources } from "../../resources/index";
import { DynamicProvider, hideReportedErrors } from "./dynamicProvider";
import { onSignal, shutdownMs, Session } from "../../lifecycle/session";
import { CancelledError, connectEngine } from "../engine";
import { onCancel } from "./cancellation";

/** When the engine has exited, requests in flight have this long to end. */
const exitDelayMs = 5_000;

/** After a signal, the responses to the calls that were in progress have this long to leave the process. */
const responseMs = 1_000;

// Pulumi starts this process with the address of the engine, and does not stop it when the engine is killed.
const engine = connectEngine(process.argv[2]);
const cancelled = new AbortController();
const runEnded = AbortSignal.any([engine.runEnded, cancelled.signal]);
engine.runEnded.addEventListener("abort", () => {
    setTimeout(() => process.exit(1), exitDelayMs);
});
hideReportedErrors(console);
const session = new Session({ ...engine, runEnded });
const cancel = () => cancelled.abort(new CancelledError());
onCancel(cancel);
onSignal(() => {
    setTimeout(() => process.exit(1), shutdownMs);
    cancel();
    void session.calls.ended().then((hadCalls) => {
        setTimeout(() => process.exit(0), hadCalls ? responseMs : 0);
    });
});

/**
 * The `__provider` of each resource loads its provider from here, by type. These names are in the state of every stack
 * and must not change.
 */
const providers: Readonly<Record<string, dynamic.ResourceProvider>> = Object.fromEntries(
    resourceTypes.map((type) => [type, new DynamicProvider(untypedResources[type], session)]),
);

export = providers;
