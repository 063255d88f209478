import type { Context } from "../../../provider/model/context";
import { CancelledError } from "../../../provider/hosts/engine";
import type { PartialFailure } from "../../../provider/lifecycle/errors";
import { lifecycles } from "../../support/lifecycles";
import { causesOf, labelsOf, network, projectId, replicaSet, service } from "../../support/fixtures";
import { simulateConcurrently } from "../../support/simulation";

const { ReadReplicaSet, Service, Vpc } = lifecycles;
const [second, minute] = [1_000, 60_000];

/** The cancellation comes this long after the operation has begun. */
const cancelledAfterMs = 7 * second;

/** Longer than any pause of the provider. */
const longMs = 30 * minute;

/** A VPC, and a service that is not attached to it. */
async function start() {
    const durations = { create: 2 * second, replicaSetCreate: 2 * second, delete: longMs, resize: longMs };
    const { provider, ...world } = await simulateConcurrently({ durations });
    const { id: vpcId } = await Vpc.create(network, provider.run());
    const { id, state } = await Service.create(service({ cpuMillis: 500, memoryGbs: 2 }), provider.run());
    return { ...world, ...provider, vpcId, id, state };
}

type Parts = Awaited<ReturnType<typeof start>>;
type Change = (parts: Parts, context: Context) => Promise<unknown>;

const attached = ({ vpcId }: Parts) => service({ cpuMillis: 500, memoryGbs: 2, regionCode: "us-east-1", vpcId });
const attach: Change = (parts, context) => Service.update(parts.id, parts.state, attached(parts), context);
const createAttached: Change = (parts, context) => Service.create({ ...attached(parts), name: "second" }, context);
const resize: Change = ({ id, state }, context) =>
    Service.update(id, state, service({ cpuMillis: 1000, memoryGbs: 4 }), context);
const deletion: Change = ({ id, state }, context) => Service.delete(id, state, context);
const newSet: Change = ({ id }, context) => ReadReplicaSet.create(replicaSet(id), context);
const read: Change = ({ id, state }, context) => Service.read(id, state, context);

const withFaults = (change: Change, ...faults: string[]): [Change, (parts: Parts) => unknown] => [
    change,
    ({ emulator }) => emulator.addFaults(faults),
];

/** Every kind of pause: the operation, and what makes it pause. */
const pauses: Readonly<Record<string, readonly [Change, (parts: Parts) => unknown]>> = {
    "a wait for the effect of a change": withFaults(resize),
    "a wait for a deletion": withFaults(deletion),
    "a wait whose polls fail": withFaults(resize, "getService#2+:503"),
    "a wait for a resource that is not visible": withFaults(newSet, "listReplicaSets#3+:omit"),
    "a wait for a busy resource": [newSet, ({ emulator, id }) => emulator.setServiceStatus(id, "CONFIGURING", longMs)],
    "the retries of a read": withFaults(read, "getService#1+:503"),
    "the retries of a read before a change": withFaults(resize, "getService#1+:503"),
    "the retries of a list before a creation": withFaults(newSet, "listReplicaSets#1+:503"),
    "the retries of the second list before a creation": withFaults(newSet, "listReplicaSets#2+:503"),
    "the pause that the API asks for": withFaults(read, "getService#1+:429,retryAfterMs=200000"),
    "the pause that the API asks for before a change": withFaults(attach, "attachToVPC#1+:429,retryAfterMs=200000"),
    "the queue after a 429 of another request": [
        read,
        async ({ emulator, client, clock }) => {
            emulator.addFaults(["listVpcs#1+:429,retryAfterMs=200000"]);
            client.call("listVpcs", { path: { project_id: projectId } }, {}).catch(() => undefined);
            await clock.sleep(second);
        },
    ],
    "the lock of another change": [attach, ({ run, id }) => run().locks.acquire(id)],
    "a step that the API answers with an error of its own": withFaults(attach, "attachToVPC#1+:500"),
    "the second step of a creation that the API answers with an error of its own": withFaults(
        createAttached,
        "attachToVPC#1+:500",
    ),
    "a step whose response is from a proxy": withFaults(attach, "attachToVPC#1+:502,body=html"),
    "a step without a response": withFaults(attach, "attachToVPC#1+:reset-before"),
    "a step that the API rejects": withFaults(attach, "attachToVPC#1+:409"),
    "a deletion that the API answers with an error of its own": withFaults(deletion, "deleteService#1+:500"),
    "a deletion that the API rejects": withFaults(deletion, "deleteService#1+:409"),
    "the search after a lost response to a creation": withFaults(newSet, "createReplicaSet#1+:reset-before"),
    "the failing search after a lost response to a creation": withFaults(
        newSet,
        "createReplicaSet#1+:reset-before",
        "listReplicaSets#3+:503",
    ),
};

it.each(Object.entries(pauses))(
    "a cancellation ends %s at once, and nothing is sent after it",
    async (_, [change, prepare]) => {
        const parts = await start();
        const { clock, emulator, run } = parts;
        emulator.clearJournal();
        await prepare(parts);
        const cancellation = new AbortController();
        let cancelledAt = Infinity;
        clock.after(cancelledAfterMs, () => {
            cancelledAt = clock.now();
            cancellation.abort(new CancelledError());
        });
        const context = { ...run({ timeMs: 2 * longMs }), signal: cancellation.signal };
        const error: unknown = await change(parts, context).catch((caught: unknown) => caught);
        expect(clock.now() - cancelledAt).toBeLessThanOrEqual(second);
        expect(emulator.journal().filter(({ at }) => at > cancelledAt)).toEqual([]);
        const isCancelled = causesOf(error).some((one) => one instanceof CancelledError);
        expect(isCancelled || labelsOf(error).join() === "Find out").toBe(true);
        if (change !== read && change !== deletion && change !== newSet) {
            expect(emulator.snapshot().services.map((one) => one.service_id)).toContain((error as PartialFailure).id);
        }
    },
);
