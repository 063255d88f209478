import { CloudDbError } from "../api/callErrors";
import { hasComputed } from "../base/fields";
import type { Message } from "../base/message";
import { AdoptionError } from "./errors";
import { forcedBy, messages, quotedName } from "./messages";
import { emptyRecord, interruptionIn, isProtected } from "../model/state";
import { adoptedBy, adoptedId, refTo, subjectOf } from "../model/identity";
import { inputsOf, withName } from "./metadata";
import { replacementOf } from "./plan";
import { updatableReferences } from "../reconcile/references";
import type { Managed } from "./managed";
import type { KnownInputs, Declared, Plan, Resource, State } from "../model/resource";

/**
 * The rule of deletion: a resource is deleted only if its entry in the state says `deletionProtection: false`, and this stack
 * has created it or completed its adoption. Returns why the entry is removed without a deletion. Undefined if the resource
 * is deleted. Fails if it must not be deleted.
 */
export function beforeDeletion(
    { resource, session: { ledger } }: Managed,
    id: string,
    state: State,
): string | undefined {
    const subject = subjectOfEntry(resource, id, state);
    const manager = ledger.managerOf(refTo(resource, state.projectId, id));
    if (manager !== undefined) {
        return `${subject} is not deleted: ${quotedName(manager.urn)} manages it`;
    }
    if (!interruptionIn(state.record).isOwned) {
        return `${subject} is not deleted: no run has completed its adoption. It is now unmanaged`;
    }
    if (isProtected(resource, state)) {
        const { manages } = ledger.row(state.record.urn);
        throw new CloudDbError(messages.deletionRefused(subject, manages !== undefined && manages.id !== id));
    }
    return undefined;
}

/** What a check says about a replacement that no diff requires. */
interface Forced {
    readonly problems: readonly Message[];
    readonly warnings: readonly string[];
}

const nothingFound: Forced = { problems: [], warnings: [] };

/** Records a check, with the old inputs if the resource is in the state. Returns what to say about a forced replacement. */
export function onCheck(
    managed: Managed,
    inputs: Declared,
    olds: { readonly deletionProtection?: unknown } | undefined,
): Forced {
    const { ledger } = managed.session;
    const { __urn: urn, existingId } = inputs;
    if (olds !== undefined) {
        const { deletionProtection } = olds;
        const recorded = typeof deletionProtection === "boolean" ? { deletionProtection } : {};
        // A check does not get the record. The diff that follows adds it, and the steps.
        const entry = { ...recorded, record: emptyRecord, steps: [] };
        ledger.note(urn, { entry, manages: undefined, replaces: undefined });
        return nothingFound;
    }
    const { manages } = ledger.row(urn);
    const adopted = adoptedBy(managed.resource, inputs);
    const mayAdoptItself = hasComputed(existingId) || (adopted !== undefined && adopted.id === manages?.id);
    const found = mayAdoptItself ? nothingFound : forcedReplacement(managed, inputs);
    ledger.note(urn, { manages: adopted ? { ...adopted, isNew: true } : mayAdoptItself ? manages : undefined });
    return found;
}

/**
 * The engine has checked a resource with its old inputs and checks it again without them, although no diff required a replacement:
 * `replaceOnChanges`, or another provider. The replacement of a protected one is refused, because a deletion that is refused
 * later would leave two. `--replace` and a taint have a single check, like a new resource, so they are not seen here.
 */
function forcedReplacement({ resource, session: { ledger } }: Managed, inputs: Declared): Forced {
    const { __urn: urn } = inputs;
    const { entry, manages, replaces } = ledger.row(urn);
    if (entry === undefined || replaces !== undefined) {
        return nothingFound;
    }
    const id = manages?.id;
    ledger.note(urn, { entry: undefined, replaces: { id, isDeletedFirst: false } });
    if (isProtected(resource, entry, inputs)) {
        const subject = subjectOf(resource, withName(resource, inputs), id);
        return { problems: [messages.replacementRefused(subject, forcedBy, urn, resource.hasData)], warnings: [] };
    }
    const notSent = entry.steps.length > 0 ? ". The changes in place are not sent" : "";
    return { problems: [], warnings: [`${replacementOf(resource, entry.record, forcedBy, id)}${notSent}`] };
}

/** Records the diff of inputs that the program declares. Fails if existingId names another resource than the one of the state. */
export function onDiff(
    { resource, session: { ledger } }: Managed,
    id: string,
    state: State,
    declared: Declared,
    { replace, steps }: Plan,
    isDeletedFirst: boolean,
): void {
    const { __urn: urn, existingId } = declared;
    if (replace.length > 0) {
        ledger.note(urn, { entry: undefined, manages: undefined, replaces: { id, isDeletedFirst } });
        return;
    }
    const { deletionProtection, record } = state;
    const manages = { ...refTo(resource, state.projectId, id), isNew: false };
    ledger.note(urn, { entry: { deletionProtection, record, steps }, manages, replaces: undefined });
    if (typeof existingId === "string" && adoptedId(resource, existingId, inputsOf(resource, state)) !== id) {
        throw new CloudDbError(messages.existingIdChanged(existingId, id, resource.noun));
    }
}

/**
 * Fails if an input that an update changes uses a resource that is deleted before its replacement is created: the API rejects that
 * deletion until this resource has been updated, and the engine updates it only after the replacement. The peering of such a VPC
 * would be gone by then.
 */
export function assertUsesNoneDeletedFirst({ resource, session: { ledger } }: Managed, id: string, state: State): void {
    for (const { input, id: used } of updatableReferences(resource, inputsOf(resource, state))) {
        if (ledger.deletedFirst(used) !== undefined) {
            const subject = subjectOfEntry(resource, id, state);
            throw new CloudDbError(messages.deletedWhileUsed(subject, input, used, resource.noun));
        }
    }
}

/** Fails if the program adopts a resource that it already manages under another name. */
export function assertSingleManager({ resource, session: { ledger } }: Managed, inputs: Declared): void {
    const adopted = adoptedBy(resource, inputs);
    const manager = adopted && ledger.managerOf(adopted, inputs.__urn);
    if (manager !== undefined) {
        throw new AdoptionError(String(inputs.existingId), `${quotedName(manager.urn)} of this program manages it`);
    }
}

/** Records that a creation or an adoption has succeeded, or an update of a resource of an earlier run. */
export function onStored({ resource, session }: Managed, id: string, inputs: KnownInputs, isNew: boolean): void {
    const manages = { ...refTo(resource, inputs.projectId, id), isNew };
    session.ledger.note(inputs.__urn, { entry: undefined, manages, replaces: undefined });
}

/** The resource of an entry in messages. */
const subjectOfEntry = (resource: Resource, id: string, state: State): string =>
    subjectOf(resource, inputsOf(resource, state), id);
