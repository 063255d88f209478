import type { dynamic } from "@pulumi/pulumi";
import { messageOf } from "../../api/callErrors";
import { AdoptionError, PartialFailure } from "../../lifecycle/errors";
import type { Declared, HiddenInputs, Resource } from "../../model/resource";
import { check } from "../../lifecycle/check";
import { create, previewCreation } from "../../lifecycle/create";
import { deleteResource } from "../../lifecycle/delete";
import { diff } from "../../lifecycle/diff";
import type { Managed } from "../../lifecycle/managed";
import type { Session } from "../../lifecycle/session";
import { print } from "../../model/engine";
import { get, read, type ReadRequest } from "../../lifecycle/read";
import { update } from "../../lifecycle/update";
import { kinds } from "../../resources/index";
import { decode, decodeState, encodeState, encodeValues, hasRecord, type Values } from "../codec";
import { untilLinesAreSent } from "../engine";
import { providerKey } from "./reference";

/**
 * A dynamic provider of Pulumi for one resource type. Each method decodes the values, calls the function of `lifecycle/` with its name
 * and encodes the result. The protocol passes neither the URN nor the timeouts, so both are hidden inputs.
 *
 * In a preview, the engine calls only `check`, and `diff` of what is in the state. An update calls them again, in the same process as
 * the operation that follows.
 */
export class DynamicProvider implements dynamic.ResourceProvider<Values, Values> {
    private readonly managed: Managed;
    /** The resources that the program declares in a preview, by URN. */
    private readonly previewed = new Set<string>();

    constructor(
        private readonly resource: Resource,
        private readonly session: Session,
    ) {
        this.managed = { resource, session, kinds };
    }

    configure = ({ config }: dynamic.ConfigureRequest): Promise<void> => {
        this.session.configure((key) => config.get(`clouddb:${key}`));
        return Promise.resolve();
    };

    check = (olds: Values, news: Values): Promise<dynamic.CheckResult<Values>> =>
        this.call(async () => {
            const { [providerKey]: provider, ...unchecked } = decode(news);
            const hasOldInputs = Object.keys(olds).length > 0;
            const { inputs, problems, notices } = check(this.managed, unchecked, decode(olds));
            const isPreview = (unchecked as HiddenInputs).__program?.isPreview === true;
            if (isPreview && inputs.__urn !== undefined) {
                this.previewed.add(inputs.__urn);
            }
            const failures = [...problems];
            if (failures.length === 0 && isPreview) {
                print(this.session.engine, inputs.__urn, notices);
                if (!hasOldInputs) {
                    failures.push(...(await this.announceCreation(inputs)));
                }
            }
            return {
                inputs: { ...encodeValues(this.resource, inputs), [providerKey]: provider },
                // Each reason names its property. With `property`, Pulumi would print its value, even a secret one.
                failures: failures.map((reason) => ({ property: "", reason })),
            };
        });

    diff = (id: string, olds: Values, news: Values): Promise<dynamic.DiffResult> =>
        this.call(() => {
            const declared = decode(news) as Declared;
            const state = decodeState(this.resource, olds, declared.__urn);
            const { plan, changes, deleteBeforeReplace, notices } = diff(this.managed, id, state, declared);
            // A diff does not say whether it is in a preview. The check before it does. Without one, nothing is printed.
            if (this.previewed.has(declared.__urn ?? "")) {
                print(this.session.engine, declared.__urn, notices);
            }
            return { changes, replaces: plan.replace.map(({ property }) => property), deleteBeforeReplace };
        });

    create = (news: Values): Promise<dynamic.CreateResult<Values>> =>
        this.withPartialState(news, async () => {
            const { id, state } = await create(this.managed, decode(news));
            return { id, outs: encodeState(this.resource, state) };
        });

    update = (id: string, olds: Values, news: Values): Promise<dynamic.UpdateResult<Values>> =>
        this.withPartialState(news, async () => {
            const inputs = decode(news) as Declared;
            const { state } = await update(this.managed, id, decodeState(this.resource, olds, inputs.__urn), inputs);
            return { outs: encodeState(this.resource, state) };
        });

    read = (id: string, props: Values = {}): Promise<dynamic.ReadResult<Values>> =>
        this.call(async () => {
            const { __program: program, ...request } = decode(props) as ReadRequest & HiddenInputs;
            const result = await (program?.isGet && !hasRecord(props)
                ? get(this.managed, id, request, program.isPreview === true)
                : read(this.managed, id, decodeState(this.resource, props, request.__urn)));
            return result === undefined
                ? { id: "" }
                : {
                      id,
                      props: encodeState(this.resource, result.state),
                      inputs: encodeValues(this.resource, result.inputs),
                  };
        });

    delete = (id: string, props: Values): Promise<void> =>
        this.call(() => deleteResource(this.managed, id, decodeState(this.resource, props)));

    private call<T>(work: () => T | Promise<T>): Promise<T> {
        const { calls, engine } = this.session;
        return calls.track(untilLinesAreSent(engine, work)).catch((error: unknown) => {
            throw asReported(error);
        });
    }

    /** Prints the plan of a creation. Returns the reason why an adoption will fail. */
    private async announceCreation(inputs: Declared): Promise<readonly string[]> {
        try {
            print(this.session.engine, inputs.__urn, await previewCreation(this.managed, inputs));
            return [];
        } catch (error) {
            if (error instanceof AdoptionError) {
                return [error.message];
            }
            throw error;
        }
    }

    /**
     * Pulumi's host stores an entry if the error has an `id`, as a partial failure has, with its `properties`. It does not add the
     * provider to them, so this does. After any other error of a creation, the state has no entry.
     */
    private withPartialState<T>(news: Values, work: () => Promise<T>): Promise<T> {
        return this.call(work).catch((error: unknown) => {
            if (error instanceof PartialFailure) {
                const properties = { ...encodeState(this.resource, error.state), [providerKey]: news[providerKey] };
                Object.assign(error, { properties, reasons: [error.message] });
            }
            throw error;
        });
    }
}

/** The same error, without a stack trace. Pulumi's host also prints a thrown error, which would show its message twice. */
function asReported(error: unknown): Error {
    const reported = error instanceof Error ? error : new Error(String(error));
    reported.message = messageOf(reported);
    reported.stack = "";
    reported.toString = () => alreadyReported;
    return reported;
}

/** The text of an error that Pulumi's host prints. The engine shows the message under the resource. */
const alreadyReported = "(reported by the resource)";

/** Hides the output of Pulumi's host about errors that are already reported. */
export function hideReportedErrors(console: Pick<Console, "error">): void {
    const print = console.error.bind(console);
    console.error = (...values: unknown[]) => {
        if (typeof values[0] !== "string" || !values[0].startsWith(alreadyReported)) {
            print(...values);
        }
    };
}
