import { list, type Form } from "../schema";
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
