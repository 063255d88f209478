/** The meaning of a poll for a wait. */
export type Outcome =
    /** The resource has reached the target state. */
    | { readonly kind: "ready" }
    /** The operation is in progress. The status and the detail are shown to the user. */
    | { readonly kind: "pending"; readonly status: string; readonly detail?: string }
    /** The resource will not become ready. */
    | {
          readonly kind: "failed";
          readonly status: string;
          readonly reason: string;
      };

export const ready: Outcome = { kind: "ready" };

/** The outcome of an operation in progress. */
export function pending(status: string, detail?: string): Outcome {
    return { kind: "pending", status, ...(detail === undefined ? {} : { detail }) };
}

/** The outcome that ends a wait with an error. */
export function failed(status: string, reason: string): Outcome {
    return { kind: "failed", status, reason };
}
