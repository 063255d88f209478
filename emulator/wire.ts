import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf, Schemas } from "../provider/api/contract";
import { methods } from "../provider/api/operations.gen";

/** The models of the contract by name. */
export type Wire = Schemas;

export type { OperationId };

/** The path parameters of an operation. */
export type Params<K extends OperationId> = NonNullable<PathOf<K>>;

/** The query of an operation. */
export type Query<K extends OperationId> = NonNullable<QueryOf<K>>;

export type { AnswerOf as Answer, BodyOf as Body };

/** A field under its name and its deprecated alias. The contract requires both, with the same content. */
export const withDeprecatedAlias = <Name extends string, Deprecated extends string, Value>(
    name: Name,
    deprecated: Deprecated,
    value: Value,
): Record<Name | Deprecated, Value> => ({ [name]: value, [deprecated]: value }) as Record<Name | Deprecated, Value>;

/** What a request with this method does. Undefined if no operation has the method. */
export const effectOf = (method: string): string | undefined =>
    (methods as Readonly<Record<string, string>>)[method.toUpperCase()];

/** Whether a request with this method changes nothing. */
export const isRead = (method: string): boolean => effectOf(method) === "read";

/** Whether an operation creates a resource. */
export const isCreation = (operationId: string): boolean => /^(create|fork)/.test(operationId);
