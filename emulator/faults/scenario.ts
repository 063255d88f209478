import { readFileSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import { aboveZero, isObject, problemOf, type ValuesOf } from "../schema";
import { faultList } from "./input";

/** The content of a faults file. */
const fields = {
    faults: faultList,
    /** The maximum number of requests per second. */
    rate: aboveZero,
};

/** Reads `{ "faults": […], "rate": N }`, where each fault is an object or in short form. */
export function readScenario(file: string): ValuesOf<typeof fields> {
    try {
        const content: unknown = JSON.parse(readFileSync(file, "utf8"));
        const problem = isObject(content)
            ? problemOf(content, fields)
            : 'It must contain an object such as {"faults": ["createService#2:reset-after"]}.';
        if (problem !== undefined) {
            throw new Error(problem);
        }
        return content as ValuesOf<typeof fields>;
    } catch (error) {
        const message = `Faults file ${file} is invalid: ${(error as Error).message}`;
        throw new EmulatorStartError("invalid-option", message, { cause: error });
    }
}
