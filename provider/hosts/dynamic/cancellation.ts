import type { IncomingHttpHeaders } from "node:http2";
import { Server } from "node:net";

const path = "/pulumirpc.ResourceProvider/Cancel";

/**
 * Calls back when the engine asks the provider to end its operations: after Ctrl-C, and at the end of a run. Pulumi's host of
 * dynamic providers ignores this request and passes it to no provider, so this listens to the server of the process.
 */
export function onCancel(cancel: () => void): void {
    const { _getActiveHandles } = process as unknown as { readonly _getActiveHandles?: () => readonly unknown[] };
    for (const handle of _getActiveHandles?.() ?? []) {
        if (handle instanceof Server) {
            handle.on("stream", (_: unknown, headers: IncomingHttpHeaders) => {
                if (headers[":path"] === path) {
                    cancel();
                }
            });
        }
    }
}
