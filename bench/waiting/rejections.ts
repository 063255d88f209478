import type { EmulatorOptions } from "../../emulator";
import type { Context } from "../../provider/model/context";
import { replicaSet, service } from "../../tests/support/fixtures";
import { lifecycles } from "../../tests/support/lifecycles";
import { startProvider } from "../../tests/support/provider";
import { mean } from "../statistics";
import { roundTripMs, runsAround } from "./work";
import { withWorld, type World } from "./world";

/** How often the API rejects a change, and when the change succeeds. */
export interface Rejections {
    readonly most: number;
    /** The time from the end of the cause to the request that the API accepts. */
    readonly meanDelayMs: number;
    readonly longestDelayMs: number;
}

/** A service, and runs of a provider. */
interface Situation extends World {
    readonly id: string;
    readonly state: Awaited<ReturnType<typeof Service.create>>["state"];
    readonly run: () => Context;
}

type Change = (situation: Situation) => Promise<unknown>;

/** A change that the API rejects until the cause ends. */
interface Rejected {
    readonly endsAt: number;
    readonly change: () => Promise<unknown>;
}

const { ReadReplicaSet, Service } = lifecycles;
const busyMs = 20_000;
const withoutBackupMs = 60_000;

const resize: Change = ({ id, state, run }) =>
    Service.update(id, state, service({ cpuMillis: 2000, memoryGbs: 8 }), run());
const deletion: Change = ({ id, state, run }) => Service.delete(id, state, run());
const newSet: Change = ({ id, run }) => ReadReplicaSet.create(replicaSet(id), run());

/**
 * Measures the changes of a service that is busy for 20 s, which a read shows, and of a fork that has no backup for a minute,
 * which only another request shows. Counts the requests of a change that the API always answers with an error of its own.
 */
export async function measureRejections(runs: number) {
    const visible = [resize, deletion, newSet].map((change) => measure(runs, busyMs, () => ({}), busy(change)));
    const hidden = measure(
        runs,
        withoutBackupMs,
        (firstBackup) => ({ queued: 0, fork: 0, firstBackup }),
        withoutBackup,
    );
    return { visible: await Promise.all(visible), hidden: await hidden, failing: await requestsOfFailing() };
}

/** The requests for a change that the API answers with 500 each time. */
async function requestsOfFailing(): Promise<number> {
    return withWorld({}, async ({ clock, emulator, adapter }) => {
        const { run } = startProvider(emulator, clock, undefined, adapter);
        const { id, state } = await Service.create(service({ name: "first" }), run());
        emulator.addFaults(["renameService#1+:500"]);
        emulator.clearJournal();
        const isFailed = await Service.update(id, state, service({ name: "renamed" }), run()).then(
            () => false,
            () => true,
        );
        const requests = emulator.journal().filter(({ method }) => method === "POST").length;
        return isFailed ? requests : NaN;
    });
}

const busy = (change: Change) => (situation: Situation, durationMs: number) => {
    const { clock, emulator, id } = situation;
    emulator.setServiceStatus(id, "CONFIGURING", durationMs);
    return { endsAt: clock.now() + durationMs, change: () => change(situation) };
};

async function withoutBackup({ id, run }: Situation, durationMs: number): Promise<Rejected> {
    const fork = await Service.create(service({ name: "copy", fork: { serviceId: id, strategy: "NOW" } }), run());
    return {
        endsAt: Date.parse(fork.state.created) + durationMs,
        change: () => ReadReplicaSet.create(replicaSet(fork.id), run()),
    };
}

async function measure(
    runs: number,
    aboutMs: number,
    durationsOf: (durationMs: number) => Required<EmulatorOptions>["durations"],
    begin: (situation: Situation, durationMs: number) => Rejected | Promise<Rejected>,
): Promise<Rejections> {
    const counts: number[] = [];
    const delaysMs: number[] = [];
    for (const { durationMs } of runsAround(aboutMs, runs)) {
        await withWorld(durationsOf(durationMs), async (world) => {
            const { clock, emulator, adapter } = world;
            const { run } = startProvider(emulator, clock, undefined, adapter);
            const created = await Service.create(service({ cpuMillis: 1000, memoryGbs: 4 }), run());
            const { endsAt, change } = await begin({ ...world, ...created, run }, durationMs);
            emulator.clearJournal();
            await change();
            const changes = emulator.journal().filter(({ method }) => method !== "GET");
            const accepted = changes.find(({ status = NaN }) => status < 300);
            counts.push(changes.filter(({ status }) => status === 409).length);
            delaysMs.push(Math.max((accepted?.at ?? NaN) - roundTripMs / 2 - endsAt, 0));
        });
    }
    return { most: Math.max(...counts), meanDelayMs: mean(delaysMs), longestDelayMs: Math.max(...delaysMs) };
}
