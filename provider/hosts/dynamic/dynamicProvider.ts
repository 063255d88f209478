import type { dynamic } from "@pulumi/pulumi";
import { messageOf } from "../../api/errors";
import { AdoptionError, PartialFailure } from "../../lifecycle/errors";
import type { Declared, HiddenInputs, Kind, State } from "../../lifecycle/resource";
import type { Lifecycle } from "../../lifecycle/lifecycle";
import { decode } from "../codec";
import { untilLinesAreSent } from "../engine";
import { print } from "../notice";
import { ResourceHost } from "../resourceHost";
import type { Session } from "../session";
import { alreadyReported } from "./quiet";
import { providerKey } from "./reference";

/** Properties in Pulumi's encoding. */
type Values = Record<string, unknown>;

/**
 * A dynamic provider of Pulumi for one resource type. Each method decodes the values, calls the resource host and
 * encodes the result. The protocol passes neither the URN nor the timeouts, so both are hidden inputs.
 *
 * In a preview, the engine calls only `check` and `diff`. An update calls both again, in the same process as the
 * operation that follows.
 */
export class DynamicProvider<K extends Kind> implements dynamic.ResourceProvider<Values, Values> {
    private readonly host: ResourceHost<K>;
    /** The resources that the program declares in a preview, by URN. */
    private readonly previewed = new Set<string>();

    constructor(
        lifecycle: Lifecycle<K>,
        private readonly session: Session,
    ) {
        this.host = new ResourceHost(lifecycle, session);
    }

    configure = ({ config }: dynamic.ConfigureRequest): Promise<void> => {
        this.session.configure((key) => config.get(`clouddb:${key}`));
        return Promise.resolve();
    };

    check = (olds: Values, news: Values): Promise<dynamic.CheckResult<Values>> =>
        this.call(async () => {
            const { [providerKey]: provider, ...given } = decode(news);
            const hasState = Object.keys(olds).length > 0;
            const { inputs, problems, notices } = this.host.check(given, decode(olds));
            const isPreview = (given as HiddenInputs).__program?.isPreview === true;
            if (isPreview && inputs.__urn !== undefined) {
                this.previewed.add(inputs.__urn);
            }
            const failures = [...problems];
            if (failures.length === 0 && isPreview) {
                print(this.session.engine, inputs.__urn, notices);
                if (!hasState) {
                    failures.push(...(await this.announceCreation(inputs)));
                }
            }
            return {
                inputs: { ...this.host.encode(inputs), [providerKey]: provider },
                // Each reason names its property. With `property`, Pulumi would print its value, even a secret one.
                failures: failures.map((reason) => ({ property: "", reason })),
            };
        });

    diff = (id: string, olds: Values, news: Values): Promise<dynamic.DiffResult> =>
        this.call(() => {
            const declared = decode(news) as Declared<K>;
            const { plan, changes, deleteBeforeReplace, notices } = this.host.diff(
                id,
                this.stateOf(olds, declared.__urn),
                declared,
            );
            if (this.previewed.has(declared.__urn ?? "")) {
                print(this.session.engine, declared.__urn, notices);
            }
            return { changes, replaces: plan.replace.map(({ property }) => property), deleteBeforeReplace };
        });

    create = (news: Values): Promise<dynamic.CreateResult<Values>> =>
        this.withPartialState(news, async () => {
            const { id, state } = await this.host.create(decode(news) as Declared<K>);
            return { id, outs: this.host.encodeState(state) };
        });

    update = (id: string, olds: Values, news: Values): Promise<dynamic.UpdateResult<Values>> =>
        this.withPartialState(news, async () => {
            const declared = decode(news) as Declared<K>;
            const { state } = await this.host.update(id, this.stateOf(olds, declared.__urn), declared);
            return { outs: this.host.encodeState(state) };
        });

    read = (id: string, props: Values = {}): Promise<dynamic.ReadResult<Values>> =>
        this.call(async () => {
            const { __program: program, ...values } = props as Values & HiddenInputs;
            const state = this.stateOf(values);
            const seen = await ("__declared" in values
                ? this.host.read(id, state)
                : this.host.get(id, state, program?.isPreview === true));
            return seen === undefined
                ? { id: "" }
                : { id, props: this.host.encodeState(seen.state), inputs: this.host.encode(seen.inputs) };
        });

    delete = (id: string, props: Values): Promise<void> => this.call(() => this.host.delete(id, this.stateOf(props)));

    private async call<T>(work: () => T | Promise<T>): Promise<T> {
        try {
            return await this.session.calls.track(untilLinesAreSent(this.session.engine, work));
        } catch (error) {
            throw asReported(error);
        }
    }

    /** The state of a resource, with its current URN if the program passes it. */
    private stateOf(values: Values, urn?: string): State<K> {
        return { ...decode(values), ...(urn === undefined ? {} : { __urn: urn }) } as State<K>;
    }

    /** Prints the plan of a creation. Returns the reason why an adoption will fail. */
    private async announceCreation(inputs: Declared<K>): Promise<readonly string[]> {
        try {
            print(this.session.engine, inputs.__urn, await this.host.previewCreation(inputs));
            return [];
        } catch (error) {
            if (error instanceof AdoptionError) {
                return [error.message];
            }
            throw error;
        }
    }

    /**
     * Stores the known outputs of a partial failure in the state. Pulumi's host omits the provider from them, so it is
     * added.
     */
    private async withPartialState<T>(news: Values, work: () => Promise<T>): Promise<T> {
        return this.call(async () => {
            try {
                return await work();
            } catch (error) {
                if (error instanceof PartialFailure) {
                    const properties = { ...this.host.encodeState(error.state), [providerKey]: news[providerKey] };
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

/** Removes an error's stack trace. Pulumi's host also prints a thrown error, which would show its message twice. */
function asReported(error: unknown): Error {
    const plain = error instanceof Error ? error : new Error(String(error));
    plain.message = messageOf(plain);
    plain.stack = "";
    plain.toString = () => alreadyReported;
    return plain;
}
