import { CheckFailed, type Call, type Calls, type Result } from "../../support/calls";
import type { Values } from "../../support/properties";

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
