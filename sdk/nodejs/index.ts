export * from "./resources.gen";
export { ProductionDatabase, type ProductionDatabaseArgs, type ReadReplicaArgs } from "./productionDatabase";
export * from "./functions/functions.gen";
export type { FunctionOptions } from "./functions/call";
export { FunctionError } from "../../provider/functions/function";
export {
    InvalidResponseError,
    CloudDbError,
    ConnectionError,
    ApiError,
    ConfigError,
} from "../../provider/api/callErrors";
