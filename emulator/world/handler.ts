import type { Caller } from "../callers";
import type { Answer, Body, OperationId, Params, Query } from "../wire";
import type { World } from "./world";

/** A request that is authorized and valid. */
export interface Call<K extends OperationId> {
    params: Params<K>;
    query: Query<K>;
    body: Body<K>;
    caller: Caller;
    world: World;
}

/** Carries out an operation and returns the response body. The contract defines the response status. */
export type Handler<K extends OperationId> = (call: Call<K>) => Answer<K>;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
