import type { CallArguments } from "../api/client";
import type { OperationId } from "../api/contract";
import { isConflict, isUncertain, messageOf } from "../api/errors";
import { formatDuration } from "../wait/duration";
import { WaitTimeoutError } from "../wait/errors";
import type { Outcome } from "../wait/outcome";
import type { Source } from "../wait/poller";
import { nextLook } from "../wait/schedule";
import { waitFor, type Progress } from "../wait/wait";
import { hasUnknown } from "./unknown";
import type { Path, Step } from "./contract";
import type { Run } from "./run";

/** What steps are about. */
export interface Target<Item> {
    /** The thing in words: `Service "orders"`. */
    readonly subject: string;
    /** The id of the resource, by which the source knows it too. */
    readonly id: string;
    readonly path: Path;
    readonly source: Source<Item>;
    /** Hears of every observation, also of one that ends a wait. */
    readonly onSeen?: (item: Item) => void;
}

/** Puts what is going on right now into a line; without it, the line is what has been begun. */
export type Saying = (now: string | undefined) => string;

/** What is going on comes first: a row of a terminal has little room. */
export function about(text: string): Saying {
    return (now) => (now === undefined ? text : `${now}, ${text}`);
}

function sayingOf(steps: readonly { readonly text: string }[], index: number): Saying {
    const line = about(steps[index]?.text ?? "");
    return steps.length === 1 ? line : (now) => `step ${index + 1} of ${steps.length}: ${line(now)}`;
}

/**
 * Carries the steps out, one after the other, each to its visible end. `onDone` hears what a finished step leaves behind,
 * so that a failure in a later one loses nothing.
 */
export async function runSteps<Item>(
    steps: readonly Step<Item>[],
    target: Target<Item>,
    first: Item,
    run: Run,
    onDone: (item: Item, remembers?: Readonly<Record<string, unknown>>) => void,
): Promise<Item> {
    let item = first;
    for (const [index, step] of steps.entries()) {
        const saying = sayingOf(steps, index);
        item = await until(item, step.before, target, run, saying);
        if (step.unseen || step.after(item).kind !== "ready") {
            run.say(saying(undefined));
            await send(step, target, run, saying);
            // What was known before the call proves nothing about its effect, so this looks in any case.
            item = await observeUntil(step.after, target, run, saying);
        }
        onDone(item, step.remembers);
    }
    return item;
}

/** Waits until the judge is content; an item that is already known to be right costs no look. */
export async function until<Item>(
    item: Item,
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    run: Run,
    saying: Saying,
): Promise<Item> {
    return judge(item).kind === "ready" ? item : observeUntil(judge, target, run, saying);
}

/** Waits until it is gone. */
export async function untilGone<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    run: Run,
    saying: Saying,
): Promise<void> {
    await waitFor({ ...waitOf(judge, target, run, saying), until: "gone" }, run.wait);
}

/** Failures after which something may be sent again that does no harm when it is carried out twice. */
export function mayPass(error: unknown): boolean {
    return isConflict(error) || isUncertain(error);
}

/**
 * Sends something that the service may refuse for a while, because the thing is busy or something else has to go first,
 * until it is accepted or time runs out. Sent again is only after failures of which that is true.
 */
export async function insist<Answer>(
    send: () => Promise<Answer>,
    subject: string,
    run: Run,
    saying: Saying,
    again: (error: unknown) => boolean = isConflict,
): Promise<Answer> {
    const { clock, random } = run.wait;
    const beganAt = clock.now();
    for (;;) {
        try {
            return await send();
        } catch (error) {
            if (!again(error)) {
                throw error;
            }
            const elapsed = clock.now() - beganAt;
            const left = run.deadlineAt - clock.now();
            if (left <= 0) {
                throw new WaitTimeoutError(subject, messageOf(error), elapsed, elapsed, run.timeoutSetting);
            }
            run.say(saying(`${refusal(error)}, trying again for ${formatDuration(left)}`));
            await clock.sleep(Math.min(nextLook(elapsed, random), left), run.signal);
        }
    }
}

function refusal(error: unknown): string {
    if (!isConflict(error)) {
        return "no usable answer";
    }
    const said = (error as { serviceMessage?: string }).serviceMessage;
    return said ? said.replace(/\.$/, "") : "busy";
}

async function send<Item>(step: Step<Item>, target: Target<Item>, run: Run, saying: Saying): Promise<void> {
    const { operation, body } = step.call;
    if (hasUnknown(body)) {
        throw new Error(`${target.subject}: ${operation} was planned with a value that is not known.`);
    }
    const args = { path: target.path, body } as unknown as CallArguments<OperationId>;
    let lost = false;
    await insist(
        async () => {
            // The call whose answer was lost may have been carried out, and is then refused for ever.
            if (lost && !step.unseen && (await shows(step, target, run))) {
                return;
            }
            try {
                await run.client.call<OperationId>(operation, args, patience(run));
            } catch (error) {
                lost ||= isUncertain(error);
                throw error;
            }
        },
        target.subject,
        run,
        saying,
        mayPass,
    );
}

async function shows<Item>(step: Step<Item>, target: Target<Item>, run: Run): Promise<boolean> {
    const item = await look(target, run);
    return item !== undefined && step.after(item).kind === "ready";
}

/** One look, right now; undefined if it is not there. */
export async function look<Item>({ id, source }: Target<Item>, run: Run): Promise<Item | undefined> {
    return source.get
        ? source.get(id, run.signal)
        : (await source.list(run.signal)).find((item) => source.idOf(item) === id);
}

/** Looks, at least once, until the judge is content. */
export async function observeUntil<Item>(
    judge: (item: Item) => Outcome,
    target: Target<Item>,
    run: Run,
    saying: Saying,
): Promise<Item> {
    const item = await waitFor({ ...waitOf(judge, target, run, saying), until: "ready" }, run.wait);
    // A wait for an item to be ready only ever resolves with one.
    return item as Item;
}

function waitOf<Item>(judge: (item: Item) => Outcome, target: Target<Item>, run: Run, saying: Saying) {
    return {
        subject: target.subject,
        source: target.source,
        id: target.id,
        judge,
        deadlineAt: run.deadlineAt,
        setting: run.timeoutSetting,
        signal: run.signal,
        onSeen: target.onSeen,
        onLook: reporter(run, saying),
    };
}

/** A line that has not changed but for the time is said again when the time has grown by this part, and by this much at least. */
const [growth, leastMs] = [0.25, 5_000];

/** Says each new status at once, and an old one less and less often: a pipeline prints every line. */
function reporter(run: Run, saying: Saying): (progress: Progress) => void {
    let last = { state: "", elapsedMs: 0 };
    let told = false;
    return ({ status, detail, elapsedMs, deadlineAt }) => {
        const state = detail === undefined ? status : `${status}, ${detail}`;
        if (elapsedMs > run.usualMs && !told) {
            told = true;
            const left = formatDuration(deadlineAt - run.wait.clock.now());
            run.tell(
                `${saying(state)}: this takes longer than usual, and is waited for ${left} more (${run.timeoutSetting})`,
            );
        }
        if (state === last.state && elapsedMs < last.elapsedMs + Math.max(last.elapsedMs * growth, leastMs)) {
            return;
        }
        last = { state, elapsedMs };
        const allowed = elapsedMs + deadlineAt - run.wait.clock.now();
        run.say(saying(`${state}, ${formatDuration(elapsedMs)} of ${formatDuration(allowed)}`));
    };
}

/** Failures that pass are tried again for as long as the resource has time. */
export function patience(run: Run): { patienceMs: number; signal: AbortSignal | undefined } {
    return { patienceMs: Math.max(run.deadlineAt - run.wait.clock.now(), 0), signal: run.signal };
}
