import type { Key } from "../program";
import type { Entry } from "./entry";

/** What the runs of a stack have done, as far as the invariants need it. */
export class Notes {
    /** The state before the present run. */
    before: readonly Entry[] = [];
    /** The entries that the engine is asking the provider to delete. */
    readonly deleting = new Set<Entry>();
    /** The URNs of the resources that the present run has checked. */
    readonly checked = new Set<string>();
    /** Resources whose creation has an unknown result that no later run has resolved. */
    readonly inDoubt = new Set<Key>();
    /** Resources whose last operation did not succeed. */
    readonly unsettled = new Set<Key>();
    /**
     * Resources whose replacement was killed during the creation, and that were not created since. A later run without the
     * replacement compares the old resource and does not search for duplicates. The engine itself warns about the pending
     * operation.
     */
    readonly interruptedReplacements = new Set<Key>();
}
