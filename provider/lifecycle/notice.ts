import type { Text } from "../base/printable";

/** Permanent lines under a resource. */
export interface Notice {
    readonly severity: "info" | "warn";
    readonly text: Text;
}

export const info = (text: Text): Notice => ({ severity: "info", text });
export const warning = (text: string): Notice => ({ severity: "warn", text });

/** The numbered lines of a plan, with a remark at the end. Empty for a plan without lines. */
export function planNotice(lines: readonly string[], remark?: string): readonly Notice[] {
    const numbered = lines.map((line, index) => `${index + 1} ${line}`);
    return lines.length === 0 ? [] : [info([...numbered, ...(remark === undefined ? [] : [remark])])];
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
    readonly runEnded: AbortSignal;
}
