import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import { inBrief, isInvalidRequest, isUnknownOperation } from "../api/errors";
import { WaitFailedError, WaitGoneError } from "../wait/errors";
import { failed, pending, ready, type Outcome } from "../wait/outcome";
import { showsWithinMs, unsupportedAfterMs } from "../wait/schedule";
import { formatDuration } from "../wait/duration";
import { runWait, type Wait } from "../wait/wait";
import { describedActivity, progressReporter, stepActivity, waitActivity, type Operation } from "./operation";
import { noValidResponse, perform, type Request } from "./request";
import type { Kind, OwnPath, Step } from "./resource";
import { unknownOperation, unsupported, withoutEffect } from "./errors";
import { readItem, type Readable } from "./reads";
import { hasUnknown } from "../inputs/unknown";

/** A wait for an existing resource. */
export interface ResourceWait<Item> extends Operation, Readable<Item> {
    /** Called with every observation, including the one that ends the wait. */
    readonly onSeen?: (item: Item) => void;
}

/** An operation on an existing resource. */
export interface ResourceOperation<K extends Kind> extends ResourceWait<K["Item"]> {
    readonly path: OwnPath<K>;
    /** Reads why the API rejects a change, apart from the resource's own status. */
    readonly obstacle?: (() => Promise<Outcome>) | undefined;
    /** The number of steps before the plan: a preview counts a creation or an adoption as the first step. */
    readonly stepsBefore?: number;
}

/** Records what the resource shows, and what the state holds from now on. */
export type Checkpoint<Item> = (item: Item, records?: Readonly<Record<string, unknown>>) => void;

/** Runs the steps in order and waits until the effect of each is visible. A failure keeps all completed steps. */
export async function runSteps<K extends Kind>(
    steps: readonly Step<K["Item"]>[],
    first: K["Item"],
    operation: ResourceOperation<K> & { readonly checkpoint: Checkpoint<K["Item"]> },
): Promise<K["Item"]> {
    let item = first;
    const { checkpoint, stepsBefore = 0 } = operation;
    for (const [index, step] of steps.entries()) {
        const text = step.ifKilled === undefined ? step.text : `${step.text}. ${step.ifKilled}`;
        const activity = stepActivity(
            describedActivity(text, step.call.operation),
            stepsBefore + index,
            stepsBefore + steps.length,
        );
        const current: ResourceOperation<K> = { ...operation, activity };
        const accepting = await waitUntilReady(step.accepts, current, item);
        item = isInEffect(step, accepting)
            ? accepting
            : await runStep(step, current, () => checkpoint(accepting, step.onUncertain));
        checkpoint(item, step.records);
    }
    return item;
}

/** Sends the request and waits for its effect. */
async function runStep<K extends Kind>(
    step: Step<K["Item"]>,
    operation: ResourceOperation<K>,
    onLost: () => void,
): Promise<K["Item"]> {
    operation.context.status(operation.activity.line());
    // The response may still show the resource as it was before the request, so the effect is always read.
    const effect = () => waitUntilReady(effectOf(step, operation), operation);
    return perform(requestOf(step, operation, onLost), effect, operation);
}

/** Evaluates whether the step is in effect. Fails if the resource is at rest for too long without it. */
function effectOf<Item>(step: Step<Item>, { subject, context }: Operation): (item: Item) => Outcome {
    const { clock } = context.wait;
    let restingSince: number | undefined;
    return (item) => {
        const outcome = step.achieved(item);
        if (outcome.kind !== "pending") {
            return outcome;
        }
        const missing = step.accepts(item).kind === "ready" ? (step.differs?.(item) ?? []) : [];
        if (missing.length === 0) {
            restingSince = undefined;
            return outcome;
        }
        restingSince ??= clock.now();
        const restMs = clock.now() - restingSince;
        if (restMs < showsWithinMs) {
            return outcome;
        }
        const error = withoutEffect(subject, [step], missing, `It was at rest for ${formatDuration(restMs)}.`);
        return failed(outcome.status, error.message, error);
    };
}

/**
 * Waits until `evaluate` finds the resource ready. Reads it at least once, unless it was already read as `known` and is
 * ready.
 */
export async function waitUntilReady<Item>(
    evaluate: (item: Item) => Outcome,
    operation: ResourceWait<Item>,
    known?: Item,
): Promise<Item> {
    if (known !== undefined && evaluate(known).kind === "ready") {
        return known;
    }
    const item = await runWait(waitOf("ready", evaluate, operation), operation.context.wait);
    // A wait for readiness always resolves with an item.
    return item as Item;
}

/** Waits until the resource is gone. */
export async function waitUntilGone<Item>(operation: ResourceWait<Item>): Promise<void> {
    const wait = waitOf("gone", () => pending("deleting"), { ...operation, activity: waitActivity });
    await runWait(wait, operation.context.wait);
}

function waitOf<Item>(
    until: Wait<Item>["until"],
    evaluate: Wait<Item>["evaluate"],
    operation: ResourceWait<Item>,
): Wait<Item> {
    const { subject, source, id, onSeen, context } = operation;
    return {
        subject,
        source,
        id,
        until,
        evaluate,
        deadlineAt: context.deadlineAt,
        setting: context.timeoutSetting,
        signal: context.signal,
        onSeen,
        onPoll: progressReporter(operation),
    };
}

/** The request of a step. If its response is lost, the API may have carried it out, and then rejects it forever. */
function requestOf<K extends Kind>(
    step: Step<K["Item"]>,
    operation: ResourceOperation<K>,
    onLost: () => void,
): Request<unknown> {
    const { call, readBody, ifUnsupported } = step;
    const { subject, path, context } = operation;
    const { clock } = context.wait;
    if (hasUnknown(call.body)) {
        throw new Error(`${subject}: ${call.operation} was planned with a value that is not known.`);
    }
    // Each operation of a plan has the path of the resource.
    const args = { path, body: readBody ? readBody() : call.body } as unknown as CallArguments<OperationId>;
    let isLost = false;
    let unsupportedSince: number | undefined;
    return {
        send: (options) => context.client.call<OperationId>(call.operation, args, options),
        findObstacle: async (failure, reaction) => {
            if (ifUnsupported !== undefined && isUnknownOperation(failure)) {
                // A read distinguishes an unknown operation from an unknown resource. One such response is not proof.
                const item = await readItem(operation);
                if (item === undefined) {
                    throw new WaitGoneError(subject);
                }
                if (isInEffect(step, item)) {
                    return "inEffect";
                }
                unsupportedSince ??= clock.now();
                if (clock.now() - unsupportedSince >= unsupportedAfterMs) {
                    throw unknownOperation(subject, step, failure);
                }
                return pending(inBrief(failure));
            }
            unsupportedSince = undefined;
            if (reaction === "fail") {
                throw isInvalidRequest(failure) && ifUnsupported !== undefined
                    ? unsupported(subject, step, failure)
                    : failure;
            }
            if (reaction === "readFirst") {
                isLost = true;
                onLost();
                return noValidResponse;
            }
            const item = await readItem(operation);
            if (item === undefined) {
                // The next attempt shows whether the resource is gone.
                return ready;
            }
            operation.onSeen?.(item);
            if (isInEffect(step, item)) {
                return "inEffect";
            }
            const own = (step.obstacle ?? step.accepts)(item);
            if (own.kind === "failed") {
                throw new WaitFailedError(subject, own.status, own.reason);
            }
            return own.kind === "ready" && operation.obstacle !== undefined ? operation.obstacle() : own;
        },
        lostOneTookEffect: async () => {
            const item = isLost && step.differs !== undefined ? await readItem(operation) : undefined;
            return item !== undefined && isInEffect(step, item);
        },
    };
}

/**
 * Whether the resource shows the effect of the step. Always false if the effect cannot be read, such as that of a new
 * password.
 */
function isInEffect<Item>({ differs, achieved }: Step<Item>, item: Item): boolean {
    return differs !== undefined && achieved(item).kind === "ready";
}
