import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import { inBrief, isInvalidRequest, isUnknownOperation, messageOf } from "../api/errors";
import { WaitFailedError, WaitGoneError } from "../wait/errors";
import { failed, pending, ready, type Outcome } from "../wait/outcome";
import { showsWithinMs } from "../wait/schedule";
import { formatDuration } from "../wait/duration";
import { runWait, type Wait } from "../wait/wait";
import { differences } from "./differences";
import { describedActivity, progressReporter, stepActivity, waitActivity } from "./operation";
import { inEffect, noValidResponse, perform, type Request } from "./request";
import type { Kind, Operation, Step } from "./resource";
import { unsupported, withoutEffect } from "./errors";
import { readResource, sourceOf } from "./reads";
import { hasUnknown } from "../inputs/unknown";

/** Records what the resource shows, and what the state holds from now on. */
export type Checkpoint<Item> = (item: Item, records?: Readonly<Record<string, unknown>>) => void;

/** Runs the steps in order and waits until the effect of each is visible. A failure keeps all completed steps. */
export async function runSteps<K extends Kind>(
    steps: readonly Step<K["Item"]>[],
    first: K["Item"],
    operation: Operation<K>,
    checkpoint: Checkpoint<K["Item"]> = () => undefined,
    /** The number of steps before these: a preview counts a creation or an adoption as the first step. */
    stepsBefore = 0,
): Promise<K["Item"]> {
    const { resource, path, context } = operation;
    let item = first;
    for (const [index, step] of steps.entries()) {
        const text = step.sets === undefined ? `${step.text}. ${ifKilled}` : step.text;
        const activity = stepActivity(describedActivity(text), stepsBefore + index, stepsBefore + steps.length);
        const current = { ...operation, activity };
        item = await waitUntilReady(step.accepts, current, item);
        if (!isInEffect(step, item, current)) {
            context.status(activity());
            const accepting = item;
            const request = requestOf(step, current, () => checkpoint(accepting, step.onUncertain));
            // The response may still show the resource as it was before the request, so the effect is always read.
            const effect = () => waitUntilReady(effectOf(step, current), current);
            item = await perform(request, effect, current, resource.observation.lock?.(path));
        }
        checkpoint(item, step.records);
    }
    return item;
}

/** What to do if the update is killed during a step whose effect the next run cannot read. The status row shows it. */
const ifKilled = "If this run is killed, run `pulumi up` with this password again before you change or revert it.";

/** The properties that do not show the effect of the step yet. */
export function missingIn<K extends Kind>(
    { sets = {} }: Step<K["Item"]>,
    item: K["Item"],
    { resource, path }: Operation<K>,
): readonly string[] {
    return differences(sets, resource.observation.observe(item, path));
}

/** Whether the resource is at rest and shows the effect of the step. */
function achieved<K extends Kind>(step: Step<K["Item"]>, item: K["Item"], operation: Operation<K>): Outcome {
    if (missingIn(step, item, operation).length === 0) {
        return step.accepts(item);
    }
    const { resource, path, inputs } = operation;
    const outcome = resource.observation.readiness(item, inputs);
    const { status = "at rest" }: { status?: string } = resource.observation.observe(item, path);
    // The status may be from before the request.
    return outcome.kind === "ready" ? pending(status, "change not visible yet") : outcome;
}

/**
 * Whether the resource shows the effect of the step. Always false if the effect cannot be read, such as that of a new
 * password.
 */
function isInEffect<K extends Kind>(step: Step<K["Item"]>, item: K["Item"], operation: Operation<K>): boolean {
    return step.sets !== undefined && achieved(step, item, operation).kind === "ready";
}

/** Evaluates whether the step is in effect. Fails if the resource is at rest for too long without it. */
function effectOf<K extends Kind>(step: Step<K["Item"]>, operation: Operation<K>): (item: K["Item"]) => Outcome {
    const { subject, context } = operation;
    const { clock } = context;
    let restingSince: number | undefined;
    return (item) => {
        const outcome = achieved(step, item, operation);
        if (outcome.kind !== "pending") {
            return outcome;
        }
        const missing = step.accepts(item).kind === "ready" ? missingIn(step, item, operation) : [];
        if (missing.length === 0) {
            restingSince = undefined;
            return outcome;
        }
        restingSince ??= clock.now();
        const restMs = clock.now() - restingSince;
        if (restMs < showsWithinMs) {
            return outcome;
        }
        throw withoutEffect(subject, [step], missing, `It was at rest for ${formatDuration(restMs)}.`);
    };
}

/**
 * Waits until `evaluate` finds the resource ready. Reads it at least once, unless it was already read as `known` and is
 * ready.
 */
export async function waitUntilReady<K extends Kind>(
    evaluate: (item: K["Item"]) => Outcome,
    operation: Operation<K>,
    known?: K["Item"],
): Promise<K["Item"]> {
    if (known !== undefined && evaluate(known).kind === "ready") {
        return known;
    }
    // A wait for readiness always resolves with an item.
    return runWait(waitOf("ready", evaluate, operation), operation.context.lists);
}

/** Waits until the resource is gone. */
export async function waitUntilGone<K extends Kind>(operation: Operation<K>): Promise<void> {
    const wait = waitOf("gone", () => pending("deleting"), { ...operation, activity: waitActivity });
    await runWait(wait, operation.context.lists);
}

function waitOf<K extends Kind>(
    until: Wait<K["Item"]>["until"],
    evaluate: Wait<K["Item"]>["evaluate"],
    operation: Operation<K>,
): Wait<K["Item"]> {
    const { subject, id, onSeen, context } = operation;
    return {
        subject,
        source: sourceOf(operation),
        id,
        until,
        evaluate,
        deadlineAt: context.deadlineAt,
        timeoutSetting: context.timeoutSetting,
        signal: context.signal,
        onSeen,
        onPoll: progressReporter(operation),
    };
}

/** The request of a step. If its response is lost, the API may have carried it out, and then rejects it forever. */
function requestOf<K extends Kind>(
    step: Step<K["Item"]>,
    operation: Operation<K>,
    onLost: () => void,
): Request<unknown> {
    const { call, readBody, ifUnsupported } = step;
    const { resource, subject, path, context } = operation;
    if (hasUnknown(call.body)) {
        throw new Error(`${subject}: ${call.operation} was planned with a value that is not known.`);
    }
    // Each operation of a plan has the path of the resource.
    const args = { path, body: readBody ? readBody() : call.body } as unknown as CallArguments<OperationId>;
    let isLost = false;
    const mayLackOperation = (failure: unknown) => ifUnsupported !== undefined && isUnknownOperation(failure);
    /**
     * A read distinguishes an unknown operation from an unknown resource. One such response is no proof, so the request is
     * sent again.
     */
    const afterUnknown = async (failure: unknown) => {
        const item = await readResource(operation);
        if (item === undefined) {
            throw new WaitGoneError(subject);
        }
        return isInEffect(step, item, operation)
            ? inEffect
            : failed(inBrief(failure), `${messageOf(failure)} The API may not have this operation. ${ifUnsupported}`);
    };
    return {
        method: "POST",
        send: (options) => context.client.call<OperationId>(call.operation, args, options),
        afterConflict: async () => {
            const item = await readResource(operation);
            if (item === undefined) {
                // The next attempt shows whether the resource is gone.
                return ready;
            }
            operation.onSeen?.(item);
            if (isInEffect(step, item, operation)) {
                return inEffect;
            }
            const own = (step.obstacle ?? step.accepts)(item);
            if (own.kind === "failed") {
                throw new WaitFailedError(subject, own.status, own.reason);
            }
            return own.kind === "ready" ? ((await resource.observation.obstacle?.(path, context)) ?? own) : own;
        },
        afterLoss: (failure) => {
            if (mayLackOperation(failure)) {
                return afterUnknown(failure);
            }
            isLost = true;
            onLost();
            return Promise.resolve(noValidResponse);
        },
        afterRejection: (failure) => {
            if (mayLackOperation(failure)) {
                return afterUnknown(failure);
            }
            throw ifUnsupported !== undefined && isInvalidRequest(failure)
                ? unsupported(subject, step, failure)
                : failure;
        },
        lostOneTookEffect: async () => {
            const item = isLost && step.sets !== undefined ? await readResource(operation) : undefined;
            return item !== undefined && isInEffect(step, item, operation);
        },
    };
}
