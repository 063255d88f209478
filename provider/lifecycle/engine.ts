import type { Text } from "../inputs/printable";

/** The Pulumi engine that started this process. */
export interface Engine {
    /** The address of the engine, which is the same for all processes of a run. Undefined without an engine. */
    readonly address: string | undefined;
    /** Prints permanent lines under a resource. */
    info(urn: string | undefined, text: Text): void;
    warn(urn: string | undefined, text: Text): void;
    /** Replaces the status in the row of a resource during its operation, or in a row that only a step of it has. */
    status(urn: string | undefined, text: string, step?: string): void;
    /** Resolves when the engine has received all lines. */
    flushed(): Promise<void>;
    /** Aborted when the engine has exited, because the state can no longer be stored. */
    readonly gone: AbortSignal;
}
