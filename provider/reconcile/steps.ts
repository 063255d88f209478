import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import { CloudDbError, isInvalidRequest, mayHaveTakenEffect, partsOf, type CallFailure } from "../api/callErrors";
import { way, withPeriod, type WayOut } from "../base/message";
import { show, valueOf, same, hasUnknown } from "../base/fields";
import { callOptions, describedActivity, stepActivity } from "../observe/progress";
import { collectionAt, readExisting, waitUntilReady } from "../observe/reads";
import { asShown } from "../model/forms";
import type { Operation } from "../model/operation";
import { waitActivity } from "../model/resource";
import { lineOf, type Need, type Step } from "../model/step";
import type { Activity, Context } from "../model/context";
import { formatDuration } from "../base/time";
import { idOf } from "../model/identity";
import { isDeleting, pending, type Outcome } from "../model/outcome";
import { flickersWithinMs, showsWithinMs } from "../observe/schedule";
import type { Accepting } from "./cases";
import { reconcile, type Done } from "./reconcile";
import { lockOf, waitForParent } from "./references";

/** Runs the steps in order and waits until the effect of each is visible. A failure keeps all completed steps. */
export async function runSteps(
    steps: readonly Step[],
    first: unknown,
    operation: Operation,
    /** The number of steps before these: a preview counts a creation or an adoption as the first step. Absent for an update. */
    stepsBefore?: number,
): Promise<unknown> {
    const { context } = operation;
    let item = first;
    for (const [index, step] of steps.entries()) {
        if (stepsBefore === undefined) {
            operation.show(...inOwnRow(context, step, index, steps.length));
        } else {
            operation.show(...inRowOfResource(context, step, stepsBefore + index, stepsBefore + steps.length));
        }
        item = await runStep(step, item, operation, stepsBefore === undefined);
        operation.context.done();
        operation.completed?.(step, item);
    }
    operation.show(waitActivity, context);
    return item;
}

/** Shows the step of an update in a row of its own. */
function inOwnRow(context: Context, step: Step, index: number, count: number): [Activity, Context] {
    const row = count === 1 ? step.title : `${index + 1}/${count} ${step.title}`;
    const status = (text: string) => context.status(text, row);
    const warning = step.writes === undefined ? "" : `. ${ifKilled(step.writes)}`;
    const activity: Activity = (now) => `${now ?? "sending the request"}${warning}`;
    return [activity, { ...context, status, done: () => status("done") }];
}

/** Shows the step of a creation or of an adoption in the row of the resource. */
function inRowOfResource(context: Context, step: Step, index: number, count: number): [Activity, Context] {
    const line = lineOf(step);
    const text = step.writes === undefined ? line : `${line}. ${ifKilled(step.writes)}`;
    const activity = stepActivity(describedActivity(text), index, count);
    return [activity, { ...context, done: () => undefined }];
}

/** What to do if the update is killed during a step whose effect the next run cannot read. The status row shows it. */
const ifKilled = (word: string): string =>
    `If this run is killed, run \`pulumi up\` with this ${word} again before you change or revert it.`;

async function runStep(step: Step, first: unknown, operation: Operation, isUpdate: boolean): Promise<unknown> {
    const { call, readBody, ifUnsupported } = step;
    const { subject, path, context } = operation;
    if (hasUnknown(call.body)) {
        throw new Error(`${subject}: ${call.operation} was planned with a value that is not known.`);
    }
    // Each step has the path of the resource.
    const args = { path, body: readBody ? readBody() : call.body } as unknown as CallArguments<OperationId>;
    let before: unknown;
    const decide = async (read: unknown, rejection?: CallFailure): Promise<Done | Accepting> => {
        const accepts = (item: unknown) => compare(step, item, operation, rejection ? "running" : "rest").accepts;
        const hasWaited = accepts(read).phase !== "ready";
        const item = await waitUntilReady(accepts, operation, read);
        before = item;
        if (step.writes === undefined && compare(step, item, operation).effect.phase === "ready") {
            return { verdict: "done", result: item };
        }
        const accepting: Accepting = rejection ? await waitForParent(operation) : { verdict: "send" };
        if (rejection && !hasWaited && !accepting.hasWaited) {
            await assertFreeName(step, operation, rejection);
        }
        return { ...accepting, ...(hasWaited && { hasWaited }) };
    };
    return reconcile(
        {
            locks: lockOf(operation),
            isUpdate,
            ifUnsupported,
            first: () => decide(first),
            afterFailure: async ({ meaning, failure }) =>
                decide(await readExisting(operation), meaning === "rejected" ? failure : undefined),
            send: (options) => {
                operation.sending?.(step);
                return context.client
                    .call<OperationId>(call.operation, args, options)
                    .catch(async (failure: unknown) => {
                        if (!mayHaveTakenEffect(failure)) {
                            operation.rejected?.();
                        }
                        if (isInvalidRequest(failure)) {
                            await assertFreeName(step, operation, failure);
                        }
                        if (ifUnsupported !== undefined && isInvalidRequest(failure)) {
                            const what = `${subject}: the API rejected "${lineOf(step)}": ${partsOf(failure).what}`;
                            throw new CloudDbError({ what, ways: [way("Continue", ifUnsupported)], cause: failure });
                        }
                        throw failure;
                    });
            },
            // The response may still show the resource as it was before the request, so the effect is always read.
            effect: () => waitUntilReady(effectOf(step, before, operation), operation),
        },
        operation,
    );
}

/** Fails if the API has rejected a new name that another resource of the list has. */
async function assertFreeName({ sets = {} }: Step, operation: Operation, cause: CallFailure): Promise<void> {
    const { resource, path, subject, context } = operation;
    const name = valueOf(sets, "name");
    const collection = collectionAt(resource, path, context.client);
    const items = name === undefined ? [] : await context.lists.list(collection, callOptions(context));
    const holder = items
        .filter(
            (item) => valueOf(resource.observation.observe(item, path), "name") === name && !isDeleting(resource, item),
        )
        .map((item) => idOf(resource, item, path))
        .find((id) => id !== operation.id);
    if (holder !== undefined) {
        const rejected = withPeriod(`${subject}: ${cause.operation} was rejected: ${cause.reason}`);
        const what = `${rejected} The name ${show(name)} is that of ${resource.noun} ${holder}.`;
        throw new CloudDbError({ what, ways: waysToName, cause });
    }
}

const waysToName: readonly WayOut[] = [
    way("Its name changes in this run", "repeat the command; if two swap names, give one a third name first"),
    way("Otherwise", "declare another `name`"),
];

/** What a response says about a step. */
interface Comparison {
    readonly isAtRest: boolean;
    /** Whether the resource is in the state that the step needs. */
    readonly accepts: Outcome;
    /** The properties that do not show the effect of the step yet. */
    readonly missing: readonly string[];
    /** Whether it shows the values of the step, but some in a form that the API has given them. */
    readonly isOtherForm: boolean;
    /** Whether the resource shows the effect, in the state that the step needs. */
    readonly effect: Outcome;
}

/** Reads from a response all that it says about a step. A step that needs no state of its own needs this one. */
export function compare(step: Step, item: unknown, operation: Operation, needs: Need = "rest"): Comparison {
    const { resource, path, inputs } = operation;
    const { observation } = resource;
    const observed = observation.observe(item, path);
    const { status = "at rest" } = observed as { status?: string };
    const rest = observation.readiness(item, inputs, "rest");
    const accepts = observation.readiness(item, inputs, step.needs ?? needs);
    const { sets = {} } = step;
    const missing = differences(sets, observed);
    const isOtherForm = missing.length > 0 && differences(asShown(resource, sets, observed), observed).length === 0;
    const isAtRest = rest.phase === "ready";
    // The status may be from before the request.
    const unseen = isAtRest ? pending(status, "change not visible yet") : rest;
    return { isAtRest, accepts, missing, isOtherForm, effect: missing.length === 0 ? accepts : unseen };
}

/**
 * Evaluates whether the step is in effect. Fails if the resource rests without the effect: after some seconds if it rests in
 * a state that the step does not accept, such as a pause by somebody else, otherwise after the time that an effect may need.
 */
function effectOf(step: Step, before: unknown, operation: Operation): (item: unknown) => Outcome {
    const { subject, context } = operation;
    const { clock } = context;
    const { isOtherForm: wasOtherForm } = compare(step, before, operation);
    let rest: { readonly accepts: boolean; readonly since: number } | undefined;
    return (item) => {
        const { isAtRest, accepts, missing, isOtherForm, effect } = compare(step, item, operation);
        if (isOtherForm && !wasOtherForm) {
            return accepts;
        }
        if (effect.phase !== "pending" || !isAtRest) {
            rest = undefined;
            return effect;
        }
        const isAccepting = accepts.phase === "ready";
        rest = rest?.accepts === isAccepting ? rest : { accepts: isAccepting, since: clock.now() };
        const restMs = clock.now() - rest.since;
        // A single response may be stale.
        if (restMs < (isAccepting ? showsWithinMs : flickersWithinMs)) {
            return effect;
        }
        if (!isAccepting || isOtherForm) {
            return accepts;
        }
        throw withoutEffect(subject, [step], missing, `It was at rest for ${formatDuration(restMs)}.`);
    };
}

/** The declared properties whose value differs from the observed one, for a message: `replicaCount is 1, declared 2`. */
export function differences(declared: object, observed: object): readonly string[] {
    return Object.entries<unknown>({ ...declared })
        .filter(([name, value]) => !same(value, valueOf(observed, name)))
        .map(([name, value]) => `${name} is ${show(valueOf(observed, name))}, declared ${show(value)}`);
}

/** The API accepted steps, but the resource does not show their effect. */
export function withoutEffect(
    subject: string,
    steps: readonly StepLine[],
    /** The properties that do not show it. */
    missing: readonly string[],
    /** How the effect was missing. */
    detail: string,
): CloudDbError {
    const texts = steps.map(lineOf).join('", "');
    const [remedy = "declare the value that the API shows, or remove the property"] = steps.flatMap(
        ({ ifUnsupported = [] }) => ifUnsupported,
    );
    return new CloudDbError({
        what: `${subject}: the API accepted "${texts}" without lasting effect (${missing.join("; ")}). ${detail}`,
        ways: [way("Continue", remedy)],
    });
}

/** A step in a message. */
type StepLine = Pick<Step, "title" | "note" | "disruption" | "ifUnsupported">;
