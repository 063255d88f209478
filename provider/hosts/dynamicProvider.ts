import type { dynamic } from "@pulumi/pulumi";
import { ConnectionError, messageOf, ConfigError } from "../api/errors";
import { check } from "../lifecycle/check";
import type { Checked, CommonInputs, HiddenInputs, StateMetadata, OperationKind } from "../lifecycle/resource";
import { AdoptionError, MissingResourceError, PartialFailure, UnfinishedError } from "../lifecycle/errors";
import { changesIn, entriesOf } from "../inputs/fields";
import type { Described, Lifecycle } from "../lifecycle/lifecycle";
import { urnsWithFewerParents } from "../inputs/names";
import type { OperationContext } from "../lifecycle/operation";
import { hasUnknown, type Planned } from "../inputs/unknown";
import { decode, encode, encodeOutputs } from "./codec";
import { Ownership } from "./ownership";
import { alreadyReported } from "./quiet";
import { settingError, type Session } from "./session";
import type { Replacement } from "../inputs/finding";

/** Properties in Pulumi's encoding. */
type Values = Record<string, unknown>;

/** The time limit of a read: longer than a restart of the API takes. */
const maxReadMs = 300_000;

/** The time limit of a preview for its reads. */
const previewReadMs = 5_000;

const providerKey = "__provider";
/** Only present during a preview. It is not stored in the state. */
const previewKey = "__preview";

/**
 * A dynamic provider of Pulumi for one resource type. Each method decodes the values, calls the lifecycle and encodes
 * the result.
 */
export class DynamicProvider<
    Inputs extends CommonInputs,
    Observed extends object,
    Item,
> implements dynamic.ResourceProvider<Values, Values> {
    private readonly ownership: Ownership<Inputs, Observed, Item>;

    constructor(
        private readonly lifecycle: Lifecycle<Inputs, Observed, Item>,
        private readonly session: Session,
    ) {
        this.ownership = new Ownership(lifecycle.resource, session.registry);
    }

    configure = ({ config }: dynamic.ConfigureRequest): Promise<void> => {
        this.session.configure((key) => config.get(`clouddb:${key}`));
        return Promise.resolve();
    };

    check = (olds: Values, news: Values): Promise<dynamic.CheckResult<Values>> =>
        withPlainErrors(async () => {
            const { resource } = this.lifecycle;
            const { [previewKey]: preview, [providerKey]: provider, ...given } = decode(news);
            const missingProject =
                given.projectId === undefined ? settingError(() => this.session.projectId()) : undefined;
            if (given.projectId === undefined && missingProject === undefined) {
                given.projectId = this.session.projectId();
            }
            const { inputs, problems, warnings } = check(resource, given, this.session.registry);
            const settings = [missingProject, this.session.settingsProblem()].filter((text) => text !== undefined);
            // Texts name their property. If `property` is set, Pulumi prints its value, even that of a secret.
            const failures = [...settings, ...problems.map(({ text }) => text)].map((reason) => ({
                property: "",
                reason,
            }));
            const urn = inputs.__urn;
            this.session.registry.setPreview(urn, preview === true);
            const blocker =
                failures.length === 0 ? this.ownership.onCheck(inputs, Object.keys(olds).length > 0) : undefined;
            if (blocker !== undefined) {
                failures.push({ property: "", reason: blocker });
            }
            if (failures.length === 0 && this.session.registry.isPreview(urn)) {
                warnings.forEach(({ text }) => {
                    this.session.engine.warn(urn, text);
                });
                if (Object.keys(olds).length === 0) {
                    const problem = await this.announceCreation(inputs);
                    failures.push(...(problem === undefined ? [] : [{ property: "", reason: problem }]));
                }
            }
            return { inputs: { ...this.inputsOf(inputs), [providerKey]: provider }, failures };
        });

    diff = (id: string, olds: Values, news: Values): Promise<dynamic.DiffResult> =>
        withPlainErrorsSync(() => {
            const state = decode(olds) as Observed & StateMetadata;
            const declared = decode(news) as Planned<Inputs> & HiddenInputs;
            const { resource } = this.lifecycle;
            const { __urn: urn } = declared;
            const { plan, lines, certain, possible } = this.describe(id, state, declared);
            const deleteFirst = resource.deletion?.comesFirst?.(state, declared);
            const replaces = plan.replace.map(({ property }) => property);
            if (certain.length > 0) {
                this.lifecycle.allowReplacements(id, state, declared, certain);
            }
            this.ownership.onDiff(id, state, declared, plan);
            if (this.session.registry.isPreview(urn)) {
                if (certain.length > 0) {
                    const loss = resource.replacement === undefined ? "" : " and its data is lost";
                    const text = `is replaced (${changesIn(certain)}): the old ${resource.noun} ${id} is deleted${loss}`;
                    this.session.engine.warn(urn, text);
                }
                if (possible.length > 0) {
                    this.session.engine.warn(urn, `may be replaced: ${possible.join(", ")} is known after apply`);
                }
                if (replaces.length > 0 && deleteFirst !== undefined) {
                    this.session.engine.warn(urn, `is deleted before its replacement is created: ${deleteFirst}`);
                }
                if (state.__interrupted && replaces.length === 0) {
                    this.session.engine.info(
                        urn,
                        "an earlier run did not complete this resource: the update first waits for the changes that it started",
                    );
                }
                this.announce(urn, lines);
            }
            // A refresh also calls diff, with inputs that the program need not declare.
            const recorded = this.session.registry.inputsOf(urn) === undefined ? [] : plan.record;
            return {
                changes:
                    replaces.length + plan.steps.length + recorded.length > 0 || state.__interrupted === "postponed",
                replaces,
                deleteBeforeReplace: deleteFirst !== undefined,
            };
        });

    create = (news: Values): Promise<dynamic.CreateResult<Values>> =>
        this.withPartialState(news, async () => {
            const inputs = decode(news) as unknown as Checked<Inputs>;
            this.ownership.assertSingleManager(inputs);
            const { id, state } = await this.lifecycle
                .create(inputs, this.run("create", inputs, inputs))
                .catch((error: unknown) => {
                    if (error instanceof PartialFailure) {
                        this.ownership.onCreate(inputs, error.id);
                    }
                    throw error;
                });
            this.ownership.onCreate(inputs, id);
            if (inputs.existingId !== undefined) {
                const text =
                    `adopted ${this.lifecycle.resource.noun} ${id}. If this stack also has it under another name, remove ` +
                    `that entry with \`pulumi state delete\`. Do not delete that entry with --target, which would delete ${id}.`;
                this.session.engine.info(inputs.__urn, text);
            }
            return { id, outs: this.outputsOf(state) };
        });

    update = (id: string, olds: Values, news: Values): Promise<dynamic.UpdateResult<Values>> =>
        this.withPartialState(news, async () => {
            const inputs = decode(news) as unknown as Checked<Inputs>;
            const state = decode(olds) as Observed & StateMetadata;
            for (const { ifKilled } of this.lifecycle.describe(state, inputs).plan.steps) {
                if (ifKilled !== undefined) {
                    this.session.engine.warn(inputs.__urn, ifKilled);
                }
            }
            const context = this.run("update", inputs, inputs);
            const next = await withInterruption(state, () => this.lifecycle.update(id, state, inputs, context));
            return { outs: this.outputsOf(next) };
        });

    read = (id: string, props: Values = {}): Promise<dynamic.ReadResult<Values>> =>
        withPlainErrors(async () => {
            const known = decode(props) as Partial<Observed & StateMetadata> & { projectId?: string };
            // A resource that the program reads with `.get` has no state.
            const isGet = known.__declared === undefined;
            const metadata = {
                __declared: [],
                __defaults: {},
                ...known,
                projectId: known.projectId ?? this.session.projectId(),
            };
            const context = this.run("update", metadata, undefined);
            const deadlineAt = Math.min(context.deadlineAt, context.beganAt + maxReadMs);
            const read = () => this.lifecycle.read(id, metadata, { ...context, deadlineAt });
            const seen = await withInterruption(metadata, read);
            if (seen !== undefined && metadata.__declared.length > 0) {
                this.ownership.onRefresh(metadata.__urn, metadata.projectId, id);
            }
            if (seen === undefined && isGet) {
                throw new MissingResourceError(this.lifecycle.resource.noun, id, metadata.projectId);
            }
            return seen === undefined
                ? { id: "" }
                : { id, props: this.outputsOf(seen.state), inputs: this.inputsOf(seen.inputs) };
        });

    delete = (id: string, props: Values): Promise<void> =>
        withPlainErrors(async () => {
            const state = decode(props) as Observed & StateMetadata;
            const kept = this.lifecycle.resource.deletion && this.ownership.reasonToKeep(id, state);
            if (kept !== undefined) {
                this.session.engine.warn(state.__urn, kept);
                await this.session.engine.flushed();
                return;
            }
            const context = this.run("delete", state, undefined);
            await withInterruption(state, () => this.lifecycle.remove(id, state, context));
            this.ownership.onDelete(state.__urn);
        });

    /**
     * Encodes the outputs of a state, with null for absent ones. Omits absent secrets, because an encrypted null would
     * look like a value.
     */
    private outputsOf(state: HiddenInputs): Values {
        const { fields } = this.lifecycle.resource;
        const inputs = entriesOf(fields).filter(([, { effect, secret }]) => effect !== "ignore" && !secret);
        const absent = Object.keys(state).filter((name) => !(name in fields) && !name.startsWith("__"));
        return encodeOutputs(state, [...inputs.map(([name]) => name), ...absent], this.lifecycle.secretNames(state));
    }

    /**
     * Returns the plan, its certain replacements, and the properties whose unknown values may require a replacement.
     * - An unknown value is certain to change if the preview replaces the resource that it refers to.
     * - A preview plans a possible replacement, unless the resource is protected: the engine would reject it, although
     *   the value may not change.
     * - In an update, values are unknown only if the engine deletes a dependency and computes the consequences. A
     *   resource that cannot be replaced without data loss is then not deleted.
     * - A refresh also calls diff, with the inputs of an update that failed. A replacement that is not allowed is then
     *   not an error of the refresh.
     */
    private describe(
        id: string,
        state: Observed & StateMetadata,
        declared: Planned<Inputs> & HiddenInputs,
    ): Described<Item> & { certain: readonly Replacement[]; possible: readonly string[] } {
        const { lifecycle, session } = this;
        const isPreview = session.registry.isPreview(declared.__urn);
        const described = lifecycle.describe(state, declared);
        const isCertain = ({ from, to }: Replacement) =>
            !hasUnknown(to) || (isPreview && session.registry.refersToReplaced(from));
        const certain = described.plan.replace.filter(isCertain);
        const possible = described.plan.replace.filter((one) => !isCertain(one)).map(({ property }) => property);
        const kept = isPreview ? state.deletionProtection === true : lifecycle.resource.replacement !== undefined;
        const isOfProgram = session.registry.inputsOf(declared.__urn) !== undefined;
        const isBlocked =
            !isOfProgram &&
            (lifecycle.refusalOf(id, state, declared, certain) !== undefined ||
                this.ownership.adoptedBy(declared)?.id === id);
        const omitted = [...(kept ? possible : []), ...(isBlocked ? certain.map(({ property }) => property) : [])];
        if (omitted.length === 0) {
            return { ...described, certain, possible };
        }
        const known = Object.entries(declared).filter(([name]) => !omitted.includes(name));
        const reduced = lifecycle.describe(state, Object.fromEntries(known) as typeof declared);
        return { ...reduced, certain: isBlocked ? [] : certain, possible };
    }

    private run(operation: OperationKind, { __urn, __timeouts }: HiddenInputs, inputs: Inputs | undefined) {
        const times = this.lifecycle.resource.times(inputs);
        const declaredFor: OperationContext["declaredFor"] = (projectId, id) =>
            this.ownership.declaredBeside(__urn, projectId, id);
        return this.session.run(operation, __urn, times, __timeouts, declaredFor);
    }

    private inputsOf(inputs: HiddenInputs): Values {
        return encode(inputs, this.lifecycle.secretNames(inputs));
    }

    /**
     * Prints the plan of a creation. Returns the reason why an adoption will fail. Only an adoption reads from the API.
     */
    private async announceCreation(inputs: Planned<Inputs> & HiddenInputs): Promise<string | undefined> {
        const { __urn: urn, existingId } = inputs;
        const { lines } = this.lifecycle.describe(undefined, inputs);
        if (existingId === undefined) {
            this.announce(urn, lines);
            await this.warnIfMoved(inputs);
            return undefined;
        }
        try {
            this.announce(urn, await this.adoptionPlan(inputs));
            return undefined;
        } catch (error) {
            if (error instanceof AdoptionError) {
                return error.message;
            }
            this.announce(urn, lines, `the steps of the update are not known yet: ${reasonOf(error)}`);
            return undefined;
        }
    }

    /** Warns about a creation if a database exists under the name that the resource had with fewer parents. */
    private async warnIfMoved(inputs: Planned<Inputs> & HiddenInputs): Promise<void> {
        const { resource } = this.lifecycle;
        const { __urn: urn = "" } = inputs;
        const oldUrns = urnsWithFewerParents(urn).filter((old) => this.session.registry.inputsOf(old) === undefined);
        if (resource.replacement === undefined || oldUrns.length === 0 || hasUnknown(inputs.projectId)) {
            return;
        }
        try {
            const found = await this.lifecycle.findByUrn(oldUrns, inputs as Checked<Inputs>, this.previewRun(inputs));
            if (found !== undefined) {
                const text =
                    `${resource.noun} ${found.id} exists under the name that this resource had without its parent. If you ` +
                    `moved it, add aliases: ["${found.urn}"] to its options. Otherwise a new, empty one is created.`;
                this.session.engine.warn(urn, text);
            }
        } catch {
            // A preview must work without a token and without the API.
        }
    }

    /** The context of a preview for its reads, with a short deadline. */
    private previewRun(inputs: HiddenInputs): OperationContext {
        const context = this.run("create", inputs, undefined);
        return { ...context, deadlineAt: Math.min(context.deadlineAt, context.beganAt + previewReadMs) };
    }

    private adoptionPlan(inputs: Planned<Inputs> & HiddenInputs): Promise<readonly string[]> {
        const adopted = this.ownership.adoptedBy(inputs);
        if (adopted === undefined) {
            throw new Error("the id is known after apply");
        }
        return this.lifecycle.describeAdoption(adopted.id, inputs as Checked<Inputs>, this.previewRun(inputs));
    }

    private announce(urn: string | undefined, lines: readonly string[], note?: string): void {
        if (lines.length > 0) {
            const numbered = lines.map((line, index) => `${index + 1} ${line}`);
            this.session.engine.info(urn, [...numbered, ...(note === undefined ? [] : [note])].join("\n"));
        }
    }

    /**
     * Stores the known outputs of a partial failure in the state. Pulumi's host omits the provider from them, so it is
     * added.
     */
    private async withPartialState<T>(news: Values, work: () => Promise<T>): Promise<T> {
        return withPlainErrors(async () => {
            try {
                return await work();
            } catch (error) {
                if (error instanceof PartialFailure) {
                    const properties = { ...this.outputsOf(error.state), [providerKey]: news[providerKey] };
                    throw Object.assign(new Error(error.message), {
                        id: error.id,
                        properties,
                        reasons: [error.message],
                    });
                }
                throw error;
            }
        });
    }
}

/** A short reason why a preview could not read a resource. */
function reasonOf(error: unknown): string {
    if (error instanceof ConnectionError) {
        return "the API cannot be reached";
    }
    return error instanceof ConfigError && error.setting === "clouddb:accessToken"
        ? "no access token is set"
        : messageOf(error);
}

/** Adds to the error of an operation that an earlier run did not complete the resource. */
async function withInterruption<T>({ __interrupted }: Partial<StateMetadata>, operation: () => Promise<T>): Promise<T> {
    try {
        return await operation();
    } catch (error) {
        if (!__interrupted) {
            throw error;
        }
        const unfinished = new UnfinishedError(error);
        throw error instanceof PartialFailure ? new PartialFailure(error.id, error.state, unfinished) : unfinished;
    }
}

/** Removes the stack of an error. Pulumi's host also prints a thrown error, which would show its message twice. */
async function withPlainErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        const plain = error instanceof Error ? error : new Error(messageOf(error));
        plain.stack = "";
        plain.toString = () => alreadyReported;
        throw plain;
    }
}

function withPlainErrorsSync<T>(work: () => T): Promise<T> {
    return withPlainErrors(() => Promise.resolve().then(work));
}
