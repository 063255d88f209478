import type { Timeouts } from "../base/time";
import { PartialFailure, inOperation } from "./errors";
import {
    afterFailure,
    afterSuccess,
    atRest,
    effective,
    interruptionIn,
    onceSeen,
    unconfirmedValues,
    sent,
} from "../model/state";
import type { Interruption, StateRecord, Remembered } from "../model/state";
import { areShown, assemble, currentValues, declaredNames } from "../model/remembered";
import type { Managed } from "./managed";
import { print } from "../model/engine";
import { waitActivity } from "../model/resource";
import { Operation } from "../model/operation";
import type { KnownInputs, Declared, Resource, State, Stored } from "../model/resource";
import type { Activity, Context } from "../model/context";
import { assertBodiesReadable, formatReplacements, planFor, protectionNotices, withObservedEffects } from "./plan";
import { isSameCall, lineOf, type Step } from "../model/step";
import { all, differences, holds, readyFor, orTooLate, shows, type Condition } from "../observe/conditions";
import { readItem, waitForRead, waitUntilReady, readExisting } from "../observe/reads";
import { runSteps, takesEffect, withoutEffect, type RunLog } from "../reconcile/steps";
import { notFoundPollMs } from "../observe/schedule";
import { onChangeOf, pick, valueOf } from "../base/fields";
import { assertReferences, updatableReferences } from "../reconcile/references";
import { byVisibility, outputsWhere, shownNames, withDerived } from "../model/outputs";
import { pending, ready } from "../model/outcome";
import { warning } from "../base/message";
import { onStored } from "./guard";
import { messages } from "./messages";
import { CloudDbError } from "../api/callErrors";

/** From what a change starts, and what it begins with. */
interface Start {
    /**
     * The last known state, with the values of `remembered`. In an update, it is the stored one. In `converge`, it is what has shown the
     * resource: the response to the creation, the list after a lost response, or the read of an adoption.
     */
    readonly state: State;
    readonly remembered: Remembered;
    /** What the state records as interrupted if this change fails. */
    readonly ifFails: Interruption;
}

/** A change that may fail halfway. It keeps what is known of the resource, from which the next run resumes. */
class Change implements RunLog {
    readonly operation: Operation;
    private remembered: Remembered;
    private ifFails: Interruption;
    /** The last known values of what responses show. */
    private known: object;

    constructor(
        private readonly resource: Resource,
        id: string,
        private readonly inputs: KnownInputs,
        private readonly context: Context,
        private readonly start: Start,
    ) {
        // `operation.item` is undefined until the first read. Until then, waits tolerate that the resource is missing.
        const onSeen = (item: unknown) => {
            this.known = { ...this.known, ...this.operation.observe(item) };
            // "unseen" becomes "creation".
            this.ifFails = onceSeen(this.ifFails);
        };
        this.operation = new Operation(resource, id, inputs, context, onSeen, start.state);
        this.remembered = start.remembered;
        this.ifFails = start.ifFails;
        this.known = pick(start.state, shownNames(resource.outputs));
    }

    /** What is known of the resource now, as the state of a complete change. */
    state(): State {
        const state = this.stateWith(this.remembered.record);
        return { ...state, record: afterSuccess(state.record) };
    }

    /** `runStep` calls it when the API has accepted the request of the step, or may have. */
    sent(step: Step): void {
        this.setRecord(sent(this.remembered.record, step.sets, Object.keys(this.heldBy(step))));
    }

    effective(step: Step): void {
        const held = this.heldBy(step);
        this.remembered = { ...this.remembered, ...held };
        // If the resource had no such value before the request, a response that leaves the new one out ends the wait for the effect, too
        // (`shows`). `known` then has the value of the step.
        this.known = { ...this.known, ...step.sets, ...this.operation.observe(this.operation.item) };
        this.setRecord(effective(this.remembered.record, Object.keys(held)));
    }

    /** Runs the change. A failure carries the last known state. */
    async run(work: () => Promise<void>): Promise<State> {
        const { operation, context } = this;
        const verb = interruptionIn({ interruption: this.start.ifFails }).isInCreation ? "completed" : "updated";
        try {
            await inOperation(verb, operation, work);
        } catch (error) {
            const record = afterFailure(this.remembered.record, this.ifFails, context.serverNow());
            throw new PartialFailure(operation.id, this.stateWith(record), error);
        }
        context.done();
        return this.state();
    }

    /**
     * Waits until the resource is at rest, and shows the effects of all earlier requests. Within `showsWithinMs`, an accepted request
     * shows: the resource has its values, or is not at rest. An interrupted run sent its last request before it failed, at
     * `interruptedAt`. So what a resource at rest does not show by `interruptedAt` plus that time was not carried out.
     */
    async rest(activity = waitActivity): Promise<void> {
        const { operation, context } = this;
        const { record } = this.remembered;
        const requested = unconfirmedValues(record);
        const isShown = shows(operation, requested);
        const earlier = pending("at rest", "a change of an earlier run may still take effect");
        // -Infinity without an interruption: `inForce` holds at once. `interruptedAt` is in the future if the clock of the API has been set
        // back.
        const acceptedAt = Math.min(record.interruptedAt ?? -Infinity, context.serverNow());
        const inForce = orTooLate(operation, (item) => (holds(isShown, item) ? ready : earlier), acceptedAt);
        // A response may leave out the size. `known` then still has the stored one, and the plan would miss the one that is in force. Long
        // after the interruption, `inForce` accepts that response. So this waits, at most `showsWithinMs` from now, for each property.
        const names = Object.keys(requested);
        const mentioned = orTooLate(operation, (item) => areShown(this.resource, names, operation.observe(item)));
        const declaredShown = orTooLate(operation, this.hasShownDeclared);
        await waitUntilReady(
            all(readyFor(operation), inForce, mentioned, this.showsAwaited, declaredShown),
            operation.setActivity(activity),
        );
        this.assumeCreated(requested);
        // Properties that the program of an adoption does not declare keep the values that they have at rest.
        const defaults = record.defaults ?? currentValues(this.resource, this.known);
        this.setRecord({ ...atRest(this.remembered.record), defaults });
    }

    /** Waits until a new resource is at rest, with the values of the create request that an update could change. */
    async appear(activity: Activity): Promise<void> {
        const { resource, inputs, operation } = this;
        const { text: title, sets } = resource.creation.describe(inputs);
        const { shown } = byVisibility(resource.outputs, sets);
        const updatable = Object.entries(shown).filter(([name]) => onChangeOf(resource.fields, name) === "update");
        const optional = outputsWhere(resource.outputs, (output) => output.optional);
        const takenEffect = takesEffect(
            { title, sets: Object.fromEntries(updatable) },
            operation.setActivity(activity),
            // An API may never show some values, such as a size.
            (name) => optional.includes(name) && !Object.hasOwn(this.known, name),
        );
        await waitForRead(all(takenEffect, this.showsAwaited), operation);
        this.assumeCreated(shown);
        this.setRecord(atRest(this.remembered.record));
    }

    /** If this stack is creating the resource: what the request has set and no read shows, such as a size, is as requested. */
    private assumeCreated(requested: object): void {
        const { isInCreation, isOwned } = interruptionIn({ interruption: this.ifFails });
        this.known = { ...(isInCreation && isOwned ? requested : {}), ...this.known };
    }

    /**
     * If this stack is creating the resource: it has shown the values that a creation waits for, such as `host` (`x-awaited` in the
     * contract), or an answer says that it has none. A paused one may not show them.
     */
    private readonly showsAwaited: Condition = (item) => {
        const { isInCreation, isOwned } = interruptionIn({ interruption: this.ifFails });
        const names = outputsWhere(this.resource.outputs, ({ awaited }) => awaited);
        const shown = this.operation.observe(item);
        const missing = names.find((name) => !Object.hasOwn(shown, name) && valueOf(this.known, name) === undefined);
        return missing !== undefined && isInCreation && isOwned && holds(readyFor(this.operation, "running"), item)
            ? pending("at rest", `${missing} is not shown yet`)
            : ready;
    };

    /**
     * Until an adoption has seen the resource at rest: reads have shown the declared properties, from which its steps follow. The
     * record of a created one has `defaults: {}`.
     */
    private readonly hasShownDeclared: Condition = () => {
        const isBefore = this.remembered.record.defaults === undefined;
        return isBefore ? areShown(this.resource, declaredNames(this.inputs), this.known) : ready;
    };

    /** Carries out the steps of a plan, and verifies that no step is left. */
    async apply(
        steps: readonly Step[],
        /** The number of steps before these. */
        stepsBefore?: number,
    ): Promise<void> {
        const { operation, context } = this;
        await runSteps(steps, operation, this, stepsBefore);
        await this.rest();
        if (this.stepsLeft().length === 0) {
            return;
        }
        // A single response may be stale.
        await context.clock.sleep(notFoundPollMs, context.signal);
        await readItem(operation);
        const left = this.stepsLeft();
        const isRepeated = ({ call }: Step) => steps.some((done) => isSameCall(done.call, call));
        const repeated = left.filter(isRepeated);
        if (repeated.length > 0) {
            const missing = repeated.flatMap(({ sets = {} }) => differences(sets, this.known));
            const detail = "The effect was visible before: something else reverted it.";
            throw withoutEffect(operation.subject, repeated, missing, detail);
        }
        if (left.length > 0) {
            const texts = left.map(lineOf).join("; ");
            context.info(`was changed outside of this program; the next \`pulumi up\` will: ${texts}`);
        }
    }

    private stepsLeft(): readonly Step[] {
        return planFor(this.resource, this.state(), this.inputs).steps;
    }

    private stateWith(record: StateRecord): State {
        return assemble(this.resource, this.known, { ...this.remembered, record });
    }

    private setRecord(record: StateRecord): void {
        this.remembered = { ...this.remembered, record };
    }

    /** What a step changes and no read shows, such as a password. Empty for most steps. */
    private heldBy({ affects }: Step): Readonly<Record<string, unknown>> {
        return byVisibility(this.resource.outputs, { ...affects }).held;
    }
}

/** Brings a resource that was just created or adopted to the declared state. */
export async function converge(
    operation: Operation,
    item: unknown,
    activity: Activity,
    interruption: Interruption,
    remembered: Remembered,
): Promise<Stored> {
    const { resource, id, inputs, context } = operation;
    const found = assemble(resource, operation.observe(item), remembered);
    // The change has an operation of its own, which learns of each read. `item` is not passed to it as a read.
    const change = new Change(resource, id, inputs, context, {
        state: found,
        remembered,
        ifFails: interruption,
    });
    const state = await change.run(async () => {
        // A new resource may not be visible to reads yet, so it must be read once.
        await (interruption === "unseen" ? change.appear(activity) : change.rest(activity));
        const { steps, replace } = planFor(resource, change.state(), inputs);
        if (replace.length > 0) {
            const reason = formatReplacements(replace);
            const adopted = interruption === "adoption" ? { urn: inputs.__urn } : undefined;
            throw new CloudDbError(messages.createdOtherwise(change.operation.subject, reason, adopted));
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
    const inputs = declared as KnownInputs;
    const { resource, session } = managed;
    print(session.engine, inputs.__urn, protectionNotices(resource, state, inputs));
    const { interruption } = state.record;
    const { isInCreation, mayBeMissing, resumes } = interruptionIn(state.record);
    // The plan starts from the stored state, like that of the preview: an update makes no change that the preview did
    // not show. What has changed outside of the program is only reported.
    const plan = planFor(resource, state, inputs);
    // With the record of the last run: its unconfirmed values until `rest` removes them, and its interruption until this run ends.
    const { remembered } = plan;
    const unread = withDerived(resource, { ...state, ...remembered });
    if (plan.isStateOnly) {
        onStored(managed, id, inputs, false);
        if (!resumes) {
            return { id, state: { ...unread, record: afterSuccess(unread.record) } };
        }
        const left = ["complete it", ...planFor(resource, unread, inputs).steps.map(lineOf)].join("; ");
        const text = "only deletionProtection is recorded now: an earlier run did not complete this resource";
        print(session.engine, inputs.__urn, [warning(`${text}. The next \`pulumi up\` will: ${left}`)]);
        return { id, state: unread };
    }
    const context = session.contextFor("update", inputs, resource.times(inputs).update, timeouts);
    const change = new Change(resource, id, inputs, context, {
        state: unread,
        remembered,
        // An interrupted creation remains one until a run completes it.
        ifFails: interruption !== undefined && isInCreation ? interruption : "update",
    });
    const updated = await change.run(async () => {
        assertBodiesReadable(plan);
        await readExisting(change.operation, mayBeMissing);
        const references = updatableReferences(resource, inputs);
        const added = references.filter(({ input, id: referred }) => valueOf(state, input) !== referred);
        await assertReferences(added, change.operation);
        if (!resumes) {
            return change.apply(plan.steps);
        }
        // Requests of the last run may have changed the resource since that run last read it.
        await change.rest();
        // Of what the read shows, the plan takes only the effects of these requests: `apply` reports other differences.
        // `planned` leaves out no steps here: an update that changes the protection has returned above.
        return change.apply(planFor(resource, withObservedEffects(state, change.state()), inputs).steps);
    });
    onStored(managed, id, inputs, false);
    return { id, state: updated };
}
