import type { Checked, CommonInputs, HiddenInputs, StateMetadata, Plan, Resource } from "../lifecycle/resource";
import type { DeclaredResources, Physical } from "../lifecycle/registry";
import { AdoptionError, ExistingIdError, MovedError, ReplacedError } from "../lifecycle/errors";
import { changesIn, show } from "../inputs/fields";
import { hasUnknown, type Planned } from "../inputs/unknown";
import type { Session } from "./session";

/** Decides for one kind of resource what may be adopted, replaced and deleted, by what the engine has shown in this run. */
export class Ownership<Inputs extends CommonInputs, Observed extends object, Item> {
    private readonly created = new Set<string>();

    constructor(
        private readonly resource: Resource<Inputs, Observed, Item>,
        private readonly session: Session,
        private readonly declared: DeclaredResources<Inputs>,
    ) {}

    /**
     * Records a check. `--replace` and a taint replace without a diff: then the engine checks as if there were no state.
     * Returns why such a replacement is refused.
     */
    checked(inputs: Planned<Inputs> & HiddenInputs, hasState: boolean): string | undefined {
        const { resource } = this;
        const { holders } = this.session;
        const { __urn: urn } = inputs;
        const adopted = this.adoptedBy(inputs);
        holders.declares(urn, adopted);
        const old = hasState ? undefined : holders.inStateOf(urn);
        if (old === undefined || hasUnknown(inputs.existingId) || adopted?.id === old.id) {
            return undefined;
        }
        if (resource.replaceable?.(inputs) === false) {
            return new ReplacedError(resource.noun, old.id).message;
        }
        this.replaces(urn, old.id);
        return undefined;
    }

    /** Records a diff. Fails if existingId names another resource than this one, or one that is replaced. */
    compared(
        id: string,
        state: Observed & StateMetadata,
        declared: Planned<Inputs> & HiddenInputs,
        plan: Plan<Item>,
    ): void {
        const { __urn: urn } = declared;
        if (plan.replace.length > 0) {
            this.replaces(urn, id);
        } else if (urn !== undefined && this.declared.of(urn) !== undefined) {
            // A refresh compares as well, also what the program no longer declares, and may have seen a replacement.
            this.session.forgetReplacement(urn);
            this.manages(urn, state.projectId, id);
            this.assertOnlyManager(urn, this.physical(state.projectId, id));
        }
        this.checkExistingId(id, state, declared, plan);
    }

    /** Fails if the program adopts what another resource of the program manages. */
    refuseSecondManager(inputs: Checked<Inputs>): void {
        const adopted = this.adoptedBy(inputs);
        const manager = adopted && this.session.holders.managerBeside(inputs.__urn, adopted);
        if (manager !== undefined) {
            throw new AdoptionError(inputs.existingId ?? "", `${nameIn(manager)} of this program has it`);
        }
    }

    /** Fails if another resource of the program also manages or adopts the physical resource. */
    private assertOnlyManager(urn: string, physical: Physical): void {
        const { noun } = this.resource;
        const other = this.session.holders.userBeside(urn, physical);
        if (other !== undefined) {
            throw new ExistingIdError(
                `${noun} ${physical.id} is managed by ${nameIn(urn)} and by ${nameIn(other)}. Remove one of them from the ` +
                    `program. If it is in the state, run \`pulumi state delete\` for it first: the ${noun} is then kept.`,
            );
        }
    }

    /** The inputs of another resource of the program that manages this one; undefined if none does. */
    declaredBeside(urn: string | undefined, projectId: string, id: string): Planned<Inputs> | undefined {
        return this.declared.of(this.session.holders.managerBeside(urn, this.physical(projectId, id)));
    }

    /** Records that the resource was created or adopted, or has it in the state and keeps it. */
    manages(urn: string | undefined, projectId: string, id: string): void {
        this.session.holders.manages(urn, this.physical(projectId, id));
    }

    /** Records that this run created or adopted the resource. */
    creates({ __urn: urn, existingId, projectId }: Checked<Inputs>, id: string): void {
        this.manages(urn, projectId, id);
        if (urn !== undefined && existingId === undefined) {
            this.created.add(urn);
        }
    }

    /** Records what a refresh has read. */
    refreshed(urn: string | undefined, projectId: string, id: string): void {
        this.session.holders.hadBefore(urn, this.physical(projectId, id));
    }

    /** Records a deletion. */
    deleted(urn: string | undefined): void {
        this.session.holders.leaves(urn);
    }

    /** What the program declares with existingId, as far as it is known. */
    adoptedBy(inputs: Planned<Inputs>): Physical | undefined {
        const { existingId, projectId } = inputs;
        const known = inputs as Inputs;
        // The id may be relative to a parent, which a preview cannot know yet.
        return typeof existingId === "string" &&
            typeof projectId === "string" &&
            !hasUnknown(this.resource.collectionPath(projectId, known))
            ? this.physical(projectId, this.resource.adoptedId(existingId, known))
            : undefined;
    }

    /** Why it stays although the engine deletes it: the program uses it. Fails if its data would be lost without allowReplace. */
    keptBy(id: string, { projectId, __urn: urn }: StateMetadata): string | undefined {
        const { noun, replaceable } = this.resource;
        const { holders } = this.session;
        const user = holders.userOf(this.physical(projectId, id));
        if (user !== undefined) {
            return `${noun} ${id} is not deleted: ${nameIn(user)} manages it`;
        }
        const successor = this.declared.of(urn);
        if (successor !== undefined && replaceable?.(successor) === false) {
            throw new ReplacedError(noun, id, holders.managedBy(urn)?.id);
        }
        const newUrn = successor === undefined ? this.createdAs(urn) : undefined;
        const moved = newUrn === undefined ? undefined : this.declared.of(newUrn);
        if (urn !== undefined && newUrn !== undefined && moved !== undefined && replaceable?.(moved) === false) {
            throw new MovedError(noun, id, urn, newUrn);
        }
        return undefined;
    }

    /** existingId is read at creation: afterwards it is absent or the id of the resource. */
    private checkExistingId(
        id: string,
        state: Observed & StateMetadata,
        { existingId, __urn: urn }: Planned<Inputs> & HiddenInputs,
        { replace }: Plan<Item>,
    ): void {
        if (typeof existingId !== "string") {
            return;
        }
        const { adoptedId, noun } = this.resource;
        const isOwn = adoptedId(existingId, state as unknown as Inputs) === id;
        // Before the check of this run, the engine asks about a deletion that comes with that of another resource.
        const certain = this.declared.of(urn) === undefined ? replace : replace.filter(({ to }) => !hasUnknown(to));
        if (isOwn && certain.length > 0) {
            throw new ExistingIdError(
                `existingId ${show(existingId)} names the ${noun} that this change replaces (${changesIn(certain)}). ` +
                    `Remove existingId and run \`pulumi up\` before you make this change, or undo it.`,
            );
        }
        if (!isOwn && replace.length === 0) {
            throw new ExistingIdError(
                `existingId ${show(existingId)} differs from ${id}, the ${noun} that this resource manages. ` +
                    `Set it to ${show(id)} or remove it. To manage ${show(existingId)} instead, run ` +
                    `\`pulumi state delete\` for this resource first; ${id} then stays, without a manager.`,
            );
        }
    }

    private replaces(urn: string | undefined, id: string): void {
        if (urn !== undefined) {
            this.session.noteReplacement(urn, id);
        }
        this.session.holders.leaves(urn);
    }

    /** The URN of a resource that this run created with the same resource name under another parent. */
    private createdAs(urn: string | undefined): string | undefined {
        return [...this.created].find((other) => urn !== undefined && other !== urn && nameIn(other) === nameIn(urn));
    }

    private physical(projectId: string, id: string): Physical {
        return { type: this.resource.type, projectId, id };
    }
}

const nameIn = (urn: string) => JSON.stringify(urn.slice(urn.lastIndexOf("::") + 2));
