import { comparable, computed, hasComputed, valueOf, type Field } from "../base/fields";
import { refusalOfSteps } from "./check";
import { CloudDbError } from "../api/callErrors";
import { assertUsesNoneDeletedFirst, onDiff } from "./guard";
import { messages } from "./messages";
import { adoptedBy } from "../model/identity";
import type { Managed } from "./managed";
import { print } from "../model/engine";
import { subjectOfEntry } from "../model/remembered";
import { info, planNotice, warning, type Notice } from "../base/message";
import {
    planFor,
    stepsIfApplied,
    unreadableBodies,
    protectionNotices,
    replacementLine,
    formatReplacements,
    planInPlace,
} from "./plan";
import { isProtected } from "../model/state";
import type { Declared, Plan, Replacement, Resource, State } from "../model/resource";
import { updateLine } from "../model/step";

/** The result of a diff. */
interface DiffResult {
    readonly plan: Plan;
    readonly changes: boolean;
    readonly deleteBeforeReplace: boolean;
    /** Whether unknown values decide if the resource is replaced. */
    readonly mayReplace: boolean;
    /** What the preview prints. */
    readonly notices: readonly Notice[];
}

/** Compares the state with the inputs. */
export function diff(managed: Managed, id: string, state: State, declared: Declared): DiffResult {
    const { resource, session } = managed;
    // False in a refresh, which diffs with the inputs of the last update, and for the dependent of what is deleted first, which is
    // checked later. The ledger then notes nothing.
    const isDeclared = session.ledger.isDeclared(declared.__urn);
    const subject = subjectOfEntry(resource, id, state);
    const { plan, certain, possible } = planForEngine(resource, id, state, declared, isDeclared);
    // In another project, nothing of the old resource is in the way.
    const isSameProject = declared.projectId === state.projectId;
    const isReplaced = plan.replace.length > 0;
    const whyFirst = isReplaced && isSameProject ? resource.deletesFirst?.(state, declared) : undefined;
    if (certain.length > 0 && isProtected(resource, state, declared)) {
        throw new CloudDbError(
            messages.replacementRefused(subject, formatReplacements(certain), declared.__urn, resource.hasData),
        );
    }
    const refusal = isDeclared ? refusalOfSteps(resource, declared, plan.steps, session.ledger) : undefined;
    if (refusal !== undefined) {
        throw new CloudDbError(`${subject} cannot be changed: ${refusal}`);
    }
    assertUsesNoneDeletedFirst(managed, id, state);
    if (isDeclared) {
        onDiff(managed, id, state, declared, plan, whyFirst !== undefined);
    }
    const warnings = [
        ...(certain.length > 0 ? [replacementLine(resource, state.record, formatReplacements(certain), id)] : []),
        ...(possible.length > 0 ? [`may be replaced: ${possible.join(", ")} is known after apply`] : []),
        ...(whyFirst !== undefined ? [`is deleted before its replacement is created: ${whyFirst}`] : []),
    ];
    if (isDeclared) {
        // Printed in updates too, which print no notices. Without a change, the plugin cannot tell a preview from an update.
        print(session.engine, declared.__urn, (resource.warnings?.(state, declared) ?? []).map(warning));
    }
    const stateChanges = isDeclared ? plan.stateChanges : [];
    const later = stepsIfApplied(resource, state, declared, plan);
    return {
        plan: { ...plan, stateChanges },
        changes:
            plan.replace.length + plan.steps.length + later.length + stateChanges.length > 0 ||
            state.record.interruption !== undefined,
        deleteBeforeReplace: whyFirst !== undefined,
        mayReplace: isReplaced && certain.length === 0,
        notices: [
            ...warnings.map(warning),
            ...protectionNotices(resource, state, declared),
            ...(state.record.interruption && !isReplaced ? [info(interruptedText(plan))] : []),
            ...unreadableBodies(plan),
            ...planNotice([
                ...plan.steps.map(updateLine),
                ...later.map((step) => `if they take effect: ${updateLine(step)}`),
            ]),
        ],
    };
}

function interruptedText({ isStateOnly }: Plan): string {
    const update = isStateOnly
        ? "only records deletionProtection, and the next one resumes"
        : "first waits for changes in progress";
    return `an earlier run did not complete this resource: the update ${update}`;
}

/**
 * The plan that the engine gets, its certain replacements, and the properties whose unknown values may require a
 * replacement. It omits each replacement that must not or cannot take place.
 */
function planForEngine(resource: Resource, id: string, state: State, declared: Declared, isDeclared: boolean) {
    const plan = planFor(resource, state, declared);
    const fieldOf = ({ property }: Replacement) => (valueOf(resource.fields, property) ?? {}) as Partial<Field>;
    const isPossible = (one: Replacement) => hasComputed(comparable(fieldOf(one), one.to));
    const certain = plan.replace.filter((one) => !isPossible(one));
    /** The properties whose unknown values may require a replacement. */
    const possible = plan.replace.filter(isPossible).map(({ property }) => property);
    // If existingId names this same resource, its replacement would only adopt it again.
    const mustKeep = isProtected(resource, state, declared) || adoptedBy(resource, declared)?.id === id;
    // The engine would fail the preview of a protected resource ("unable to replace"), although an unknown value may turn out to be the
    // old one. Without a check before the diff, every replacement is left out instead of refused. A protected peering then prevents the
    // deletion of its VPC. An object with a member that is read only at the creation (`fork`) replaces nothing then: the engine makes the
    // whole unknown if its source is deleted first.
    const omitted = plan.replace.filter((one) =>
        mustKeep
            ? !isDeclared || isPossible(one)
            : !isDeclared && one.to === computed && fieldOf(one).properties !== undefined,
    );
    if (omitted.length === 0) {
        return { plan, certain, possible };
    }
    const replace = plan.replace.filter((one) => !omitted.includes(one));
    // Without these declared values, the plan in place leaves them as they are in the state.
    const names = omitted.map(({ property }) => property);
    const others = Object.entries(declared).filter(([name]) => !names.includes(name));
    const reduced =
        replace.length > 0 ? { ...plan, replace } : planInPlace(resource, state, Object.fromEntries(others));
    // The preview still says what may be replaced.
    return { plan: reduced, certain: certain.filter((one) => !omitted.includes(one)), possible };
}
