/** What a look at something says about a wait for it. */
export type Outcome =
    /** The status is the one that is waited for, and so is everything else about it. */
    | { readonly kind: "ready" }
    /** It is on its way; the status is shown to the user, with a detail where there is one to tell. */
    | { readonly kind: "pending"; readonly status: string; readonly detail?: string }
    /** It will not become ready by waiting. */
    | {
          readonly kind: "failed";
          readonly status: string;
          readonly reason: string;
          /** The property whose present value is the reason, where a change of it would help. */
          readonly property?: string;
      };

export const ready: Outcome = { kind: "ready" };

/** Still on its way. */
export function pending(status: string, detail?: string): Outcome {
    return { kind: "pending", status, ...(detail === undefined ? {} : { detail }) };
}

/** No use in waiting. */
export function failed(status: string, reason: string, property?: string): Outcome {
    return { kind: "failed", status, reason, ...(property === undefined ? {} : { property }) };
}
