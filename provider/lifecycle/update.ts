import { interruptionIn } from "../model/state";
import { valueOf } from "../base/fields";
import type { Timeouts } from "../base/finding";
import { assertReferences, updatableReferences } from "../reconcile/references";
import { Change } from "./change";
import { targetOf } from "./subject";
import type { Managed } from "./managed";
import { withDerived } from "../model/outputs";
import { isStateOnly, nextState } from "./metadata";
import { print } from "./notice";
import { waitActivity } from "../observe/progress";
import { assertReadable, planFor, withConfirmed } from "./plan";
import { protectionNotices } from "./protection";
import { readExisting } from "../observe/reads";
import type { Checked, Declared, State, Stored } from "../model/resource";

/** Brings a resource of a program from its state to the declared one, by the plan that the preview showed. */
export async function update(
    managed: Managed,
    id: string,
    state: State,
    declared: Declared,
    timeouts?: Timeouts,
): Promise<Stored> {
    const inputs = declared as Checked;
    const { resource, session, guard } = managed;
    print(session.engine, inputs.__urn, protectionNotices(resource, state, inputs));
    const { interruption } = state.record;
    const { isInCreation, mayBeMissing, resumes } = interruptionIn(state.record);
    const unobserved = nextState(resource, state, inputs);
    const unread = withDerived(resource, { ...state, ...unobserved });
    // The plan starts from the stored state, like that of the preview: an update makes no change that the preview did
    // not show. What has changed outside of the program is only reported.
    const plan = planFor(resource, state, inputs);
    if (isStateOnly(resource, state, plan)) {
        guard.onStored(id, inputs);
        return { id, state: unread };
    }
    const context = session.contextFor("update", inputs, resource.times(inputs), timeouts);
    const target = targetOf(resource, id, { ...inputs, projectId: state.projectId }, context);
    const change = new Change(target, {
        state: unread,
        unobserved,
        interruption: interruption !== undefined && isInCreation ? interruption : true,
    });
    const updated = await change.run(async () => {
        assertReadable(plan);
        const item = await readExisting(change.target, mayBeMissing);
        const references = updatableReferences(resource, inputs);
        const added = references.filter(({ input, id: referred }) => valueOf(state, input) !== referred);
        await assertReferences(added, { ...target, projectId: state.projectId });
        if (!resumes) {
            return change.apply(plan.steps, item);
        }
        // Requests of the last run may have changed the resource since that run last read it.
        const resting = await change.rest(waitActivity, item);
        const confirmed = withConfirmed(state, resource.observation.observe(resting, target.path));
        return change.apply(planFor(resource, confirmed, inputs).steps, resting);
    });
    guard.onStored(id, inputs);
    return { id, state: updated };
}
