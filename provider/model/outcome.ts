import type { WayOut } from "../base/message";

/** The meaning of a poll for a wait. */
export type Outcome =
    /** The resource has reached the target state. */
    | { readonly phase: "ready" }
    /** The operation is in progress. The status and the detail are shown to the user. */
    | {
          readonly phase: "pending";
          readonly status: string;
          readonly detail?: string;
          /** Whether the resource may be in its creation. */
          readonly isCreation?: true;
          /** Whether the API may accept a change, although the resource is not at rest. */
          readonly isOpen?: true;
      }
    /** The resource will not become ready. */
    | {
          readonly phase: "failed";
          readonly status: string;
          readonly reason: string;
          readonly ways?: readonly WayOut[];
          /** Whether the resource is being deleted. */
          readonly isDeletion?: true;
      };

export const ready: Outcome = { phase: "ready" };

/** The outcome of an operation in progress. */
export function pending(status: string, detail?: string): Outcome {
    return { phase: "pending", status, ...(detail === undefined ? {} : { detail }) };
}

/** The outcome that ends a wait with an error. */
export function failed(status: string, reason: string, ways: readonly WayOut[] = []): Outcome {
    return { phase: "failed", status, reason, ways };
}

/** The outcome of a creation in progress. */
export function creating(status: string): Outcome {
    return { phase: "pending", status, isCreation: true };
}

/** Whether a change can be sent: only its response shows whether the API accepts it. */
export const mayAccept = (outcome: Outcome): boolean => outcome.phase === "ready" || "isOpen" in outcome;

/** The outcome of a wait for a resource that is being deleted. */
export function deleting(status: string, reason = "it is being deleted", ways: readonly WayOut[] = []): Outcome {
    return { phase: "failed", status, reason, ways, isDeletion: true };
}

/** A kind of resource. */
interface Observing {
    readonly observation: { readiness(item: unknown, inputs: object): Outcome };
}

/** Whether the resource is being deleted. */
export function isDeleting({ observation }: Observing, item: unknown): boolean {
    return "isDeletion" in observation.readiness(item, {});
}

/** Whether a resource with this state may still be in creation. A state has the status under the name of the API. */
export function isCreating({ observation }: Observing, state: object): boolean {
    return "isCreation" in observation.readiness(state, {});
}

/** Whether no change was in progress when the resource was last read. */
export function wasAtRest({ observation }: Observing, state: object): boolean {
    return observation.readiness(state, {}).phase === "ready";
}
