import type { dynamic } from "@pulumi/pulumi";
import { ConnectionError, messageOf, ConfigError } from "../api/errors";
import { check } from "../lifecycle/check";
import type { Checked, CommonInputs, HiddenInputs, StateMetadata, OperationKind } from "../lifecycle/resource";
import { DeclaredResources } from "../lifecycle/registry";
import { AdoptionError, MissingResourceError, PartialFailure, UnfinishedError } from "../lifecycle/errors";
import { changesIn, entriesOf } from "../inputs/fields";
import type { Described, Lifecycle } from "../lifecycle/lifecycle";
import { urnsWithFewerParents } from "../inputs/names";
import type { OperationContext } from "../lifecycle/operation";
import { hasUnknown, type Planned } from "../inputs/unknown";
import { decode, encode, encodeOutputs } from "./codec";
import { Ownership } from "./ownership";
import { toldAlready } from "./quiet";
import { settingError, type Session } from "./session";
import type { Replacement } from "../inputs/finding";

/** Property bags as they come from Pulumi and go back to it. */
type Values = Record<string, unknown>;

/** A look outlives a restart of the service; whoever only wants to know what is there does not wait for longer. */
const longestReadMs = 300_000;

/** A preview waits this long for what it reads from the API. */
const previewReadMs = 5_000;

const providerKey = "__provider";
/** Only there while the program is previewed; no state holds it. */
const previewKey = "__preview";

/** One kind of resource as Pulumi's dynamic providers speak of it: unpack, call, pack. */
export class DynamicProvider<
    Inputs extends CommonInputs,
    Observed extends object,
    Item,
> implements dynamic.ResourceProvider<Values, Values> {
    private readonly declared = new DeclaredResources<Inputs>();
    private readonly ownership: Ownership<Inputs, Observed, Item>;

    constructor(
        private readonly lifecycle: Lifecycle<Inputs, Observed, Item>,
        private readonly session: Session,
    ) {
        this.ownership = new Ownership(lifecycle.resource, session, this.declared);
    }

    configure = ({ config }: dynamic.ConfigureRequest): Promise<void> => {
        this.session.configure((key) => config.get(`clouddb:${key}`));
        return Promise.resolve();
    };

    check = (olds: Values, news: Values): Promise<dynamic.CheckResult<Values>> =>
        plainly(async () => {
            const { resource } = this.lifecycle;
            const { [previewKey]: preview, [providerKey]: provider, ...given } = decode(news);
            const missingProject =
                given.projectId === undefined ? settingError(() => this.session.projectId()) : undefined;
            if (given.projectId === undefined && missingProject === undefined) {
                given.projectId = this.session.projectId();
            }
            const { inputs, problems, warnings } = check(resource, given, this.declared);
            const settings = [missingProject, this.session.settingProblem()].filter((text) => text !== undefined);
            // Each text names its property. Pulumi would print the value of one that it is told, a secret's in clear.
            const failures = [...settings, ...problems.map(({ text }) => text)].map((reason) => ({
                property: "",
                reason,
            }));
            const urn = inputs.__urn;
            if (urn !== undefined) {
                this.session.notePreview(urn, preview === true);
            }
            const refusal =
                failures.length === 0 ? this.ownership.checked(inputs, Object.keys(olds).length > 0) : undefined;
            if (refusal !== undefined) {
                failures.push({ property: "", reason: refusal });
            }
            if (failures.length === 0 && this.session.isPreview(urn)) {
                warnings.forEach(({ text }) => {
                    this.session.engine.warn(urn, text);
                });
                if (Object.keys(olds).length === 0) {
                    const blocker = await this.announceCreation(inputs);
                    failures.push(...(blocker === undefined ? [] : [{ property: "", reason: blocker }]));
                }
            }
            return { inputs: { ...this.inputsOf(inputs), [providerKey]: provider }, failures };
        });

    diff = (id: string, olds: Values, news: Values): Promise<dynamic.DiffResult> =>
        offline(() => {
            const state = decode(olds) as Observed & StateMetadata;
            const declared = decode(news) as Planned<Inputs> & HiddenInputs;
            const { resource } = this.lifecycle;
            const { __urn: urn } = declared;
            const { plan, lines, certain, possible } = this.describe(id, state, declared);
            const deleteFirst = resource.deleteFirst?.(state, declared);
            const replaces = plan.replace.map(({ property }) => property);
            if (certain.length > 0) {
                this.lifecycle.allowReplacements(id, state, declared, certain);
            }
            this.ownership.compared(id, state, declared, plan);
            if (this.session.isPreview(urn)) {
                if (certain.length > 0) {
                    const loss = resource.irreplaceable === undefined ? "" : " and its data is lost";
                    const text = `is replaced (${changesIn(certain)}): the old ${resource.noun} ${id} is deleted${loss}`;
                    this.session.engine.warn(urn, text);
                }
                if (possible.length > 0) {
                    this.session.engine.warn(urn, `may be replaced: ${possible.join(", ")} is known after apply`);
                }
                if (replaces.length > 0 && deleteFirst !== undefined) {
                    this.session.engine.warn(urn, `is deleted before it is made anew: ${deleteFirst}`);
                }
                if (state.__interrupted && replaces.length === 0) {
                    this.session.engine.info(
                        urn,
                        "an earlier run did not complete this resource: the update first waits for what that run started",
                    );
                }
                this.announce(urn, lines);
            }
            // A refresh compares the inputs that it has read. The program need not declare them.
            const recorded = this.declared.of(urn) === undefined ? [] : plan.record;
            return {
                changes:
                    replaces.length + plan.steps.length + recorded.length > 0 || state.__interrupted === "postponed",
                replaces,
                deleteBeforeReplace: deleteFirst !== undefined,
            };
        });

    create = (news: Values): Promise<dynamic.CreateResult<Values>> =>
        this.keepingTrack(news, async () => {
            const inputs = decode(news) as unknown as Checked<Inputs>;
            this.ownership.refuseSecondManager(inputs);
            const { id, state } = await this.lifecycle
                .create(inputs, this.run("create", inputs, inputs))
                .catch((error: unknown) => {
                    if (error instanceof PartialFailure) {
                        this.ownership.creates(inputs, error.id);
                    }
                    throw error;
                });
            this.ownership.creates(inputs, id);
            if (inputs.existingId !== undefined) {
                const text =
                    `adopted ${this.lifecycle.resource.noun} ${id}. If this stack also has it under another name, remove ` +
                    `that one with \`pulumi state delete\`: a deletion of it with --target deletes ${id}.`;
                this.session.engine.info(inputs.__urn, text);
            }
            return { id, outs: this.outputsOf(state) };
        });

    update = (id: string, olds: Values, news: Values): Promise<dynamic.UpdateResult<Values>> =>
        this.keepingTrack(news, async () => {
            const inputs = decode(news) as unknown as Checked<Inputs>;
            const state = decode(olds) as Observed & StateMetadata;
            for (const { ifKilled } of this.lifecycle.describe(state, inputs).plan.steps) {
                if (ifKilled !== undefined) {
                    this.session.engine.warn(inputs.__urn, ifKilled);
                }
            }
            const context = this.run("update", inputs, inputs);
            const next = await namingInterruption(state, () => this.lifecycle.update(id, state, inputs, context));
            return { outs: this.outputsOf(next) };
        });

    read = (id: string, props: Values = {}): Promise<dynamic.ReadResult<Values>> =>
        plainly(async () => {
            const known = decode(props) as Partial<Observed & StateMetadata> & { projectId?: string };
            // A resource that the program reads with `.get` has no state yet.
            const isGet = known.__declared === undefined;
            const metadata = {
                __declared: [],
                __defaults: {},
                ...known,
                projectId: known.projectId ?? this.session.projectId(),
            };
            const context = this.run("update", metadata, undefined);
            const deadlineAt = Math.min(context.deadlineAt, context.beganAt + longestReadMs);
            const read = () => this.lifecycle.read(id, metadata, { ...context, deadlineAt });
            const seen = await namingInterruption(metadata, read);
            if (seen !== undefined && metadata.__declared.length > 0) {
                this.ownership.refreshed(metadata.__urn, metadata.projectId, id);
            }
            if (seen === undefined && isGet) {
                throw new MissingResourceError(this.lifecycle.resource.noun, id, metadata.projectId);
            }
            return seen === undefined
                ? { id: "" }
                : { id, props: this.outputsOf(seen.state), inputs: this.inputsOf(seen.inputs) };
        });

    delete = (id: string, props: Values): Promise<void> =>
        plainly(async () => {
            const state = decode(props) as Observed & StateMetadata;
            const kept = this.lifecycle.resource.delete && this.ownership.keptBy(id, state);
            if (kept !== undefined) {
                this.session.engine.warn(state.__urn, kept);
                await this.session.engine.flushed();
                return;
            }
            const context = this.run("delete", state, undefined);
            await namingInterruption(state, () => this.lifecycle.remove(id, state, context));
            this.ownership.deleted(state.__urn);
        });

    /** The outputs of a state, among them the absent ones. A null under the name of a secret would be encrypted, and look like one. */
    private outputsOf(state: HiddenInputs): Values {
        const { fields } = this.lifecycle.resource;
        const inputs = entriesOf(fields).filter(([, { effect, secret }]) => effect !== "ignore" && !secret);
        const absent = Object.keys(state).filter((name) => !(name in fields) && !name.startsWith("__"));
        return encodeOutputs(state, [...inputs.map(([name]) => name), ...absent], this.lifecycle.secretNames(state));
    }

    /**
     * The plan, with the replacements that are certain, and the properties whose unknown values may need one. A value is
     * unknown but certain to change where the preview replaces what the resource refers to. A preview plans a possible
     * replacement, unless the resource is protected: the engine would refuse it, although the value may turn out to be the
     * same. In an update, values are unknown only when the engine asks what follows from the deletion of a dependency: a
     * resource that is not replaceable without a loss is not deleted then. A refresh also compares, with the inputs of an
     * update that failed: what is not allowed is an error of the program and not of a refresh.
     */
    private describe(
        id: string,
        state: Observed & StateMetadata,
        declared: Planned<Inputs> & HiddenInputs,
    ): Described<Item> & { certain: readonly Replacement[]; possible: readonly string[] } {
        const { lifecycle, session } = this;
        const isPreview = session.isPreview(declared.__urn);
        const described = lifecycle.describe(state, declared);
        const isCertain = ({ from, to }: Replacement) =>
            !hasUnknown(to) || (isPreview && session.refersToReplaced(from));
        const certain = described.plan.replace.filter(isCertain);
        const possible = described.plan.replace.filter((one) => !isCertain(one)).map(({ property }) => property);
        const kept = isPreview ? state.deletionProtection === true : lifecycle.resource.irreplaceable !== undefined;
        const isOfProgram = this.declared.of(declared.__urn) !== undefined;
        const isRefused =
            !isOfProgram &&
            (lifecycle.refusalOf(id, state, declared, certain) !== undefined ||
                this.ownership.adoptedBy(declared)?.id === id);
        const leftOut = [...(kept ? possible : []), ...(isRefused ? certain.map(({ property }) => property) : [])];
        if (leftOut.length === 0) {
            return { ...described, certain, possible };
        }
        const known = Object.entries(declared).filter(([name]) => !leftOut.includes(name));
        const reduced = lifecycle.describe(state, Object.fromEntries(known) as typeof declared);
        return { ...reduced, certain: isRefused ? [] : certain, possible };
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

    /** Prints the plan of a creation; answers why an adoption is going to fail. Only an adoption reads from the API. */
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

    /** Warns of a creation in place of a database that exists under the name that it had with fewer parents. */
    private async warnIfMoved(inputs: Planned<Inputs> & HiddenInputs): Promise<void> {
        const { resource } = this.lifecycle;
        const { __urn: urn = "" } = inputs;
        const oldUrns = urnsWithFewerParents(urn).filter((old) => this.declared.of(old) === undefined);
        if (resource.replaceable === undefined || oldUrns.length === 0 || hasUnknown(inputs.projectId)) {
            return;
        }
        try {
            const found = await this.lifecycle.findByUrn(oldUrns, inputs as Checked<Inputs>, this.previewRun(inputs));
            if (found !== undefined) {
                const text =
                    `${resource.noun} ${found.id} exists under the name that this resource had without its parent. If you ` +
                    `moved it, add aliases: ["${found.urn}"] to its options; otherwise a new, empty one is created.`;
                this.session.engine.warn(urn, text);
            }
        } catch {
            // A preview works without a token and without the API.
        }
    }

    /** What a preview may use to read: it does not wait for long. */
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

    /** What failed half way goes into the state with all that is known of it; Pulumi's host forgets the provider there. */
    private async keepingTrack<T>(news: Values, work: () => Promise<T>): Promise<T> {
        return plainly(async () => {
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

/** Why a preview could not read a resource, in few words. */
function reasonOf(error: unknown): string {
    if (error instanceof ConnectionError) {
        return "the API cannot be reached";
    }
    return error instanceof ConfigError && error.setting === "clouddb:accessToken"
        ? "no access token is set"
        : messageOf(error);
}

/** Says before the failure of an operation that an earlier run did not complete the resource. */
async function namingInterruption<T>(
    { __interrupted }: Partial<StateMetadata>,
    operation: () => Promise<T>,
): Promise<T> {
    try {
        return await operation();
    } catch (error) {
        if (!__interrupted) {
            throw error;
        }
        const named = new UnfinishedError(error);
        throw error instanceof PartialFailure ? new PartialFailure(error.id, error.state, named) : named;
    }
}

/** The message alone helps a user. Pulumi's host also prints what is thrown, with its stack, which would show it a second time. */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        const plain = error instanceof Error ? error : new Error(messageOf(error));
        plain.stack = "";
        plain.toString = () => toldAlready;
        throw plain;
    }
}

function offline<T>(work: () => T): Promise<T> {
    return plainly(() => Promise.resolve().then(work));
}
