import type { Timeouts } from "../base/time";
import { PartialFailure } from "./errors";
import { interruptionIn, onceSeen, requestedBy, unconfirmed } from "../model/state";
import type { Interruption, StateRecord, Unobserved } from "../model/state";
import { assemble, currentValues, undeclared } from "./metadata";
import { inOperation, print, type Managed } from "./session";
import { waitActivity } from "../model/resource";
import { Operation } from "../model/operation";
import type { Checked, Declared, Resource, State, Stored } from "../model/resource";
import type { Activity, Context } from "../model/context";
import { assertReadable, formatReplacements, planFor, protectionNotices, withObservedEffects } from "./plan";
import { isSameCall, lineOf, type Step } from "../model/step";
import { all, differences, either, holds, readyFor, notBefore, shows, type Condition } from "../observe/conditions";
import { readItem, waitForRead, waitUntilReady, readExisting } from "../observe/reads";
import { runSteps, takesEffect, withoutEffect } from "../reconcile/steps";
import { notFoundPollMs, showsWithinMs } from "../observe/schedule";
import { onChangeOf, pick, valueOf } from "../base/fields";
import { assertReferences, updatableReferences } from "../reconcile/references";
import { byVisibility, outputsWhere, shownNames, withDerived } from "../model/outputs";
import { pending, ready } from "../model/outcome";
import { onStored } from "./guard";
import { messages } from "./messages";
import { CloudDbError } from "../api/callErrors";

/** What the state becomes if a change fails. */
interface Fallback {
    /** The state to keep if the change fails before it observes the resource. */
    readonly state: State;
    readonly unobserved: Unobserved;
    /** What the state records if the change fails. What the last run has recorded is in `unobserved.record`. */
    readonly interruption: Interruption;
}

/** A change that may fail halfway. It records what is known of the resource, from which the next run resumes. */
export class Change extends Operation {
    private unobserved: Unobserved;
    private interruption: Interruption;
    /** The last known values of what responses show. */
    private known: object;

    constructor(
        resource: Resource,
        id: string,
        inputs: Checked,
        context: Context,
        private readonly fallback: Fallback,
    ) {
        super(resource, id, inputs, context);
        this.unobserved = fallback.unobserved;
        this.interruption = fallback.interruption;
        this.known = pick(fallback.state, shownNames(resource.outputs));
    }

    /** The last known state, as if the change were complete: `run` adds the interruption to that of a failure. */
    get state(): State {
        const state = assemble(this.resource, this.known, this.unobserved);
        return { ...state, record: { ...state.record, interruption: undefined, interruptedAt: undefined } };
    }

    override observed(item: unknown): void {
        super.observed(item);
        this.known = { ...this.known, ...this.shownBy(item) };
        this.interruption = onceSeen(this.interruption);
    }

    override sent(step: Step): void {
        const { record } = this.unobserved;
        const uncertain = new Set([...(record.uncertain ?? []), ...Object.keys(this.heldBy(step))]);
        this.record({ unconfirmed: unconfirmed(step.sets), uncertain: unlessEmpty(uncertain) });
    }

    override completed(step: Step): void {
        const held = this.heldBy(step);
        const uncertain = this.unobserved.record.uncertain?.filter((name) => !Object.hasOwn(held, name));
        this.unobserved = { ...this.unobserved, ...held };
        // The last response shows the effect, but it may not show the value.
        this.known = { ...this.known, ...step.sets, ...this.shownBy(this.item) };
        this.record({ unconfirmed: undefined, uncertain: unlessEmpty(uncertain) });
    }

    /** Runs the change. A failure carries the last known state. */
    async run(work: () => Promise<void>): Promise<State> {
        const { id, context } = this;
        const verb = interruptionIn(this.fallback).isInCreation ? "completed" : "updated";
        try {
            await inOperation(verb, this, work);
        } catch (error) {
            const { state, interruption } = this;
            const interrupted = { interruption, interruptedAt: context.serverNow() };
            throw new PartialFailure(id, { ...state, record: { ...state.record, ...interrupted } }, error);
        }
        context.done();
        return this.state;
    }

    /**
     * Waits until the resource is at rest: it then shows the effects of all earlier requests. Those of an interrupted run may show
     * later, for as long as an effect needs after the interruption.
     */
    async rest(activity = waitActivity): Promise<void> {
        const { context } = this;
        const { record } = this.unobserved;
        // The clock of the API may have been set back.
        const showsUntil = Math.min(record.interruptedAt ?? -Infinity, context.serverNow()) + showsWithinMs;
        const shownOrDue = either(
            shows(this, requestedBy(record)),
            notBefore(this, showsUntil, "a change of an earlier run may still take effect"),
        );
        await waitUntilReady(all(readyFor(this), shownOrDue, this.showsAwaited), this.show(activity));
        // Properties that the program of an adoption does not declare keep the values that they have at rest.
        const found = undeclared(currentValues(this.resource, this.known), this.inputs);
        this.record({ unconfirmed: undefined, defaults: record.defaults ?? found });
    }

    /** Waits until a new resource is at rest, with the values of the create request that an update could change. */
    async appear(activity: Activity): Promise<void> {
        const { resource, inputs } = this;
        const { text: title, sets } = resource.creation.describe(inputs);
        const { shown } = byVisibility(resource.outputs, sets);
        const updatable = Object.entries(shown).filter(([name]) => onChangeOf(resource.fields, name) === "update");
        const takenEffect = takesEffect({ title, sets: Object.fromEntries(updatable) }, this.show(activity));
        await waitForRead(all(takenEffect, this.showsAwaited), this);
        this.record({ unconfirmed: undefined });
    }

    /** If this stack is creating the resource: it has shown the values that a creation waits for. A paused one may not show them. */
    private readonly showsAwaited: Condition = (item) => {
        const { isInCreation, isOwned } = interruptionIn({ interruption: this.interruption });
        const names = outputsWhere(this.resource.outputs, ({ awaited }) => awaited);
        const missing = names.find((name) => valueOf(this.known, name) === undefined);
        return missing !== undefined && isInCreation && isOwned && holds(readyFor(this, "running"), item)
            ? pending("at rest", `${missing} is not shown yet`)
            : ready;
    };

    /** Carries out the steps of a plan, and verifies that no step is left. */
    async apply(
        steps: readonly Step[],
        /** The number of steps before these. */
        stepsBefore?: number,
    ): Promise<void> {
        const { subject, context } = this;
        await runSteps(steps, this, stepsBefore);
        await this.rest();
        if (this.stepsLeft.length === 0) {
            return;
        }
        // A single response may be stale.
        await context.clock.sleep(notFoundPollMs, context.signal);
        await readItem(this);
        const left = this.stepsLeft;
        const isRepeated = ({ call }: Step) => steps.some((done) => isSameCall(done.call, call));
        const repeated = left.filter(isRepeated);
        if (repeated.length > 0) {
            const missing = repeated.flatMap(({ sets = {} }) => differences(sets, this.known));
            const detail = "The effect was visible before: something else reverted it.";
            throw withoutEffect(subject, repeated, missing, detail);
        }
        if (left.length > 0) {
            const texts = left.map(lineOf).join("; ");
            context.info(`was changed outside of this program; the next \`pulumi up\` will: ${texts}`);
        }
    }

    private get stepsLeft(): readonly Step[] {
        return planFor(this.resource, this.state, this.inputs).steps;
    }

    private record(changes: Partial<StateRecord>): void {
        this.unobserved = { ...this.unobserved, record: { ...this.unobserved.record, ...changes } };
    }

    private heldBy({ affects }: Step): Readonly<Record<string, unknown>> {
        return byVisibility(this.resource.outputs, { ...affects }).held;
    }

    private shownBy(item: unknown): object {
        return this.resource.observation.observe(item, this.path);
    }
}

/** The names, or undefined without any. */
function unlessEmpty(names: Iterable<string> = []): readonly string[] | undefined {
    const all = [...names];
    return all.length === 0 ? undefined : all;
}

/** Brings a resource that was just created or adopted to the declared state. */
export async function converge(
    { resource, id, inputs, context, path }: Operation,
    item: unknown,
    activity: Activity,
    interruption: Interruption,
    unobserved: Unobserved,
): Promise<Stored> {
    const found = assemble(resource, resource.observation.observe(item, path), unobserved);
    const change = new Change(resource, id, inputs, context, {
        state: found,
        unobserved,
        interruption,
    });
    const state = await change.run(async () => {
        // A new resource may not be visible to reads yet, so it must be read once.
        await (interruption === "unseen" ? change.appear(activity) : change.rest(activity));
        const { steps, replace } = planFor(resource, change.state, inputs);
        if (replace.length > 0) {
            const reason = formatReplacements(replace);
            const adopted = interruption === "adoption" ? { urn: inputs.__urn } : undefined;
            throw new CloudDbError(messages.createdOtherwise(change.subject, reason, adopted));
        }
        // The preview counts the creation or the adoption as the first step.
        await change.apply(steps, 1);
    });
    return { id, state };
}

/** Brings a resource of a program from its state to the declared one, by the plan that the preview showed. */
export async function update(
    managed: Managed,
    id: string,
    state: State,
    declared: Declared,
    timeouts?: Timeouts,
): Promise<Stored> {
    const inputs = declared as Checked;
    const { resource, session } = managed;
    print(session.engine, inputs.__urn, protectionNotices(resource, state, inputs));
    const { interruption } = state.record;
    const { isInCreation, mayBeMissing, resumes } = interruptionIn(state.record);
    // The plan starts from the stored state, like that of the preview: an update makes no change that the preview did
    // not show. What has changed outside of the program is only reported.
    const plan = planFor(resource, state, inputs);
    const { unobserved } = plan;
    const unread = withDerived(resource, { ...state, ...unobserved });
    if (plan.isStateOnly) {
        onStored(managed, id, inputs, false);
        return { id, state: unread };
    }
    const context = session.contextFor("update", inputs, resource.times(inputs), timeouts);
    const { projectId } = state;
    const change = new Change(resource, id, { ...inputs, projectId }, context, {
        state: unread,
        unobserved,
        // An interrupted creation remains one until a run completes it.
        interruption: interruption !== undefined && isInCreation ? interruption : "update",
    });
    const updated = await change.run(async () => {
        assertReadable(plan);
        await readExisting(change, mayBeMissing);
        const references = updatableReferences(resource, inputs);
        const added = references.filter(({ input, id: referred }) => valueOf(state, input) !== referred);
        await assertReferences(added, change);
        if (!resumes) {
            return change.apply(plan.steps);
        }
        // Requests of the last run may have changed the resource since that run last read it.
        await change.rest();
        // Of what the read shows, the plan takes only the effects of these requests: `apply` reports other differences.
        return change.apply(planFor(resource, withObservedEffects(state, change.state), inputs).steps);
    });
    onStored(managed, id, inputs, false);
    return { id, state: updated };
}
