import { previewReadMs } from "../api/client";
import { ConnectionError, DeadlineError, messageOf } from "../api/errors";
import { checkInputs, type Unchecked } from "../lifecycle/check";
import { withoutDerivedChanges } from "../lifecycle/derivedInputs";
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
    deletionWithoutState,
    invalidId,
    missingResource,
    nothingVisible,
    PartialFailure,
    afterUnfinishedRun,
    replacementRefused,
} from "../lifecycle/errors";
import { updateLine } from "../lifecycle/disruption";
import { inputsIn, isInCreation, storedValues } from "../lifecycle/metadata";
import { isProtected, keepsLastCopy } from "../lifecycle/protection";
import { changesIn, entriesOf } from "../inputs/fields";
import type { Lifecycle, Seen } from "../lifecycle/lifecycle";
import type { OperationContext } from "../lifecycle/operation";
import { printable } from "../inputs/printable";
import { hasUnknown } from "../inputs/unknown";
import { isProjectEmpty } from "../resources/visibility";
import { encode, markSecrets } from "./codec";
import { info, planNotice, warning, type Notice } from "./notice";
import { Management } from "../lifecycle/management";
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
    readonly plan: Plan;
    readonly changes: boolean;
    readonly deleteBeforeReplace: boolean;
    /** Whether unknown values decide if the resource is replaced. */
    readonly mayReplace: boolean;
    /** What the preview prints. */
    readonly notices: readonly Notice[];
}

/** A plan in which unknown values may decide about replacements. */
interface EnginePlan<K extends Kind> {
    readonly plan: Plan;
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
    private readonly management: Management<K>;

    constructor(
        readonly lifecycle: Lifecycle<K>,
        readonly session: Session,
    ) {
        this.management = new Management(lifecycle.resource, session.run);
    }

    /**
     * Validates the inputs of a program. The default project is added to them. The old inputs are empty for a resource
     * that is about to be created.
     */
    check(unchecked: Unchecked, olds: Unchecked): CheckedInputs<K> {
        const given = withoutDerivedChanges(unchecked, olds);
        const missingProject = given.projectId === undefined ? settingError(() => this.session.projectId()) : undefined;
        const complete = missingProject === undefined ? this.inProject(given) : given;
        const found = checkInputs(this.lifecycle.resource, complete, {
            run: this.session.run,
            protectsData: this.session.protectsData(),
            now: this.session.now(),
        });
        const declared: Declared<K> = { ...found.inputs, __program: undefined };
        this.session.run.record(declared.__urn, { declared: found.declaration });
        const settings = [missingProject, this.session.settingsProblem()].filter((text) => text !== undefined);
        const problems = [...settings, ...found.problems].map(printable);
        if (problems.length > 0) {
            return { inputs: declared, problems, notices: [] };
        }
        this.management.onCheck(declared, Object.keys(olds).length > 0);
        return { inputs: declared, problems, notices: found.warnings.map(warning) };
    }

    /** Compares the state with the inputs. */
    diff(id: string, state: State<K>, declared: Declared<K>): Difference<K> {
        const { resource } = this.lifecycle;
        const { plan, certain, possible } = this.planForEngine(id, state, declared);
        const deleteFirst = resource.deletion?.comesFirst?.(state, declared);
        const isReplaced = plan.replace.length > 0;
        const fate = fateOfData(resource, state);
        if (certain.length > 0 && isProtected(resource, state)) {
            throw replacementRefused(this.lifecycle.subject(inputsIn<K>(state), id), changesIn(certain), fate);
        }
        this.management.onDiff(id, state, declared, plan, deleteFirst !== undefined);
        const consequence = fate === undefined ? "" : `, and its data will ${fate}`;
        const notices = [
            ...(certain.length > 0
                ? [
                      warning(
                          `is replaced (${changesIn(certain)}): the old ${resource.noun} ${id} is deleted${consequence}`,
                      ),
                  ]
                : []),
            ...(possible.length > 0 ? [warning(`may be replaced: ${possible.join(", ")} is known after apply`)] : []),
            ...(isReplaced && deleteFirst !== undefined
                ? [warning(`is deleted before its replacement is created: ${deleteFirst}`)]
                : []),
            ...(state.__interrupted && !isReplaced ? [info(interruptedText)] : []),
            ...(resource.notSent?.(state, declared) ?? []).map(warning),
            ...planNotice(plan.steps.map(updateLine)),
        ];
        const stateChanges = this.isOnlyRefreshed(declared) ? [] : plan.stateChanges;
        // The engine updates a resource after a partial failure in any case, but not after a postponed completion, nor after
        // a refresh.
        const isUnfinished = state.__interrupted === "postponed" || isInCreation(state.__interrupted);
        return {
            plan: { ...plan, stateChanges },
            changes: plan.replace.length + plan.steps.length + stateChanges.length > 0 || isUnfinished,
            deleteBeforeReplace: deleteFirst !== undefined,
            mayReplace: isReplaced && certain.length === 0,
            notices,
        };
    }

    async create(declared: Declared<K>, timeouts = declared.__timeouts): Promise<Stored<K>> {
        const inputs = known(declared);
        this.management.assertSingleManager(inputs);
        this.management.assertCopiesData(this.lifecycle.subject(inputs), inputs);
        const times = this.lifecycle.resource.times(inputs);
        const context = this.operationContext("create", inputs, { times, timeouts });
        const stored = await this.lifecycle.create(inputs, context);
        this.management.onStored(stored.id, inputs, true);
        return stored;
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
        const updated = await this.lifecycle.update(id, state, inputs, context).catch((error: unknown) => {
            throw explained(error, state);
        });
        this.management.onStored(id, inputs, false);
        return { id, state: updated };
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
        return seen;
    }

    /**
     * Fails if the project of a protected resource, or of several resources, seems to be empty. A token that sees nothing
     * would otherwise remove them all from the state.
     */
    private async assertSomethingVisible(id: string, state: State<K>, context: OperationContext): Promise<void> {
        const { projectId } = state;
        const isSuspicious = isProtected(this.lifecycle.resource, state) || this.session.reads.size > 1;
        if (isSuspicious && (await isProjectEmpty({ project_id: projectId }, context))) {
            throw nothingVisible(this.lifecycle.resource.noun, id, projectId);
        }
    }

    /** Reads a resource that is not in the state, for `.get`. Fails if it does not exist. */
    async get(id: string, given: Partial<StateMetadata>, isPreview: boolean): Promise<Seen<K>> {
        this.assertIdForm(id);
        const metadata = { __declared: [], __defaults: {}, ...this.inProject(given) };
        const context = this.readContext(metadata, isPreview);
        const seen = await this.lifecycle.read(id, metadata, context);
        return this.existing(id, metadata, seen);
    }

    /** Reads a resource that is not in the state, with all its inputs. Fails if it does not exist. */
    async import(id: string, given: Partial<StateMetadata>, isPreview: boolean): Promise<Seen<K>> {
        this.assertIdForm(id);
        const metadata = { ...this.inProject(given), deletionProtection: this.protectionByDefault() };
        this.management.onImport(metadata.__urn, id);
        const context = this.readContext(metadata, isPreview);
        const seen = await this.lifecycle.import(id, metadata, context).catch((error: unknown) => {
            this.management.onImportFailed(metadata.__urn, metadata.projectId, id);
            throw error;
        });
        return this.existing(id, metadata, seen);
    }

    /** What the state would have of a resource that is in none and that a command deletes. Fails if the default protects it. */
    async unmanaged(id: string, urn: string): Promise<State<K>> {
        const { state } = await this.import(id, { __urn: urn }, false);
        if (isProtected(this.lifecycle.resource, state)) {
            throw deletionWithoutState(this.lifecycle.resource.noun, id);
        }
        return state;
    }

    /** The `deletionProtection` of a resource whose program does not declare it. */
    protectionByDefault(): boolean {
        return this.lifecycle.resource.hasData === true && this.session.defaultProtection();
    }

    /** Deletes a resource, if its state permits that. */
    async delete(id: string, state: State<K>, timeouts = state.__timeouts): Promise<void> {
        const { deletion } = this.lifecycle.resource;
        if (deletion === undefined) {
            return;
        }
        const kept = this.management.beforeDeletion(id, state);
        if (kept !== undefined) {
            this.session.engine.warn(state.__urn, kept);
            return;
        }
        this.session.announceDeletion(state);
        const times = this.lifecycle.timesOfDeletion(state);
        const context = this.operationContext("delete", state, { times, timeouts });
        await this.lifecycle.remove(id, state, context).catch((error: unknown) => {
            throw explained(error, state);
        });
        this.management.onDelete(id, state);
    }

    /** The plan of a creation in a preview. Fails if an adoption will fail. Only an adoption reads from the API. */
    async previewCreation(inputs: Declared<K>): Promise<readonly Notice[]> {
        const lines = this.lifecycle.describeCreation(inputs);
        if (inputs.existingId === undefined) {
            return planNotice(lines);
        }
        this.management.assertSingleManager(inputs);
        try {
            return planNotice(await this.adoptionPlan(inputs));
        } catch (error) {
            if (error instanceof AdoptionError) {
                throw error;
            }
            return planNotice(lines, `the steps of the update are not known yet: ${reasonOf(error)}`);
        }
    }

    /** Encodes inputs or outputs, with those marked that are always secret. The engine marks what the program declares as secret. */
    encode(values: object): Record<string, unknown> {
        return markSecrets(encode(values), this.lifecycle.secretNames);
    }

    /**
     * Encodes the outputs of a state, with null for absent ones, because a preview treats a missing output as unknown. Omits
     * absent secrets.
     */
    encodeState(state: object): Record<string, unknown> {
        const { fields, outputs } = this.lifecycle.resource;
        const inputs = entriesOf(fields).filter(([, { onChange, secret }]) => onChange !== "ignore" && !secret);
        const others = Object.keys(outputs).filter((name) => !Object.hasOwn(fields, name));
        const absent = [...inputs.map(([name]) => name), ...others].map((name) => [name, null] as const);
        return { ...Object.fromEntries(absent), ...this.encode(storedValues(state)) };
    }

    /**
     * The plan that the engine gets, its certain replacements, and the properties whose unknown values may require a
     * replacement. It omits each replacement that must not or cannot take place.
     */
    private planForEngine(id: string, state: State<K>, declared: Declared<K>): EnginePlan<K> {
        const plan = this.lifecycle.plan(state, declared);
        const { run } = this.session;
        // An unknown value certainly changes if it refers to a resource that is replaced.
        const isCertain = ({ from, to }: Replacement) => !hasUnknown(to) || run.replacedIn(from).length > 0;
        const certain = plan.replace.filter(isCertain);
        const possible = plan.replace.filter((one) => !isCertain(one)).map(({ property }) => property);
        const mustKeep = isProtected(this.lifecycle.resource, state);
        const adoptsItself = this.management.adoptedBy(declared)?.id === id;
        const isBlocked = this.isOnlyRefreshed(declared) && (adoptsItself || mustKeep);
        const omitted = [
            // The engine would reject a replacement that may not be necessary.
            ...(adoptsItself || mustKeep ? possible : []),
            ...(isBlocked ? certain.map(({ property }) => property) : []),
        ];
        if (omitted.length === 0) {
            return { plan, certain, possible };
        }
        const kept = Object.entries(declared).filter(([name]) => !omitted.includes(name));
        const reduced = this.lifecycle.plan(state, Object.fromEntries(kept) as typeof declared);
        return { plan: reduced, certain: isBlocked ? [] : certain, possible };
    }

    /** A refresh also calls diff, with the inputs of the last update. A refused replacement is then not its error. */
    private isOnlyRefreshed({ __urn }: Declared<K>): boolean {
        return this.session.run.inputsOf(__urn) === undefined;
    }

    private operationContext(
        operation: OperationKind,
        { __urn, __timeouts }: HiddenInputs,
        {
            times = this.lifecycle.resource.times(undefined),
            timeouts = __timeouts,
        }: { times?: Times; timeouts?: Timeouts | undefined } = {},
    ): OperationContext {
        return this.session.operationContext(operation, __urn, times, timeouts);
    }

    /** The context of a read. A preview must not hang. */
    private readContext(metadata: HiddenInputs, isPreview = false): OperationContext {
        const context = this.operationContext("update", metadata);
        const limitMs = isPreview ? previewReadMs : maxReadMs;
        return { ...context, deadlineAt: Math.min(context.deadlineAt, context.beganAt + limitMs) };
    }

    /** Adds the default project. */
    private inProject<Given extends { readonly projectId?: unknown }>(given: Given): Given & { projectId: string } {
        return given.projectId === undefined
            ? { ...given, projectId: this.session.projectId() }
            : (given as Given & { projectId: string });
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

    private adoptionPlan(inputs: Declared<K>): Promise<readonly string[]> {
        const adopted = this.management.adoptedBy(inputs);
        if (adopted === undefined) {
            throw new Error("the id is known after apply");
        }
        return this.lifecycle.describeAdoption(adopted.id, inputs as Checked<K>, this.readContext(inputs, true));
    }
}

const interruptedText =
    "an earlier run did not complete this resource: the update first waits for the changes that it started";

/** What happens to the data in a replacement; undefined for a resource without data. */
function fateOfData<K extends Kind>({ hasData, ...resource }: Resource<K>, state: State<K>): string | undefined {
    return hasData && (keepsLastCopy(resource, state) ? "remain in a last copy" : "be lost");
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
