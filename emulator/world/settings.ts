import type { Answer, Body, OperationId, Wire } from "../wire";
import { must } from "./accept";
import { lockedWhilePaused, commonDurations } from "./rules";
import { found } from "./find";
import type { Call, Handler } from "./handler";
import type { Kind } from "./kind";
import { assign } from "./progress";
import type { Overridable, Progressing } from "./state";
import type { World } from "./world";

type Settable = Progressing<object> & Overridable & { properties?: object };

/** What an operation sets: any properties of the record, or by default those of the model in its body, which the record stores. */
type Target<Id extends OperationId, R extends Settable, Model> =
    | {
          /** The new values. Rejects a request that can never succeed. */
          readonly set: (call: Call<Id>, record: R) => Partial<R> & Partial<R["values"]>;
      }
    | ([keyof Body<Id>, Body<Id>] extends [keyof Model, Partial<Model>] ? { readonly set?: never } : never);

/** A change that takes time. Default: it takes effect at once. */
interface Lasting<Status> {
    /** The status meanwhile. */
    readonly through: Status;
    readonly lasts: (world: World) => number;
}

/** An operation that sets properties of a resource. */
type Setting<Id extends OperationId, R extends Settable, Model, Status> = Target<Id, R, Model> & {
    /** The statuses in which the resource accepts the request. */
    readonly takes: readonly Status[];
    /** Rejects a request that the resource does not accept because of its other properties. */
    readonly refuse?: (call: Call<Id>, record: R) => void;
    readonly answer: (record: R, call: Call<Id>) => Answer<Id>;
} & (Lasting<Status> | { readonly [Key in keyof Lasting<Status>]?: never });

/** The operations of a kind that set properties. */
export type Settings<R extends Settable, Model, Status> = {
    readonly [Id in OperationId]?: Setting<Id, R, Model, Status>;
};

/** A setting, whatever its kind and operation. */
export interface AnySetting {
    readonly takes: readonly string[];
}

/** The response body of an operation that only returns a message. */
export const says = (message: string) => (): { message: string } => ({ message });

/** An operation that enables or disables the connection pooler. */
export const pooler = <Status>(enabled: boolean, takes: readonly Status[]) => ({
    takes,
    set: () => ({ pooler: enabled }),
    answer: says(`The connection pooler is ${enabled ? "enabled" : "disabled"}.`),
});

/** An operation that sets the environment. */
export const environment = <Status>(takes: readonly Status[]) => ({
    takes,
    set: ({ body: { environment } }: { body: Wire["SetEnvironmentInput"] }) => ({ environment }),
    answer: ({ environment }: { environment: string }) => ({ message: `The environment is ${environment}.` }),
});

/** The handlers of these operations. */
export function handlersOf<R extends Settable, S extends object>(
    kind: Kind<R>,
    settings: S,
): { [Id in keyof S & OperationId]: Handler<Id> } {
    const handler =
        <Id extends OperationId>(id: Id, setting: Setting<Id, R, Readonly<Record<string, unknown>>, string>) =>
        (call: Call<Id>): Answer<Id> => {
            const { answer, lasts, refuse, set, takes, through } = setting;
            const { body, world } = call;
            const record = found(kind, call);
            const properties = set?.(call, record) ?? { properties: Object.assign({}, record.properties, body) };
            const rejected = world.rules.pausedIsLocked && lockedWhilePaused.includes(id) ? "PAUSED" : undefined;
            const accepted = takes.filter((status) => status !== rejected);
            must(kind, record, id, accepted);
            refuse?.(call, record);
            if (lasts) {
                begin(world, record, through, lasts(world), properties);
            } else {
                assign(record, properties);
            }
            return answer(record, call);
        };
    const entries = Object.entries(settings) as [OperationId, never][];
    return Object.fromEntries(entries.map(([id, setting]) => [id, handler(id, setting)])) as unknown as {
        [Id in keyof S & OperationId]: Handler<Id>;
    };
}

/** Starts a change. Reads are stale first. Then they return the new status with the old values, and at the end the new values. */
function begin(world: World, record: Settable, through: string, duration: number, set: object): void {
    const begins = world.now + world.durations(commonDurations).staleRead;
    record.steps = [
        { at: begins, status: through },
        { at: begins + duration, status: record.status, set },
    ];
}
