import type { dynamic } from "@pulumi/pulumi";
import { Session } from "../../lifecycle/session";
import type { Engine } from "../../model/engine";
import { resourceTypes, untypedResources } from "../../resources/index";
import { CancelledError, onSignal, shutdownMs } from "../engine";
import { onCancel } from "./cancellation";
import { DynamicProvider, hideReportedErrors } from "./dynamicProvider";

/** When the engine has exited, requests in flight have this long to end. */
const exitDelayMs = 5_000;

/** After a signal, the responses to the calls that were in progress have this long to leave the process. */
const responseMs = 1_000;

/** The provider of each type, for one run of the engine. Ends the process when the engine is gone, or at a signal. */
export function providersFor(engine: Engine): Readonly<Record<string, dynamic.ResourceProvider>> {
    const cancelled = new AbortController();
    // The signal of the session. That of the engine only says that it is gone.
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
    return Object.fromEntries(
        resourceTypes.map((type) => [type, new DynamicProvider(untypedResources[type], session)]),
    );
}
