import { invalid } from "../errors";
import type { OperationId } from "../wire";
import { effectKinds, effectProblem, isEffectKind } from "./fields";
import type { Effect, Fault, FaultInput, FaultMethod } from "./fault";
import { parseFault } from "./text";

type Named = Readonly<Record<string, unknown>>;

export const faultMethods: readonly FaultMethod[] = ["GET", "POST", "DELETE"];

/** Validates faults. Rejects the first invalid one with a message that describes the valid form. */
export function checkFaults(inputs: unknown, operations: readonly OperationId[]): Fault[] {
    if (!Array.isArray(inputs)) {
        throw invalid("faults must be a list.");
    }
    return (inputs as FaultInput[]).map((input, index) => {
        try {
            return checkFault(typeof input === "string" ? parseFault(input) : input, operations);
        } catch (error) {
            throw invalid(`Fault ${index + 1}${inNumber(input)}: ${(error as Error).message}`);
        }
    });
}

const inNumber = (input: unknown): string => (typeof input === "string" ? ` ("${input}")` : "");

function checkFault(input: unknown, operations: readonly OperationId[]): Fault {
    if (!isObject(input)) {
        throw new Error("It must be an object or a string such as createService#2:reset-after.");
    }
    const { effect, ...selection } = input;
    const problem = selectionProblem(selection, operations);
    if (problem !== undefined) {
        throw new Error(problem);
    }
    const effects: readonly unknown[] = Array.isArray(effect) ? effect : [effect];
    if (effects.length === 0) {
        throw new Error("effect must not be an empty list.");
    }
    effects.forEach(checkEffect);
    return input as unknown as Fault;
}

function selectionProblem(selection: Named, operations: readonly OperationId[]): string | undefined {
    const { operation, method, resource, from, times, probability, ...rest } = selection;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) {
        return `${unknown} is unknown. The properties are operation, method, resource, from, times, probability and effect.`;
    }
    if (operation !== undefined && !operations.some((known) => known === operation)) {
        return `There is no operation ${JSON.stringify(operation)}. The operations are ${operations.join(", ")}.`;
    }
    if (method !== undefined && !faultMethods.some((known) => known === method)) {
        return `method must be one of ${faultMethods.join(", ")}, not ${JSON.stringify(method)}.`;
    }
    if (operation !== undefined && method !== undefined) {
        return "Set operation or method, not both.";
    }
    if (resource !== undefined && !(typeof resource === "string" && /^[A-Za-z0-9]+$/.test(resource))) {
        return "resource must be the id of a resource.";
    }
    if (from !== undefined && !isCount(from)) {
        return "from must be an integer of at least 1.";
    }
    if (times !== undefined && times !== "all" && !isCount(times)) {
        return 'times must be an integer of at least 1, or "all".';
    }
    return probability === undefined || isProbability(probability)
        ? undefined
        : "probability must be a number above 0 and up to 1.";
}

function checkEffect(effect: unknown): asserts effect is Effect {
    if (!isObject(effect)) {
        throw new Error("effect must be an object with a kind, or a list of such objects.");
    }
    const { kind, ...values } = effect;
    if (!isEffectKind(kind)) {
        throw new Error(`There is no effect ${JSON.stringify(kind)}. The effects are ${effectKinds.join(", ")}.`);
    }
    const problem = effectProblem({ kind, ...values });
    if (problem !== undefined) {
        throw new Error(problem);
    }
}

const isObject = (value: unknown): value is Named =>
    typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1;
export const isProbability = (value: unknown): boolean => typeof value === "number" && value > 0 && value <= 1;
