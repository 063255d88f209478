import { CloudDbError } from "../api/callErrors";
import { hasComputed } from "../base/fields";
import type { Message } from "../base/message";
import { AdoptionError } from "./errors";
import { forcedBy, messages, quotedName } from "./messages";
import { interruptionIn, isProtected, type Remembered } from "../model/state";
import { adoptedBy, adoptedId, refTo, subjectOf, withName } from "../model/identity";
import { inputsOf, subjectOfEntry } from "../model/remembered";
import { replacementLine } from "./plan";
import { updatableReferences } from "../reconcile/references";
import type { Managed } from "./managed";
import type { KnownInputs, Declared, Plan, State } from "../model/resource";

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
    olds: Pick<Remembered, "deletionProtection"> | undefined,
): Forced {
    const { ledger } = managed.session;
    const { __urn: urn, existingId } = inputs;
    if (olds !== undefined) {
        // The old inputs have the protection of the state, because each check resolves it.
        ledger.note(urn, { protectionInState: protectionIn(olds), manages: undefined, replaces: undefined });
        return nothingFound;
    }
    // Undefined after a diff that requires a replacement. Set if the diff requires none, or a check has announced an adoption.
    const { manages } = ledger.row(urn);
    const adopted = adoptedBy(managed.resource, inputs);
    // existingId names, or may name, what the entry already manages: the new resource would be the old one.
    const mayAdoptItself = hasComputed(existingId) || (adopted !== undefined && adopted.id === manages?.id);
    const found = mayAdoptItself ? nothingFound : forcedReplacement(managed, inputs);
    ledger.note(urn, { manages: adopted ? { ...adopted, isNew: true } : mayAdoptItself ? manages : undefined });
    return found;
}

/** Nothing else of a state, which has secrets. */
const protectionIn = ({ deletionProtection }: Pick<Remembered, "deletionProtection">) => ({ deletionProtection });

/**
 * The engine has checked a resource with its old inputs and checks it again without them, although no diff required a replacement:
 * `replaceOnChanges`, or another provider. The replacement of a protected one is refused, because a deletion that is refused
 * later would leave two. `--replace` and a taint have a single check, like a new resource, so they are not seen here.
 */
function forcedReplacement({ resource, session: { ledger } }: Managed, inputs: Declared): Forced {
    const { __urn: urn } = inputs;
    const { protectionInState, manages } = ledger.row(urn);
    // A new resource, or a diff has shown the replacement.
    if (protectionInState === undefined) {
        return nothingFound;
    }
    const id = manages?.id;
    ledger.note(urn, { protectionInState: undefined, replaces: { id, isDeletedFirst: false } });
    if (isProtected(resource, protectionInState, inputs)) {
        const subject = subjectOf(resource, withName(resource, inputs), id);
        return { problems: [messages.replacementRefused(subject, forcedBy, urn, resource.hasData)], warnings: [] };
    }
    return { problems: [], warnings: [`${replacementLine(resource, {}, forcedBy, id)}. It is not updated in place`] };
}

/** Records the diff of inputs that the program declares. Fails if existingId names another resource than the one of the state. */
export function onDiff(
    { resource, session: { ledger } }: Managed,
    id: string,
    state: State,
    declared: Declared,
    { replace }: Plan,
    isDeletedFirst: boolean,
): void {
    const { __urn: urn, existingId } = declared;
    if (replace.length > 0) {
        ledger.note(urn, { protectionInState: undefined, manages: undefined, replaces: { id, isDeletedFirst } });
        return;
    }
    const manages = { ...refTo(resource, state.projectId, id), isNew: false };
    ledger.note(urn, { protectionInState: protectionIn(state), manages, replaces: undefined });
    if (typeof existingId === "string" && adoptedId(resource, existingId, inputsOf(resource, state)) !== id) {
        throw new CloudDbError(messages.existingIdChanged(existingId, id, resource.noun));
    }
}

/**
 * Fails if an input that can change in place, such as `vpcId` of a service, has the id of a VPC that is deleted before its replacement is
 * created. The engine would delete the peering, then the VPC. The API rejects the second deletion while the service is attached, and the
 * engine updates the service only after the new VPC exists. So this fails in the diff that the engine makes of each dependent before
 * the first deletion. The declared `vpcId` is unknown in it, so the state is asked.
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
    session.ledger.note(inputs.__urn, { protectionInState: undefined, manages, replaces: undefined });
}
