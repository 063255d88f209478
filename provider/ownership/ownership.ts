import { CloudDbError } from "../api/errors";
import type { Checked, Declared, Kind, Plan, Resource, State, StateMetadata } from "../lifecycle/resource";
import type { Manager } from "../lifecycle/operation";
import { refTo, type ResourceRef } from "../lifecycle/program";
import {
    AdoptionError,
    importChanged,
    leftOutSuccessor,
    movedWithoutAlias,
    pendingAdoption,
    perhapsNotDeclared,
    replacedWithoutPermission,
    unknownUrn,
    withoutSuccessor,
} from "../lifecycle/errors";
import { adoptedId, identityOf } from "../lifecycle/identity";
import { inputsIn } from "../lifecycle/metadata";
import { keepsLastCopy } from "../lifecycle/protection";
import { updatableReferences } from "../lifecycle/references";
import { logicalName } from "../inputs/names";
import { changesIn, show } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import type { Old, Registry } from "./registry";
import { keyOf, type Announced } from "./table";

/**
 * Decides for one resource type what may be adopted, replaced and deleted, from the calls of the engine in this run.
 */
export class Ownership<K extends Kind> {
    constructor(
        private readonly resource: Resource<K>,
        private readonly registry: Registry,
    ) {}

    /**
     * Records a check. For `--replace` and a taint, the engine replaces without a diff and checks without the state, as it
     * does for a new resource. Returns the reason if such a replacement is not allowed.
     */
    onCheck(inputs: Declared<K>, hasState: boolean): string | undefined {
        const { resource, registry } = this;
        const { __urn: urn } = inputs;
        const adopted = this.adoptedBy(inputs);
        registry.record(urn, { adopts: adopted });
        if (hasState) {
            return undefined;
        }
        const old = this.inState(urn);
        if (old !== undefined && !hasUnknown(inputs.existingId) && adopted?.id !== old.id) {
            if (resource.allowsReplacement?.(inputs) === false) {
                return replacedWithoutPermission(resource.noun, old.id, keepsLastCopy(resource, inputs)).message;
            }
            registry.record(urn, { ...nothing, replacedId: old.id, isDeletedFirst: false });
        }
        registry.record(urn, { isUnfinished: true });
        return undefined;
    }

    /** Records a diff. Fails if existingId names a different resource, or one that is replaced. */
    onDiff(id: string, state: State<K>, declared: Declared<K>, plan: Plan<K["Item"]>, isDeletedFirst: boolean): void {
        const { registry } = this;
        const { __urn: urn } = declared;
        this.assertReleased(id, state);
        const isDeclared = registry.inputsOf(urn) !== undefined;
        if (plan.replace.length > 0) {
            // A refresh plans no deletion.
            const replaced = { replacedId: id, isDeletedFirst: isDeletedFirst && isDeclared };
            const aliases = union(registry.own(urn).aliases, state.__formerUrns);
            registry.record(urn, { ...nothing, ...replaced, aliases, isUnfinished: isDeclared });
        } else if (urn !== undefined && isDeclared) {
            const ref = this.ref(state.projectId, id);
            registry.record(urn, {
                // A refresh also calls diff, even for a resource that is not declared, and may have recorded a replacement.
                replacedId: undefined,
                isUnfinished: false,
                ...(this.isAdopting(declared, id, state) ? { adopts: ref } : { manages: ref }),
                ...((state.__imported ?? state.__wasImported) ? { importedId: id } : {}),
                aliases: union(registry.own(urn).aliases, state.__formerUrns),
                distinctFrom: state.__distinctFrom,
            });
            this.assertOnlyManager(urn, ref);
        }
        this.checkExistingId(id, state, declared, plan);
    }

    /**
     * Fails if the resource uses another one that is deleted before its replacement is created: the API rejects that
     * deletion until this resource has been updated, and the engine updates it only after the replacement.
     */
    private assertReleased(id: string, state: State<K>): void {
        const { noun } = this.resource;
        for (const { property, id: used } of updatableReferences(this.resource, inputsIn(state))) {
            if (this.registry.replacedIn(used).some(({ facts }) => facts.isDeletedFirst)) {
                throw new CloudDbError(
                    `${property} ${show(used)} of ${noun} ${id} refers to a resource that this change deletes before it ` +
                        `creates the new one, and the API rejects the deletion while the ${noun} uses it. Make this change ` +
                        `in two runs: 1. Undo it, remove ${property} from the ${noun} and run \`pulumi up\`. ` +
                        `2. Make it again, set ${property} again and run \`pulumi up\`.`,
                );
            }
        }
    }

    /** Records that a creation, an update or an import begins. */
    onBegin(urn: string | undefined): void {
        if (!this.registry.own(urn).isUnfinished) {
            this.registry.record(urn, { isUnfinished: true });
        }
    }

    /** Records that it has succeeded. */
    onEnd(urn: string | undefined): void {
        this.registry.record(urn, { isUnfinished: false });
    }

    /** Fails if the program adopts a resource that it already manages under another name. */
    assertSingleManager(inputs: Declared<K>): void {
        const adopted = this.adoptedBy(inputs);
        const manager = adopted && this.registry.managerOf(adopted, inputs.__urn);
        if (manager !== undefined) {
            throw new AdoptionError(String(inputs.existingId), `it is managed by ${nameIn(manager)} of this program`);
        }
    }

    /** Fails if another resource of the program also manages or adopts it. */
    private assertOnlyManager(urn: string, ref: ResourceRef): void {
        const { noun } = this.resource;
        const other = this.registry.another(urn, keyOf.manages(ref), keyOf.adopts(ref));
        if (other !== undefined) {
            throw new CloudDbError(
                `${noun} ${ref.id} is managed by ${nameIn(urn)} and by ${nameIn(other)}. Remove one of them from the ` +
                    `program. If it is in the state, run \`pulumi state delete\` for it first: the ${noun} is then kept.`,
            );
        }
    }

    /** Another resource of the program that manages this one; undefined if none does. */
    otherManagerOf(urn: string | undefined, projectId: string, id: string): Manager | undefined {
        const manager = this.registry.managerOf(this.ref(projectId, id), urn);
        const inputs = this.registry.inputsOf(manager);
        return manager === undefined || inputs === undefined ? undefined : { name: nameIn(manager), inputs };
    }

    /** Records an import. Fails if the state has another resource under this URN, as far as this run knows. */
    onImport(urn: string | undefined, projectId: string, id: string): void {
        const known = this.inState(urn);
        if (known !== undefined && known.id !== id) {
            throw importChanged(this.resource, known.id, id, undefined);
        }
        this.registry.record(urn, { importedId: id, imports: this.ref(projectId, id) });
    }

    /**
     * Records that the URN manages a resource that this run has created, adopted or updated. Returns what the state
     * records about its identity: its earlier URNs, other resources that are certainly not it, and whether there are
     * others at all.
     */
    onStored(
        inputs: Checked<K>,
        id: string,
        old: Partial<StateMetadata>,
        state: Partial<StateMetadata>,
    ): Partial<StateMetadata> {
        const { registry } = this;
        const { __urn: urn, projectId } = inputs;
        const ref = this.ref(projectId, id);
        const isAdopting = this.isAdopting(inputs, id, { ...old, __interrupted: state.__interrupted });
        registry.record(urn, isAdopting ? { adopts: ref } : { manages: ref });
        if (urn === undefined) {
            return {};
        }
        return {
            __adopting: isAdopting ? true : undefined,
            __wasImported: old.__imported ?? old.__wasImported,
            __formerUrns: union(old.__formerUrns, registry.own(urn).aliases),
            __distinctFrom: union(old.__distinctFrom, registry.distinctFrom(urn)),
            __hasOthers: registry.another(urn, keyOf.declared) === undefined ? undefined : true,
        };
    }

    /** Whether no run has completed the adoption of the resource. */
    private isAdopting(
        inputs: Declared<K>,
        id: string,
        { __interrupted, __adopting }: Partial<StateMetadata>,
    ): boolean {
        return __interrupted === "creation" && (__adopting === true || this.adoptedBy(inputs)?.id === id);
    }

    /** Records a refresh. */
    onRefresh(urn: string | undefined, projectId: string, id: string): void {
        this.registry.record(urn, { refreshed: this.ref(projectId, id) });
    }

    /** Records a deletion. The state can have another entry under this URN, with another id. */
    onDelete(urn: string | undefined, id: string): void {
        const { manages, refreshed } = this.registry.own(urn);
        const isOther = (ref: ResourceRef | undefined) => ref !== undefined && ref.id !== id;
        this.registry.record(urn, {
            ...(isOther(manages) ? {} : { manages: undefined }),
            ...(isOther(refreshed) ? {} : { refreshed: undefined }),
        });
    }

    /** The resource that existingId names. Undefined if that is not known yet. */
    adoptedBy(inputs: Declared<K>): ResourceRef | undefined {
        const { existingId, projectId } = inputs;
        const known = inputs as K["Inputs"];
        // The id may be relative to a parent that is not known yet.
        return typeof existingId === "string" &&
            typeof projectId === "string" &&
            !hasUnknown(this.resource.collection.pathOf(projectId, known))
            ? this.ref(projectId, adoptedId(this.resource, existingId, known))
            : undefined;
    }

    /**
     * Why a resource is not deleted: the program manages it under another name. Fails if the program is about to adopt
     * it, or if its data would be lost without allowReplace.
     */
    deletionRefusal(id: string, state: State<K>, isUrnCertain: boolean): string | undefined {
        const { registry } = this;
        const { noun, deletion } = this.resource;
        const { projectId, __urn: urn } = state;
        registry.assertComplete();
        const ref = this.ref(projectId, id);
        const adopter = registry.adopterOf(ref, urn);
        const manager = registry.managerOf(ref);
        if (manager !== undefined) {
            const declared = registry.inputsOf<K["Inputs"]>(manager);
            const input = declared && deletion?.restoredBy?.(state, declared);
            const remedy =
                input === undefined
                    ? ""
                    : `. Only this state has its ${input}, which the API does not return: declare ${input} for ` +
                      `${nameIn(manager)}, which sets it again`;
            return `${noun} ${id} is not deleted: ${nameIn(manager)} manages it${remedy}`;
        }
        const successor = registry.fact(urn, "manages");
        if (state.__imported && successor !== undefined) {
            return `${noun} ${id} is not deleted: it was only imported, and ${successor.id} has taken its place. It is now unmanaged`;
        }
        if (adopter !== undefined) {
            throw pendingAdoption(noun, id, nameIn(adopter));
        }
        if (urn !== undefined) {
            this.assertNotReplaced(this.old(id, urn, state), state, isUrnCertain);
        }
        return undefined;
    }

    /**
     * Whether the deletion makes a last copy: the last update has recorded that, or the program now declares it for the
     * resource, which is replaced.
     */
    keepsCopy(id: string, state: State<K>): boolean {
        const { registry, resource } = this;
        const { __urn: urn } = state;
        const successor = urn === undefined ? undefined : this.successorOf(this.old(id, urn, state));
        const declared = registry.inputsOf<K["Inputs"]>(successor);
        return keepsLastCopy(resource, inputsIn<K>(state), ...(declared === undefined ? [] : [declared]));
    }

    private old(id: string, urn: string, state: State<K>): Old {
        const { projectId, __formerUrns: formerUrns = [], __distinctFrom: distinctFrom = [] } = state;
        return { ...this.ref(projectId, id), urn, formerUrns, distinctFrom };
    }

    /** The URN under which the program still declares the resource. */
    private successorOf(old: Old): string | undefined {
        const { registry } = this;
        const isDeclared = registry.inputsOf(old.urn) !== undefined;
        return isDeclared ? old.urn : registry.candidatesFor(old, keyOf.urn(old.urn))[0];
    }

    /**
     * Fails if the program still declares the resource, perhaps under another name, and does not allow its replacement.
     */
    private assertNotReplaced(old: Old, state: State<K>, isUrnCertain: boolean): void {
        const { registry } = this;
        const keepsCopy = this.keepsCopy(old.id, state);
        const { noun, allowsReplacement } = this.resource;
        const isRefused = (urn: string) => {
            const declared = registry.inputsOf<K["Inputs"]>(urn);
            return declared !== undefined && allowsReplacement?.(declared) === false;
        };
        const successor = this.successorOf(old);
        if (successor !== undefined) {
            const importedId = registry.fact(successor, "importedId");
            const isAllowed = allowsReplacement !== undefined && !isRefused(successor);
            if (!isAllowed && importedId !== undefined && importedId !== old.id) {
                throw importChanged(this.resource, old.id, importedId, allowsReplacement && keepsCopy);
            }
            if (isRefused(successor)) {
                throw replacedWithoutPermission(noun, old.id, keepsCopy, registry.fact(successor, "manages")?.id);
            }
            return;
        }
        // A resource with the same name under another parent, or with an earlier name, even if it was adopted: the adoption
        // may complete an interrupted run that created a new, empty one.
        const names = [old.urn, ...old.formerUrns].map(keyOf.name);
        const candidates = registry.candidatesFor(old, ...names);
        const moved = candidates.find(isRefused);
        if (moved !== undefined) {
            throw movedWithoutAlias(noun, old.id, old.urn, keepsCopy, moved, registry.fact(moved, "manages")?.id);
        }
        // With --continue-on-error, the engine deletes although the creation of the successor failed.
        const identity = identityOf(this.resource, { ...inputsIn<K>(state), existingId: undefined });
        const twin = registry.twinOf(old.urn, identity);
        const successors = [...(allowsReplacement ? candidates : []), ...(twin === undefined ? [] : [twin])];
        const missing = successors.find(
            (urn) => registry.fact(urn, "manages") === undefined && registry.fact(urn, "replacedId") !== old.id,
        );
        if (missing !== undefined) {
            throw withoutSuccessor(noun, old.id, missing);
        }
        // The engine deletes the dependents of a resource that it deletes first before the program declares them. With
        // --continue-on-error, the program never declares what it creates in an `apply` of a resource that failed.
        const [unfinished] = registry.rows(keyOf.unfinished);
        if (unfinished !== undefined && allowsReplacement?.(inputsIn<K>(state)) === false) {
            throw perhapsNotDeclared(noun, old.id, keepsCopy, nameIn(unfinished.urn));
        }
        const isKept = ({ id, allowReplace }: Announced) =>
            id === old.id || (allowsReplacement !== undefined && allowReplace !== true);
        const leftOut = registry.leftOutFor(old, ...names).find(isKept);
        if (leftOut !== undefined) {
            throw leftOutSuccessor(noun, old.id, keepsCopy, leftOut.urn);
        }
        if (!isUrnCertain && registry.rows(keyOf.type(old.type)).some((row) => isRefused(row.urn))) {
            throw unknownUrn(noun, old.id, keepsCopy);
        }
    }

    /** existingId is only read at creation. After that, it must be absent or the id of the resource. */
    private checkExistingId(
        id: string,
        state: State<K>,
        { existingId, __urn: urn }: Declared<K>,
        { replace }: Plan<K["Item"]>,
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
            throw new CloudDbError(
                `existingId ${show(existingId)} names the ${noun} that this change replaces (${changesIn(certain)}). ` +
                    `Remove existingId and run \`pulumi up\` before you make this change, or undo the change.`,
            );
        }
        if (!isOwn && replace.length === 0) {
            throw new CloudDbError(
                `existingId ${show(existingId)} differs from ${id}, the ${noun} that this resource manages. ` +
                    `Set it to ${show(id)} or remove it. To manage ${show(existingId)} instead, run ` +
                    `\`pulumi state delete\` for this resource first. ${id} is then unmanaged.`,
            );
        }
    }

    /** What the state holds for the resource, as far as this process knows. */
    private inState(urn: string | undefined): ResourceRef | undefined {
        const { manages, refreshed } = this.registry.own(urn);
        return manages ?? refreshed;
    }

    private ref(projectId: string, id: string): ResourceRef {
        return refTo(this.resource.type, projectId, id);
    }
}

/** What a resource manages after its replacement or deletion. */
const nothing = { manages: undefined, refreshed: undefined } as const;

const nameIn = (urn: string) => JSON.stringify(logicalName(urn));

/** The values of both lists; undefined if there are none. */
function union(known: readonly string[] = [], added: readonly string[] = []): readonly string[] | undefined {
    const values = [...new Set([...known, ...added])];
    return values.length === 0 ? undefined : values;
}
