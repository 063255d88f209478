import { CloudDbError } from "../api/errors";
import { entriesOf, same, valueOf } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import { checkInputs } from "./check";
import { subjectOf } from "./subject";
import { ofParent, type Managed } from "./managed";
import { withEngineName } from "./metadata";
import { info, warning, type Notice } from "./notice";
import type { Declared, Kind } from "../contract/resource";

/** The inputs of a diff or of a creation. */
export interface FinalInputs<K extends Kind> {
    readonly inputs: Declared<K>;
    /** Empty unless they differ from those of the check. */
    readonly notices: readonly Notice[];
}

/** The final inputs. A policy can change them after the check of this run: they are then checked again. */
export function finalInputs<K extends Kind>(managed: Managed<K>, declared: Declared<K>): FinalInputs<K> {
    const { resource, session } = managed;
    const given = ofParent(managed, declared);
    const checked = session.registry.inputsOf<K["Inputs"]>(declared.__urn);
    // A refresh has no check.
    const changed = checked === undefined ? [] : changedNames(managed, checked, withEngineName(resource, given));
    if (changed.length === 0) {
        return { inputs: given, notices: [] };
    }
    const { inputs, problems, warnings, declaration } = checkInputs(resource, given, {
        registry: session.registry,
        protectsData: session.protectsData(),
        now: session.now(),
    });
    const text = `a policy has changed ${changed.join(", ")}`;
    if (problems.length > 0) {
        throw new CloudDbError(`${subjectOf(resource, given)}: ${text}. ${problems.join(". ")}`);
    }
    session.registry.record(declared.__urn, { declared: declaration });
    return { inputs, notices: [info(text), ...warnings.map(warning)] };
}

function changedNames<K extends Kind>({ resource }: Managed<K>, checked: object, given: object): readonly string[] {
    return entriesOf(resource.fields)
        .map(([name]) => name)
        .filter((name) => {
            const [before, now] = [valueOf(checked, name), valueOf(given, name)];
            return hasUnknown(before) && hasUnknown(now) ? false : !same(before, now);
        });
}
