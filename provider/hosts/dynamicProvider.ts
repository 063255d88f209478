import type { dynamic } from "@pulumi/pulumi";
import { messageOf } from "../api/errors";
import { check } from "../resources/check";
import type { Checked, CommonInputs, HiddenInputs, Memory, Operation, Replacement } from "../resources/contract";
import { Declared } from "../resources/declared";
import { AdoptionError, PartialFailure, ProtectedError } from "../resources/errors";
import { show } from "../resources/fields";
import type { Described, Lifecycle } from "../resources/lifecycle";
import { hasUnknown, type Planned } from "../resources/unknown";
import { decode, encode } from "./codec";
import { toldAlready } from "./quiet";
import { settingError, type Session } from "./session";

/** Property bags as they come from Pulumi and go back to it. */
type Values = Record<string, unknown>;

/** A look outlives a restart of the service; whoever only wants to know what is there does not wait for longer. */
const longestReadMs = 300_000;

const providerKey = "__provider";
/** Only there while the program is previewed; no state holds it. */
const previewKey = "__preview";

/** One kind of resource as Pulumi's dynamic providers speak of it: unpack, call, pack. */
export class DynamicProvider<
    Inputs extends CommonInputs,
    Observed extends object,
    Item,
> implements dynamic.ResourceProvider<Values, Values> {
    private readonly declared = new Declared<Inputs>();

    constructor(
        private readonly lifecycle: Lifecycle<Inputs, Observed, Item>,
        private readonly session: Session,
    ) {}

    configure = ({ config }: dynamic.ConfigureRequest): Promise<void> => {
        this.session.configure((key) => config.get(`clouddb:${key}`));
        return Promise.resolve();
    };

    check = (olds: Values, news: Values): Promise<dynamic.CheckResult<Values>> =>
        offline(() => {
            const { resource } = this.lifecycle;
            const { [previewKey]: preview, [providerKey]: provider, ...given } = decode(news);
            const missingProject =
                given.projectId === undefined ? settingError(() => this.session.projectId()) : undefined;
            if (given.projectId === undefined && missingProject === undefined) {
                given.projectId = this.session.projectId();
            }
            const { inputs, problems, advice } = check(resource, given, this.declared);
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
            if (failures.length === 0 && this.session.isPreview(urn)) {
                advice.forEach(({ text }) => {
                    this.session.engine.warn(urn, text);
                });
                if (Object.keys(olds).length === 0) {
                    this.announce(urn, this.lifecycle.describe(undefined, inputs).lines);
                }
            }
            return { inputs: { ...encode(inputs), [providerKey]: provider }, failures };
        });

    diff = (id: string, olds: Values, news: Values): Promise<dynamic.DiffResult> =>
        offline(() => {
            const state = decode(olds) as Observed & Memory;
            const declared = decode(news) as Planned<Inputs> & HiddenInputs;
            const { resource } = this.lifecycle;
            const { __urn: urn } = declared;
            const { plan, lines } = this.known(this.lifecycle.describe(state, declared), urn);
            const deleteFirst = resource.deleteFirst?.(state, declared);
            const replaces = plan.replace.map(({ property }) => property);
            if (replaces.length > 0) {
                const refusal = resource.irreplaceable?.(state, declared, plan.replace);
                if (refusal !== undefined) {
                    throw new ProtectedError(refusal);
                }
                if (urn !== undefined) {
                    this.session.noteReplacement(urn, id);
                }
                this.session.holders.leaves(this.thing(state.projectId, id), urn);
            } else {
                this.session.holders.keeps(this.thing(state.projectId, id), urn);
            }
            if (this.session.isPreview(urn)) {
                const certain = plan.replace.filter(({ to }) => !hasUnknown(to));
                if (certain.length > 0) {
                    const loss = resource.irreplaceable === undefined ? "" : " and its data is lost";
                    const text = `is replaced (${changesIn(certain)}): the old ${resource.noun} ${id} is deleted${loss}`;
                    this.session.engine.warn(urn, text);
                }
                const possible = plan.replace.filter(({ to }) => hasUnknown(to)).map(({ property }) => property);
                if (possible.length > 0) {
                    this.session.engine.warn(urn, `may be replaced: ${possible.join(", ")} is known after apply`);
                }
                if (replaces.length > 0 && deleteFirst !== undefined) {
                    this.session.engine.warn(urn, `is deleted before it is made anew: ${deleteFirst}`);
                }
                if (state.__interrupted) {
                    this.session.engine.info(urn, "an earlier run ended early: what it began is waited for first");
                }
                this.announce(urn, lines);
            }
            return {
                changes: replaces.length + plan.steps.length + plan.remember.length > 0,
                replaces,
                deleteBeforeReplace: deleteFirst !== undefined,
            };
        });

    create = (news: Values): Promise<dynamic.CreateResult<Values>> =>
        this.keepingTrack(news, async () => {
            const inputs = decode(news) as unknown as Checked<Inputs>;
            const { existingId } = inputs;
            const work = () => this.lifecycle.create(inputs, this.run("create", inputs, inputs));
            const { id, state } = await (existingId === undefined ? work() : this.takeOver(inputs, existingId, work));
            return { id, outs: encode(state) };
        });

    update = (id: string, olds: Values, news: Values): Promise<dynamic.UpdateResult<Values>> =>
        this.keepingTrack(news, async () => {
            const inputs = decode(news) as unknown as Checked<Inputs>;
            const state = decode(olds) as Observed & Memory;
            const next = await this.lifecycle.update(id, state, inputs, this.run("update", inputs, inputs));
            return { outs: encode(next) };
        });

    read = (id: string, props: Values = {}): Promise<dynamic.ReadResult<Values>> =>
        plainly(async () => {
            const known = decode(props) as Partial<Observed & Memory> & { projectId?: string };
            // Something that is only read, and not managed, has no memory.
            const memory = {
                __declared: [],
                __defaults: {},
                ...known,
                projectId: known.projectId ?? this.session.projectId(),
            };
            const run = this.run("update", memory, undefined);
            const deadlineAt = Math.min(run.deadlineAt, run.beganAt + longestReadMs);
            const seen = await this.lifecycle.read(id, memory, { ...run, deadlineAt });
            return seen === undefined ? { id: "" } : { id, props: encode(seen.state), inputs: encode(seen.inputs) };
        });

    delete = (id: string, props: Values): Promise<void> =>
        plainly(async () => {
            const state = decode(props) as Observed & Memory;
            const holder = this.session.holders.staysFor(this.thing(state.projectId, id), state.__urn);
            if (holder !== undefined && this.lifecycle.resource.remove !== undefined) {
                const { noun } = this.lifecycle.resource;
                this.session.engine.warn(state.__urn, `the ${noun} ${id} is not deleted: ${nameIn(holder)} has it now`);
                return;
            }
            await this.lifecycle.remove(id, state, this.run("delete", state, undefined));
        });

    private async takeOver<T>(inputs: Checked<Inputs>, existingId: string, work: () => Promise<T>): Promise<T> {
        const { holders } = this.session;
        const thing = this.thing(inputs.projectId, this.lifecycle.resource.adoptedId(existingId, inputs));
        const holder = holders.other(thing, inputs.__urn);
        if (holder !== undefined) {
            throw new AdoptionError(existingId, `${nameIn(holder)} of this program has it`);
        }
        try {
            const made = await work();
            holders.takes(thing, inputs.__urn);
            return made;
        } catch (error) {
            if (error instanceof PartialFailure) {
                holders.takes(thing, inputs.__urn);
            }
            throw error;
        }
    }

    /** Names a thing within a run. */
    private thing(projectId: string, id: string): string {
        return `${this.lifecycle.resource.type} ${projectId} ${id}`;
    }

    /**
     * Before it asks about a resource itself, the engine asks what would become of it if something that it depends on were
     * deleted first, with values that nobody knows. What cannot be replaced without a loss is not, for a value that may stay.
     */
    private known(described: Described<Item>, urn: string | undefined): Described<Item> {
        if (this.lifecycle.resource.irreplaceable === undefined || this.session.isPreview(urn)) {
            return described;
        }
        const replace = described.plan.replace.filter(({ to }) => !hasUnknown(to));
        return { ...described, plan: { ...described.plan, replace } };
    }

    private run(operation: Operation, { __urn, __timeouts }: HiddenInputs, inputs: Inputs | undefined) {
        const times = this.lifecycle.resource.times(inputs);
        return this.session.run(operation, __urn, times, __timeouts);
    }

    private announce(urn: string | undefined, lines: readonly string[]): void {
        if (lines.length > 0) {
            this.session.engine.info(urn, lines.map((line, index) => `${index + 1} ${line}`).join("\n"));
        }
    }

    /** What failed half way goes into the state with all that is known of it; Pulumi's host forgets the provider there. */
    private async keepingTrack<T>(news: Values, work: () => Promise<T>): Promise<T> {
        return plainly(async () => {
            try {
                return await work();
            } catch (error) {
                if (error instanceof PartialFailure) {
                    const properties = { ...encode(error.state), [providerKey]: news[providerKey] };
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

const nameIn = (urn: string) => JSON.stringify(urn.slice(urn.lastIndexOf("::") + 2));

function changesIn(replace: readonly Replacement[]): string {
    return replace.map(({ property, from, to }) => `${property} ${show(from)} -> ${show(to)}`).join(", ");
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
