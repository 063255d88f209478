import type { components, operations } from "../provider/api/wire.gen";

/** The models of the contract by name. */
export type Wire = components["schemas"];

/** Every operation of the contract by its id. */
export type OperationId = keyof operations;

type Member<T, K extends string> = T extends Partial<Record<K, infer V>> ? V : undefined;
type Json<T> = T extends { content: { "application/json": infer B } } ? B : undefined;
type Success<K extends OperationId> = Extract<keyof operations[K]["responses"], number>;

/** The path parameters of an operation. */
export type Params<K extends OperationId> = NonNullable<Member<operations[K]["parameters"], "path">>;

/** The query of an operation. */
export type Query<K extends OperationId> = NonNullable<Member<operations[K]["parameters"], "query">>;

/** The request body of an operation. */
export type Body<K extends OperationId> = Json<Member<operations[K], "requestBody">>;

/** The response body of a successful operation, if it has one. */
export type Answer<K extends OperationId> = Json<operations[K]["responses"][Success<K>]>;

/** A field under its name and its deprecated alias. The contract requires both, with the same content. */
export const withDeprecatedAlias = <Name extends string, Deprecated extends string, Value>(
    name: Name,
    deprecated: Deprecated,
    value: Value,
): Record<Name | Deprecated, Value> => ({ [name]: value, [deprecated]: value }) as Record<Name | Deprecated, Value>;

/** Whether an operation creates a resource. */
export const isCreation = (operationId: string): boolean => /^(create|fork)/.test(operationId);
