import { CheckFailed, type Call, type Calls } from "../../support/calls";
import type { Values } from "../../support/cases/property";

/** A finished call, for a comparison with a call of the real engine. */
export interface RecordedCall {
    readonly provider: string;
    readonly method: keyof Calls;
    readonly urn: string;
    readonly id: string;
    readonly olds?: Values;
    readonly news?: Values;
    /** The id of a created resource. */
    readonly created?: string | undefined;
    readonly failed: boolean;
}

/** Passes the calls to this provider on, and passes each finished call to `note`. */
export function recording(provider: string, calls: Calls, note: (call: RecordedCall) => void): Calls {
    const recorded =
        <T>(method: keyof Calls, work: (call: Call) => Promise<T>, outcomeOf?: (result: T) => Partial<RecordedCall>) =>
        async (call: Call): Promise<T> => {
            const { urn, id = "", olds, news } = call;
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
                note({ ...described, failed: false, ...outcomeOf?.(result) });
                return result;
            } catch (error) {
                note({ ...described, failed: !(error instanceof CheckFailed) });
                throw error;
            }
        };
    return {
        check: recorded("check", calls.check),
        diff: recorded("diff", calls.diff),
        create: recorded("create", calls.create, ({ id, error }) => (error ? { failed: true } : { created: id })),
        update: recorded("update", calls.update, ({ error }) => ({ failed: error !== undefined })),
        read: recorded("read", calls.read),
        delete: recorded("delete", calls.delete),
    };
}
