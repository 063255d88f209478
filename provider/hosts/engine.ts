import { setMaxListeners } from "node:events";
import { createRequire } from "node:module";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { systemClock, type Clock } from "../api/clock";
import { CloudDbError } from "../api/errors";
import { whenGone } from "./presence";

// The gRPC library is Pulumi's own; it need not be one that a program can resolve.
const { credentials } = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as {
    credentials: { createInsecure(): ConstructorParameters<typeof EngineClient>[1] };
};

/** The engine that this process works for: where lines are shown, and whether it is still there. */
export interface Engine {
    /** A line under a resource that stays. */
    info(urn: string | undefined, text: string): void;
    warn(urn: string | undefined, text: string): void;
    /** Takes the place of the last one in the row of the resource while it works, and leaves nothing behind. */
    status(urn: string | undefined, text: string): void;
    /** Resolves once the engine has all lines so far. It can end the provider as soon as its last call has returned. */
    flushed(): Promise<void>;
    /** Aborted once the engine is gone: nobody is left to keep what is done. */
    readonly gone: AbortSignal;
}

/** The engine was killed; it does not tell the processes that it started. */
export class EngineGoneError extends CloudDbError {
    constructor() {
        super("The Pulumi engine is gone; nothing more is sent to the service.");
    }
}

/** Talks to the engine at this address, as the provider process is given it; where there is none, nobody listens and nobody goes. */
export function connectEngine(address: string | undefined, clock: Clock = systemClock): Engine {
    const gone = new AbortController();
    // Every wait and every request of the process listens to it.
    setMaxListeners(0, gone.signal);
    if (address === undefined || !/^[\w.[\]:-]+:\d+$/.test(address)) {
        const silent = () => undefined;
        return { info: silent, warn: silent, status: silent, flushed: () => Promise.resolve(), gone: gone.signal };
    }
    const client = new EngineClient(address, credentials.createInsecure());
    void whenGone(address, clock).then(() => {
        gone.abort(new EngineGoneError());
    });
    let last = Promise.resolve();
    const send =
        (severity: LogRequest.AsObject["severity"], ephemeral: boolean) => (urn: string | undefined, text: string) => {
            const request = new LogRequest();
            request.setSeverity(severity);
            request.setMessage(text);
            request.setUrn(urn ?? "");
            request.setEphemeral(ephemeral);
            // One at a time, so that lines come in the order in which they were said; one that is lost is no reason to fail.
            last = last.then(
                () =>
                    new Promise((resolve) => {
                        client.log(request, () => resolve());
                    }),
            );
        };
    return {
        info: send(LogSeverity.INFO, false),
        warn: send(LogSeverity.WARNING, false),
        status: send(LogSeverity.INFO, true),
        flushed: () => last,
        gone: gone.signal,
    };
}
