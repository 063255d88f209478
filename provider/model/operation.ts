import type { Activity, Context } from "./context";
import { pathOf, subjectOf } from "./identity";
import { waitActivity, type KnownInputs, type ObservableKind, type Path, type Resource } from "./resource";

/** A resource that is read: which one it is, how it is shown, and where the reads run. */
export class Reading {
    /** Its own path, which contains that of its collection. */
    readonly path: Path;
    activity: Activity = waitActivity;
    /** The resource as the last read shows it. Undefined before the first one. */
    item: unknown;

    constructor(
        readonly kind: ObservableKind<unknown>,
        readonly projectId: string,
        readonly id: string,
        /** The resource in messages: `Service "orders"`. */
        readonly subject: string,
        public context: Context,
        private readonly onSeen?: (item: unknown) => void,
    ) {
        this.path = pathOf(kind, projectId, id);
    }

    /** Sets how what follows is shown, and in which row, if the context has one of its own. Returns itself. Prints nothing yet. */
    setActivity(activity: Activity, context = this.context): this {
        this.activity = activity;
        this.context = context;
        return this;
    }

    /** A read shows the resource. Only reads and the polls of waits call this. */
    observed(item: unknown): void {
        this.item = item;
        this.onSeen?.(item);
    }
}

/** An operation, also a creation, whose resource does not exist yet. */
export type AnyOperation = Pick<Reading, "subject" | "projectId" | "activity" | "context">;

/** One operation on an existing resource. */
export class Operation extends Reading {
    constructor(
        readonly resource: Resource,
        id: string,
        /** The inputs that are in effect after the operation. */
        readonly inputs: KnownInputs,
        context: Context,
        onSeen?: (item: unknown) => void,
        /** What earlier reads have shown. */
        private readonly known = {},
    ) {
        super(resource, inputs.projectId, id, subjectOf(resource, inputs, id), context, onSeen);
    }

    /** What an item shows, under the names of the outputs. */
    observe(item: unknown): object {
        return this.resource.observation.observe(item, this.path, this.known);
    }
}
