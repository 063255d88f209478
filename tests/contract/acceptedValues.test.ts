import type { OperationId } from "../../provider/api/contract";
import { callOperation, prepare } from "./exercises";
import { startClient } from "./world";

// What the reference shows as an example, or allows although one platform documents limits, is accepted: a user tries it first here.

const rows: readonly (readonly [OperationId, object, object])[] = [
    ["createReplicaSet", { name: "reports", nodes: 1, cpu_millis: 250, memory_gbs: 1 }, { cpu_millis: 250 }],
    [
        "resizeReplicaSet",
        { cpu_millis: "250", memory_gbs: "1", nodes: 2 },
        { nodes: 2, cpu_millis: 250, memory_gbs: 1 },
    ],
    [
        "setHA",
        { replica_count: 1, sync_replica_count: 1 },
        { ha_replicas: { replica_count: 1, sync_replica_count: 1 } },
    ],
    ["createService", { name: "orders", cpu_millis: "1000" }, spec(1000, 4)],
    ["createService", { name: "orders", memory_gbs: "8" }, spec(2000, 8)],
    ["createService", { name: "orders", cpu_millis: "600", memory_gbs: "3" }, spec(600, 3)],
    ["createService", { name: "orders", region_code: "moon-1" }, { region_code: "moon-1" }],
    ["updatePassword", { password: "short" }, {}],
    ["createVpc", { name: "", cidr: "10.0.0.0/16", region_code: "moon-1" }, { name: "", region_code: "moon-1" }],
    ["renameVpc", { name: "" }, { name: "" }],
];

function spec(cpu_millis: number, memory_gbs: number): object {
    return { resources: [expect.objectContaining({ spec: { cpu_millis, memory_gbs, volume_type: "gp3" } })] };
}

it.each(rows)("the emulator accepts %s with %j", async (id, body, shows) => {
    const world = await startClient();
    const { client, emulator, finish, project } = world;
    const ids = await prepare(id, world);
    await callOperation(id, client, project, ids, body);
    finish();
    const { services, vpcs } = emulator.snapshot();
    const found = [...services, ...services.flatMap((one) => one.read_replica_sets ?? []), ...vpcs];
    expect(found).toContainEqual(expect.objectContaining(shows));
});

it("an empty cursor is the first page of the log", async () => {
    const world = await startClient();
    const { client, emulator, project } = world;
    const ids = await prepare("getServiceLogs", world);
    emulator.fillLogs(ids.service_id ?? "", 3);
    const page = (query: Readonly<Record<string, string>>) =>
        client.at("getServiceLogs", { path: { ...ids, project_id: project }, query }, {});
    expect(await page({ cursor: "" })).toEqual(await page({}));
});
