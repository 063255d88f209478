import { previewReadMs } from "../api/client";
import { CloudDbError, ConnectionError, DeadlineError, messageOf } from "../api/errors";
import { check, type Unchecked } from "../lifecycle/check";
import { withOldValues, withoutAdded } from "../lifecycle/derivedInputs";
import type {
    Checked,
    Declared,
    HiddenInputs,
    Kind,
    OperationKind,
    Plan,
    Resource,
    State,
    StateMetadata,
    Times,
} from "../lifecycle/resource";
import {
    AdoptionError,
    invalidId,
    missingResource,
    nothingVisible,
    PartialFailure,
    afterUnfinishedRun,
} from "../lifecycle/errors";
import { inputsIn } from "../lifecycle/metadata";
import { keepsLastCopy } from "../lifecycle/protection";
import { changesIn, entriesOf } from "../inputs/fields";
import type { Lifecycle, Seen } from "../lifecycle/lifecycle";
import type { Described } from "../lifecycle/plan";
import { urnsWithFewerParents } from "../inputs/names";
import type { OperationContext } from "../lifecycle/operation";
import { hideProject, printable } from "../inputs/printable";
import { hasUnknown } from "../inputs/unknown";
import { isProjectEmpty } from "../resources/visibility";
import { encode, encodeOutputs } from "./codec";
import { info, planNotice, warning, type Notice } from "./notice";
import { Ownership } from "../ownership/ownership";
import { settingError, type Session } from "./session";
import type { Replacement, Timeouts } from "../inputs/finding";

/** The time limit of a read: longer than a restart of the API takes. */
const maxReadMs = 300_000;

/** The result of a check. */
export interface CheckedInputs<K extends Kind> {
    readonly inputs: Declared<K>;
    /** Why the inputs are rejected. */
    readonly problems: readonly string[];
    /** What the preview prints. */
    readonly notices: readonly Notice[];
}

/** The result of a diff. */
export interface Difference<K extends Kind> {
    readonly plan: Plan<K["Item"]>;
    readonly changes: boolean;
    readonly deleteBeforeReplace: boolean;
    /** Whether unknown values decide if the resource is replaced. */
    readonly mayReplace: boolean;
    /** What the preview prints. */
    readonly notices: readonly Notice[];
}

/** A plan in which unknown values may decide about replacements. */
interface EnginePlan<K extends Kind> extends Described<K> {
    readonly certain: readonly Replacement[];
    /** The properties whose unknown values may require a replacement. */
    readonly possible: readonly string[];
}

/** A resource after an operation. */
export interface Stored<K extends Kind> {
    readonly id: string;
    readonly state: State<K>;
}

/**
 * The calls of the engine for one resource type, on plain values: what the protocols of both hosts have in common. The
 * hosts unpack the requests, including the hidden inputs, and print the notices of a preview.
 */
export class ResourceHost<K extends Kind> {
    private readonly ownership: Ownership<K>;
    /** The creations of this run that failed after the resource existed, by URN. */
    private readonly unfinished = new Map<string, PartialFailure>();

    constructor(
        readonly lifecycle: Lifecycle<K>,
        readonly session: Session,
    ) {
        this.ownership = new Ownership(lifecycle.resource, session.registry);
    }

    /**
     * Validates the inputs of a program. The default project is added to them. The old inputs are empty for a resource
     * that is about to be created.
     */
    check(declared: Unchecked, olds: Unchecked): CheckedInputs<K> {
        const given = withoutAdded(withOldValues(declared, olds), olds);
        const missingProject = given.projectId === undefined ? settingError(() => this.session.projectId()) : undefined;
        const complete = missingProject === undefined ? this.inProject(given) : given;
        hideProject(complete.projectId, (complete as HiddenInputs).__secrets);
        const { __formerUrns: aliases, ...visible } = complete as Unchecked & { __formerUrns?: unknown };
        const urns = (Array.isArray(aliases) ? aliases : []).filter((one) => typeof one === "string");
        const { registry } = this.session;
        const found = check(this.lifecycle.resource, visible, { program: registry, now: this.session.now() });
        const { inputs, declaration } = found;
        if (declaration !== undefined) {
            registry.declare(inputs.__urn, declaration, urns);
        }
        const settings = [missingProject, this.session.settingsProblem()].filter((text) => text !== undefined);
        const invalid = [...settings, ...found.problems.map(({ text }) => text)];
        const refusal = invalid.length === 0 ? this.ownership.onCheck(inputs, Object.keys(olds).length > 0) : undefined;
        const problems = (refusal === undefined ? invalid : [refusal]).map(printable);
        const warnings = problems.length === 0 ? found.warnings.map(({ text }) => warning(text)) : [];
        return { inputs, problems, notices: warnings };
    }

    /** Compares the state with the inputs. */
    diff(id: string, state: State<K>, declared: Declared<K>): Difference<K> {
        const { resource } = this.lifecycle;
        hideProject(state.projectId, state.__secrets);
        hideProject(declared.projectId, declared.__secrets);
        const { plan, lines, certain, possible } = this.planForEngine(id, state, declared);
        const deleteFirst = resource.deletion?.comesFirst?.(state, declared);
        const isReplaced = plan.replace.length > 0;
        if (certain.length > 0) {
            this.lifecycle.assertReplacementsAllowed(id, state, declared, certain);
        }
        this.ownership.onDiff(id, state, declared, plan, deleteFirst !== undefined);
        const loss = resource.allowsReplacement === undefined ? "" : ` and ${lossOfData(resource, state, declared)}`;
        const notices = [
            ...(certain.length > 0
                ? [warning(`is replaced (${changesIn(certain)}): the old ${resource.noun} ${id} is deleted${loss}`)]
                : []),
            ...(possible.length > 0 ? [warning(`may be replaced: ${possible.join(", ")} is known after apply`)] : []),
            ...(isReplaced && deleteFirst !== undefined
                ? [warning(`is deleted before its replacement is created: ${deleteFirst}`)]
                : []),
            ...(state.__interrupted && !isReplaced ? [info(interruptedText)] : []),
            ...planNotice(lines),
        ];
        const recorded = this.isOnlyRefreshed(declared) ? [] : plan.record;
        // The engine updates a resource after a partial failure in any case, but not after a postponed completion, nor after
        // a refresh.
        const isUnfinished = state.__interrupted === "postponed" || state.__interrupted === "creation";
        return {
            plan: { ...plan, record: recorded },
            changes: plan.replace.length + plan.steps.length + recorded.length > 0 || isUnfinished,
            deleteBeforeReplace: deleteFirst !== undefined,
            mayReplace: isReplaced && certain.length === 0,
            notices,
        };
    }

    /**
     * Creates a resource. An `onError` hook of the program makes the engine call this again after a failure, without the
     * id and the state of the first attempt, which are then resumed.
     */
    async create(declared: Declared<K>, timeouts = declared.__timeouts): Promise<Stored<K>> {
        const inputs = known(declared);
        const { __urn: urn = "" } = inputs;
        const unfinished = this.unfinished.get(urn);
        if (unfinished === undefined) {
            this.ownership.assertSingleManager(inputs);
        }
        const times = this.lifecycle.resource.times(inputs);
        const context = this.operationContext("create", inputs, { times, timeouts });
        try {
            const stored = await (unfinished === undefined
                ? this.store(inputs, {}, () => this.lifecycle.create(inputs, context))
                : this.resume(unfinished, inputs, context));
            this.unfinished.delete(urn);
            return stored;
        } catch (error) {
            if (error instanceof PartialFailure && urn !== "") {
                this.unfinished.set(urn, error);
            }
            throw error;
        }
    }

    /** Completes a creation of this run that failed after the resource existed. A failure keeps its id and its state. */
    private async resume(
        unfinished: PartialFailure,
        inputs: Checked<K>,
        context: OperationContext,
    ): Promise<Stored<K>> {
        const { id } = unfinished;
        const state = unfinished.state as State<K>;
        try {
            const { replace } = this.lifecycle.describePlan(state, inputs).plan;
            if (replace.length > 0) {
                const { noun } = this.lifecycle.resource;
                throw new CloudDbError(
                    `The new ${noun} ${id} differs from its inputs (${changesIn(replace)}), and only a replacement changes ` +
                        `that. Run \`pulumi up\` again.`,
                );
            }
            const old = { ...state, __interrupted: undefined };
            return await this.store(inputs, old, async () => ({
                id,
                state: await this.lifecycle.update(id, state, inputs, context),
            }));
        } catch (error) {
            throw error instanceof PartialFailure ? error : new PartialFailure(id, state, error);
        }
    }

    async update(
        id: string,
        state: State<K>,
        declared: Declared<K>,
        timeouts = declared.__timeouts,
    ): Promise<Stored<K>> {
        const inputs = known(declared);
        const times = this.lifecycle.resource.times(inputs);
        const context = this.operationContext("update", inputs, { times, timeouts });
        return this.store(inputs, state, async () => ({
            id,
            state: await this.lifecycle.update(id, state, inputs, context),
        }));
    }

    /** Reads a resource of the state; undefined if it is gone. */
    async read(id: string, state: State<K>): Promise<Seen<K> | undefined> {
        // A resource that the program only reads with `.get` is not managed.
        const isManaged = state.__declared.length > 0 || state.__imported === true;
        if (isManaged) {
            this.session.reads.add(`${this.lifecycle.resource.type} ${id}`);
        }
        const context = this.readContext(state);
        const seen = await this.lifecycle.read(id, state, context).catch((error: unknown) => {
            throw explained(error, state);
        });
        if (seen === undefined) {
            await this.assertSomethingVisible(id, state, context);
        }
        if (seen !== undefined && isManaged) {
            this.ownership.onRefresh(state.__urn, state.projectId, id);
        }
        return seen;
    }

    /**
     * Fails if a project with several resources seems to be empty. A token that sees nothing would otherwise remove
     * them all from the state.
     */
    private async assertSomethingVisible(id: string, state: State<K>, context: OperationContext): Promise<void> {
        const { projectId, __hasOthers: hasOthers = false } = state;
        if ((hasOthers || this.session.reads.size > 1) && (await isProjectEmpty({ project_id: projectId }, context))) {
            throw nothingVisible(this.lifecycle.resource.noun, id, projectId);
        }
    }

    /** Reads a resource that is not in the state, for `.get`. Fails if it does not exist. */
    async get(id: string, given: Partial<StateMetadata>, isPreview: boolean): Promise<Seen<K>> {
        this.assertIdForm(id);
        const metadata = { __declared: [], __defaults: {}, ...this.inProject(given) };
        const context = isPreview ? this.previewContext(metadata) : this.readContext(metadata);
        const seen = await this.lifecycle.read(id, metadata, context);
        return this.existing(id, metadata, seen);
    }

    /** Reads a resource that is not in the state, with all its inputs. Fails if it does not exist. */
    async import(id: string, given: Partial<StateMetadata>, isPreview: boolean): Promise<Seen<K>> {
        this.assertIdForm(id);
        const metadata = this.inProject(given);
        this.ownership.onImport(metadata.__urn, metadata.projectId, id);
        const context = isPreview ? this.previewContext(metadata) : this.readContext(metadata);
        this.ownership.onBegin(metadata.__urn);
        const seen = await this.lifecycle.import(id, metadata, context);
        this.ownership.onEnd(metadata.__urn);
        return this.existing(id, metadata, seen);
    }

    /** Deletes a resource. The URN in the state is certain if it comes from the engine. */
    async delete(id: string, state: State<K>, isUrnCertain: boolean, timeouts = state.__timeouts): Promise<void> {
        const kept = this.lifecycle.resource.deletion && this.ownership.deletionRefusal(id, state, isUrnCertain);
        if (kept !== undefined) {
            this.session.engine.warn(state.__urn, kept);
            return;
        }
        if (this.lifecycle.resource.deletion && state.deletionProtection !== true) {
            this.session.announceDeletion(state);
        }
        const keepsCopy = this.ownership.keepsCopy(id, state);
        const times = this.lifecycle.timesOfDeletion(state, keepsCopy);
        const context = this.operationContext("delete", state, { times, timeouts });
        await this.lifecycle.remove(id, state, context, keepsCopy).catch((error: unknown) => {
            throw explained(error, state);
        });
        this.ownership.onDelete(state.__urn, id);
    }

    /** The plan of a creation in a preview. Fails if an adoption will fail. Only an adoption reads from the API. */
    async previewCreation(inputs: Declared<K>): Promise<readonly Notice[]> {
        const { lines } = this.lifecycle.describePlan(undefined, inputs);
        if (inputs.existingId === undefined) {
            return [...planNotice(lines), ...(await this.warnIfMoved(inputs))];
        }
        this.ownership.assertSingleManager(inputs);
        try {
            return planNotice(await this.adoptionPlan(inputs));
        } catch (error) {
            if (error instanceof AdoptionError) {
                throw error;
            }
            return planNotice(lines, `the steps of the update are not known yet: ${reasonOf(error)}`);
        }
    }

    /** Encodes inputs, with their secrets marked. */
    encodeInputs(inputs: HiddenInputs): Record<string, unknown> {
        return encode(inputs, this.lifecycle.secretNames(inputs));
    }

    /**
     * Encodes the outputs of a state, with null for absent ones. Omits absent secrets, because an encrypted null would
     * look like a value.
     */
    encodeState(state: HiddenInputs): Record<string, unknown> {
        const { fields, outputs } = this.lifecycle.resource;
        const inputs = entriesOf(fields).filter(([, { onChange, secret }]) => onChange !== "ignore" && !secret);
        const others = Object.keys(outputs).filter((name) => !Object.hasOwn(fields, name));
        return encodeOutputs(state, [...inputs.map(([name]) => name), ...others], this.lifecycle.secretNames(state));
    }

    /**
     * The plan that the engine gets, its certain replacements, and the properties whose unknown values may require a
     * replacement. It omits each replacement that must not or cannot take place.
     */
    private planForEngine(id: string, state: State<K>, declared: Declared<K>): EnginePlan<K> {
        const described = this.lifecycle.describePlan(state, declared);
        const { registry } = this.session;
        const { isPreview } = registry.own(declared.__urn);
        // An unknown value certainly changes if it refers to a resource that is replaced, unless the run is an update.
        const isCertain = ({ from, to }: Replacement) =>
            !hasUnknown(to) || (isPreview !== false && registry.replacedIn(from).length > 0);
        const certain = described.plan.replace.filter(isCertain);
        const possible = described.plan.replace.filter((one) => !isCertain(one)).map(({ property }) => property);
        const adoptsItself = this.ownership.adoptedBy(declared)?.id === id;
        const isRefused = () => this.lifecycle.refusalOf(id, state, declared, certain) !== undefined;
        const isBlocked = this.isOnlyRefreshed(declared) && (adoptsItself || isRefused());
        const omitted = [
            ...(adoptsItself || this.mustKeep(state, isPreview) ? possible : []),
            ...(isBlocked ? certain.map(({ property }) => property) : []),
        ];
        if (omitted.length === 0) {
            return { ...described, certain, possible };
        }
        const kept = Object.entries(declared).filter(([name]) => !omitted.includes(name));
        const reduced = this.lifecycle.describePlan(state, Object.fromEntries(kept) as typeof declared);
        return { ...reduced, certain: isBlocked ? [] : certain, possible };
    }

    /**
     * Whether a merely possible replacement is not planned.
     * - A preview plans it unless the resource is protected: the engine would reject it, although the value may not
     *   change.
     * - In an update, values are unknown only if the engine deletes a dependency and computes the consequences. A
     *   resource that cannot be replaced without data loss is then not deleted. The same applies if the host cannot tell
     *   a preview from an update.
     */
    private mustKeep(state: State<K>, isPreview: boolean | undefined): boolean {
        return isPreview ? state.deletionProtection === true : this.lifecycle.resource.allowsReplacement !== undefined;
    }

    /** A refresh also calls diff, with the inputs of the last update. A refused replacement is then not its error. */
    private isOnlyRefreshed({ __urn }: Declared<K>): boolean {
        return this.session.registry.inputsOf(__urn) === undefined;
    }

    /**
     * Runs a creation or an update. The state, also that of a failure, records which other resources this one certainly
     * is not.
     */
    private async store(
        inputs: Checked<K>,
        old: Partial<StateMetadata>,
        work: () => Promise<Stored<K>>,
    ): Promise<Stored<K>> {
        const identity = (id: string, state: Partial<StateMetadata>) => this.ownership.onStored(inputs, id, old, state);
        this.ownership.onBegin(inputs.__urn);
        try {
            const { id, state } = await work();
            this.ownership.onEnd(inputs.__urn);
            return { id, state: { ...state, ...identity(id, state) } };
        } catch (error) {
            const cause = explained(error, old);
            throw cause instanceof PartialFailure ? cause.with(identity(cause.id, cause.state)) : cause;
        }
    }

    /** The context of an operation. Hides a secret project in its messages. */
    private operationContext(
        operation: OperationKind,
        { __urn, __timeouts, __secrets, projectId }: HiddenInputs & { readonly projectId?: unknown },
        {
            times = this.lifecycle.resource.times(undefined),
            timeouts = __timeouts,
        }: { times?: Times; timeouts?: Timeouts | undefined } = {},
    ): OperationContext {
        hideProject(projectId, __secrets);
        const managerOf: OperationContext["managerOf"] = (projectId, id) =>
            this.ownership.otherManagerOf(__urn, projectId, id);
        return this.session.operationContext(operation, __urn, times, timeouts, managerOf);
    }

    private readContext(metadata: HiddenInputs & { readonly projectId: string }): OperationContext {
        const context = this.operationContext("update", metadata);
        return { ...context, deadlineAt: Math.min(context.deadlineAt, context.beganAt + maxReadMs) };
    }

    /** Adds the default project, which is as secret as the setting. */
    private inProject<Given extends Pick<HiddenInputs, "__secrets">>(
        given: Given & { readonly projectId?: unknown },
    ): Given & { projectId: string } {
        const { projectId, __secrets: secrets = [] } = given;
        if (projectId !== undefined) {
            return given as Given & { projectId: string };
        }
        const isSecret = this.session.hasSecretProject && !secrets.includes("projectId");
        return {
            ...given,
            projectId: this.session.projectId(),
            ...(isSecret ? { __secrets: [...secrets, "projectId"] } : {}),
        };
    }

    private assertIdForm(id: string): void {
        const { noun, identity } = this.lifecycle.resource;
        if (!identity.idForm.pattern.test(id)) {
            throw invalidId(id, `the id of a ${noun} has the form ${identity.idForm.description}`);
        }
    }

    private existing(id: string, { projectId }: { projectId: string }, seen: Seen<K> | undefined): Seen<K> {
        if (seen === undefined) {
            throw missingResource(this.lifecycle.resource.noun, id, projectId);
        }
        return seen;
    }

    /** Warns about a creation if a database exists under the name that the resource had with fewer parents. */
    private async warnIfMoved(inputs: Declared<K>): Promise<readonly Notice[]> {
        const { resource } = this.lifecycle;
        const { __urn: urn = "" } = inputs;
        const oldUrns = urnsWithFewerParents(urn).filter((old) => this.session.registry.inputsOf(old) === undefined);
        if (resource.allowsReplacement === undefined || oldUrns.length === 0 || hasUnknown(inputs.projectId)) {
            return [];
        }
        try {
            const found = await this.lifecycle.findByUrn(oldUrns, inputs as Checked<K>, this.previewContext(inputs));
            if (found === undefined) {
                return [];
            }
            const text =
                `${resource.noun} ${found.id} exists under the name that this resource had without its parent. If you ` +
                `moved it, add aliases: ["${found.urn}"] to its options. Otherwise a new, empty one is created.`;
            return [warning(text)];
        } catch {
            // A preview must work without a token and without the API.
            return [];
        }
    }

    /** The context of a preview for its reads, with a short deadline. */
    private previewContext(inputs: HiddenInputs): OperationContext {
        const context = this.operationContext("create", inputs);
        return { ...context, deadlineAt: Math.min(context.deadlineAt, context.beganAt + previewReadMs) };
    }

    private adoptionPlan(inputs: Declared<K>): Promise<readonly string[]> {
        const adopted = this.ownership.adoptedBy(inputs);
        if (adopted === undefined) {
            throw new Error("the id is known after apply");
        }
        return this.lifecycle.describeAdoption(adopted.id, inputs as Checked<K>, this.previewContext(inputs));
    }
}

const interruptedText =
    "an earlier run did not complete this resource: the update first waits for the changes that it started";

/** What a replacement does to the data. */
function lossOfData<K extends Kind>(resource: Resource<K>, state: State<K>, declared: Declared<K>): string {
    return keepsLastCopy(resource, inputsIn<K>(state), declared)
        ? "its data remains in a last copy"
        : "its data is lost";
}

/** The engine resolves all inputs before it creates or updates a resource. */
function known<K extends Kind>(declared: Declared<K>): Checked<K> {
    return declared as Checked<K>;
}

/** Why a preview could not read a resource. */
function reasonOf(error: unknown): string {
    const cause = error instanceof DeadlineError ? error.cause : error;
    return cause instanceof ConnectionError ? "the API cannot be reached" : messageOf(error);
}

/** The error of an operation. If an earlier run did not complete the resource, the error says so. */
function explained(error: unknown, { __interrupted }: Partial<StateMetadata>): unknown {
    if (!__interrupted) {
        return error;
    }
    const unfinished = afterUnfinishedRun(error);
    return error instanceof PartialFailure ? new PartialFailure(error.id, error.state, unfinished) : unfinished;
}
