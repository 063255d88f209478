import { createRequire } from "node:module";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

// The gRPC library is Pulumi's own; it need not be one that a program can resolve.
const { credentials } = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as {
    credentials: { createInsecure(): ConstructorParameters<typeof EngineClient>[1] };
};

/** Messages under a resource in the output of `pulumi`. */
export interface EngineLog {
    /** A line that stays. */
    info(urn: string | undefined, text: string): void;
    warn(urn: string | undefined, text: string): void;
    /** Takes the place of the last one in the row of the resource while it works, and leaves nothing behind. */
    status(urn: string | undefined, text: string): void;
}

const silent: EngineLog = { info: () => undefined, warn: () => undefined, status: () => undefined };

/** Talks to the engine at this address, as the provider process is given it; silent where there is none. */
export function connectEngineLog(address: string | undefined): EngineLog {
    if (address === undefined || !/^[\w.[\]:-]+:\d+$/.test(address)) {
        return silent;
    }
    const client = new EngineClient(address, credentials.createInsecure());
    let last = Promise.resolve();
    const send =
        (severity: LogRequest.AsObject["severity"], ephemeral: boolean) => (urn: string | undefined, text: string) => {
            const request = new LogRequest();
            request.setSeverity(severity);
            request.setMessage(text);
            request.setUrn(urn ?? "");
            request.setEphemeral(ephemeral);
            // One at a time, so that lines come in the order in which they were said; one that is lost is no reason to fail.
            last = last.then(() => new Promise((resolve) => client.log(request, () => resolve())));
        };
    return {
        info: send(LogSeverity.INFO, false),
        warn: send(LogSeverity.WARNING, false),
        status: send(LogSeverity.INFO, true),
    };
}
