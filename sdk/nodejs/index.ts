export { Vpc, type VpcArgs } from "./vpc";
export { Peering, type PeeringArgs } from "./peering";
export { PeeringActivation, type PeeringActivationArgs } from "./peeringActivation";
export { Service, type ServiceArgs } from "./service";
export type { Fork } from "../../provider/resources/service/service";
export type { Size } from "../../provider/inputs/size";
export { ReadReplicaSet, type ReadReplicaSetArgs } from "./readReplicaSet";
export { ProductionDatabase, type ProductionDatabaseArgs, type ReadReplicaArgs } from "./productionDatabase";
export {
    LookupError,
    getAuthInfo,
    getAuthInfoOutput,
    getPeering,
    getPeeringOutput,
    getPeerings,
    getPeeringsOutput,
    getProjects,
    getProjectsOutput,
    getReadReplicaSets,
    getReadReplicaSetsOutput,
    getService,
    getServiceLogs,
    getServiceLogsOutput,
    getServiceOutput,
    getServices,
    getServicesOutput,
    getVpc,
    getVpcOutput,
    getVpcs,
    getVpcsOutput,
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
    type LookupOptions,
    type ProjectArgs,
    type User,
} from "./lookups";
export { InvalidResponseError, CloudDbError, ConnectionError, ApiError, ConfigError } from "../../provider/api/errors";
