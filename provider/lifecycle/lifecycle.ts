import { isConflict, isNotFound, isUncertain } from "../api/errors";
import { WaitFailedError, WaitGoneError } from "../wait/errors";
import { pending, ready, type Outcome } from "../wait/outcome";
import { appearsWithinMs, notFoundPollMs } from "../wait/schedule";
import type { Call, Checked, CommonInputs, HiddenInputs, StateMetadata, Path, Plan, Resource, Step } from "./resource";
import { AdoptionError, IneffectiveError, PartialFailure, ProtectedError, UnsupportedError } from "./errors";
import { entriesOf, same, show, valueOf, type Effect, type Field } from "../inputs/fields";
import { initialMetadata, nextMetadata, withName } from "./metadata";
import { nameFrom } from "../inputs/names";
import { deletionRefusal, replacementRefusal } from "./protection";
import type { OperationContext } from "./operation";
import { about, stepOf, type Activity, withLock, retryUntilAccepted, isTransient } from "./operation";
import { readConfirmed, readWithGrace, observeUntil, readList, runSteps, until, untilGone, type Target } from "./steps";
import { Duplicates } from "./duplicates";
import { hasUnknown, type Planned } from "../inputs/unknown";
import type { Replacement } from "../inputs/finding";

/** A plan in words: one line a call, in order. */
export interface Described<Item> {
    readonly plan: Plan<Item>;
    readonly lines: readonly string[];
}

/** A wait by itself needs no words but the status. */
function waiting(kind?: string): Activity {
    return { kind, line: (now) => now ?? "waiting" };
}

/** What was made only just may not be there for reads yet. */
function readCurrent<Item>(
    target: Target<Item>,
    { __unseen }: StateMetadata,
    context: OperationContext,
): Promise<Item | undefined> {
    return __unseen ? readWithGrace(target, context) : readConfirmed(target, context);
}

/** What is known of a resource while work on it goes on. */
interface Progress<Observed, Item> {
    /** Takes in what was observed, and what is to be remembered from now on. */
    readonly checkpoint: (item: Item, records?: Readonly<Record<string, unknown>>) => void;
    readonly known: () => Observed & StateMetadata;
}

/** What the state becomes when work on a resource fails before anything is observed. */
interface Attempt<Observed> {
    readonly before: Observed & StateMetadata;
    readonly metadata: StateMetadata;
    readonly interrupted: true | "creation";
}

/** What the state records of a step that failed, so that the next run does not send it again. */
function marksOf(error: unknown): Pick<StateMetadata, "__ineffective" | "__unsupported"> {
    if (error instanceof IneffectiveError) {
        return { __ineffective: error.calls };
    }
    return error instanceof UnsupportedError ? { __unsupported: error.call } : {};
}

function isSameCall(left: Call, right: Call): boolean {
    return left.operation === right.operation && same(left.body, right.body);
}

/** A step that had no effect in the last run is not sent again: it may restart the service each time. */
function assertNotRepeated<Item>(
    steps: readonly Step<Item>[],
    ineffective: readonly Call[],
    item: Item,
    subject: string,
): void {
    for (const step of steps) {
        const wasSent = ineffective.some((call) => isSameCall(call, step.call));
        const found = wasSent ? (step.differs?.(item) ?? []) : [];
        if (found.length > 0) {
            throw IneffectiveError.before(subject, step, found);
        }
    }
}

/** Create, read, update and delete of one kind of resource, made from its facts. */
export class Lifecycle<Inputs extends CommonInputs, Observed extends object, Item> {
    private readonly duplicates: Duplicates<Inputs, Observed, Item>;

    constructor(readonly resource: Resource<Inputs, Observed, Item>) {
        this.duplicates = new Duplicates(resource, (inputs) => this.subject(inputs));
    }

    /** Pure: what an update, or a creation where there is no state, is going to do. */
    describe(state: (Observed & StateMetadata) | undefined, declared: Planned<Inputs> & HiddenInputs): Described<Item> {
        const { resource } = this;
        if (state !== undefined) {
            const plan = resource.plan(state, declared);
            return { plan, lines: plan.steps.map(({ text }) => text) };
        }
        if (declared.existingId !== undefined) {
            const text = `adopt ${resource.noun} ${show(declared.existingId)} and update it to the declared state`;
            return { plan: { replace: [], steps: [], record: [] }, lines: [text] };
        }
        const named = withName(resource, declared);
        const { text, observed } = resource.describeCreate(named);
        const metadata = initialMetadata(resource.fields, declared, {});
        const plan = resource.plan({ ...metadata, ...observed } as Observed & StateMetadata, named);
        return { plan, lines: [text, ...plan.steps.map((step) => step.text)] };
    }

    /** Makes it, or takes an existing one over, and brings it to the declared state. */
    async create(
        inputs: Checked<Inputs>,
        context: OperationContext,
    ): Promise<{ id: string; state: Observed & StateMetadata }> {
        return inputs.existingId === undefined ? this.createNew(inputs, context) : this.adopt(inputs, context);
    }

    /** Brings it from the state to the declared one, by the plan that the preview showed. */
    async update(
        id: string,
        state: Observed & StateMetadata,
        inputs: Checked<Inputs>,
        context: OperationContext,
    ): Promise<Observed & StateMetadata> {
        const { resource } = this;
        const { __interrupted: interrupted, __ineffective, __unsupported } = state;
        const next = nextMetadata(resource.fields, resource.stickyOutputs, state, inputs);
        const { steps, record } = resource.plan(state, inputs);
        if (steps.length === 0 && this.isOfStateOnly(record, interrupted)) {
            return this.derived({ ...state, ...next, ...(interrupted && { __interrupted: "postponed" as const }) });
        }
        const target = this.target(state.projectId, id, inputs, context);
        const metadata = { ...next, __ineffective, __unsupported };
        const attempt = {
            before: { ...state, ...metadata, __unseen: undefined },
            metadata,
            interrupted: interrupted === "creation" ? interrupted : (true as const),
        };
        const updated = await this.withCheckpoint(target, attempt, context, async (watched, progress) => {
            let item = await readCurrent(watched, state, context);
            if (item === undefined) {
                throw new WaitGoneError(target.subject);
            }
            progress.checkpoint(item);
            let before = state;
            if (interrupted) {
                // What the last run began may change the resource after that run saw it last.
                item = await until(item, (seen) => resource.readiness(seen, inputs), watched, context, waiting());
                before = progress.known();
            }
            return this.applyPlan(item, before, inputs, watched, progress, context);
        });
        await this.warnIfRenamed(id, state, updated, inputs, context);
        return updated;
    }

    /** Warns of others with the name that this one has now, if it had another one before. */
    private async warnIfRenamed(
        id: string,
        before: Observed,
        after: Observed,
        inputs: Checked<Inputs>,
        context: OperationContext,
    ): Promise<void> {
        if (valueOf(before, "name") !== valueOf(after, "name")) {
            const collection = this.resource.collectionPath(inputs.projectId, inputs);
            // The rename has succeeded, even if the list cannot be read.
            await this.duplicates.warnOfSameName(id, inputs, collection, context).catch(() => undefined);
        }
    }

    /**
     * Whether a change of these properties needs no request and no wait. What an interrupted update began is left to a later
     * one only for inputs that nothing but the state holds; a creation is always completed, as others need its outputs.
     */
    private isOfStateOnly(record: readonly string[], interrupted: StateMetadata["__interrupted"]): boolean {
        const effects = record.map((name) => (valueOf(this.resource.fields, name) as Field | undefined)?.effect);
        const isOfState = (effect: Effect | undefined) => (interrupted ? effect === "stateOnly" : effect !== "await");
        return effects.length > 0 && effects.every(isOfState) && interrupted !== "creation";
    }

    /** Carries out the plan from this state, and verifies that it is not the next plan too. */
    private async applyPlan(
        first: Item,
        before: Observed & StateMetadata,
        inputs: Checked<Inputs>,
        target: Target<Item>,
        progress: Progress<Observed, Item>,
        context: OperationContext,
    ): Promise<Item> {
        const { steps, item } = await this.carryOut(first, before, inputs, target, progress, context);
        const last = await until(item, (seen) => this.resource.readiness(seen, inputs), target, context, waiting());
        const planNow = () => this.resource.plan(progress.known(), inputs).steps;
        progress.checkpoint(last);
        if (planNow().length === 0) {
            return last;
        }
        // A single answer may be an old one.
        await context.wait.clock.sleep(notFoundPollMs, context.signal);
        const confirmed = (await readConfirmed(target, context)) ?? last;
        progress.checkpoint(confirmed);
        const left = planNow();
        const [repeated, other] = [true, false].map((isRepeated) =>
            left.filter((step) => steps.some((done) => isSameCall(done.call, step.call)) === isRepeated),
        ) as [Step<Item>[], Step<Item>[]];
        if (repeated.length > 0) {
            const found = repeated.flatMap(({ differs }) => differs?.(confirmed) ?? []);
            throw IneffectiveError.undone(target.subject, repeated, found);
        }
        if (other.length > 0) {
            const texts = other.map(({ text }) => text).join("; ");
            context.info(`was changed outside of this program; the next \`pulumi up\` will: ${texts}`);
        }
        return confirmed;
    }

    /** Runs the steps of the plan. What blocks a step, and the plan did not know of, becomes part of another plan. */
    private async carryOut(
        first: Item,
        before: Observed & StateMetadata,
        inputs: Checked<Inputs>,
        target: Target<Item>,
        progress: Progress<Observed, Item>,
        context: OperationContext,
    ): Promise<{ readonly steps: readonly Step<Item>[]; readonly item: Item }> {
        const { resource } = this;
        const finished: Step<Item>[] = [];
        const onDone = (seen: Item, records?: Readonly<Record<string, unknown>>, step?: Step<Item>) => {
            progress.checkpoint(seen, records);
            finished.push(...(step ? [step] : []));
        };
        let found: Readonly<Record<string, unknown>> = {};
        let item = first;
        for (;;) {
            const assumed = finished.reduce((state, { records }) => ({ ...state, ...records }), {
                ...before,
                ...found,
            });
            const steps = resource
                .plan(assumed, inputs)
                .steps.filter((step) => !finished.some((done) => isSameCall(done.call, step.call)));
            assertNotRepeated(steps, before.__ineffective ?? [], item, target.subject);
            if (Object.keys(found).length > 0) {
                const changes = Object.entries(found).map(([property, value]) => `${property} to ${show(value)}`);
                const texts = steps.map(({ text }) => text);
                context.info(
                    `${changes.join(", ")} was changed outside of this program; the steps are now: ${texts.join("; ")}`,
                );
            }
            try {
                const stepsBefore = (target.stepsBefore ?? 0) + finished.length;
                item = await runSteps(steps, { ...target, stepsBefore }, item, context, onDone);
                return { steps: [...finished], item };
            } catch (error) {
                const property = error instanceof WaitFailedError ? error.property : undefined;
                const value = property === undefined ? undefined : valueOf(progress.known(), property);
                if (property === undefined || same(valueOf(assumed, property), value)) {
                    throw error;
                }
                found = { ...found, [property]: value };
                item = (await readConfirmed(target, context)) ?? item;
            }
        }
    }

    /** What is there now, under what is remembered, and the inputs that say so; undefined if it is gone or on its way out. */
    async read(
        id: string,
        metadata: StateMetadata,
        context: OperationContext,
    ): Promise<{ state: Observed & StateMetadata; inputs: Record<string, unknown> } | undefined> {
        const target = this.target(metadata.projectId, id, metadata as unknown as Inputs, context);
        const item = await readCurrent(target, metadata, context);
        if (item === undefined || this.resource.isDeleting(item)) {
            return undefined;
        }
        const state = this.assemble(item, target.path, { ...metadata, __unseen: undefined, __ineffective: undefined });
        const outcome = this.resource.readiness(item, metadata as unknown as Inputs & HiddenInputs);
        if (outcome.kind === "failed") {
            context.info(`${outcome.status}: ${outcome.reason}`);
        }
        return { state, inputs: this.inputsOf(state, Object.keys(this.resource.observe(item, target.path))) };
    }

    /** The inputs that would lead to this state: without them each refresh would show the same drift again. */
    private inputsOf(state: Observed & StateMetadata, observed: readonly string[]): Record<string, unknown> {
        const pick = (names: readonly string[]) =>
            Object.fromEntries(Object.entries(state).filter(([name]) => names.includes(name)));
        const names = [...state.__declared, "projectId", "__urn", "__timeouts", "__secrets"];
        const declared = pick(names);
        if (state.__declared.length === 0) {
            // It is only read, and nothing of it is declared.
            return declared;
        }
        // What the program leaves open may have been changed too: then the plan would be another one if it were declared.
        const lines = (inputs: object) => this.linesOf(state, inputs).join("\n");
        const left = lines(declared);
        const drifted = observed.filter(
            (name) => !names.includes(name) && left !== lines({ ...declared, ...pick([name]) }),
        );
        return { ...declared, ...pick(drifted) };
    }

    private linesOf(state: Observed & StateMetadata, inputs: object): readonly string[] {
        const { fields, plan } = this.resource;
        const known = Object.entries(inputs).filter(([name]) => name in fields);
        return plan(state, Object.fromEntries(known) as unknown as Planned<Inputs>).steps.map(({ text }) => text);
    }

    /** Fails if these replacements, which are certain, are not allowed. */
    allowReplacements(
        id: string,
        state: Observed & StateMetadata,
        declared: Planned<Inputs>,
        replace: readonly Replacement[],
    ): void {
        const refusal = this.refusalOf(id, state, declared, replace);
        if (refusal !== undefined) {
            throw new ProtectedError(refusal);
        }
    }

    /** Why these replacements, which are certain, are not allowed; undefined if they are. */
    refusalOf(
        id: string,
        state: Observed & StateMetadata,
        declared: Planned<Inputs>,
        replace: readonly Replacement[],
    ): string | undefined {
        const subject = this.subject(state as unknown as Inputs, id);
        return replace.length === 0 ? undefined : replacementRefusal(this.resource, subject, state, declared, replace);
    }

    /** Names of the properties that must not leave the provider in plain text, given the names that a program marked. */
    secretNames({ __secrets = [] }: HiddenInputs): ReadonlySet<string> {
        const { fields, secretOutputs = [] } = this.resource;
        const inputs = entriesOf(fields).filter(([, { secret }]) => secret);
        return new Set([...inputs.map(([name]) => name), ...secretOutputs, ...__secrets]);
    }

    /** Deletes it and waits until it is gone; one that is gone already is no error. */
    async remove(id: string, state: Observed & StateMetadata, context: OperationContext): Promise<void> {
        const { resource } = this;
        if (resource.delete === undefined) {
            return;
        }
        const target = this.target(state.projectId, id, state as unknown as Inputs, context);
        const refusal = deletionRefusal(target.subject, state);
        if (refusal !== undefined) {
            throw new ProtectedError(refusal);
        }
        if (state.__unseen && (await readWithGrace(target, context)) === undefined) {
            return;
        }
        const activity = about(`delete ${resource.noun}`, "deleting");
        context.status(activity.line());
        const begin = () => this.beginRemoval(target, context, activity);
        const begun = await retryUntilAccepted(begin, target.subject, context, activity, {
            again: (error) => isTransient(error) || isNotFound(error),
            obstacle: () => this.obstacleToRemoval(target, state as unknown as Inputs, context),
        });
        if (begun === "deleting") {
            await untilGone(() => pending("deleting"), target, context, waiting(activity.kind));
        }
        context.status("done");
    }

    private async createNew(
        declared: Checked<Inputs>,
        context: OperationContext,
    ): Promise<{ id: string; state: Observed & StateMetadata }> {
        const { resource } = this;
        const inputs = withName(resource, declared);
        const collection = resource.collectionPath(inputs.projectId, inputs);
        await resource.prepare?.(inputs, collection, context);
        const before = await this.duplicates.assertUnique(inputs, collection, context);
        const { lines } = this.describe(undefined, declared);
        context.status(stepOf(about(undefined, lines[0] ?? ""), 0, lines.length).line());
        const made = await resource.create(inputs, collection, context).catch((lost: unknown) => {
            if (!isUncertain(lost)) {
                throw lost;
            }
            const isNameGenerated = valueOf(inputs, "name") !== valueOf(declared, "name");
            return this.duplicates.recoverCreated({ inputs, isNameGenerated, collection, before, lost }, context);
        });
        const id = resource.idOf(made.item, collection);
        // A name that was made up stays, also when the URN, from which it was made, changes.
        const defaults = "name" in resource.fields ? { name: resource.nameOf(inputs) } : {};
        const metadata: StateMetadata = {
            ...initialMetadata(resource.fields, declared, defaults),
            ...made.records,
            __unseen: true,
        };
        // The id and the state of what exists now must not be lost for a check that fails.
        const check = (listedWithinMs?: number) =>
            this.duplicates.warnAboutDuplicates(id, inputs, collection, context, listedWithinMs).catch(() => undefined);
        const creation = stepOf(waiting(made.operation), 0, lines.length);
        const finished = this.converge(id, made.item, creation, metadata, inputs, context);
        const state = await finished.catch(async (error: unknown) => {
            await check();
            throw error;
        });
        await check(appearsWithinMs);
        return { id, state };
    }

    /** What an adoption is going to do, from what is there now; it fails where the resource cannot be adopted. */
    async describeAdoption(
        id: string,
        declared: Checked<Inputs>,
        context: OperationContext,
    ): Promise<readonly string[]> {
        const { resource } = this;
        const { item, target, metadata } = await this.inspect(id, declared, context);
        const { steps } = resource.plan(this.assemble(item, target.path, metadata), declared);
        return [`adopt ${resource.noun} ${show(id)}`, ...steps.map(({ text }) => text)];
    }

    /** An existing resource with the name that is generated from one of these URNs; undefined if the program gives the name. */
    async findByUrn(
        urns: readonly string[],
        inputs: Checked<Inputs>,
        context: OperationContext,
    ): Promise<{ readonly urn: string; readonly id: string } | undefined> {
        const { resource } = this;
        if (valueOf(inputs, "name") !== undefined) {
            return undefined;
        }
        const collection = resource.collectionPath(inputs.projectId, inputs);
        const source = resource.source(collection, context.client);
        const items = await readList(source, context, (listing) => listing.items);
        for (const urn of urns) {
            const named = { ...inputs, name: nameFrom(urn) };
            const item = items.find((one) => resource.matches?.(one, named) === true && !resource.isDeleting(one));
            if (item !== undefined) {
                return { urn, id: resource.idOf(item, collection) };
            }
        }
        return undefined;
    }

    private async adopt(
        inputs: Checked<Inputs>,
        context: OperationContext,
    ): Promise<{ id: string; state: Observed & StateMetadata }> {
        const { existingId = "" } = inputs;
        const id = this.resource.adoptedId(existingId, inputs);
        const { item, metadata } = await this.inspect(id, inputs, context);
        const state = await this.converge(id, item, waiting(), metadata, inputs, context);
        const found = this.resource.observe(item, this.resource.pathOf(inputs.projectId, id));
        await this.warnIfRenamed(id, found, state, inputs, context);
        return { id, state };
    }

    /** Reads an existing resource and checks that it can be adopted; a preview may not know all inputs. */
    private async inspect(id: string, inputs: Checked<Inputs>, context: OperationContext) {
        const { resource } = this;
        const { existingId = "" } = inputs;
        const target = this.target(inputs.projectId, id, inputs, context);
        if (id === context.replacing) {
            throw new AdoptionError(existingId, "it is the one that is being replaced");
        }
        const item = await readConfirmed(target, context);
        if (item === undefined) {
            throw new AdoptionError(existingId, `there is no such ${resource.noun} in project ${inputs.projectId}`);
        }
        const blocker = resource.isDeleting(item)
            ? "it is being deleted"
            : hasUnknown(inputs)
              ? undefined
              : resource.adoptionBlocker(item, target.path, inputs);
        if (blocker !== undefined) {
            throw new AdoptionError(existingId, blocker);
        }
        // What the program leaves open stays as it was found.
        const found = resource.observe(item, target.path);
        const defaults = entriesOf(resource.fields)
            .filter(([name, { effect }]) => effect === "update" && valueOf(inputs, name) === undefined)
            .map(([name]) => [name, valueOf(found, name)] as const)
            .filter(([, value]) => value !== undefined);
        return { item, target, metadata: initialMetadata(resource.fields, inputs, Object.fromEntries(defaults)) };
    }

    /** What making and taking over have in common: it is there, now it is brought to the declared state. */
    private async converge(
        id: string,
        item: Item,
        activity: Activity,
        metadata: StateMetadata,
        inputs: Checked<Inputs>,
        context: OperationContext,
    ): Promise<Observed & StateMetadata> {
        const { resource } = this;
        const target = { ...this.target(inputs.projectId, id, inputs, context), stepsBefore: 1 };
        const attempt = {
            before: this.assemble(item, target.path, metadata),
            metadata,
            interrupted: "creation" as const,
        };
        return this.withCheckpoint(target, attempt, context, async (watched, progress) => {
            // A new resource may not be visible to reads yet: it is there once a read has shown it.
            const settled = await observeUntil((seen) => resource.readiness(seen, inputs), watched, context, activity);
            return this.applyPlan(settled, progress.known(), inputs, watched, progress, context);
        });
    }

    /** Runs what may fail half way; a failure carries the last that was known, so that the state loses nothing. */
    private async withCheckpoint(
        target: Target<Item>,
        { before, metadata: metadata, interrupted }: Attempt<Observed>,
        context: OperationContext,
        work: (watched: Target<Item>, progress: Progress<Observed, Item>) => Promise<Item>,
    ): Promise<Observed & StateMetadata> {
        let known = before;
        let recorded = metadata;
        const checkpoint: Progress<Observed, Item>["checkpoint"] = (item, records) => {
            recorded = { ...recorded, ...records, __unseen: undefined };
            known = this.assemble(item, target.path, recorded);
        };
        const progress = { checkpoint, known: () => known };
        try {
            checkpoint(await work({ ...target, onSeen: checkpoint }, progress), {
                __ineffective: undefined,
                __unsupported: undefined,
            });
            context.status("done");
            return known;
        } catch (error) {
            throw new PartialFailure(target.id, { ...known, ...marksOf(error), __interrupted: interrupted }, error);
        }
    }

    private assemble(item: Item, path: Path, metadata: StateMetadata): Observed & StateMetadata {
        return this.derived({ ...metadata, ...this.resource.observe(item, path) });
    }

    private derived(state: Observed & StateMetadata): Observed & StateMetadata {
        return { ...state, ...this.resource.derive?.(state) };
    }

    /** Why the API rejects its deletion: what depends on it, its own status, or what it belongs to. */
    private async obstacleToRemoval(target: Target<Item>, inputs: Inputs, context: OperationContext): Promise<Outcome> {
        const { resource } = this;
        const dependants = (await resource.dependants?.(target.path, context)) ?? ready;
        if (dependants.kind !== "ready") {
            return dependants;
        }
        const item = await readConfirmed(target, context);
        const own = item === undefined ? ready : resource.readiness(item, inputs);
        return own.kind === "pending" || resource.obstacle === undefined
            ? own
            : resource.obstacle(target.path, context);
    }

    /** Whether the deletion of a resource has begun, or it was gone before. That it is gone is never taken from one 404. */
    private async beginRemoval(
        target: Target<Item>,
        context: OperationContext,
        activity: Activity,
    ): Promise<"deleting" | "gone"> {
        const { lock, subject } = target;
        const send = async () => this.resource.delete?.(target.path, context);
        try {
            await (lock === undefined ? send() : withLock(lock.serviceId, send, subject, context, activity));
        } catch (error) {
            // The deletion of a resource that is being deleted already is refused forever.
            if (!isConflict(error) && !isNotFound(error)) {
                throw error;
            }
            const item = await readConfirmed(target, context);
            if (item === undefined) {
                return "gone";
            }
            if (!this.resource.isDeleting(item)) {
                throw error;
            }
        }
        return "deleting";
    }

    private target(projectId: string, id: string, inputs: Planned<Inputs>, context: OperationContext): Target<Item> {
        const path = this.resource.pathOf(projectId, id);
        const { source, lock, obstacle } = this.resource;
        return {
            subject: this.subject(inputs, id),
            id,
            path,
            source: source(path, context.client),
            lock: lock?.(path),
            obstacle: obstacle && (() => obstacle(path, context)),
        };
    }

    private subject(inputs: Planned<Inputs>, id?: string): string {
        const noun = this.resource.noun.charAt(0).toUpperCase() + this.resource.noun.slice(1);
        return `${noun} ${JSON.stringify(this.resource.nameOf(inputs) ?? id)}`;
    }
}
