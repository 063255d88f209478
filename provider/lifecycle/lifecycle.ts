import { entriesOf, show, valueOf } from "../inputs/fields";
import { hasUnknown } from "../inputs/unknown";
import { reactionTo } from "../api/retryPolicy";
import { WaitGoneError } from "../wait/errors";
import { appearsWithinMs } from "../wait/schedule";
import { Change } from "./apply";
import { removeResource } from "./deletion";
import { Duplicates } from "./duplicates";
import { AdoptionError, invalidId } from "./errors";
import { adoptedId, nameOf } from "./identity";
import {
    assemble,
    changesOnlyState,
    initialMetadata,
    inputsIn,
    isInCreation,
    nextMetadata,
    onceSeen,
    withDerived,
    withName,
} from "./metadata";
import {
    describedActivity,
    errorOf,
    stepActivity,
    waitActivity,
    type Activity,
    type OperationContext,
} from "./operation";
import { outputsWhere } from "./outputs";
import { describeCreation, planFor, withoutReplacing } from "./plan";
import { keepsLastCopy } from "./protection";
import { allInputs, currentValues, declaredInputs } from "./readInputs";
import { readResource } from "./reads";
import { reconcile, send } from "../reconcile/reconcile";
import {
    assertReferences,
    changedBy,
    referencesIn,
    updatableReferences,
    waitForReferred,
} from "../reconcile/references";
import type {
    Checked,
    Create,
    Declared,
    Interruption,
    Kind,
    Operation,
    Plan,
    Resource,
    State,
    StateMetadata,
    Times,
} from "./resource";

/** A resource as a read found it. */
export interface Seen<K extends Kind> {
    readonly state: State<K>;
    /** The inputs that describe it. */
    readonly inputs: Record<string, unknown>;
}

/** Create, read, update and delete of one kind of resource. */
export class Lifecycle<K extends Kind> {
    constructor(readonly resource: Resource<K>) {}

    /** The plan of an update. Sends no request. */
    plan(state: State<K>, declared: Declared<K>): Plan {
        return planFor(this.resource, state, declared);
    }

    /** The lines of a creation or an adoption in a preview. Sends no request. */
    describeCreation(declared: Declared<K>): readonly string[] {
        return describeCreation(this.resource, declared);
    }

    /** Creates the resource, or adopts an existing one, and brings it to the declared state. */
    async create(inputs: Checked<K>, context: OperationContext): Promise<{ id: string; state: State<K> }> {
        this.resource.assertReadable?.(undefined, inputs);
        const created = inputs.existingId === undefined ? this.createNew(inputs, context) : this.adopt(inputs, context);
        return created.catch((error: unknown) => {
            throw errorOf(error, this.subject(withName(this.resource, inputs)), context);
        });
    }

    /** Brings the resource from the state to the declared one, by the plan that the preview showed. */
    async update(id: string, state: State<K>, inputs: Checked<K>, context: OperationContext): Promise<State<K>> {
        const { resource } = this;
        const { __interrupted: interrupted } = state;
        const metadata = nextMetadata(resource, state, inputs);
        // The plan starts from the stored state, like that of the preview: an update makes no change that the preview did
        // not show. What has changed outside of the program is only reported.
        const plan = planFor(resource, state, inputs);
        if (changesOnlyState(resource, plan, interrupted)) {
            const postponed = interrupted && { __interrupted: "postponed" as const };
            return withDerived(resource, { ...state, __imported: undefined, ...metadata, ...postponed });
        }
        const operation = this.operation(state.projectId, id, inputs, context);
        const change = new Change(operation, {
            fallback: withDerived(resource, { ...state, ...metadata }),
            metadata,
            interrupted: interrupted && isInCreation(interrupted) ? interrupted : true,
        });
        return change.run(async () => {
            resource.assertReadable?.(state, inputs);
            const item = await readResource(operation, appearsMs(state));
            if (item === undefined) {
                throw new WaitGoneError(operation.subject);
            }
            change.checkpoint(item);
            const references = updatableReferences(resource, inputs);
            const added = references.filter(({ input, id: referred }) => valueOf(state, input) !== referred);
            await assertReferences(added, operation.subject, state.projectId, context);
            if (!interrupted) {
                return change.apply(plan.steps, item);
            }
            // Requests of the last run may have changed the resource since that run last read it.
            const resting = await change.rest(waitActivity, item);
            return change.apply(planFor(resource, change.state, inputs).steps, resting);
        });
    }

    /**
     * Reads the state of the resource, and the inputs that describe it; undefined if the resource is gone or is being
     * deleted.
     */
    async read(id: string, metadata: StateMetadata, context: OperationContext): Promise<Seen<K> | undefined> {
        const { resource } = this;
        const operation = this.operation(metadata.projectId, id, inputsIn<K>(metadata), context);
        const item = await readResource(operation, appearsMs(metadata));
        if (item === undefined || resource.observation.isDeleting(item)) {
            return undefined;
        }
        this.assertKind(id, item);
        const { path } = operation;
        const state = assemble(resource, item, path, {
            ...metadata,
            __interrupted: onceSeen(metadata.__interrupted),
        });
        const outcome = resource.observation.readiness(item, inputsIn(metadata), "rest");
        if (outcome.kind === "failed") {
            context.info(`${outcome.status}: ${outcome.reason}`);
        }
        return {
            state,
            inputs: declaredInputs(resource, state, Object.keys(resource.observation.observe(item, path))),
        };
    }

    /**
     * Reads a resource that has no state, and all inputs that lead to its observed state; undefined if it does not
     * exist. Properties that the program does not declare later keep their current values.
     */
    async import(
        id: string,
        declared: Pick<StateMetadata, "projectId" | "deletionProtection" | "__urn">,
        context: OperationContext,
    ): Promise<Seen<K> | undefined> {
        const { resource } = this;
        const { projectId, deletionProtection, __urn } = declared;
        const given = inputsIn<K>({ projectId, deletionProtection, __urn });
        const operation = this.operation(projectId, id, given, context);
        const item = await readResource(operation);
        if (item === undefined || resource.observation.isDeleting(item)) {
            return undefined;
        }
        this.assertKind(id, item);
        const found = resource.observation.observe(item, operation.path);
        const metadata = initialMetadata(resource, given, currentValues(resource.fields, found));
        const state = assemble(resource, item, operation.path, { ...metadata, __declared: [], __imported: true });
        return { state, inputs: allInputs(resource.fields, state) };
    }

    /** The times of a deletion. */
    timesOfDeletion(state: State<K>): Times {
        const { resource } = this;
        const times = keepsLastCopy(resource, state) ? resource.deletion?.lastCopy?.times : undefined;
        return { ...resource.times(undefined), ...times };
    }

    /** Deletes the resource and waits until it is gone. Succeeds if the resource is already gone. */
    async remove(id: string, state: State<K>, context: OperationContext): Promise<void> {
        if (this.resource.deletion !== undefined) {
            const operation = this.operation(state.projectId, id, inputsIn<K>(state), context);
            const create: Create<K> = (inputs, within) => this.create(inputs, within);
            const removed = removeResource(this.resource.deletion, state, operation, create);
            await removed.catch((error: unknown) => {
                throw errorOf(error, operation.subject, context);
            });
        }
    }

    /** The steps of an adoption, from the current state of the resource. Fails if the resource cannot be adopted. */
    async describeAdoption(id: string, declared: Checked<K>, context: OperationContext): Promise<readonly string[]> {
        const { resource } = this;
        const { item, operation, metadata } = await this.inspect(id, declared, context);
        const found = assemble(resource, item, operation.path, metadata);
        // An adoption replaces nothing: a value that is unknown now is either the current one, or an error.
        const { steps } = planFor(resource, found, withoutReplacing(resource, declared));
        return [`adopt ${resource.noun} ${show(id)}`, ...steps.map(({ text }) => text)];
    }

    /** The names of the properties that are always secret. */
    get secretNames(): readonly string[] {
        const { fields, outputs } = this.resource;
        const inputs = entriesOf(fields).filter(([, { secret }]) => secret);
        return [...inputs.map(([name]) => name), ...outputsWhere(outputs, ({ secret }) => secret)];
    }

    private async createNew(declared: Checked<K>, context: OperationContext): Promise<{ id: string; state: State<K> }> {
        const { resource } = this;
        const inputs = withName(resource, declared);
        const collection = resource.collection.pathOf(inputs.projectId, inputs);
        const references = referencesIn(resource, inputs);
        const changed = changedBy(references);
        const subject = this.subject(inputs);
        const others = references.filter((reference) => reference !== changed);
        await assertReferences(others, subject, inputs.projectId, context);
        const duplicates = new Duplicates(resource, subject, inputs, context);
        const lines = this.describeCreation(declared);
        const activity = stepActivity(describedActivity(lines[0] ?? ""), 0, lines.length);
        let before: ReadonlySet<string> | undefined;
        const created = await reconcile<K["Item"], K["Item"]>(
            {
                method: "POST",
                locks: changed && { id: changed.id, until: "response" },
                observe: async (failure) => {
                    if (before !== undefined && reactionTo(failure, "POST") === "readFirst") {
                        return { kind: "done", result: await duplicates.recoverCreated(before, failure) };
                    }
                    const decision = changed && (await waitForReferred(changed, subject, inputs.projectId, context));
                    before ??= await duplicates.assertUnique();
                    return decision ?? send;
                },
                send: (options) =>
                    resource.creation.send(inputs, collection, context, {
                        ...options,
                        contradiction: (response, inFlight) =>
                            duplicates.contradiction(response, before ?? new Set(), inFlight),
                    }),
                effect: (response) => Promise.resolve(response),
                isConflictFinal: changed === undefined,
            },
            { subject, context, activity },
        );
        const id = resource.identity.idOf(created, collection);
        const metadata: StateMetadata = {
            ...initialMetadata(resource, declared, {}),
            ...resource.creation.records?.(created, inputs),
        };
        const creation = stepActivity(waitActivity, 0, lines.length);
        return { id, state: await this.converge(id, created, creation, "unseen", metadata, inputs, context) };
    }

    private async adopt(inputs: Checked<K>, context: OperationContext): Promise<{ id: string; state: State<K> }> {
        const { existingId = "" } = inputs;
        const id = adoptedId(this.resource, existingId, inputs);
        const { item, metadata } = await this.inspect(id, inputs, context);
        return { id, state: await this.converge(id, item, waitActivity, "creation", metadata, inputs, context) };
    }

    /** Reads an existing resource and checks that it can be adopted. In a preview, inputs may be unknown. */
    private async inspect(id: string, inputs: Checked<K>, context: OperationContext) {
        const { resource } = this;
        const { existingId = "" } = inputs;
        const operation = this.operation(inputs.projectId, id, inputs, context);
        if (id === context.run.row(context.urn).replaced) {
            throw new AdoptionError(existingId, "it is being replaced");
        }
        const item = await readResource(operation);
        if (item === undefined) {
            throw new AdoptionError(existingId, `there is no such ${resource.noun} in project ${inputs.projectId}`);
        }
        const refusal = resource.observation.isDeleting(item)
            ? "it is being deleted"
            : (resource.observation.otherKind?.(item) ??
              (hasUnknown(inputs) ? undefined : resource.creation.adoptionRefusal?.(item, operation.path, inputs)));
        if (refusal !== undefined) {
            throw new AdoptionError(existingId, refusal);
        }
        // Properties that the program does not declare keep their current values.
        const found = resource.observation.observe(item, operation.path);
        const defaults = Object.entries(currentValues(resource.fields, found)).filter(
            ([name]) => valueOf(inputs, name) === undefined,
        );
        return { item, operation, metadata: initialMetadata(resource, inputs, Object.fromEntries(defaults)) };
    }

    private assertKind(id: string, item: K["Item"]): void {
        const mismatch = this.resource.observation.otherKind?.(item);
        if (mismatch !== undefined) {
            throw invalidId(id, mismatch);
        }
    }

    /** Brings a resource that was just created or adopted to the declared state. */
    private async converge(
        id: string,
        item: K["Item"],
        activity: Activity,
        interrupted: Interruption,
        metadata: StateMetadata,
        inputs: Checked<K>,
        context: OperationContext,
    ): Promise<State<K>> {
        const { resource } = this;
        const operation = this.operation(inputs.projectId, id, inputs, context);
        const change = new Change(operation, {
            fallback: assemble(resource, item, operation.path, metadata),
            metadata,
            interrupted,
        });
        return change.run(async () => {
            // A new resource may not be visible to reads yet, so it must be read once.
            const seen = await change.rest(activity);
            // The preview counts the creation or the adoption as the first step.
            return change.apply(planFor(resource, change.state, inputs).steps, seen, 1);
        });
    }

    private operation(projectId: string, id: string, inputs: Checked<K>, context: OperationContext): Operation<K> {
        const { resource } = this;
        const path = resource.identity.pathOf(projectId, id);
        return { resource, id, path, inputs, subject: this.subject(inputs, id), activity: waitActivity, context };
    }

    /** The resource in messages: `Service "orders"`. */
    subject(inputs: Declared<K>, id?: string): string {
        const noun = this.resource.noun.charAt(0).toUpperCase() + this.resource.noun.slice(1);
        return `${noun} ${JSON.stringify(nameOf(this.resource, inputs) ?? id)}`;
    }
}

/** How long reads may not show the resource. If no read has shown it yet, it may have just been created. */
function appearsMs({ __interrupted }: StateMetadata): number {
    return __interrupted === "unseen" ? appearsWithinMs : 0;
}
