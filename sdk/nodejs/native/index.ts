export * from "./resources";
export { Provider, type ProviderArgs } from "./provider";
export * from "./functions.gen";
export type { FunctionOptions, FunctionOutputOptions } from "./invoke";
export {
    FunctionError,
    type Fork,
    type PeeringActivationArgs,
    type PeeringArgs,
    type ProductionDatabaseArgs,
    type ReadReplicaArgs,
    type ReadReplicaSetArgs,
    type ServiceArgs,
    type Size,
    type VpcArgs,
} from "../index";
export * from "../functions/deprecated";
export * from "./enums.gen";
