import { PartialFailure } from "./errors";
import { withoutEffect } from "../reconcile/rejections";
import { interruptionIn, onceSeen, type Interruption } from "../contract/interruption";
import { assemble } from "./metadata";
import { inOperation } from "./timeLimit";
import { waitActivity } from "../observe/progress";
import type { Activity } from "../contract/context";
import { targetOf } from "./subject";
import { isSameCall, planFor } from "./plan";
import type { Checkpoint, Target, State, StateMetadata, Step, Stored } from "../contract/resource";
import { readResource, watch, waitUntilReady } from "../observe/reads";
import { lookAt, runSteps } from "../reconcile/steps";
import { notFoundPollMs } from "../observe/schedule";

/** What the state becomes if a change fails. */
interface Fallback {
    /** The state to keep if the change fails before it observes the resource. */
    readonly state: State;
    readonly metadata: StateMetadata;
    readonly interrupted: Interruption;
}

/** A change that may fail halfway. It records what is known of the resource, from which the next run resumes. */
export class Change {
    private seen: unknown;
    private metadata: StateMetadata;
    private interrupted: Interruption;
    private readonly fallback: State;
    readonly target: Target;

    constructor(target: Target, fallback: Fallback) {
        this.target = { ...target, checkpoint: this.checkpoint };
        this.fallback = fallback.state;
        this.metadata = fallback.metadata;
        this.interrupted = fallback.interrupted;
    }

    /** The last known state. */
    get state(): State {
        const { resource, path } = this.target;
        return this.seen === undefined ? this.fallback : assemble(resource, this.seen, path, this.metadata);
    }

    readonly checkpoint: Checkpoint = (item, records) => {
        this.seen = item;
        this.metadata = { ...this.metadata, ...records };
        this.interrupted = onceSeen(this.interrupted);
    };

    /** Runs the change. A failure carries the last known state. */
    async run(work: () => Promise<unknown>): Promise<State> {
        const { id, subject, context } = this.target;
        const verb = interruptionIn({ __interrupted: this.interrupted }).isInCreation ? "completed" : "updated";
        try {
            this.checkpoint(await inOperation(verb, subject, context, work));
        } catch (error) {
            throw new PartialFailure(id, { ...this.state, __interrupted: this.interrupted }, error);
        }
        context.done();
        return this.state;
    }

    /** Waits until the resource is at rest: it then shows the effects of all earlier requests. */
    async rest(activity = waitActivity, known?: unknown): Promise<unknown> {
        const { resource, inputs } = this.target;
        const resting = await waitUntilReady(
            (seen) => resource.observation.readiness(seen, inputs, "rest"),
            { ...watch(this.target), activity },
            known,
        );
        this.checkpoint(resting, { __unconfirmed: undefined });
        return resting;
    }

    /** Carries out the steps of a plan, and verifies that no step is left. */
    async apply(
        steps: readonly Step[],
        first: unknown,
        /** The number of steps before these. */
        stepsBefore?: number,
    ): Promise<unknown> {
        const { target } = this;
        const { subject, context } = target;
        const item = await runSteps(steps, first, target, stepsBefore);
        const last = await this.rest(waitActivity, item);
        if (this.stepsLeft.length === 0) {
            return last;
        }
        // A single response may be stale.
        await context.clock.sleep(notFoundPollMs, context.signal);
        const confirmed = (await readResource(target)) ?? last;
        const left = this.stepsLeft;
        const isRepeated = ({ call }: Step) => steps.some((done) => isSameCall(done.call, call));
        const repeated = left.filter(isRepeated);
        if (repeated.length > 0) {
            const missing = repeated.flatMap((step) => lookAt(step, confirmed, target).missing);
            throw withoutEffect(
                subject,
                repeated,
                missing,
                "The effect was visible before: something else reverted it.",
            );
        }
        if (left.length > 0) {
            const texts = left.map(({ text }) => text).join("; ");
            context.info(`was changed outside of this program; the next \`pulumi up\` will: ${texts}`);
        }
        return confirmed;
    }

    private get stepsLeft(): readonly Step[] {
        return planFor(this.target.resource, this.state, this.target.inputs).steps;
    }
}

/** Brings a resource that was just created or adopted to the declared state. */
export async function converge(
    { resource, id, inputs, context }: Pick<Target, "resource" | "id" | "inputs" | "context">,
    item: unknown,
    activity: Activity,
    interrupted: Interruption,
    metadata: StateMetadata,
): Promise<Stored> {
    const target = targetOf(resource, id, inputs, context);
    const found = assemble(resource, item, target.path, metadata);
    const change = new Change(target, { state: found, metadata, interrupted });
    const state = await change.run(async () => {
        // A new resource may not be visible to reads yet, so it must be read once.
        const seen = await change.rest(activity);
        // The preview counts the creation or the adoption as the first step.
        return change.apply(planFor(resource, change.state, inputs).steps, seen, 1);
    });
    return { id, state };
}
