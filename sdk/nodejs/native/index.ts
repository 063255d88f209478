export * from "./resources.gen";
export { ProductionDatabase } from "./productionDatabase";
export { Provider, type ProviderArgs } from "./provider";
export * from "./functions.gen";
export type { FunctionOptions, FunctionOutputOptions } from "./invoke";
export { FunctionError } from "../index";
export type { ProductionDatabaseArgs, ReadReplicaArgs } from "../productionDatabase";
export * from "./enums.gen";
