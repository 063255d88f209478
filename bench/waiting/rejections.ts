import type { AxiosAdapter } from "axios";
import { startEmulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { resolveSettings } from "../../provider/api/settings";
import { KeyedMutex } from "../../provider/contract/keyedMutex";
import type { OperationContext } from "../../provider/contract/operation";
import { Registry } from "../../provider/contract/registry";
import { createResource } from "../../provider/lifecycle/create";
import { removeResource } from "../../provider/lifecycle/delete";
import { updateResource } from "../../provider/lifecycle/update";
import { Lists } from "../../provider/observe/lists";
import { kinds, resources } from "../../provider/resources";
import { TestClock } from "../../tests/support/virtualClock";
import { mean } from "../statistics";
import { runsAround } from "./work";
import { inProcess } from "./world";

/** How often the API rejects a change, and when the change succeeds. */
export interface Rejections {
    readonly change: string;
    /** Whether a read shows the cause. */
    readonly isVisible: boolean;
    readonly most: number;
    /** The time from the end of the cause to the request that the API accepts. */
    readonly meanDelayMs: number;
    readonly longestDelayMs: number;
}

const busyMs = 20_000;
const withoutBackupMs = 60_000;
const operationMs = 3_600_000;
const size = { cpuMillis: 1000, memoryGbs: 4 };

/** A world in which the cause of a rejection has just begun, and the change that the API rejects. */
interface Rejected {
    readonly endsAt: number;
    readonly change: () => Promise<unknown>;
}

type World = Awaited<ReturnType<typeof start>>;

async function start(durations: Readonly<Record<string, number>> = {}) {
    const clock = TestClock.automatic();
    const emulator = await startEmulator({ clock: { now: () => clock.now() }, seed: 1, durations });
    const answers: { readonly sentAt: number; readonly status: number }[] = [];
    const send = inProcess(emulator, clock);
    const adapter: AxiosAdapter = async (config) => {
        const sentAt = clock.now();
        const response = await send(config);
        if (config.method !== "get") {
            answers.push({ sentAt, status: response.status });
        }
        return response;
    };
    const { projectId, token, url } = emulator;
    const env = { CLOUDDB_BASE_URL: url, CLOUDDB_ACCESS_TOKEN: token };
    const run = contextsOn(
        new Client(resolveSettings({ config: () => undefined, env }), { clock, random, adapter }),
        clock,
    );
    const service = (change: object = {}) => ({
        projectId,
        name: "orders",
        deletionProtection: false,
        ...size,
        ...change,
    });
    const created = await createResource(resources.Service, service(), run());
    const busy = (durationMs: number, change: () => Promise<unknown>): Rejected => {
        emulator.setServiceStatus(created.id, "CONFIGURING", durationMs);
        return { endsAt: clock.now() + durationMs, change };
    };
    return { emulator, clock, answers, run, projectId, service, busy, ...created };
}

const random = () => 0.5;
const ignore = () => undefined;

/** The contexts of the operations of one provider process. */
function contextsOn(client: Client, clock: TestClock): () => OperationContext {
    const process = {
        client,
        clock,
        random,
        lists: new Lists(clock, random),
        locks: new KeyedMutex(),
        registry: new Registry(),
    };
    return () => ({
        ...process,
        beganAt: clock.now(),
        deadlineAt: clock.now() + operationMs,
        timeoutSetting: "customTimeouts.update",
        signal: undefined,
        status: ignore,
        done: ignore,
        info: ignore,
        warn: ignore,
        usualMs: operationMs,
        urn: undefined,
    });
}

const set = ({ projectId }: World, serviceId: string) => ({ projectId, serviceId, name: "reports", nodes: 1, ...size });

/** The changes, by name. A busy service is visible to reads; whether a new fork has a backup is not. */
const visible: Readonly<Record<string, (world: World, durationMs: number) => Rejected>> = {
    resize: ({ busy, id, state, service, run }, durationMs) =>
        busy(durationMs, () =>
            updateResource(resources.Service, id, state, service({ cpuMillis: 2000, memoryGbs: 8 }), run()),
        ),
    deletion: ({ busy, id, state, run }, durationMs) =>
        busy(durationMs, () => removeResource({ resource: resources.Service, kinds }, id, state, run())),
    "new read replica set": (world, durationMs) =>
        world.busy(durationMs, () => createResource(resources.ReadReplicaSet, set(world, world.id), world.run())),
};

async function withoutBackup(world: World, durationMs: number): Promise<Rejected> {
    const fork = world.service({ name: "copy", fork: { serviceId: world.id, strategy: "NOW" as const } });
    const { id, state } = await createResource(resources.Service, fork, world.run());
    const endsAt = Date.parse(state.created) + durationMs;
    return { endsAt, change: () => createResource(resources.ReadReplicaSet, set(world, id), world.run()) };
}

/** Measures the changes of a service that is busy for 20 s, and of a fork that has no backup for a minute. */
export async function measureRejections(runs: number): Promise<readonly Rejections[]> {
    return Promise.all([
        ...Object.entries(visible).map(([change, begin]) =>
            measure(change, true, runsAround(busyMs, runs), () => start(), begin),
        ),
        measure(
            "read replica set of a fork without a backup",
            false,
            runsAround(withoutBackupMs, runs),
            (firstBackup) => start({ queued: 0, fork: 0, firstBackup }),
            withoutBackup,
        ),
    ]);
}

async function measure(
    change: string,
    isVisible: boolean,
    jobs: readonly { readonly durationMs: number }[],
    open: (durationMs: number) => Promise<World>,
    begin: (world: World, durationMs: number) => Rejected | Promise<Rejected>,
): Promise<Rejections> {
    const counts: number[] = [];
    const delaysMs: number[] = [];
    for (const { durationMs } of jobs) {
        const world = await open(durationMs);
        const rejected = await begin(world, durationMs);
        world.answers.length = 0;
        await rejected.change();
        counts.push(world.answers.filter(({ status }) => status === 409).length);
        const accepted = world.answers.find(({ status }) => status < 300);
        delaysMs.push(Math.max((accepted?.sentAt ?? NaN) - rejected.endsAt, 0));
        await world.emulator.close();
    }
    return {
        change,
        isVisible,
        most: Math.max(...counts),
        meanDelayMs: mean(delaysMs),
        longestDelayMs: Math.max(...delaysMs),
    };
}
