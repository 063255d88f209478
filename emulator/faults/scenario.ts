import { readFileSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import type { OperationId } from "../wire";
import { checkFaults } from "./check";
import type { Fault } from "./fault";

/** What goes wrong, as a file says it. */
export interface Scenario {
    faults: Fault[];
    /** Requests a second. */
    rate?: number;
}

/** Reads `{ "faults": […], "rate": N }`, where a fault is an object or a text in short. */
export function readScenario(file: string, operations: readonly OperationId[]): Scenario {
    try {
        return check(JSON.parse(readFileSync(file, "utf8")), operations);
    } catch (error) {
        const message = `Faults file ${file} cannot be used: ${(error as Error).message}`;
        throw new EmulatorStartError("invalid-option", message, { cause: error });
    }
}

function check(content: unknown, operations: readonly OperationId[]): Scenario {
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
        throw new Error('It must hold an object such as {"faults": ["createService#2:reset-after"]}.');
    }
    const { faults = [], rate, ...rest } = content as Readonly<Record<string, unknown>>;
    const [stranger] = Object.keys(rest);
    if (stranger !== undefined) throw new Error(`${stranger} is unknown; it may hold faults and rate.`);
    if (rate !== undefined && typeof rate !== "number") throw new Error("rate must be a number.");
    return { faults: checkFaults(faults, operations), ...(rate !== undefined && { rate }) };
}
