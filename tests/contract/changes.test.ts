import { defaultDurations as durations } from "../../emulator";
import type { Wire } from "../../emulator/wire";
import type { OperationId } from "../../provider/api/contract";
import { ApiError } from "../../provider/api/callErrors";
import { failureOf } from "../support/client";
import { callOperation, exercises, filling, prepare } from "./exercises";
import { startClient } from "./world";

type Shown = Partial<Wire["Service"] & Wire["ReadReplicaSet"]>;

/** What an operation changes, in a service or in the read replica set of its path. */
interface Change {
    readonly seen: (shown: Shown) => unknown;
    readonly before: unknown;
    readonly after: unknown;
    /** The duration, and the status meanwhile. Default: it takes effect at once. */
    readonly lasts?: readonly [ms: number, status: string];
}

const changing = (ms: number) => ({ lasts: [ms, "CONFIGURING"] as const });
const vpc = ({ vpc_endpoint }: Shown) => vpc_endpoint?.vpc_id ?? "none";
const pooler = ({ connection_pooler: one }: Shown) => one?.endpoint?.host?.includes("pooler") ?? false;
const environment = ({ metadata }: Shown) => metadata?.environment;

const changes: Readonly<Partial<Record<OperationId, Change>>> = {
    resizeService: {
        seen: ({ resources: [one] = [] }) => [one?.spec?.cpu_millis, one?.spec?.memory_gbs],
        before: [500, 2],
        after: [1000, 4],
        ...changing(durations.resize),
    },
    setHA: {
        seen: ({ ha_replicas: ha }) => [ha?.replica_count, ha?.sync_replica_count],
        before: [0, 0],
        after: [2, 1],
        ...changing(durations.setHA),
    },
    attachToVPC: { seen: vpc, before: "none", after: "{vpc_id}", ...changing(durations.vpcChange) },
    detachFromVPC: { seen: vpc, before: "{vpc_id}", after: "none", ...changing(durations.vpcChange) },
    enablePooler: { seen: pooler, before: false, after: true },
    disablePooler: { seen: pooler, before: true, after: false },
    setEnvironment: { seen: environment, before: "DEV", after: "PROD" },
    renameService: { seen: ({ name }) => name === "other", before: false, after: true },
    resizeReplicaSet: {
        seen: ({ cpu_millis, memory_gbs, nodes }) => [cpu_millis, memory_gbs, nodes],
        before: [500, 2, 1],
        after: [1000, 4, 3],
        lasts: [durations.replicaSetResize, "resizing"],
    },
    enableReplicaSetPooler: { seen: pooler, before: false, after: true },
    disableReplicaSetPooler: { seen: pooler, before: true, after: false },
    setReplicaSetEnvironment: { seen: environment, before: "DEV", after: "PROD" },
};

it.each(Object.entries(changes) as [OperationId, Change][])(
    "reads after %s show the old status and value, then the change in progress, and then the new value",
    async (id, { seen, before, after, lasts }) => {
        const world = await startClient();
        const { client, clock, project } = world;
        const ids = await prepare(id, world);
        const now = async () => {
            const service = (await callOperation("getService", client, project, ids)) as Wire["Service"];
            const shown = ids.replica_set_id === undefined ? service : service.read_replica_sets?.[0];
            return [shown?.status, seen(shown ?? {})];
        };
        const [settled, first] = await now();
        const fill = filling(project, ids);
        expect(first).toEqual(fill(before));
        const answer = Object(await callOperation(id, client, project, ids)) as Shown;
        const [ms, status] = lasts ?? [0, settled];
        if (answer.status !== undefined) {
            const shown = lasts ? before : after;
            expect([answer.status, seen(answer), "metrics" in answer]).toEqual([status, shown, !lasts]);
        }
        const slow: [ms: number, status: unknown, value: unknown][] = [
            [durations.staleRead - 1, settled, before],
            [1, status, before],
            [ms - 1, status, before],
            [1, settled, after],
        ];
        for (const [passed, ...shown] of lasts ? slow : [[0, settled, after] as const]) {
            clock.advance(passed);
            expect(await now()).toEqual(fill(shown));
        }
    },
);

const ofService = (Object.keys(exercises) as OperationId[]).filter((id) =>
    /^(POST|DELETE).*\{service_id\}(?!.*\{replica_set_id\})/.test(exercises[id].sends),
);

it.each(ofService.flatMap((id) => [0, durations.staleRead].map((after) => [id, after] as const)))(
    "while a service changes, %s is rejected with 409, %d milliseconds after the change began",
    async (id, after) => {
        const { client, clock, make, project } = await startClient();
        const ids = await make("Vpc", "Service");
        await callOperation("setHA", client, project, ids);
        clock.advance(after);
        const error = await failureOf(callOperation(id, client, project, ids), ApiError);
        expect(error.status).toBe(409);
        expect(id === "updatePassword" ? "busy" : error.apiMessage).toContain("busy");
    },
);

const needsRunning = ["resizeService", "setHA", "attachToVPC", "forkService", "createReplicaSet", "stopService"];

it.each(ofService)("a paused service accepts %s, or rejects it with its status", async (id) => {
    const { client, emulator, finish, make, project } = await startClient();
    const ids = await make("Vpc", "Service");
    for (const first of [...(id === "detachFromVPC" ? ["attachToVPC" as const] : []), "stopService" as const]) {
        await callOperation(first, client, project, ids);
        finish();
    }
    const work = callOperation(id, client, project, ids);
    if (needsRunning.includes(id)) {
        expect(await failureOf(work, ApiError)).toMatchObject({
            status: 409,
            apiMessage: expect.stringContaining("PAUSED") as string,
        });
        return;
    }
    await work;
    finish();
    const [service] = emulator.snapshot().services;
    expect(service?.status).toBe(
        { startService: "READY", deleteService: undefined }[id as string] ?? (service && "PAUSED"),
    );
});

it("a count that a request for high availability leaves out does not change", async () => {
    const { client, emulator, finish, make, project } = await startClient();
    const ids = await make("Service");
    for (const body of [{ replica_count: 2 }, { sync_replica_count: 1 }]) {
        await callOperation("setHA", client, project, ids, body);
        finish();
    }
    expect(emulator.snapshot().services[0]?.ha_replicas).toEqual({ replica_count: 2, sync_replica_count: 1 });
});

it("a service can get the name of another one", async () => {
    const { client, emulator, make, project } = await startClient();
    const ids = await make("Service");
    await emulator.createService({ name: "taken" });
    await callOperation("renameService", client, project, ids, { name: "taken" });
    expect(emulator.snapshot().services.map(({ name }) => name)).toEqual(["taken", "taken"]);
});
