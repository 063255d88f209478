import { isInAdoption } from "./engine/entry";
import { hostOf } from "./engine/registration";
import { protectionOf } from "./program";
import type { Round } from "./scenario";
import type { Stack } from "./stack";

// What random histories must contain, because a database was lost after it.

/** A run that is about to begin. */
interface Beginning {
    readonly round: Round;
    readonly stack: Stack;
    /** The run before it failed or was interrupted. */
    readonly afterFailure: boolean;
}

const before: Readonly<Record<string, (beginning: Beginning) => boolean>> = {
    "repeats a failed run": ({ round, afterFailure }) => afterFailure && round.repeated,
    "reverts the program after a failed run": ({ round, afterFailure }) => afterFailure && round.reverted,
    "changes by hand after a failed run": ({ round, afterFailure }) => afterFailure && round.drifts.length > 0,
    "replaces a tainted resource": ({ stack }) => stack.engine.state.liveEntries().some(({ tainted }) => tainted),
    "raises deletionProtection in the run of a replacement": ({ round: { replaced }, stack }) =>
        stack
            .declared()
            .some(
                (declared) =>
                    protectionOf(declared, stack.defaults) &&
                    stack.engine.entry(declared.key)?.outputs.values.deletionProtection === false &&
                    (declared.key === replaced || stack.engine.entry(declared.key)?.tainted === true),
            ),
};

const after: Readonly<Record<string, (stack: Stack) => boolean>> = {
    "fails in an adoption": ({ engine }) => engine.entries().some(isInAdoption),
    "has two entries of one id": ({ engine }) => {
        const ids = engine.state.liveEntries().map(({ id }) => id);
        return new Set(ids).size < ids.length;
    },
    "has an entry that is pending deletion": ({ engine }) => engine.pendingDeletion().length > 0,
    "has entries of both hosts": ({ engine }) =>
        new Set(engine.entries().map(({ provider }) => hostOf(provider))).size > 1,
};

export const eventNames: readonly string[] = [...Object.keys(before), ...Object.keys(after)];

export const eventsBefore = (beginning: Beginning): string[] =>
    Object.entries(before).flatMap(([name, occurs]) => (occurs(beginning) ? [name] : []));

export const eventsAfter = (stack: Stack): string[] =>
    Object.entries(after).flatMap(([name, occurs]) => (occurs(stack) ? [name] : []));
