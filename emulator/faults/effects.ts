import { ConnectionReset } from "../errors";
import { Dialect } from "../dialect/dialect";
import type { EmulatorResponse, Exchange } from "../exchange";
import type { CarryOut, Interceptor } from "../pipeline";
import { creationOf } from "../kinds";
import { failPeering, peerings, recoverPeering } from "../kinds/peerings";
import { flag, needed, nonEmpty, oneOf, wholeMs as ms, type Fields, type ValuesOf } from "../schema";
import { addressed } from "../world/find";
import type { Kind, Subject } from "../world/kind";
import type { Random } from "../world/random";
import type { Dated, Overridable, Progressing } from "../world/state";
import { effectOf } from "../wire";
import type { World } from "../world/world";
import { answerFields, firstHalf, malformed, parsed, refusal, truncated, withoutOne } from "./answers";

/** A call that a fault hits, and the parts of the emulator that an effect uses. */
export interface Hit {
    exchange: Exchange;
    carryOut: CarryOut;
    world: World;
    random: Random;
    sleep: (ms: number) => Promise<void>;
    /** Serves all reads from the current state for this number of milliseconds. */
    freezeReads: (ms: number) => void;
    /** Rejects the call and all further ones with the same token. */
    expireToken: () => never;
}

type Enact<Values> = (hit: Hit, values: Values) => Promise<EmulatorResponse>;

/** The fields of an effect, and what it does. The types of this package show only the fields. */
interface Definition<F> {
    readonly fields: F;
    readonly enact: (hit: never, values: never) => Promise<EmulatorResponse>;
}

const effect = <const F extends Fields>(fields: F, enact: Enact<ValuesOf<F>>): Definition<F> => ({ fields, enact });

const forSomeTime = {
    /** The delay or the duration in milliseconds. */
    ms: needed(ms),
};

/** Delays the time from which a resource is visible after a change. */
const delaying =
    (time: "visibleAt" | "listedAt"): Enact<{ ms: number }> =>
    (hit, values) =>
        afterwards(hit, ({ record }, { now }) => {
            if (effectOf(hit.exchange.request.method) === "change") {
                record[time] = now + values.ms;
            }
        });

const future = new Dialect("unknown-values,further-fields");

/** The effects of a fault on a call, by kind. Times are in milliseconds by the emulator's clock. */
export const effects = {
    /** Returns an error response in place of the real one. The request is not carried out unless `carriedOut` is true. */
    answer: effect(answerFields, async ({ carryOut, world }, values) => {
        if (values.carriedOut) {
            await carryOut();
        }
        return refusal(values, world.now);
    }),
    /** Breaks the connection. */
    reset: effect(
        {
            /** When it breaks: before the request is carried out, after it, or in the middle of the response. */
            when: needed(oneOf(["before", "after", "middle"])),
        },
        async ({ carryOut }, { when }) => {
            if (when === "before") {
                throw new ConnectionReset();
            }
            const response = await carryOut();
            if (when === "after") {
                throw new ConnectionReset();
            }
            const { body } = response;
            throw new ConnectionReset({ ...response, body: firstHalf(body), length: Buffer.byteLength(body) });
        },
    ),
    /** Carries out the request immediately and delays the response by `ms`. */
    delay: effect(forSomeTime, async ({ carryOut, sleep }, values) => {
        const response = await carryOut();
        await sleep(values.ms);
        return response;
    }),
    /** Returns no response, and keeps the connection open. The request is not carried out unless `carriedOut` is true. */
    unanswered: effect(
        {
            /** Whether the request is carried out. Default: false. */
            carriedOut: flag,
        },
        async ({ carryOut }, values) => {
            if (values.carriedOut) {
                await carryOut();
            }
            return new Promise(() => undefined);
        },
    ),
    /** Carries out the request and returns malformed JSON. */
    malformed: effect({}, async ({ carryOut }) => malformed(await carryOut())),
    /** Carries out the request and leaves out the second half of the response body. */
    truncated: effect({}, async ({ carryOut }) => truncated(await carryOut())),
    /** Carries out the request and adds unknown fields and unknown enumeration values to a successful response. */
    unknowns: effect({}, ({ exchange, carryOut }) => future.intercept(exchange, carryOut)),
    /** Carries out the request, and for `ms`, all reads return the state before this call. */
    stale: effect(forSomeTime, ({ carryOut, freezeReads }, values) => {
        freezeReads(values.ms);
        return carryOut();
    }),
    /**
     * Carries out a creation or a change and hides its resource for `ms`: reads return 404, and lists do not contain it. Others
     * are not affected.
     */
    hidden: effect(forSomeTime, delaying("visibleAt")),
    /** Carries out the request and leaves out one random entry of a list. Other responses are not affected. */
    omit: effect({}, async ({ carryOut, random }) => withoutOne(await carryOut(), random)),
    /** Rejects the call, and all later requests with its token, with 401 until the faults are cleared. */
    tokenExpires: effect({}, ({ expireToken }) => expireToken()),
    /**
     * Carries out a creation or a change and leaves its resource out of lists for `ms`. Reads by id still return it. Others
     * are not affected.
     */
    unlisted: effect(forSomeTime, delaying("listedAt")),
    /** Carries out the request and delays all pending transitions of its resource by `ms`. */
    stuck: effect(forSomeTime, (hit, values) =>
        afterwards(hit, ({ record }) => {
            const { steps = [] } = record as Partial<Progressing<object>>;
            steps.forEach((step) => (step.at += values.ms));
        }),
    ),
    /** Carries out the request and overrides the status of its service or read replica set. */
    status: effect(
        {
            /** The status to report, any text. */
            status: needed(nonEmpty),
            /** The duration in milliseconds. Default: until `setServiceStatus` or `setReplicaSetStatus` removes the override. */
            ms,
        },
        (hit, { status, ms: forMs }) =>
            afterwards(hit, ({ record }, { now }) => {
                if ("override" in record) {
                    const until = forMs === undefined ? null : now + forMs;
                    Object.assign(record, { override: { status, at: now, until } } satisfies Overridable);
                }
            }),
    ),
    /** Carries out the request and fails its peering. */
    peeringFails: effect(
        {
            /** The error message of the peering. Default: a generic message. */
            message: nonEmpty,
            /** The status of the peering, for example `rejected`. Default: `failed`. */
            status: nonEmpty,
            /** The time in milliseconds until the peering becomes active. Default: until `acceptPeering` accepts it. */
            ms,
        },
        (hit, { message, status, ms: forMs }) =>
            afterwards(hit, (subject, world) => {
                if (!isOf(peerings, subject)) {
                    return;
                }
                failPeering(world, subject.record, message, status);
                if (forMs !== undefined) {
                    recoverPeering(subject.record, world.now + forMs);
                }
            }),
    ),
};

/** The fields of each effect. */
export type EffectKinds = { [Kind in keyof typeof effects]: ValuesOf<(typeof effects)[Kind]["fields"]> };

export type EffectKind = keyof typeof effects;

/** One effect of a fault. */
export type Effect<Kind extends EffectKind = EffectKind> = {
    [K in Kind]: { kind: K } & EffectKinds[K];
}[Kind];

export const effectKinds = Object.keys(effects) as EffectKind[];

export const fieldsOf = (kind: EffectKind): Fields => effects[kind].fields;

/** An effect, or a function around the call. */
export type AnyEffect = Effect | Interceptor;

/** Carries out a call with an effect. */
export function enact(hit: Hit, effect: AnyEffect): Promise<EmulatorResponse> {
    if (typeof effect === "function") {
        return effect(hit.exchange, hit.carryOut);
    }
    const { kind, ...values } = effect;
    return (effects[kind].enact as Enact<typeof values>)(hit, values);
}

const isOf = <R extends Dated>(kind: Kind<R>, subject: Subject): subject is Subject & { record: R } =>
    subject.kind.name === kind.name;

/** Carries out the call and then changes its resource. */
async function afterwards(hit: Hit, act: (subject: Subject, world: World) => void): Promise<EmulatorResponse> {
    const response = await hit.carryOut();
    const subject = subjectOf(hit.exchange, response, hit.world);
    if (subject) {
        act(subject, hit.world);
    }
    return response;
}

/** The resource that a call created, or that its path names. Undefined if there is none, or if it was deleted. */
function subjectOf({ operationId, request }: Exchange, response: EmulatorResponse, world: World): Subject | undefined {
    if (response.status >= 300) {
        return undefined;
    }
    const kind = creationOf(operationId);
    if (!kind) {
        return addressed(world, request.path);
    }
    const { id, service_id: serviceId = id } = Object(parsed(response)) as { id?: string; service_id?: string };
    const record = world.records(kind).get(serviceId ?? "");
    return record && { kind, record };
}
