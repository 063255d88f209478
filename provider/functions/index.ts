import { getAuthInfo, getProjects } from "./account";
import { getServiceLogs, getServiceLogsPage } from "./logs";
import { getPeering, getPeerings, getReadReplicaSets, getService, getServices, getVpc, getVpcs } from "./resources";

/** The functions of this package, by their names in programs. */
export const functions = {
    getAuthInfo,
    getProjects,
    getVpcs,
    getVpc,
    getPeerings,
    getPeering,
    getServices,
    getService,
    getReadReplicaSets,
    getServiceLogs,
    getServiceLogsPage,
} as const;

export type FunctionName = keyof typeof functions;

/** The arguments and the result of a function. */
export type ArgumentsOf<Name extends FunctionName> = Parameters<(typeof functions)[Name]["run"]>[0];
export type ResultOf<Name extends FunctionName> = Awaited<ReturnType<(typeof functions)[Name]["run"]>>;
