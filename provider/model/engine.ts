import type { Notice, Text } from "../base/message";

/** The Pulumi engine that started this process. */
export interface Engine {
    /** The address of the engine, which is the same for all processes of a run. Undefined without an engine. */
    readonly address: string | undefined;
    /** Prints permanent lines under a resource. */
    info(urn: string | undefined, text: Text): void;
    warn(urn: string | undefined, text: Text): void;
    /** Replaces the status in the row of a resource during its operation, or in a row that only a step of it has. */
    showRow(urn: string | undefined, text: string, step?: string): void;
    /** Resolves when the engine has received all lines. */
    flushed(): Promise<void>;
    /** Aborted when all operations must end: the run is cancelled, which still stores what is known, or the engine has exited. */
    readonly runEnded: AbortSignal;
}

/** The calls of the engine in progress. */
export class Calls {
    private readonly inProgress = new Set<Promise<unknown>>();

    track<T>(call: Promise<T>): Promise<T> {
        const ended: Promise<unknown> = call.catch(() => undefined).finally(() => this.inProgress.delete(ended));
        this.inProgress.add(ended);
        return call;
    }

    /** Resolves when they have ended. True if there were any. */
    async ended(): Promise<boolean> {
        const ended = await Promise.all(this.inProgress);
        return ended.length > 0;
    }
}

/**
 * Prints lines. In a log, Pulumi repeats the first line of the last message in each row of the resource, and prints all lines
 * at the end: with an empty first line, each one appears once.
 */
export function print(engine: Engine, urn: string | undefined, notices: readonly Notice[]): void {
    for (const { severity, text } of notices) {
        engine[severity](urn, severity === "info" ? ["", ...[text].flat()] : text);
    }
}
