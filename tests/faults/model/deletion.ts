import { isInAdoption, lastId } from "./engine/entry";
import type { Entry } from "./engine/entry";
import { deleteByHand } from "./drift";
import { idsIn } from "./ledger";
import { dependentsOf, permitDeletion } from "./permission";
import type { Key } from "./program";
import { deleteCopies, detachUnmanaged, ownDependants } from "./recovery";
import { messageOf } from "./stack";
import type { Stack } from "./stack";
import type { World } from "./world";

/**
 * Deletes all services of a stack by the documented steps, each in at most two runs: `deletionProtection: false` and `pulumi up`,
 * then a destroy. With `isAlone`, the API only answers requests for this service during that.
 */
export async function deleteServices(stack: Stack, world: World, isAlone: boolean): Promise<void> {
    const isService = ({ type }: Entry<Key>) => type === "Service";
    for (;;) {
        const services = stack.engine.entries().filter((entry) => isService(entry) && !entry.deletedFirst);
        const [next] = services.filter((entry) => !dependentsOf(stack, entry).some(isService));
        if (next === undefined) {
            return;
        }
        await deleteService(next.urn, stack, world, isAlone);
    }
}

async function deleteService(urn: string, stack: Stack, world: World, isAlone: boolean): Promise<void> {
    const { engine } = stack;
    const entries = engine.entries().filter((entry) => entry.urn === urn);
    // A run waits for the other resources until its timeout.
    engine.notes.quiet &&= !isAlone;
    const interruption = isAlone ? { only: entries.map(({ id }) => id) } : {};
    const live = engine.state.get(urn);
    const errors: unknown[] = [];
    if (live !== undefined && !live.deletedFirst && !isPermitted(live, isAlone)) {
        const failures = await permitDeletion(live, stack, world, isAlone ? { finalFork: false } : {}, interruption);
        errors.push(...failures.values());
    }
    const dependents = live === undefined ? [] : dependentsOf(stack, live).map((one) => one.urn);
    const destroy = async (others: readonly string[]) => {
        const targets = [...new Set([urn, ...dependents, ...others])];
        const { failures } = await world.run(stack, (it, one) => it.destroy(one, targets), interruption);
        return failures;
    };
    const failures = await destroy([]);
    // What no stack manages must be deleted by hand. Two resources of a stack can manage one service.
    const others = detachUnmanaged(failures, world);
    const own = [...failures.values()].flatMap((error) => ownDependants(stack, error));
    const isAgain = [deleteCopies(failures, world), others.size < failures.size, own.length > 0].includes(true);
    errors.push(...(isAgain ? await destroy(own) : others).values());
    const pendingEntries = () =>
        engine.entries().filter((entry) => entry.urn === urn && entry !== engine.state.get(urn));
    while (pendingEntries().length > 0) {
        // A run ends at the first deletion that fails.
        const named = pendingEntries().filter(({ id }) => errors.some((error) => isWayOut(messageOf(error), id)));
        if (named.length === 0) {
            const ids = pendingEntries().map(({ id }) => id);
            throw new Error(`no message names the steps that delete ${ids.join(" or ")}`, { cause: errors[0] });
        }
        for (const pending of named) {
            engine.state.drop(pending);
            deleteByHand(pending.id, world);
        }
        // An error of the live entry may hide one of these.
        const left = engine.entries().some((entry) => entry.urn === urn) ? await destroy(own) : new Map<Key, unknown>();
        errors.push(...(left.size > detachUnmanaged(left, world).size ? await destroy(own) : left).values());
    }
    const released = entries.filter(isInAdoption).map(({ id }) => id);
    const left = entries.filter(({ id }) => idsIn(world.emulator).has(lastId(id)) && !released.includes(id));
    if (engine.state.get(urn) !== undefined || left.length > 0) {
        throw new Error(`two runs do not delete ${urn}`, { cause: errors[0] });
    }
}

/** Whether a destroy deletes the service without another run. */
const isPermitted = ({ protect, outputs: { values } }: Entry<Key>, isAlone: boolean): boolean =>
    !protect && values.deletionProtection === false && (!isAlone || values.finalFork !== true);

/** Whether a message says how to delete a service that is pending deletion: it is protected, or cannot be copied. */
const isWayOut = (message: string, id: string): boolean =>
    message.includes(`run only that of ${id}`) ||
    (message.includes("pulumi state delete --force") &&
        message.includes(`(${id}) is not deleted: its state has deletionProtection: true`));
