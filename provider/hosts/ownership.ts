import type { Checked, CommonInputs, HiddenInputs, StateMetadata, Plan, Resource } from "../lifecycle/resource";
import type { Manager } from "../lifecycle/operation";
import type { Old, Physical, Registry } from "../lifecycle/registry";
import {
    AdoptionError,
    ExistingIdError,
    ImportChangedError,
    MovedError,
    PendingAdoptionError,
    ProtectedError,
    ReplacedError,
    UnknownUrnError,
} from "../lifecycle/errors";
import { logicalName } from "../inputs/names";
import { changesIn, entriesOf, show, valueOf } from "../inputs/fields";
import { hasUnknown, type Planned } from "../inputs/unknown";

/**
 * Decides for one resource type what may be adopted, replaced and deleted, from the calls of the engine in this run.
 */
export class Ownership<Inputs extends CommonInputs, Observed extends object, Item> {
    constructor(
        private readonly resource: Resource<Inputs, Observed, Item>,
        private readonly registry: Registry,
    ) {}

    /**
     * Records a check. For `--replace` and a taint, the engine replaces without a diff and checks without the state.
     * Returns the reason if such a replacement is not allowed.
     */
    onCheck(inputs: Planned<Inputs> & HiddenInputs, hasState: boolean): string | undefined {
        const { resource } = this;
        const { registry } = this;
        const { __urn: urn } = inputs;
        const adopted = this.adoptedBy(inputs);
        registry.adopts(urn, adopted);
        const old = hasState ? undefined : registry.inStateOf(urn);
        if (old === undefined || hasUnknown(inputs.existingId) || adopted?.id === old.id) {
            return undefined;
        }
        if (resource.replacement?.isAllowed(inputs) === false) {
            return new ReplacedError(resource.noun, old.id).message;
        }
        registry.replaces(urn, old.id);
        return undefined;
    }

    /** Records a diff. Fails if existingId names a different resource, or one that is replaced. */
    onDiff(
        id: string,
        state: Observed & StateMetadata,
        declared: Planned<Inputs> & HiddenInputs,
        plan: Plan<Item>,
        isDeletedFirst: boolean,
    ): void {
        const { __urn: urn } = declared;
        this.assertReleased(id, state);
        if (plan.replace.length > 0) {
            // A refresh plans no deletion.
            this.registry.replaces(urn, id, isDeletedFirst && this.registry.inputsOf<Inputs>(urn) !== undefined);
        } else if (urn !== undefined && this.registry.inputsOf<Inputs>(urn) !== undefined) {
            // A refresh also calls diff, even for a resource that is not declared, and may have recorded a replacement.
            this.registry.keeps(urn);
            this.manages(urn, state.projectId, id);
            if (state.__imported) {
                this.registry.imports(urn, id);
            }
            this.registry.remembers(urn, state.__formerUrns ?? [], state.__distinctFrom ?? []);
            this.assertOnlyManager(urn, this.physical(state.projectId, id));
        }
        this.checkExistingId(id, state, declared, plan);
    }

    /**
     * Fails if the resource uses another one that is deleted before its replacement is created: the API rejects that deletion
     * until this resource has been updated, and the engine updates it only after the replacement.
     */
    private assertReleased(id: string, state: Observed & StateMetadata): void {
        const { fields, noun } = this.resource;
        for (const [property, { effect }] of entriesOf(fields)) {
            const used = valueOf(state, property);
            if (effect === "update" && this.registry.isDeletedFirst(used)) {
                throw new ProtectedError(
                    `${property} ${show(used)} of ${noun} ${id} refers to a resource that this change deletes before it ` +
                        `creates the new one, and the API rejects the deletion while the ${noun} uses it. Make this change ` +
                        `in two runs: 1. Undo it, remove ${property} from the ${noun} and run \`pulumi up\`. ` +
                        `2. Make it again, set ${property} again and run \`pulumi up\`.`,
                );
            }
        }
    }

    /** Fails if the program adopts a resource that it already manages under another name. */
    assertSingleManager(inputs: Checked<Inputs>): void {
        const adopted = this.adoptedBy(inputs);
        const manager = adopted && this.registry.managerBeside(inputs.__urn, adopted);
        if (manager !== undefined) {
            throw new AdoptionError(inputs.existingId ?? "", `it is managed by ${nameIn(manager)} of this program`);
        }
    }

    /** Fails if another resource of the program also manages or adopts the physical resource. */
    private assertOnlyManager(urn: string, physical: Physical): void {
        const { noun } = this.resource;
        const other = this.registry.userBeside(urn, physical);
        if (other !== undefined) {
            throw new ExistingIdError(
                `${noun} ${physical.id} is managed by ${nameIn(urn)} and by ${nameIn(other)}. Remove one of them from the ` +
                    `program. If it is in the state, run \`pulumi state delete\` for it first: the ${noun} is then kept.`,
            );
        }
    }

    /** Another resource of the program that manages this one; undefined if none does. */
    managerBeside(urn: string | undefined, projectId: string, id: string): Manager | undefined {
        const manager = this.registry.managerBeside(urn, this.physical(projectId, id));
        const inputs = this.registry.inputsOf(manager);
        return manager === undefined || inputs === undefined ? undefined : { name: nameIn(manager), inputs };
    }

    /** Records that this URN manages the resource: created or adopted in this run, or in the state and not replaced. */
    manages(urn: string | undefined, projectId: string, id: string): void {
        this.registry.manages(urn, this.physical(projectId, id));
    }

    /** Records an import. Fails if the state has another resource under this URN, as far as this run knows. */
    onImport(urn: string | undefined, id: string): void {
        const known = this.registry.inStateOf(urn);
        if (known !== undefined && known.id !== id) {
            throw new ImportChangedError(this.resource.noun, known.id, id);
        }
        this.registry.imports(urn, id);
    }

    /**
     * What the state records about the identity of a resource that this run has created or updated: its earlier URNs, other
     * resources that are certainly not it, and whether there are others at all.
     */
    identityOf(urn: string | undefined, old: Partial<StateMetadata>): Partial<StateMetadata> {
        if (urn === undefined) {
            return {};
        }
        const formerUrns = union(old.__formerUrns, this.registry.aliasesOf(urn));
        const distinctFrom = union(old.__distinctFrom, this.registry.distinctFrom(urn));
        return {
            ...(formerUrns.length === 0 ? {} : { __formerUrns: formerUrns }),
            ...(distinctFrom.length === 0 ? {} : { __distinctFrom: distinctFrom }),
            __hasOthers: this.registry.declaresOthers(urn) ? true : undefined,
        };
    }

    /** Records a refresh. */
    onRefresh(urn: string | undefined, projectId: string, id: string): void {
        this.registry.refreshed(urn, this.physical(projectId, id));
    }

    /** Records a deletion. */
    onDelete(urn: string | undefined): void {
        this.registry.leaves(urn);
    }

    /** The resource that existingId names. Undefined if that is not known yet. */
    adoptedBy(inputs: Planned<Inputs>): Physical | undefined {
        const { existingId, projectId } = inputs;
        const known = inputs as Inputs;
        // The id may be relative to a parent that is not known yet.
        return typeof existingId === "string" &&
            typeof projectId === "string" &&
            !hasUnknown(this.resource.collection.pathOf(projectId, known))
            ? this.physical(projectId, this.resource.identity.adoptedId(existingId, known))
            : undefined;
    }

    /**
     * Why a resource is not deleted: the program manages it under another name. Fails if the program is about to adopt it, or
     * if its data would be lost without allowReplace.
     */
    reasonToKeep(id: string, state: Observed & StateMetadata, isUrnCertain: boolean): string | undefined {
        const { noun, deletion } = this.resource;
        const { projectId, __urn: urn } = state;
        const { registry } = this;
        registry.assertComplete();
        const physical = this.physical(projectId, id);
        const adopter = registry.adopterOf(physical, urn);
        // With deleteBeforeReplace, the adoption follows, and the engine keeps the entry until it is complete.
        const manager = registry.managerOf(physical) ?? (adopter === urn ? adopter : undefined);
        if (manager !== undefined) {
            const declared = registry.inputsOf<Inputs>(manager);
            const input = declared && deletion?.restoredBy?.(state, declared);
            const remedy =
                input === undefined
                    ? ""
                    : `. Only this state has its ${input}, which the API does not return: declare ${input} for ` +
                      `${nameIn(manager)}, which sets it again`;
            return `${noun} ${id} is not deleted: ${nameIn(manager)} manages it${remedy}`;
        }
        const successor = urn === undefined ? undefined : registry.managedBy(urn);
        if (state.__imported && successor !== undefined) {
            return `${noun} ${id} is not deleted: it was only imported, and ${successor.id} has its place. It is now unmanaged`;
        }
        if (adopter !== undefined) {
            throw new PendingAdoptionError(noun, id, nameIn(adopter));
        }
        if (urn !== undefined) {
            this.assertNotReplaced({ ...physical, urn, distinctFrom: state.__distinctFrom ?? [] }, isUrnCertain);
        }
        return undefined;
    }

    /** Fails if the program still declares the resource, perhaps under another name, and does not allow its replacement. */
    private assertNotReplaced(old: Old, isUrnCertain: boolean): void {
        const { registry } = this;
        const { noun, replacement } = this.resource;
        const isRefused = (urn: string) => {
            const declared = registry.inputsOf<Inputs>(urn);
            return declared !== undefined && replacement?.isAllowed(declared) === false;
        };
        const successor = registry.successorOf(old);
        if (successor !== undefined) {
            const importedId = registry.importedBy(successor);
            if (isRefused(successor) && importedId !== undefined && importedId !== old.id) {
                throw new ImportChangedError(noun, old.id, importedId);
            }
            if (isRefused(successor)) {
                throw new ReplacedError(noun, old.id, registry.managedBy(successor)?.id);
            }
            return;
        }
        // Also if it was adopted: the adoption may complete an interrupted run that created a new, empty one.
        const moved = registry.movedFrom(old).find(isRefused);
        if (moved !== undefined) {
            throw new MovedError(noun, old.id, old.urn, moved, registry.managedBy(moved)?.id);
        }
        if (!isUrnCertain && registry.hasDeclared(old.type, isRefused)) {
            throw new UnknownUrnError(noun, old.id);
        }
    }

    /** existingId is only read at creation. After that, it must be absent or the id of the resource. */
    private checkExistingId(
        id: string,
        state: Observed & StateMetadata,
        { existingId, __urn: urn }: Planned<Inputs> & HiddenInputs,
        { replace }: Plan<Item>,
    ): void {
        if (typeof existingId !== "string") {
            return;
        }
        const { identity, noun } = this.resource;
        const isOwn = identity.adoptedId(existingId, state as unknown as Inputs) === id;
        // Before the check, the engine diffs a resource that is deleted together with another one.
        const certain =
            this.registry.inputsOf<Inputs>(urn) === undefined ? replace : replace.filter(({ to }) => !hasUnknown(to));
        if (isOwn && certain.length > 0) {
            throw new ExistingIdError(
                `existingId ${show(existingId)} names the ${noun} that this change replaces (${changesIn(certain)}). ` +
                    `Remove existingId and run \`pulumi up\` before you make this change, or undo the change.`,
            );
        }
        if (!isOwn && replace.length === 0) {
            throw new ExistingIdError(
                `existingId ${show(existingId)} differs from ${id}, the ${noun} that this resource manages. ` +
                    `Set it to ${show(id)} or remove it. To manage ${show(existingId)} instead, run ` +
                    `\`pulumi state delete\` for this resource first. ${id} is then unmanaged.`,
            );
        }
    }

    private physical(projectId: string, id: string): Physical {
        return { type: this.resource.type, projectId, id };
    }
}

const nameIn = (urn: string) => JSON.stringify(logicalName(urn));

function union(known: readonly string[] = [], added: readonly string[]): readonly string[] {
    return [...new Set([...known, ...added])];
}
