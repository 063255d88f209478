import { CloudDbError } from "../api/errors";
import { changesIn, show } from "../inputs/fields";
import type { Message } from "../inputs/message";
import { hasUnknown, unknown } from "../inputs/unknown";
import {
    AdoptionError,
    copyOfReplacement,
    deletionPending,
    deletionRefused,
    forcedBy,
    forcedReplacementRefused,
    importChanged,
    nameIn,
    removesEntry,
    type Removal,
    type Replaced,
} from "./errors";
import { subjectIn } from "../contract/operation";
import { adoptedId } from "../contract/path";
import { inputsIn, isInCreation, known, withName } from "./metadata";
import { fateOfData, isOwned, protectorOf, replacementOf } from "./protection";
import { copyIn, updatableReferences } from "../reconcile/references";
import { adoptedIn, subjectOf } from "./subject";
import type { Checked, Declared, Deletable, Kind, Plan, Resource, State, StateMetadata } from "../contract/resource";
import type { ResourceRef, Row, Registry } from "../contract/registry";

/** The resource of the program that replaces an entry. */
export type Replacing<K extends Kind> = Row & { readonly inputs: Checked<K> };

/**
 * Records the calls of the engine for one kind of resource. Fails for those that would manage one resource of the API
 * twice, delete a protected one, or delete one that this run still needs.
 */
export class Guard<K extends Kind> {
    constructor(
        private readonly resource: Resource<K>,
        private readonly registry: Registry,
    ) {}

    /**
     * Records a check, with the old inputs if the resource is in the state. Another one without them shows a replacement: the
     * diff requires it, an option such as `replaceOnChanges`, or a resource that it uses and that is deleted first. Returns
     * what the program must know about the last two. Without a first check, as after a taint, only the program knows the
     * entry of the state.
     */
    onCheck(
        inputs: Declared<K>,
        olds: Partial<StateMetadata> | undefined,
        entry: Deletable | undefined,
    ): { readonly problems: readonly Message[]; readonly warnings: readonly string[] } {
        const { resource, registry } = this;
        const { __urn: urn, existingId } = inputs;
        const adopts = this.adoptedBy(inputs);
        registry.record(urn, olds === undefined ? { adopts } : { adopts, before: olds, replaced: undefined });
        const { manages, replaced, isGone, before = isGone ? undefined : entry } = registry.row(urn);
        const adoptsItself = adopts !== undefined && (manages === undefined || adopts.id === manages.id);
        const isForced = olds === undefined && before !== undefined && replaced === undefined;
        if (!isForced || adoptsItself || hasUnknown(existingId)) {
            return { problems: [], warnings: [] };
        }
        registry.record(urn, { manages: undefined, replaced: manages?.id ?? unknown, isDeletedFirst: false });
        const state = before as State<K>;
        if (protectorOf(resource, state, inputs) === undefined) {
            return { problems: [], warnings: [replacementOf(resource, state, forcedBy, manages?.id)] };
        }
        const subject = subjectOf(resource, withName(resource, inputs));
        const refusal = forcedReplacementRefused(subject, entry?.urn ?? urn, fateOfData(resource, state));
        return { problems: [refusal.parts], warnings: [] };
    }

    /** Records a diff. Fails if existingId names a different resource, or one that is replaced. */
    onDiff(id: string, state: State<K>, declared: Declared<K>, plan: Plan, isDeletedFirst: boolean): void {
        const { registry } = this;
        const { __urn: urn } = declared;
        this.assertReleased(id, state);
        // A refresh also diffs resources that the program does not declare.
        if (registry.inputsOf(urn) !== undefined) {
            const ref = this.ref(state.projectId, id);
            if (plan.replace.length > 0) {
                registry.record(urn, { manages: undefined, replaced: id, isDeletedFirst });
            } else {
                registry.record(urn, {
                    replaced: undefined,
                    replacedEarlier: state.__replaces,
                    ...(isInCreation(state.__interrupted) ? { adopts: ref } : { manages: ref }),
                    ...(state.__imported ? { imported: id } : {}),
                });
                this.assertOnlyManager(registry.row(urn), ref);
            }
        } else if (plan.replace.length > 0) {
            // The engine deletes it together with a resource that it uses, and then checks it as a new one.
            registry.record(urn, { before: state });
        }
        this.checkExistingId(id, state, declared, plan);
    }

    /** Records that a refresh has found the resource to be gone. The stored state, which the program reads, still has it. */
    onGone({ __urn: urn }: State<K>): void {
        this.registry.record(urn, { isGone: true });
    }

    /** Records an import. */
    onImport(urn: string | undefined, id: string): void {
        this.registry.record(urn, { imported: id });
    }

    /** Records an import that failed: the adoption is not complete. */
    onImportFailed(urn: string | undefined, projectId: string, id: string): void {
        this.registry.record(urn, { adopts: this.ref(projectId, id) });
    }

    /** Fails if the program adopts a resource that it already manages under another name. */
    assertSingleManager(inputs: Declared<K>): void {
        const adopts = this.adoptedBy(inputs);
        const manager = adopts && this.registry.managerOf(adopts, inputs.__urn);
        if (manager !== undefined) {
            throw new AdoptionError(String(inputs.existingId), `${nameIn(manager.urn)} of this program manages it`);
        }
    }

    /**
     * Fails if a creation copies a resource that this run replaces, and whose data still exists. In a preview, the id of the
     * replacement is unknown.
     */
    assertSourceIsKept(inputs: Declared<K>): void {
        const { resource, registry } = this;
        const copy = copyIn(resource, inputs);
        const isSource = ({ urn, created, declared }: Row) =>
            copy?.id === unknown ? urn !== inputs.__urn && declared?.type === resource.type : created === copy?.id;
        const [source] = registry.all((row) => row.replaced !== undefined && !row.isReplacedGone && isSource(row));
        if (copy !== undefined && source !== undefined) {
            const name = nameIn(inputs.__urn ?? "");
            const verb = copy.id === unknown ? "may" : "would";
            const reason = `${name} ${verb} copy ${nameIn(source.urn)}, which this run replaces`;
            throw copyOfReplacement(reason, copy.input, name, source.replaced, copy.id === unknown);
        }
    }

    /**
     * The resource that a creation copies, if it is the empty replacement of another one that nobody manages, but perhaps an
     * entry that is pending deletion.
     */
    replacementIn(inputs: Declared<K>): Replaced | undefined {
        const { resource, registry } = this;
        const { projectId, __urn: urn } = inputs;
        const copy = copyIn(resource, inputs);
        if (typeof copy?.id !== "string" || typeof projectId !== "string") {
            return undefined;
        }
        const source = registry.managerOf(this.ref(projectId, copy.id), urn);
        const former = source?.isReplacedGone ? (source.replaced as string) : source?.replacedEarlier;
        return source === undefined ||
            former === undefined ||
            registry.managerOrAdopterOf(this.ref(projectId, former)) !== undefined
            ? undefined
            : { urn: source.urn, id: copy.id, former, input: copy.input };
    }

    /** Records that a creation, an adoption or an update has succeeded. */
    onStored(id: string, inputs: Checked<K>, isNew: boolean): void {
        const isEmpty = isNew && inputs.existingId === undefined && copyIn(this.resource, inputs) === undefined;
        this.registry.record(inputs.__urn, {
            manages: this.ref(inputs.projectId, id),
            adopts: undefined,
            ...(isEmpty ? { created: id } : {}),
        });
    }

    /**
     * The rule of deletion: a resource is deleted only if its entry in the state says `deletionProtection: false`, the
     * program of this run does not say true, and this stack has created it or completed its adoption. Returns why another
     * entry is removed without a deletion. Undefined if the resource is deleted. Fails if it must not be deleted, or not yet.
     */
    beforeDeletion(id: string, state: State<K>): string | undefined {
        const subject = this.subjectOf(id, state);
        const released = this.otherManagerOf(id, state) ?? this.importedInstead(id, state);
        if (released !== undefined) {
            return `${subject} is not deleted: ${released}`;
        }
        if (!isOwned(state)) {
            return `${subject} is not deleted: no run has completed its adoption. It is now unmanaged`;
        }
        const heir = this.registry.heirOf(id, state.__urn);
        const protector = protectorOf(this.resource, state, heir.declared?.inputs);
        if (protector !== undefined) {
            throw deletionRefused(subject, id, protector, this.removalOf(id, state, protector, heir));
        }
        this.assertNotCopied(id, state);
        return undefined;
    }

    /** Why the entry is not needed: another one manages the same resource. Fails while that one, or its program, needs this entry. */
    private otherManagerOf(id: string, state: State<K>): string | undefined {
        const { resource, registry } = this;
        const subject = this.subjectOf(id, state);
        const ref = this.ref(state.projectId, id);
        const manager = registry.managerOf(ref);
        if (manager !== undefined) {
            const declared = registry.inputsOf<K["Inputs"]>(manager.urn);
            const missing = declared && resource.deletion?.restoredBy?.(state, declared);
            if (missing !== undefined) {
                const owner = nameIn(manager.urn);
                const reason = `${owner} manages it now, and only this entry of the state has its ${missing}`;
                throw deletionPending(subject, reason, `declare ${missing} for ${owner}`);
            }
            return `${nameIn(manager.urn)} manages it`;
        }
        const adopter = registry.adopterOf(ref);
        if (adopter !== undefined) {
            const reason = `${nameIn(adopter.urn)} adopts it, and no run has completed the adoption`;
            throw deletionPending(subject, `${reason}. To rename or move a resource, use an alias, not existingId`);
        }
        return undefined;
    }

    /** Why the entry is not needed: another resource was imported in its place. Fails unless it was only imported, too. */
    private importedInstead(id: string, state: State<K>): string | undefined {
        const { imported } = this.registry.heirOf(id, state.__urn);
        if (imported === undefined || imported === id) {
            return undefined;
        }
        if (state.__imported !== true) {
            throw importChanged(this.subjectOf(id, state), id, state.__urn, imported);
        }
        return `it was only imported, and ${imported} has taken its place. It is now unmanaged`;
    }

    /** Fails while the program declares a copy of the resource that does not exist, or a copy of its successor, which has no data. */
    private assertNotCopied(id: string, state: State<K>): void {
        const { registry, resource } = this;
        const subject = this.subjectOf(id, state);
        const successor = this.replacing(id, state)?.manages?.id;
        for (const { urn, manages, declared } of registry.all(() => true)) {
            const copy = copyIn(resource, declared?.inputs ?? {});
            if (copy?.id === id && manages === undefined) {
                throw deletionPending(subject, `${nameIn(urn)} copies its data, and has not been created`);
            }
            if (copy !== undefined && copy.id === successor) {
                const reason = `${subject} is not deleted: ${nameIn(urn)} copies ${successor}, which has taken its place`;
                throw copyOfReplacement(reason, copy.input, nameIn(urn), id);
            }
        }
    }

    /** The resource of the program that replaces this entry, in this run or in an earlier one. */
    replacing(id: string, { __urn: urn }: State<K>): Replacing<K> | undefined {
        const row = this.registry.replacing(id, urn);
        return row.declared && { ...row, inputs: known<K>(row.declared.inputs as Declared<K>) };
    }

    /** Whether this run replaces the entry, also by a resource with another name that it has created. */
    isReplaced(id: string, state: State<K>): boolean {
        return this.replacing(id, state) !== undefined || this.registry.heirOf(id, state.__urn).created !== undefined;
    }

    /** Records a deletion. The state can have another entry under this URN, with another id. */
    onDelete(id: string, state: State<K>): void {
        const { __urn: urn } = state;
        const { manages } = this.registry.row(urn);
        const replacing = this.replacing(id, state);
        this.registry.record(urn, { before: undefined, manages: manages?.id === id ? undefined : manages });
        if (replacing !== undefined) {
            this.registry.record(replacing.urn, { replaced: id, isReplacedGone: true });
        }
    }

    /** The resource that existingId names. Undefined if that is not known yet. */
    adoptedBy(inputs: Declared<K>): ResourceRef | undefined {
        const adopted = adoptedIn(this.resource, inputs);
        return adopted.length === 0 ? undefined : this.ref(...adopted);
    }

    /**
     * Fails if the resource uses another one that is deleted before its replacement is created: the API rejects that
     * deletion until this resource has been updated, and the engine updates it only after the replacement.
     */
    private assertReleased(id: string, state: State<K>): void {
        const { noun } = this.resource;
        for (const { input: property, id: used } of updatableReferences(this.resource, inputsIn(state))) {
            if (this.registry.replacedIn(used).some(({ isDeletedFirst }) => isDeletedFirst)) {
                throw new CloudDbError({
                    what:
                        `${this.subjectOf(id, state)} uses ${property} ${show(used)}, which this change deletes before it ` +
                        `creates the new one. The API rejects that. Make this change in two runs.`,
                    ways: [
                        { label: "1", text: `undo it, remove ${property} from the ${noun} and run \`pulumi up\`` },
                        { label: "2", text: `make it again, set ${property} again and run \`pulumi up\`` },
                    ],
                });
            }
        }
    }

    /** Fails if another resource of the program also manages or adopts it. */
    private assertOnlyManager({ urn }: Row, ref: ResourceRef): void {
        const other = this.registry.managerOf(ref, urn) ?? this.registry.adopterOf(ref, urn);
        if (other !== undefined) {
            const keeping = (kept: string, removed: string) => ({
                label: `Keep ${nameIn(kept)}`,
                text: `remove ${nameIn(removed)} from the program; if it is in the state, first ${removesEntry(removed)}`,
            });
            throw new CloudDbError({
                what: `${subjectIn(this.resource, undefined, ref.id)} is managed by ${nameIn(urn)} and by ${nameIn(other.urn)}.`,
                ways: [keeping(urn, other.urn), keeping(other.urn, urn)],
            });
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
        const certain =
            this.registry.inputsOf(urn) === undefined ? replace : replace.filter(({ to }) => !hasUnknown(to));
        if (isOwn && certain.length > 0) {
            throw new CloudDbError({
                what: `existingId ${show(existingId)} names the ${noun} that this change replaces (${changesIn(certain)}).`,
                ways: [
                    { label: "Keep it", text: "undo the change" },
                    {
                        label: "Replace it",
                        text: "undo the change, remove existingId and run `pulumi up`; then make the change again",
                    },
                ],
            });
        }
        if (!isOwn && replace.length === 0) {
            throw new CloudDbError({
                what: `existingId ${show(existingId)} differs from ${id}, the ${noun} that this resource manages.`,
                ways: [
                    { label: `Manage ${id}`, text: `set it to ${show(id)} or remove it` },
                    {
                        label: `Manage ${existingId} instead`,
                        text: `first ${removesEntry(urn)}; ${id} is then unmanaged`,
                    },
                ],
            });
        }
    }

    /** What a person can do with an entry that must not be deleted depends on why the engine deletes it. */
    private removalOf(id: string, state: State<K>, protector: string, heir: Row): Removal {
        const replacing = this.replacing(id, state);
        if (replacing !== undefined || protector === "the program") {
            const { urn, manages } = replacing ?? heir;
            return { kind: "replaced", urn, successor: manages?.id, isRenamed: replacing === undefined };
        }
        const [created] = this.registry.all(
            (row) =>
                row.created !== undefined && row.replaced === undefined && row.manages?.type === this.resource.type,
        );
        return {
            kind: "removed",
            urn: state.__urn,
            created: created?.created === undefined ? undefined : { id: created.created, urn: created.urn },
        };
    }

    /** The resource of an entry in messages. */
    private subjectOf(id: string, state: State<K>): string {
        return subjectOf(this.resource, inputsIn<K>(state), id);
    }

    private ref(projectId: string, id: string): ResourceRef {
        return { type: this.resource.type, projectId, id };
    }
}
