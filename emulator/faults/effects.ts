import { ConnectionReset } from "../errors";
import { kindFacts } from "../kinds";
import type { CarryOut, EmulatorResponse, Exchange } from "../pipeline";
import { failPeering, recoverPeering } from "../world/peerings";
import type { Random } from "../world/random";
import type { World } from "../world/world";
import {
    firstHalf,
    malformed,
    nullForEmpty,
    refusal,
    truncated,
    unknowns,
    withMalformedEntry,
    withoutOne,
} from "./answers";
import type { Effect, EffectKind } from "./fault";
import { describingAnother } from "./otherObject";
import { subjectOf } from "./subject";
import type { Subject } from "./subject";

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
    /** Leaves the resource with this id out of all lists for this number of milliseconds. */
    hideFromLists: (id: string, ms: number) => void;
}

type Enact<Kind extends EffectKind> = (hit: Hit, effect: Effect<Kind>) => Promise<EmulatorResponse>;

/** The implementation of each effect. A new effect does not compile until it has one. */
const enactments: { readonly [Kind in EffectKind]: Enact<Kind> } = {
    answer: async ({ carryOut, world }, effect) => {
        if (effect.carriedOut) {
            await carryOut();
        }
        return refusal(effect, world.now);
    },
    reset: async ({ carryOut }, { when }) => {
        if (when === "before") {
            throw new ConnectionReset();
        }
        const response = await carryOut();
        if (when === "after") {
            throw new ConnectionReset();
        }
        throw new ConnectionReset({
            ...response,
            body: firstHalf(response.body),
            length: Buffer.byteLength(response.body),
        });
    },
    delay: async ({ carryOut, sleep }, { ms }) => {
        const response = await carryOut();
        await sleep(ms);
        return response;
    },
    unanswered: async ({ carryOut }, { carriedOut }) => {
        if (carriedOut) {
            await carryOut();
        }
        return new Promise(() => undefined);
    },
    malformed: async ({ carryOut }) => malformed(await carryOut()),
    truncated: async ({ carryOut }) => truncated(await carryOut()),
    unknowns: async ({ carryOut }) => unknowns(await carryOut()),
    omit: async ({ carryOut, random }) => withoutOne(await carryOut(), random),
    malformedEntry: async ({ carryOut, random }) => withMalformedEntry(await carryOut(), random),
    nullList: async ({ carryOut }) => nullForEmpty(await carryOut()),
    otherObject: async ({ exchange, carryOut, world }) => {
        const response = await carryOut();
        const subject = describesOne(exchange) ? subjectOf(exchange, response, world) : undefined;
        return subject ? describingAnother(response, subject, world) : response;
    },
    closes: async ({ carryOut }) => ({ ...(await carryOut()), closesConnection: true }),
    tokenExpires: ({ expireToken }) => expireToken(),
    unlisted: (hit, { ms }) =>
        afterwards(hit, ({ record }) => {
            if (hit.exchange.request.method.toUpperCase() === "POST") {
                hit.hideFromLists(record.id, ms);
            }
        }),
    stale: ({ carryOut, freezeReads }, { ms }) => {
        freezeReads(ms);
        return carryOut();
    },
    hidden: (hit, { ms }) =>
        afterwards(hit, ({ record }, { now }) => {
            if (hit.exchange.request.method.toUpperCase() === "POST") {
                record.visibleAt = now + ms;
            }
        }),
    stuck: (hit, { ms }) =>
        afterwards(hit, ({ kind, record }) => {
            if (kind !== "vpcs") {
                for (const step of record.steps) {
                    step.at += ms;
                }
            }
        }),
    status: (hit, { status, ms }) =>
        afterwards(hit, ({ kind, record }, { now }) => {
            const until = ms === undefined ? null : now + ms;
            if (kind === "services" || kind === "replicaSets") {
                record.override = { status, at: now, until };
            }
        }),
    peeringFails: (hit, { message, status, ms }) =>
        afterwards(hit, ({ kind, record }, world) => {
            if (kind !== "peerings") {
                return;
            }
            failPeering(world, record, message, status);
            if (ms !== undefined) {
                recoverPeering(world, record, world.now + ms);
            }
        }),
};

/** Whether the response describes one resource. */
const describesOne = ({ operationId }: Exchange): boolean =>
    Object.values(kindFacts).some(({ creates, gets }) => [...creates, ...gets].includes(operationId));

/** Carries out a call with an effect. */
export function enact<Kind extends EffectKind>(hit: Hit, effect: Effect<Kind>): Promise<EmulatorResponse> {
    return (enactments[effect.kind] as Enact<Kind>)(hit, effect);
}

/** Carries out the call and then changes its resource. */
async function afterwards(hit: Hit, act: (subject: Subject, world: World) => void): Promise<EmulatorResponse> {
    const response = await hit.carryOut();
    const subject = subjectOf(hit.exchange, response, hit.world);
    if (subject) {
        act(subject, hit.world);
    }
    return response;
}
