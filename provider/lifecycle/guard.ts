import { CloudDbError } from "../api/callErrors";
import { hasUnknown, unknown } from "../base/fields";
import type { Message } from "../base/message";
import { AdoptionError } from "./errors";
import { forcedBy, messages, quotedName } from "./messages";
import { interruptionIn, emptyRecord, isProtected } from "../model/state";
import { adoptedId, adoptedIn, subjectOf } from "../model/identity";
import { inputsOf, withName } from "./metadata";
import { replacementOf, formatReplacements, replacementsIn } from "./plan";
import { updatableReferences } from "../reconcile/references";
import type { Checked, Declared, Plan, Resource, State } from "../model/resource";
import { managedIn, type Entry, type Registry, type ResourceRef } from "../model/registry";

/** What the old inputs say about an entry of the state. */
function entryWith({ deletionProtection }: { readonly deletionProtection?: unknown }): Entry {
    return { ...(typeof deletionProtection === "boolean" ? { deletionProtection } : {}), record: emptyRecord };
}

/**
 * Records the calls of the engine for one kind of resource. Fails for those that would delete or replace a protected one, or
 * manage one that another resource of the program manages.
 */
export class Guard {
    constructor(
        private readonly resource: Resource,
        private readonly registry: Registry,
    ) {}

    /**
     * Records a check, with the old inputs if the resource is in the state. A second one without them shows a replacement that no
     * diff requires, such as one by `replaceOnChanges`. Returns what to say about it.
     */
    onCheck(
        inputs: Declared,
        olds: { readonly deletionProtection?: unknown } | undefined,
    ): { readonly problems: readonly Message[]; readonly warnings: readonly string[] } {
        const { resource, registry } = this;
        const { __urn: urn, existingId } = inputs;
        const adopts = this.adoptedBy(inputs);
        const { phase: was } = registry.row(urn);
        const adoptsItself = was?.is === "existing" && adopts !== undefined && adopts.id === was.diff?.ref.id;
        registry.update(urn, { adopts });
        registry.record(urn, {
            call: "check",
            entry: olds && entryWith(olds),
            mayAdoptItself: adoptsItself || hasUnknown(existingId),
        });
        const { phase } = registry.row(urn);
        const entry = was?.is === "existing" || was?.is === "replacing" ? was.entry : undefined;
        if (entry === undefined || phase?.is !== "replacing") {
            return { problems: [], warnings: [] };
        }
        // Nothing has shown the replacement yet: --replace has no diff, and that of a peering whose VPC is deleted first prints nothing.
        const isForced = was?.is === "existing";
        const cause = isForced ? forcedBy : formatReplacements(replacementsIn(resource.fields, entry, inputs));
        const id = phase.id === unknown ? undefined : phase.id;
        if (!isProtected(resource, entry, inputs)) {
            const { steps = [] } = (isForced ? was.diff : undefined) ?? {};
            const notSent = steps.length > 0 ? ". The changes in place are not sent" : "";
            return { problems: [], warnings: [`${replacementOf(resource, entry.record, cause, id)}${notSent}`] };
        }
        const subject = subjectOf(resource, withName(resource, inputs), id);
        const { hasData } = resource;
        return { problems: [messages.replacementRefused(subject, cause, urn, hasData)], warnings: [] };
    }

    /** Records a diff. Fails if existingId names a different resource, or a value one that is replaced. */
    onDiff(
        id: string,
        state: State,
        declared: Declared,
        plan: Plan,
        isDeletedFirst: boolean,
        isDeclared: boolean,
    ): void {
        this.assertReleased(id, state);
        this.registry.record(declared.__urn, {
            call: "diff",
            ref: this.ref(state.projectId, id),
            state,
            steps: plan.steps,
            isReplaced: plan.replace.length > 0,
            isDeletedFirst,
            isDeclared,
        });
        this.checkExistingId(id, state, declared, plan);
    }

    /** Fails if the program adopts a resource that it already manages under another name. */
    assertSingleManager(inputs: Declared): void {
        const adopts = this.adoptedBy(inputs);
        const manager = adopts && this.registry.managerOf(adopts, inputs.__urn);
        if (manager !== undefined) {
            throw new AdoptionError(String(inputs.existingId), `${quotedName(manager.urn)} of this program manages it`);
        }
    }

    /** Records that a creation, an adoption or an update has succeeded. */
    onStored(call: "create" | "update", id: string, inputs: Checked): void {
        this.registry.update(inputs.__urn, { adopts: undefined });
        this.registry.record(inputs.__urn, { call, ref: this.ref(inputs.projectId, id) });
    }

    /**
     * The rule of deletion: a resource is deleted only if its entry in the state says `deletionProtection: false`, and this stack
     * has created it or completed its adoption. Returns why the entry is removed without a deletion. Undefined if the resource
     * is deleted. Fails if it must not be deleted.
     */
    beforeDeletion(id: string, state: State): string | undefined {
        const subject = this.subjectOf(id, state);
        const manager = this.registry.managerOf(this.ref(state.projectId, id));
        if (manager !== undefined) {
            return `${subject} is not deleted: ${quotedName(manager.urn)} manages it`;
        }
        if (!interruptionIn(state.record).isOwned) {
            return `${subject} is not deleted: no run has completed its adoption. It is now unmanaged`;
        }
        if (isProtected(this.resource, state)) {
            const managed = managedIn(this.registry.row(state.record.urn).phase);
            const isSuperseded = managed !== undefined && managed.id !== id;
            throw new CloudDbError(messages.deletionRefused(subject, isSuperseded));
        }
        return undefined;
    }

    /** Records a deletion. */
    onDelete(id: string, state: State): void {
        this.registry.record(state.record.urn, { call: "delete", id });
    }

    /** The resource that existingId names. Undefined if that is not known yet. */
    adoptedBy(inputs: Declared): ResourceRef | undefined {
        const adopted = adoptedIn(this.resource, inputs);
        return adopted.length === 0 ? undefined : this.ref(...adopted);
    }

    /**
     * Fails if the resource uses another one that is deleted before its replacement is created: the API rejects that
     * deletion until this resource has been updated, and the engine updates it only after the replacement.
     */
    private assertReleased(id: string, state: State): void {
        const { noun } = this.resource;
        for (const { input: property, id: used } of updatableReferences(
            this.resource,
            inputsOf(this.resource, state),
        )) {
            if (this.registry.deletedFirstIn(used).length > 0) {
                const subject = this.subjectOf(id, state);
                throw new CloudDbError(messages.deletedWhileUsed(subject, property, used, noun));
            }
        }
    }

    /** existingId is only read at creation. After that, it must be absent or the id of the resource. */
    private checkExistingId(id: string, state: State, { existingId }: Declared, { replace }: Plan): void {
        if (
            typeof existingId !== "string" ||
            replace.length > 0 ||
            adoptedId(this.resource, existingId, inputsOf(this.resource, state)) === id
        ) {
            return;
        }
        throw new CloudDbError(messages.existingIdChanged(existingId, id, this.resource.noun));
    }

    /** The resource of an entry in messages. */
    private subjectOf(id: string, state: State): string {
        return subjectOf(this.resource, inputsOf(this.resource, state), id);
    }

    private ref(projectId: string, id: string): ResourceRef {
        return { type: this.resource.type, projectId, id };
    }
}
