import { readFileSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import type { OperationId } from "../wire";
import { checkFaults } from "./check";
import type { Fault } from "./fault";

/** The content of a faults file. */
export interface Scenario {
    faults: Fault[];
    /** The maximum number of requests per second. */
    rate?: number;
}

/** Reads `{ "faults": […], "rate": N }`, where each fault is an object or in short form. */
export function readScenario(file: string, operations: readonly OperationId[]): Scenario {
    try {
        return check(JSON.parse(readFileSync(file, "utf8")), operations);
    } catch (error) {
        const message = `Faults file ${file} is invalid: ${(error as Error).message}`;
        throw new EmulatorStartError("invalid-option", message, { cause: error });
    }
}

function check(content: unknown, operations: readonly OperationId[]): Scenario {
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
        throw new Error('It must contain an object such as {"faults": ["createService#2:reset-after"]}.');
    }
    const { faults = [], rate, ...rest } = content as Readonly<Record<string, unknown>>;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) {
        throw new Error(`${unknown} is unknown. The properties are faults and rate.`);
    }
    if (rate !== undefined && typeof rate !== "number") {
        throw new Error("rate must be a number.");
    }
    return { faults: checkFaults(faults, operations), ...(rate !== undefined && { rate }) };
}
