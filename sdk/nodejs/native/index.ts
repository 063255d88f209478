export * from "./resources";
export { Provider, type ProviderArgs } from "./provider";
export * from "./functions.gen";
export { getServiceLogs, getServiceLogsOutput } from "./logs";
export { FunctionError, type FunctionOptions, type FunctionOutputOptions } from "./invoke";
export {
    LookupError,
    type Fork,
    type GetAuthInfoResult,
    type GetPeeringArgs,
    type GetPeeringResult,
    type GetPeeringsArgs,
    type GetProjectResult,
    type GetReadReplicaSetResult,
    type GetReadReplicaSetsArgs,
    type GetServiceArgs,
    type GetServiceLogsArgs,
    type GetServiceResult,
    type GetVpcArgs,
    type GetVpcResult,
    type LogEntry,
    type PeeringActivationArgs,
    type PeeringArgs,
    type ProductionDatabaseArgs,
    type ProjectArgs,
    type ReadReplicaArgs,
    type ReadReplicaSetArgs,
    type ServiceArgs,
    type Size,
    type User,
    type VpcArgs,
} from "../index";
export * from "./enums.gen";
