import type { Resource } from "../model/resource";
import type { Session } from "./session";

/** One kind of resource in a process of the provider. Each call of the engine receives it. */
export interface Managed {
    readonly resource: Resource;
    readonly session: Session;
    /** All kinds of resources, this one included. */
    readonly kinds: readonly Resource[];
}
