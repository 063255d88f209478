import { readItem } from "./reads";
import { PartialFailure, withoutEffect } from "./errors";
import { assemble } from "./metadata";
import { errorOf, waitActivity } from "./operation";
import { planFor } from "./plan";
import type { Call, Checked, Kind, Resource, State, StateMetadata, Step } from "./resource";
import { runSteps, waitUntilReady, type Checkpoint, type ResourceOperation } from "./steps";
import { same } from "../inputs/fields";
import { notFoundPollMs } from "../wait/schedule";

/** An operation that brings a resource to the declared state, with what is known of the resource so far. */
export interface CheckpointedOperation<K extends Kind> extends ResourceOperation<K> {
    readonly resource: Resource<K>;
    readonly inputs: Checked<K>;
    /** Records an observation, and what the state holds from now on. */
    readonly checkpoint: Checkpoint<K["Item"]>;
    readonly known: () => State<K>;
}

/** What the state becomes if a change fails. */
export interface Attempt<K extends Kind> {
    /** The state to keep if the change fails before it observes the resource. */
    readonly fallback: State<K>;
    readonly metadata: StateMetadata;
    readonly interruptedIn: true | "creation";
}

/**
 * Runs a change that may fail halfway. The failure carries the last known state, so that the next run resumes from
 * there.
 */
export async function withCheckpoint<K extends Kind>(
    resource: Resource<K>,
    inputs: Checked<K>,
    operation: ResourceOperation<K>,
    { fallback, metadata, interruptedIn }: Attempt<K>,
    work: (change: CheckpointedOperation<K>) => Promise<K["Item"]>,
): Promise<State<K>> {
    const { id, path, context } = operation;
    let known = fallback;
    let recorded = metadata;
    const checkpoint: Checkpoint<K["Item"]> = (item, records) => {
        recorded = { ...recorded, ...records, __unseen: undefined };
        known = assemble(resource, item, path, recorded);
    };
    try {
        const change = { ...operation, resource, inputs, checkpoint, onSeen: checkpoint, known: () => known };
        checkpoint(await work(change));
        context.status("done");
        return known;
    } catch (error) {
        const cause = errorOf(error, operation.subject, context);
        throw new PartialFailure(id, { ...known, __interrupted: interruptedIn }, cause);
    }
}

/** Carries out the plan from this state, and verifies that no step is left. */
export async function applyPlan<K extends Kind>(
    first: K["Item"],
    before: State<K>,
    change: CheckpointedOperation<K>,
): Promise<K["Item"]> {
    const { resource, inputs, subject, context } = change;
    const { steps } = planFor(resource, before, inputs);
    const item = await runSteps(steps, first, change);
    const isReady = (seen: K["Item"]) => resource.observation.readiness(seen, inputs);
    const last = await waitUntilReady(isReady, { ...change, activity: waitActivity }, item);
    const stepsLeft = (seen: K["Item"]) => {
        change.checkpoint(seen);
        return planFor(resource, change.known(), inputs).steps;
    };
    if (stepsLeft(last).length === 0) {
        return last;
    }
    // A single response may be stale.
    await context.wait.clock.sleep(notFoundPollMs, context.signal);
    const confirmed = (await readItem(change)) ?? last;
    const left = stepsLeft(confirmed);
    const isRepeated = ({ call }: Step<K["Item"]>) => steps.some((done) => isSameCall(done.call, call));
    const repeated = left.filter(isRepeated);
    if (repeated.length > 0) {
        const found = repeated.flatMap(({ differs }) => differs?.(confirmed) ?? []);
        throw withoutEffect(subject, repeated, found, "The effect was visible before: something else reverted it.");
    }
    if (left.length > 0) {
        const texts = left.map(({ text }) => text).join("; ");
        context.info(`was changed outside of this program; the next \`pulumi up\` will: ${texts}`);
    }
    return confirmed;
}

function isSameCall(left: Call, right: Call): boolean {
    return left.operation === right.operation && same(left.body, right.body);
}
