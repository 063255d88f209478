import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { way, printable, type Text, logicalName } from "../base/message";
import { createRequire } from "node:module";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { systemClock, type Clock } from "../api/clock";
import { CloudDbError } from "../api/callErrors";
import type { Engine } from "../model/engine";

/** Connects to the engine at this address. Without an address, all methods do nothing. */
export function connectEngine(
    address: string | undefined,
    clock: Clock = systemClock,
    insecure = insecureByPulumi,
): Engine {
    const runEnded = new AbortController();
    if (address === undefined || !/^[\w.[\]:-]+:\d+$/.test(address)) {
        const silent = () => undefined;
        const flushed = () => Promise.resolve();
        return { address: undefined, info: silent, warn: silent, showRow: silent, flushed, runEnded: runEnded.signal };
    }
    const client = new EngineClient(address, insecure(), withoutProxy);
    // A cancellation is not known here: `providersFor` and the plugin add it.
    void whenGone(address, clock).then(() => {
        runEnded.abort(new CloudDbError("The Pulumi engine has exited. The provider sends no more requests."));
    });
    let last = Promise.resolve();
    const send =
        (severity: LogRequest.AsObject["severity"], ephemeral: boolean) => (urn: string | undefined, text: Text) => {
            const message = [text].flat().map(printable).join("\n");
            const request = new LogRequest().setSeverity(severity).setMessage(message);
            request.setUrn(urn ?? "").setEphemeral(ephemeral);
            // Sent one at a time to keep their order. A line that cannot be sent does not fail the operation.
            last = last.then(
                () =>
                    new Promise((resolve) => {
                        client.log(request, () => resolve());
                    }),
            );
        };
    const sendStatus = send(LogSeverity.INFO, true);
    return {
        address,
        info: send(LogSeverity.INFO, false),
        warn: send(LogSeverity.WARNING, false),
        showRow: (urn, text, step) => {
            sendStatus(urn === undefined || step === undefined ? urn : rowOf(urn, step), text);
        },
        flushed: () => last,
        runEnded: runEnded.signal,
    };
}

/** The credentials of a connection within this computer. */
type Insecure = () => ConstructorParameters<typeof EngineClient>[1];

/** The options of a gRPC connection within this computer. The library would use `https_proxy` in lower case. */
export const withoutProxy = { "grpc.enable_http_proxy": 0 } as const;

/** The gRPC library belongs to Pulumi. A program may not be able to resolve it. */
const insecureByPulumi: Insecure = () => {
    const { credentials } = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js") as {
        credentials: { createInsecure: Insecure };
    };
    return credentials.createInsecure();
};

/**
 * The user cancelled the run, or somebody ended the provider. Requests already sent stay in effect, and the state
 * contains what is known.
 */
export class CancelledError extends CloudDbError {
    constructor() {
        super({ what: "The operation was cancelled.", ways: [way("Resume", "repeat the command")] });
    }
}

/**
 * Calls this at each signal. The engine sends one at the end of each run, SIGBREAK on Windows. A signal to all processes of a
 * run comes while operations are in progress, and their responses contain the ids and the passwords of new resources.
 */
export function onSignal(end: () => void): void {
    for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) {
        process.on(signal, end);
    }
}

/** After a signal, operations in progress have this long to end and to return their responses. A container has no more. */
export const shutdownMs = 10_000;

/**
 * Ends a call of the engine when the engine has received the lines of the call. The engine can end the provider when the
 * last call has returned.
 */
export async function untilLinesAreSent<T>(engine: Engine, work: () => T | Promise<T>): Promise<T> {
    try {
        return await work();
    } finally {
        await engine.flushed();
    }
}

/** The address of the engine: the last argument of the process that is not a flag. Absent if a person started the process. */
export const engineAddress = (argv: readonly string[] = process.argv): string | undefined =>
    argv
        .slice(2)
        .filter((argument) => !argument.startsWith("-"))
        .at(-1);

/** The longest title of a row that leaves room for the duration of the update in a terminal with 80 columns. */
const longestTitle = 38;

/**
 * A URN whose type is the title of a step. The engine shows the changed properties before the status in the row of an
 * update, and nothing of the status fits in a narrow terminal. For a URN that it does not know, it adds a row, with the type
 * and the name first. Statuses are not stored, so that the row exists only during the run.
 */
function rowOf(urn: string, step: string): string {
    const [stack = "", project = ""] = urn.split("::");
    return [stack, project, rowTitle(step), logicalName(urn)].join("::");
}

/** The title of a step as a type in a URN, where `:` and `$` have a meaning. If it is too long, an ellipsis stands for what is left out. */
export function rowTitle(step: string): string {
    const title = printable(step)
        .replace(/"(\w+)":/g, "$1=")
        .replaceAll(":", "\u2236")
        .replaceAll("$", "\ufe69")
        .replace(/\s+/g, " ");
    const at = title.lastIndexOf(arrow);
    if (title.length <= longestTitle || at < 0) {
        return cut(title, longestTitle);
    }
    // The new value counts more than the old one.
    const to = cut(title.slice(at), Math.max(longestTitle - at, longestTitle - shortestStart));
    return cut(title.slice(0, at), longestTitle - to.length) + to;
}

const arrow = " -> ";
const shortestStart = 16;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** The pause between two attempts to connect. */
const reconnectMs = 300;
/** A process counts as gone after this many consecutive refused connections. */
const maxRefusals = 3;

/**
 * Resolves when no process listens at this address any longer. It keeps no connection open, because the engine waits for
 * open connections before it exits. Only refused connections count, because a process that is slow, paused or idle, or
 * that closes a connection, still listens.
 */
async function whenGone(address: string, clock: Clock): Promise<void> {
    const colon = address.lastIndexOf(":");
    const host = address.slice(0, colon).replace(/^\[(.*)\]$/, "$1");
    const port = Number(address.slice(colon + 1));
    let refusals = 0;
    for (;;) {
        refusals = (await refusesConnection(connect(port, host))) ? refusals + 1 : 0;
        if (refusals === maxRefusals) {
            return;
        }
        await clock.sleep(reconnectMs);
    }
}

/** Closes the connection at once. True if it was refused, false if it was open or failed in another way. */
async function refusesConnection(socket: Socket): Promise<boolean> {
    try {
        await once(socket.unref(), "connect");
        return false;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
    } finally {
        socket.destroy();
    }
}
