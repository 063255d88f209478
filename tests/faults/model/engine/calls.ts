import type { ResourceType } from "../../../../provider/resources";
import type { Properties, Values } from "./properties";
import type { Timeouts } from "./registration";

/** A call of the engine to a provider. Which properties it has depends on the method. */
export interface Call {
    readonly method: "check" | "diff" | "create" | "update" | "read" | "delete";
    /** The name of the provider. */
    readonly provider: string;
    readonly type: ResourceType;
    readonly urn: string;
    readonly id?: string;
    readonly olds?: Properties;
    readonly news?: Properties;
    readonly timeouts?: Timeouts | undefined;
}

/** A resource after an operation. */
export interface Result {
    readonly id: string;
    readonly outputs: Properties;
}

/** The failure of an operation that left a resource. */
export class PartlyFailed extends Error {
    constructor(
        readonly result: Result,
        override readonly cause: unknown,
    ) {
        super(cause instanceof Error ? cause.message : String(cause));
    }
}

/** The methods of a provider process, with plain properties. */
export interface Calls {
    /** The checked inputs. Throws an error with the reasons if they are rejected. */
    check(call: Call): Promise<Properties>;
    diff(call: Call): Promise<{ changes: boolean; replaces: boolean; deleteBeforeReplace: boolean }>;
    /** Throws PartlyFailed if the resource exists. */
    create(call: Call): Promise<Result>;
    /** Throws PartlyFailed if some steps succeeded. */
    update(call: Call): Promise<Result>;
    /** Undefined if the resource is gone. */
    read(call: Call): Promise<(Result & { readonly inputs: Properties | undefined }) | undefined>;
    delete(call: Call): Promise<void>;
}

/** A finished call, for a comparison with a call of the real engine. */
export interface RecordedCall {
    readonly provider: string;
    readonly method: Call["method"];
    readonly urn: string;
    readonly id: string;
    readonly olds?: Values;
    readonly news?: Values;
    /** The id of a created resource. */
    readonly created?: string | undefined;
    readonly failed: boolean;
}

/** Passes the calls on, and passes each finished call to `note`. */
export function recording(calls: Calls, note: (call: RecordedCall) => void): Calls {
    const recorded =
        <T>(work: (call: Call) => Promise<T>) =>
        async (call: Call): Promise<T> => {
            const { provider, method, urn, id = "", olds, news } = call;
            const described = {
                provider,
                method,
                urn,
                id,
                ...(olds && { olds: olds.values }),
                ...(news && { news: news.values }),
            };
            try {
                const result = await work(call);
                const created = method === "create" ? (result as Result).id : undefined;
                note({ ...described, created, failed: false });
                return result;
            } catch (error) {
                note({ ...described, failed: !(error instanceof CheckFailed) });
                throw error;
            }
        };
    return {
        check: recorded((call) => calls.check(call)),
        diff: recorded((call) => calls.diff(call)),
        create: recorded((call) => calls.create(call)),
        update: recorded((call) => calls.update(call)),
        read: recorded((call) => calls.read(call)),
        delete: recorded((call) => calls.delete(call)),
    };
}

/** The provider rejected the inputs. */
export class CheckFailed extends Error {}
