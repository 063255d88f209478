import { readFileSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import { aboveZero, isObject, list, problemOf, type Form, type ValuesOf } from "../schema";
import { faultProblem, type Fault } from "./fault";
import { parseFault } from "./text";

/** A fault as an object or in short form, such as `createService#2:reset-after`. */
export type FaultInput = Fault | string;

const maxFaults = 1_000;

/** A fault as an object or in short form. */
const faultInput: Form<FaultInput> = {
    type: "FaultInput",
    problem: (name, input) => {
        const named = `${name.replace(/^item (\d+) of .*/, "Fault $1")}${typeof input === "string" ? ` ("${input}")` : ""}`;
        const problem = typeof input === "string" ? textProblem(input) : faultProblem(input);
        return problem === undefined ? undefined : `${named}: ${problem}`;
    },
};

export const faultList = list(faultInput, "fault", maxFaults);

function textProblem(text: string): string | undefined {
    try {
        return faultProblem(parseFault(text));
    } catch (error) {
        return (error as Error).message;
    }
}

/** Faults that `faultList` has accepted, as objects. */
export const faultsOf = (inputs: readonly FaultInput[]): Fault[] =>
    inputs.map((input) => (typeof input === "string" ? parseFault(input) : input));

/** The content of a faults file. */
const scenario = {
    faults: faultList,
    /** The maximum number of requests per second. */
    rate: aboveZero,
};

/** Reads `{ "faults": […], "rate": N }`, where each fault is an object or in short form. */
export function readScenario(file: string): ValuesOf<typeof scenario> {
    try {
        const content: unknown = JSON.parse(readFileSync(file, "utf8"));
        const problem = isObject(content)
            ? problemOf(content, scenario)
            : 'It must contain an object such as {"faults": ["createService#2:reset-after"]}.';
        if (problem !== undefined) {
            throw new Error(problem);
        }
        return content as ValuesOf<typeof scenario>;
    } catch (error) {
        const message = `Faults file ${file} is invalid: ${(error as Error).message}`;
        throw new EmulatorStartError("invalid-option", message, { cause: error });
    }
}
