export {
    getAuthInfo,
    getAuthInfoOutput,
    getProjects,
    getProjectsOutput,
    type GetAuthInfoResult,
    type GetProjectResult,
    type User,
} from "./identity";
export {
    getPeering,
    getPeeringOutput,
    getPeerings,
    getPeeringsOutput,
    getVpc,
    getVpcOutput,
    getVpcs,
    getVpcsOutput,
    type GetPeeringArgs,
    type GetPeeringResult,
    type GetPeeringsArgs,
    type GetVpcArgs,
    type GetVpcResult,
} from "./vpcs";
export {
    getReadReplicaSets,
    getReadReplicaSetsOutput,
    getService,
    getServiceOutput,
    getServices,
    getServicesOutput,
    type GetReadReplicaSetResult,
    type GetReadReplicaSetsArgs,
    type GetServiceArgs,
    type GetServiceResult,
} from "./services";
export { getServiceLogs, getServiceLogsOutput, type GetServiceLogsArgs, type LogEntry } from "./logs";
export { LookupError, type ProjectArgs } from "../../../provider/functions/function";
export type { LookupOptions } from "./lookup";
