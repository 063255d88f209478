import {
    CloudDbError,
    isConflict,
    isInvalidRequest,
    mayHaveHappened,
    partsOf,
    type CallError,
} from "../api/callErrors";
import { way, withPeriod, type WayOut } from "../base/message";
import { pick, show, valueOf, computed, hasComputed } from "../base/fields";
import { all, differences, holds, readyFor, shows, type Condition } from "../observe/conditions";
import { callOptions, describedActivity, stepActivity } from "../observe/progress";
import { collectionAt, readExisting, waitForRead, waitUntilReady } from "../observe/reads";
import type { Operation } from "../model/operation";
import { areShown } from "../model/remembered";
import { waitActivity } from "../model/resource";
import { lineOf, type Step } from "../model/step";
import type { Activity, Context } from "../model/context";
import { formatDuration } from "../base/time";
import { idOf } from "../model/identity";
import { isDeleting, mayAccept, ready } from "../model/outcome";
import { showsWithinMs } from "../observe/schedule";
import { requestRejected, type Accepting } from "./cases";
import { reconcile, type Done } from "./reconcile";
import { lockOf, referencesIn, someNew, waitForParent } from "./references";

/** Runs the steps in order and waits until the effect of each is visible. A failure keeps all completed steps. */
export async function runSteps(
    steps: readonly Step[],
    operation: Operation,
    log: RunLog,
    /** The number of steps before these: a preview counts a creation or an adoption as the first step. Absent for an update. */
    stepsBefore?: number,
): Promise<void> {
    const { context } = operation;
    for (const [index, step] of steps.entries()) {
        const row =
            stepsBefore === undefined
                ? inOwnRow(context, step, index, steps.length)
                : inRowOfResource(context, step, stepsBefore + index, stepsBefore + steps.length);
        operation.setActivity(...row);
        const { context: ofRow } = operation;
        await runStep(step, operation, log, stepsBefore === undefined);
        ofRow.done();
        log.effective(step);
    }
    operation.setActivity(waitActivity, context);
}

/** What a run learns about its steps. */
export interface RunLog {
    /** The API has accepted the request of a step, or may have. */
    sent(step: Step): void;
    /** The step is in effect. */
    effective(step: Step): void;
}

/** Shows the step of an update in a row of its own. */
function inOwnRow(context: Context, step: Step, index: number, count: number): [Activity, Context] {
    const row = count === 1 ? step.title : `${index + 1}/${count} ${step.title}`;
    const showRow = (text: string) => context.showRow(text, row);
    const warning = step.secretNoun === undefined ? "" : `. ${ifKilled(step.secretNoun)}`;
    const activity: Activity = (status) => `${status ?? "sending the request"}${warning}`;
    return [activity, { ...context, showRow, done: () => showRow("done") }];
}

/** Shows the step of a creation or of an adoption in the row of the resource. */
function inRowOfResource(context: Context, step: Step, index: number, count: number): [Activity, Context] {
    const line = lineOf(step);
    const text = step.secretNoun === undefined ? line : `${line}. ${ifKilled(step.secretNoun)}`;
    const activity = stepActivity(describedActivity(text), index, count);
    return [activity, { ...context, done: () => undefined }];
}

/** What to do if the update is killed during a step whose effect the next run cannot read. The status row shows it. */
const ifKilled = (word: string): string =>
    `If this run is killed, run \`pulumi up\` with this ${word} again before you change or revert it.`;

async function runStep(step: Step, operation: Operation, log: RunLog, isUpdate: boolean): Promise<unknown> {
    const { call, readBody, ifUnsupported } = step;
    const { subject, path, context } = operation;
    if (hasComputed(call.body)) {
        throw new Error(`${subject}: ${call.operation} was planned with a value that is not known.`);
    }
    // Each step has the path of the resource.
    const args = { path, body: readBody ? readBody() : call.body };
    const decide = async (rejection?: CallError): Promise<Done | Accepting> => {
        if (rejection && step.ifPaused !== undefined) {
            await waitUntilReady(readyFor(operation), operation);
            const outcome = readyFor(operation, "running")(operation.item);
            if (outcome.phase === "failed") {
                const ways = [way("Continue", step.ifPaused)];
                throw requestRejected(`${subject} is ${outcome.status}`, rejection, rejection.reason, ways);
            }
        }
        const accepts = readyFor(operation, step.needs ?? (rejection ? "running" : "rest"));
        const isRejected = rejection !== undefined;
        const hasWaited = !holds(accepts, operation.item);
        // A service that is not at rest may accept a step (UNSTABLE): the first request shows that.
        await waitUntilReady((item) => (!isRejected && mayAccept(accepts(item)) ? ready : accepts(item)), operation);
        if (step.secretNoun === undefined && holds(inEffect(step, operation), operation.item)) {
            return { verdict: "done", result: undefined };
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
            refersToNew: someNew(setReferences(step, operation), operation),
            first: () => decide(),
            afterFailure: async (failure) => {
                await readExisting(operation);
                return decide(isConflict(failure) ? failure : undefined);
            },
            send: async (options) => {
                try {
                    await context.client.at(call.operation, args, options);
                    log.sent(step);
                } catch (failure) {
                    if (mayHaveHappened(failure)) {
                        log.sent(step);
                    }
                    if (isInvalidRequest(failure)) {
                        await assertFreeName(step, operation, failure);
                    }
                    if (ifUnsupported !== undefined && isInvalidRequest(failure)) {
                        const what = `${subject}: the API rejected "${lineOf(step)}": ${partsOf(failure).what}`;
                        throw new CloudDbError({ what, ways: [way("Continue", ifUnsupported)], cause: failure });
                    }
                    throw failure;
                }
            },
            effect: () => waitForRead(takesEffect(step, operation), operation),
        },
        operation,
    );
}

/** What the step makes the resource refer to. */
const setReferences = ({ sets = {} }: Step, { resource, inputs }: Operation) =>
    referencesIn(resource, inputs).filter(({ input, id }) => valueOf(sets, input) === id);

/** Fails if the API has rejected a new name that another resource of the list has. */
async function assertFreeName({ sets = {} }: Step, operation: Operation, cause: CallError): Promise<void> {
    const { resource, path, subject, context } = operation;
    const name = valueOf(sets, "name");
    const collection = collectionAt(resource, path, context.client);
    const items = name === undefined ? [] : await context.lists.list(collection, callOptions(context));
    const holder = items
        .filter((item) => valueOf(operation.observe(item), "name") === name && !isDeleting(resource, item))
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

/**
 * The step is in effect. Fails if the resource rests without the effect for the time that an effect may need, such as after a pause
 * by somebody else. A hidden value is then as requested.
 */
export function takesEffect(
    step: AcceptedChange,
    operation: Operation,
    isHidden: (name: string) => boolean = () => false,
): Condition {
    const { sets = {}, affects = {}, needs } = step;
    const { subject, resource, context } = operation;
    const { clock } = context;
    const [rests, accepts] = [readyFor(operation), readyFor(operation, needs)];
    // The last response is from before the request.
    const effect = inEffect(step, operation, operation.item);
    const expected = Object.keys(affects).filter((name) => valueOf(affects, name) === computed);
    let readySince: number | undefined;
    let restsSince: number | undefined;
    return (item) => {
        const outcome = effect(item);
        if (outcome.phase === "ready") {
            readySince ??= clock.now();
            // An answer may leave out what only the API knows, such as the host of a new endpoint.
            const isLate = clock.now() - readySince >= showsWithinMs;
            return isLate ? outcome : areShown(resource, expected, operation.observe(item));
        }
        const isMissing = outcome.phase === "pending" && holds(rests, item);
        restsSince = isMissing ? (restsSince ?? clock.now()) : undefined;
        const restMs = restsSince === undefined ? 0 : clock.now() - restsSince;
        if (restMs < showsWithinMs) {
            return outcome;
        }
        if (!holds(accepts, item)) {
            // Says why, for example that somebody else has paused it.
            return accepts(item);
        }
        const hidden = pick(sets, Object.keys(sets).filter(isHidden));
        const missing = differences(sets, { ...hidden, ...operation.observe(item) });
        if (missing.length === 0) {
            return ready;
        }
        throw withoutEffect(subject, [step], missing, `It was at rest for ${formatDuration(restMs)}.`);
    };
}

/** The resource is at rest and shows the values of the step, in the state that the step needs. */
function inEffect({ sets = {}, needs }: AcceptedChange, operation: Operation, before?: unknown): Condition {
    return all(readyFor(operation), shows(operation, sets, before), readyFor(operation, needs));
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

/** What an accepted request has, whose effect is awaited. */
type AcceptedChange = StepLine & Pick<Step, "sets" | "affects" | "needs">;
