import { isInAdoption, lastId, permitsDeletion, type Entry } from "./engine/entry";
import { deleteByHand } from "./drift";
import { idsIn } from "./ledger";
import { dependentsOf, messageOf, type Stack } from "./stack";
import { permitDeletion } from "./permission";
import { detachUnmanaged, ownDependants } from "./recovery";
import type { World } from "./world";

/**
 * Deletes all services of a stack by the documented steps, each in at most two runs: `deletionProtection: false` and `pulumi up`,
 * then a destroy.
 */
export async function deleteServices(stack: Stack, world: World): Promise<void> {
    const isService = ({ type }: Entry) => type === "Service";
    for (;;) {
        const services = stack.engine.state.entries().filter((entry) => isService(entry) && !entry.deletedFirst);
        const [next] = services.filter((entry) => !dependentsOf(stack, entry).some(isService));
        if (next === undefined) {
            return;
        }
        await deleteService(next.urn, stack, world);
    }
}

async function deleteService(urn: string, stack: Stack, world: World): Promise<void> {
    const { engine } = stack;
    const entries = engine.state.entries().filter((entry) => entry.urn === urn);
    const live = engine.state.get(urn);
    if (live !== undefined && !live.deletedFirst && (live.protect || !permitsDeletion(live))) {
        await permitDeletion(live, stack, world);
    }
    const dependents = live === undefined ? [] : dependentsOf(stack, live).map((one) => one.urn);
    const destroy = async (others: readonly string[]) => {
        const targets = [...new Set([urn, ...dependents, ...others])];
        const { failures } = await world.run(stack, (it, provider) => it.destroy(provider, targets));
        detachUnmanaged(failures, world);
        return failures.map(({ error }) => error);
    };
    let errors = await destroy([]);
    // What no stack manages is deleted by hand, what this one manages with `--target`, and an entry that is pending deletion and
    // protected is removed from the state.
    for (const pending of engine.state.pendingDeletion().filter((one) => one.urn === urn)) {
        if (errors.some((error) => messageOf(error).includes(`${pending.id}) is not deleted: its entry`))) {
            engine.state.drop(pending);
            deleteByHand(pending.id, world.emulator);
        }
    }
    if (engine.state.entries().some((entry) => entry.urn === urn)) {
        errors = await destroy(errors.flatMap((error) => ownDependants(stack, error)));
    }
    const released = entries.filter(isInAdoption).map(({ id }) => id);
    const left = entries.filter(({ id }) => idsIn(world.emulator).has(lastId(id)) && !released.includes(id));
    if (engine.state.entries().some((entry) => entry.urn === urn) || left.length > 0) {
        throw new Error(`two runs do not delete ${urn}`, { cause: errors[0] });
    }
}
