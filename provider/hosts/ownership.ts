import type { Checked, CommonInputs, HiddenInputs, StateMetadata, Plan, Resource } from "../lifecycle/resource";
import type { Physical, Registry } from "../lifecycle/registry";
import { AdoptionError, ExistingIdError, MovedError, ReplacedError } from "../lifecycle/errors";
import { changesIn, show } from "../inputs/fields";
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
    ): void {
        const { __urn: urn } = declared;
        if (plan.replace.length > 0) {
            this.registry.replaces(urn, id);
        } else if (urn !== undefined && this.registry.inputsOf<Inputs>(urn) !== undefined) {
            // A refresh also calls diff, even for a resource that is not declared, and may have recorded a replacement.
            this.registry.keeps(urn);
            this.manages(urn, state.projectId, id);
            this.assertOnlyManager(urn, this.physical(state.projectId, id));
        }
        this.checkExistingId(id, state, declared, plan);
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

    /** The inputs of another resource of the program that manages this one; undefined if none does. */
    declaredBeside(urn: string | undefined, projectId: string, id: string): Planned<Inputs> | undefined {
        return this.registry.inputsOf<Inputs>(this.registry.managerBeside(urn, this.physical(projectId, id)));
    }

    /** Records that this URN manages the resource: created or adopted in this run, or in the state and not replaced. */
    manages(urn: string | undefined, projectId: string, id: string): void {
        this.registry.manages(urn, this.physical(projectId, id));
    }

    /** Records that this run created or adopted the resource. */
    onCreate({ __urn: urn, existingId, projectId }: Checked<Inputs>, id: string): void {
        this.manages(urn, projectId, id);
        if (existingId === undefined) {
            this.registry.creates(urn);
        }
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

    /** Why a resource is not deleted: the program manages it. Fails if its data would be lost without allowReplace. */
    reasonToKeep(id: string, state: Observed & StateMetadata): string | undefined {
        const { noun, replacement, deletion } = this.resource;
        const { projectId, __urn: urn } = state;
        const { registry } = this;
        const user = registry.userOf(this.physical(projectId, id));
        if (user !== undefined) {
            const declared = registry.inputsOf<Inputs>(user);
            const input = declared && deletion?.restoredBy?.(state, declared);
            const remedy =
                input === undefined
                    ? ""
                    : `. Only this state has its ${input}, which the API does not return: declare ${input} for ` +
                      `${nameIn(user)}, which sets it again`;
            return `${noun} ${id} is not deleted: ${nameIn(user)} manages it${remedy}`;
        }
        const successor = this.registry.inputsOf<Inputs>(urn);
        if (successor !== undefined && replacement?.isAllowed(successor) === false) {
            throw new ReplacedError(noun, id, registry.managedBy(urn)?.id);
        }
        const newUrn = successor === undefined ? this.createdAs(urn) : undefined;
        const moved = newUrn === undefined ? undefined : this.registry.inputsOf<Inputs>(newUrn);
        if (
            urn !== undefined &&
            newUrn !== undefined &&
            moved !== undefined &&
            replacement?.isAllowed(moved) === false
        ) {
            throw new MovedError(noun, id, urn, newUrn);
        }
        return undefined;
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

    /** The URN of a resource that this run created with the same resource name under another parent. */
    private createdAs(urn: string | undefined): string | undefined {
        return urn === undefined
            ? undefined
            : this.registry.createdWhere(this.resource.type, (other) => other !== urn && nameIn(other) === nameIn(urn));
    }

    private physical(projectId: string, id: string): Physical {
        return { type: this.resource.type, projectId, id };
    }
}

const nameIn = (urn: string) => JSON.stringify(urn.slice(urn.lastIndexOf("::") + 2));
