import { CloudDbError } from "../api/callErrors";
import { formatReplacements, replacementsIn, show, hasUnknown, unknown } from "../base/fields";
import { type Message, way } from "../base/message";
import { AdoptionError, deletionRefused, forcedBy, quotedName, replacementRefused, type DeletionCause } from "./errors";
import { interruptionIn, emptyRecord, isProtected } from "../model/state";
import { adoptedId, adoptedIn, subjectOf } from "../model/identity";
import { inputsOf, withName } from "./metadata";
import { replacementOf } from "./plan";
import { referencesIn, updatableReferences } from "../reconcile/references";
import type { Checked, Declared, Plan, Resource, State } from "../model/resource";
import type { Registry, ResourceRef, Row } from "../model/registry";

/** What the old inputs say about an entry of the state. */
function entryWith({ deletionProtection }: { readonly deletionProtection?: unknown }): Row["before"] {
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
        registry.update(
            urn,
            olds === undefined ? { adopts } : { adopts, before: entryWith(olds), replaced: undefined },
        );
        const { manages, before, replaced, changesInPlace = false } = registry.row(urn);
        const adoptsItself = adopts !== undefined && adopts.id === manages?.id;
        const isAnnounced = replaced !== undefined && replaced.state === undefined;
        const isForced = olds === undefined && before !== undefined && !isAnnounced;
        if (!isForced || adoptsItself || hasUnknown(existingId)) {
            return { problems: [], warnings: [] };
        }
        const { state, id = manages?.id ?? unknown } = replaced ?? {};
        registry.update(urn, { manages: undefined, replaced: { id, isDeletedFirst: false } });
        const cause =
            state === undefined ? forcedBy : formatReplacements(replacementsIn(resource.fields, state, inputs));
        const shownId = id === unknown ? undefined : id;
        if (!isProtected(resource, before, inputs)) {
            const notSent = changesInPlace ? ". The changes in place are not sent" : "";
            return { problems: [], warnings: [`${replacementOf(resource, before.record, cause, shownId)}${notSent}`] };
        }
        const subject = subjectOf(resource, withName(resource, inputs), shownId);
        return { problems: [replacementRefused(subject, cause, urn, resource.hasData).parts], warnings: [] };
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
        const { registry } = this;
        const { __urn: urn } = declared;
        this.assertReleased(id, state);
        if (isDeclared) {
            const ref = this.ref(state.projectId, id);
            registry.update(urn, {
                changesInPlace: plan.steps.length > 0,
                ...(plan.replace.length > 0
                    ? { manages: undefined, replaced: { id, isDeletedFirst } }
                    : {
                          replaced: undefined,
                          ...(interruptionIn(state.record).isInCreation ? { adopts: ref } : { manages: ref }),
                      }),
            });
        } else if (plan.replace.length > 0) {
            // The engine deletes it together with a resource that it uses, and then checks it as a new one.
            const used = referencesIn(this.resource, inputsOf(this.resource, state)).flatMap((one) =>
                this.replacing(one.id, ({ declared: other }) => other?.type === one.kind.type),
            );
            const first = used.flatMap((row) => row.replaced?.first ?? row.urn);
            registry.update(urn, { before: state, replaced: { id, isDeletedFirst: true, first, state } });
        }
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
    onStored(id: string, inputs: Checked): void {
        this.registry.update(inputs.__urn, { manages: this.ref(inputs.projectId, id), adopts: undefined });
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
            throw deletionRefused(
                subject,
                { id, urn: state.record.urn },
                this.causeOf(id, state),
                this.registry.deleted,
            );
        }
        return undefined;
    }

    private causeOf(id: string, { record }: State): DeletionCause {
        const { declared, manages = { id } } = this.registry.row(record.urn);
        if (declared !== undefined) {
            return manages.id === id ? "replaced" : "pending";
        }
        const others = this.registry.all((row) => row.declared !== undefined);
        const isNew = ({ declared, before, manages: made }: Row) =>
            declared?.type === this.resource.type && before === undefined && made !== undefined;
        return others.length === 0 ? "destroy" : others.some(isNew) ? "renamed" : "undeclared";
    }

    /** Records a deletion: a later check of the resource is that of a new one. */
    onDelete(id: string, state: State): void {
        this.registry.deleted.push(this.subjectOf(id, state));
        this.registry.update(state.record.urn, { before: undefined });
    }

    /** What this run creates only after this deletion, in place of the deleted resource or of others that it uses. */
    createdAfter(id: string, { record }: State) {
        const own = this.replacing(id, ({ urn }) => urn === record.urn);
        const rows = own.flatMap((row) => row.replaced?.first?.map((urn) => this.registry.row(urn)) ?? row);
        return rows.flatMap(({ urn, declared, manages, replaced }) =>
            declared && replaced && !replaced.isPossible && manages === undefined ? { urn, declared, replaced } : [],
        );
    }

    /** The resource that replaces this one. With --replace, only a check has shown it before: the last one of these. */
    private replacing(id: string, mayBe: (row: Row) => boolean): readonly Row[] {
        const { registry } = this;
        if (registry.replacedIn(id).length === 0) {
            const isOnlyChecked = ({ declared, before, manages, replaced }: Row) =>
                declared !== undefined && (before ?? manages ?? replaced) === undefined;
            const [last] = registry.all((row) => mayBe(row) && isOnlyChecked(row)).slice(-1);
            registry.update(last?.urn, { replaced: { id, isDeletedFirst: false } });
        }
        return registry.replacedIn(id);
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
            if (this.registry.replacedIn(used).some(({ declared, replaced }) => declared && replaced?.isDeletedFirst)) {
                throw new CloudDbError({
                    what:
                        `${this.subjectOf(id, state)} uses ${property} ${show(used)}, which this change deletes before it ` +
                        `creates the new one. The API rejects that. Make this change in two runs.`,
                    ways: [
                        way("1", `undo it, remove ${property} from the ${noun} and run \`pulumi up\``),
                        way("2", `make it again, set ${property} again and run \`pulumi up\``),
                    ],
                });
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
        throw new CloudDbError({
            what: `existingId ${show(existingId)} differs from ${id}, the ${this.resource.noun} that this resource manages.`,
            ways: [
                way(`Manage ${id}`, `set it to ${show(id)} or remove it`),
                way(`Manage ${existingId}`, "declare another resource with it"),
            ],
        });
    }

    /** The resource of an entry in messages. */
    private subjectOf(id: string, state: State): string {
        return subjectOf(this.resource, inputsOf(this.resource, state), id);
    }

    private ref(projectId: string, id: string): ResourceRef {
        return { type: this.resource.type, projectId, id };
    }
}
