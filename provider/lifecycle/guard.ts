import { CloudDbError } from "../api/errors";
import { changesIn, show } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import {
    AdoptionError,
    copyOfReplacement,
    deletionPending,
    deletionRefused,
    importChanged,
    nameIn,
    type Successor,
} from "./errors";
import { adoptedId, collectionOf } from "../contract/path";
import { inputsIn, isInCreation } from "./metadata";
import { isProtected } from "./protection";
import { copiedIn, updatableReferences } from "../reconcile/references";
import type { Checked, Declared, Kind, Plan, Resource, State } from "../contract/resource";
import type { ResourceRef, Row, Run } from "../contract/run";

/**
 * Records the calls of the engine for one kind of resource. Fails for those that would manage one resource of the API
 * twice, delete a protected one, or delete one that this run still needs.
 */
export class Guard<K extends Kind> {
    constructor(
        private readonly resource: Resource<K>,
        private readonly run: Run,
    ) {}

    /**
     * Records a check. A check without the state, after a diff that requires no replacement, shows that `replaceOnChanges`
     * requires one. If the old resource is protected, its name stays in use: the run creates no second one.
     */
    onCheck(inputs: Declared<K>, hasState: boolean): void {
        const { run } = this;
        const { __urn: urn, existingId } = inputs;
        const adopts = this.adoptedBy(inputs);
        run.record(urn, { adopts });
        const { manages, isProtected: keepsName } = run.row(urn);
        const isKept = manages === undefined || adopts?.id === manages.id || hasUnknown(existingId);
        if (!hasState && !isKept) {
            run.record(urn, {
                manages: undefined,
                replaced: keepsName ? undefined : manages.id,
                isDeletedFirst: false,
            });
        }
    }

    /** Records a diff. Fails if existingId names a different resource, or one that is replaced. */
    onDiff(id: string, state: State<K>, declared: Declared<K>, plan: Plan, isDeletedFirst: boolean): void {
        const { run } = this;
        const { __urn: urn } = declared;
        this.assertReleased(id, state);
        // A refresh also diffs resources that the program does not declare.
        if (run.inputsOf(urn) !== undefined) {
            const ref = this.ref(state.projectId, id);
            if (plan.replace.length > 0) {
                run.record(urn, { manages: undefined, replaced: id, isDeletedFirst });
            } else {
                run.record(urn, {
                    isProtected: isProtected(this.resource, state),
                    replaced: undefined,
                    ...(isInCreation(state.__interrupted) ? { adopts: ref } : { manages: ref }),
                    ...(state.__imported ? { imported: id } : {}),
                });
                this.assertOnlyManager(run.row(urn), ref);
            }
        }
        this.checkExistingId(id, state, declared, plan);
    }

    /** Records an import. */
    onImport(urn: string | undefined, id: string): void {
        this.run.record(urn, { imported: id });
    }

    /** Records an import that failed: the adoption is not complete. */
    onImportFailed(urn: string | undefined, projectId: string, id: string): void {
        this.run.record(urn, { adopts: this.ref(projectId, id) });
    }

    /** Fails if the program adopts a resource that it already manages under another name. */
    assertSingleManager(inputs: Declared<K>): void {
        const adopts = this.adoptedBy(inputs);
        const manager = adopts && this.run.managerOf(adopts, inputs.__urn);
        if (manager !== undefined) {
            throw new AdoptionError(String(inputs.existingId), `${nameIn(manager.urn)} of this program manages it`);
        }
    }

    /** Fails if a creation copies a resource that this run has created as an empty replacement. */
    assertCopiesData(subject: string, inputs: Checked<K>): void {
        const copied = this.copiedBy(inputs);
        const [empty] = this.run.all(({ created, replaced }) => created === copied && replaced !== undefined);
        if (copied !== undefined && empty?.replaced !== undefined) {
            throw copyOfReplacement(subject, copied, empty.replaced);
        }
    }

    /** Records that a creation, an adoption or an update has succeeded. */
    onStored(id: string, inputs: Checked<K>, isNew: boolean): void {
        const isEmpty = isNew && inputs.existingId === undefined && this.copiedBy(inputs) === undefined;
        this.run.record(inputs.__urn, {
            manages: this.ref(inputs.projectId, id),
            adopts: undefined,
            ...(isEmpty ? { created: id } : {}),
        });
    }

    /**
     * Why an entry of the state is removed without a deletion: another entry manages the same resource. Undefined if the
     * resource is deleted. Fails if it must not be deleted, or not yet.
     */
    beforeDeletion(id: string, state: State<K>): string | undefined {
        const { resource, run } = this;
        const { noun, deletion } = resource;
        const ref = this.ref(state.projectId, id);
        const manager = run.managerOf(ref);
        if (manager !== undefined) {
            const declared = run.inputsOf<K["Inputs"]>(manager.urn);
            const missing = declared && deletion?.restoredBy?.(state, declared);
            if (missing !== undefined) {
                const owner = nameIn(manager.urn);
                const reason = `${owner} manages it now, and only this entry of the state has its ${missing}`;
                throw deletionPending(noun, id, reason, `Declare ${missing} for ${owner}`);
            }
            return `${noun} ${id} is not deleted: ${nameIn(manager.urn)} manages it`;
        }
        const adopter = run.adopterOf(ref);
        if (adopter !== undefined) {
            throw deletionPending(noun, id, `${nameIn(adopter.urn)} adopts it, and no run has completed the adoption`);
        }
        const { imported } = run.row(state.__urn);
        if (imported !== undefined && imported !== id) {
            if (!state.__imported) {
                throw importChanged(noun, id, imported);
            }
            return `${noun} ${id} is not deleted: it was only imported, and ${imported} has taken its place. It is now unmanaged`;
        }
        if (isProtected(resource, state)) {
            throw deletionRefused(noun, id, this.successorOf(id, state));
        }
        const [copy] = run.all((row) => row.manages === undefined && this.copiedBy(row.declared?.inputs ?? {}) === id);
        if (copy !== undefined) {
            throw deletionPending(noun, id, `${nameIn(copy.urn)} copies its data, and has not been created`);
        }
        return undefined;
    }

    /** Records a deletion. The state can have another entry under this URN, with another id. */
    onDelete(id: string, { __urn: urn }: State<K>): void {
        if (this.run.row(urn).manages?.id === id) {
            this.run.record(urn, { manages: undefined });
        }
    }

    /** The resource that existingId names. Undefined if that is not known yet. */
    adoptedBy(inputs: Declared<K>): ResourceRef | undefined {
        const { existingId, projectId } = inputs;
        const known = inputs as K["Inputs"];
        // The id may be relative to a parent that is not known yet.
        return typeof existingId === "string" &&
            typeof projectId === "string" &&
            !hasUnknown(collectionOf(this.resource, projectId, known))
            ? this.ref(projectId, adoptedId(this.resource, existingId, known))
            : undefined;
    }

    /**
     * Fails if the resource uses another one that is deleted before its replacement is created: the API rejects that
     * deletion until this resource has been updated, and the engine updates it only after the replacement.
     */
    private assertReleased(id: string, state: State<K>): void {
        const { noun } = this.resource;
        for (const { input: property, id: used } of updatableReferences(this.resource, inputsIn(state))) {
            if (this.run.replacedIn(used).some(({ isDeletedFirst }) => isDeletedFirst)) {
                throw new CloudDbError(
                    `${property} ${show(used)} of ${noun} ${id} refers to a resource that this change deletes before it ` +
                        `creates the new one, and the API rejects the deletion while the ${noun} uses it. Make this change ` +
                        `in two runs: 1. Undo it, remove ${property} from the ${noun} and run \`pulumi up\`. ` +
                        `2. Make it again, set ${property} again and run \`pulumi up\`.`,
                );
            }
        }
    }

    /** Fails if another resource of the program also manages or adopts it. */
    private assertOnlyManager({ urn }: Row, ref: ResourceRef): void {
        const { noun } = this.resource;
        const other = this.run.managerOf(ref, urn) ?? this.run.adopterOf(ref, urn);
        if (other !== undefined) {
            throw new CloudDbError(
                `${noun} ${ref.id} is managed by ${nameIn(urn)} and by ${nameIn(other.urn)}. Remove one of them from the ` +
                    `program. If it is in the state, run \`pulumi state delete --force\` for it first: the ${noun} is then kept.`,
            );
        }
    }

    /** existingId is only read at creation. After that, it must be absent or the id of the resource. */
    private checkExistingId(
        id: string,
        state: State<K>,
        { existingId, __urn: urn }: Declared<K>,
        { replace }: Plan,
    ): void {
        if (typeof existingId !== "string") {
            return;
        }
        const { noun } = this.resource;
        const isOwn = adoptedId(this.resource, existingId, inputsIn(state)) === id;
        // Before the check, the engine diffs a resource that is deleted together with another one.
        const certain = this.run.inputsOf(urn) === undefined ? replace : replace.filter(({ to }) => !hasUnknown(to));
        if (isOwn && certain.length > 0) {
            throw new CloudDbError(
                `existingId ${show(existingId)} names the ${noun} that this change replaces (${changesIn(certain)}). ` +
                    `Remove existingId and run \`pulumi up\` before you make this change, or undo the change.`,
            );
        }
        if (!isOwn && replace.length === 0) {
            throw new CloudDbError(
                `existingId ${show(existingId)} differs from ${id}, the ${noun} that this resource manages. ` +
                    `Set it to ${show(id)} or remove it. To manage ${show(existingId)} instead, run ` +
                    `\`pulumi state delete --force\` for this resource first. ${id} is then unmanaged.`,
            );
        }
    }

    /** The resource that may have taken the place of one that must not be deleted: of its own URN, or new in this run. */
    private successorOf(id: string, { __urn: urn }: State<K>): Successor | undefined {
        const { manages } = this.run.row(urn);
        if (urn !== undefined && manages !== undefined && manages.id !== id) {
            return { id: manages.id, urn, hasSameUrn: true };
        }
        const [other] = this.run.all(
            (row) =>
                row.created !== undefined && row.replaced === undefined && row.manages?.type === this.resource.type,
        );
        return other?.created === undefined ? undefined : { id: other.created, urn: other.urn, hasSameUrn: false };
    }

    /** The id of the resource whose data a new one copies. */
    private copiedBy(inputs: object): string | undefined {
        return copiedIn(this.resource, inputs);
    }

    private ref(projectId: string, id: string): ResourceRef {
        return { type: this.resource.type, projectId, id };
    }
}
