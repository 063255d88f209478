import { getAuthInfo, getProjects } from "./account";
import { getServiceLogs } from "./logs";
import { kindFunctions } from "./resources.gen";

/** The functions of this package, by their names in programs. */
export const functions = {
    getAuthInfo,
    getProjects,
    ...kindFunctions,
    getServiceLogs,
} as const;

export type FunctionName = keyof typeof functions;

/** The arguments and the result of a function. */
export type ArgumentsOf<Name extends FunctionName> = Parameters<(typeof functions)[Name]["run"]>[0];
export type ResultOf<Name extends FunctionName> = Awaited<ReturnType<(typeof functions)[Name]["run"]>>;
