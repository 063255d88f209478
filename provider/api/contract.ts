import type { components, operations as wireOperations } from "./wire.gen";
import type { operations } from "./operations.gen";

/** The models of the contract. */
export type Schemas = components["schemas"];

/** The id of an operation of the contract. */
export type OperationId = keyof typeof operations;

type Wire<Id extends OperationId> = wireOperations[Id];
type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : undefined;
type Success<T> = Omit<T, "default">;

/** The path parameters of an operation. */
export type PathOf<Id extends OperationId> = Wire<Id>["parameters"] extends { path: infer Path } ? Path : undefined;
/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = Wire<Id>["parameters"]["query"];
/** The request body of an operation. */
export type BodyOf<Id extends OperationId> = Wire<Id> extends { requestBody: infer Body } ? Json<Body> : undefined;
/** The response body of a successful operation. */
export type AnswerOf<Id extends OperationId> = Json<
    Success<Wire<Id>["responses"]>[keyof Success<Wire<Id>["responses"]>]
>;
