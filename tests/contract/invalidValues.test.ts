import { bodySchemaOf, loadContract } from "../../emulator/contract";
import type { OperationId } from "../../provider/api/contract";
import { type Refusal } from "../support/emulator";
import { exercises, filling, prepare } from "./exercises";
import { startClient } from "./world";

/** Changes of the body of an exercise that the emulator rejects, each with a part of the message. */
const invalid: Readonly<Partial<Record<OperationId, readonly (readonly [object, string])[]>>> = {
    createVpc: [
        [{ region_code: "mars-1" }, "mars-1"],
        [{ cidr: 10 }, "cidr must be string"],
        ...["10.0.0.256/24", "10.0.0.0/33", "10.0.0.010/24", "fd00::/8"].map(
            (cidr) => [{ cidr }, "address/prefix"] as const,
        ),
        [{ cidr: "10.1.2.3/8" }, "10.0.0.0/8"],
        [{ name: "a\nb" }, "control characters"],
    ],
    createService: [
        [{ name: undefined }, "name"],
        [{ name: "" }, "name"],
        [{ name: "x".repeat(129) }, "name"],
        [{ name: "a\u0000b" }, "control characters"],
        [{ cpu_millis: "750", memory_gbs: undefined }, "500/2, 1000/4"],
        [{ cpu_millis: "500", memory_gbs: "4" }, "500/2"],
        [{ cpu_millis: "shared", memory_gbs: "2" }, "both"],
        [{ cpu_millis: 500 }, "cpu_millis must be string"],
        [{ memory_gbs: "much" }, "memory_gbs"],
        [{ region_code: "mars-1" }, "us-east-1, us-east-2"],
        [{ replica_count: 3 }, "0 to 2"],
        [{ replica_count: -1 }, "replica_count"],
        [{ addons: ["gis"] }, "time-series, ai"],
        [{ environment_tag: "TEST" }, "DEV, PROD"],
    ],
    renameService: [
        [{ name: "" }, "name"],
        [{ name: "n".repeat(129) }, "name"],
    ],
    updatePassword: [
        [{ password: "short" }, "8 characters"],
        [{ password: "secret\u0000secret" }, "password must not"],
    ],
    setHA: [
        [{ replica_count: undefined, sync_replica_count: undefined }, "fewer than 1"],
        [{ replica_count: 3 }, "0 to 2"],
        [{ sync_replica_count: 2 }, "0 or 1"],
        [{ replica_count: undefined }, "requires replica_count 2"],
        [{ replica_count: "1" }, "integer"],
    ],
    stopService: [[{}, "does not accept a body"]],
    attachToVPC: [[{ vpc_id: "vpc-1" }, "vpc_id"]],
    forkService: [
        [{ fork_strategy: "LATER" }, "LAST_SNAPSHOT, NOW, PITR"],
        [{ fork_strategy: undefined }, "fork_strategy"],
        [{ fork_strategy: "PITR" }, "target_time is required"],
        [{ fork_strategy: "PITR", target_time: "noon" }, "target_time"],
        [{ target_time: "2030-01-01T00:00:00Z" }, "requires fork_strategy PITR"],
    ],
    createReplicaSet: [
        [{ cpu_millis: "500", memory_gbs: "2" }, "cpu_millis"],
        [{ nodes: 0 }, "nodes"],
        [{ nodes: 11 }, "1 to 10"],
        [{ nodes: 1.5 }, "integer"],
        [{ cpu_millis: 600 }, "500/2"],
    ],
    resizeReplicaSet: [
        [{ cpu_millis: 500, memory_gbs: 2 }, "string"],
        [{ cpu_millis: "shared", memory_gbs: "shared" }, "shared"],
        [{ nodes: 20 }, "1 to 10"],
    ],
};

/** The networks in bodies, which the contract does not check. */
const networks = loadContract().operations.flatMap((operation) =>
    Object.entries((bodySchemaOf(operation)?.properties ?? {}) as Readonly<Record<string, { format?: string }>>)
        .filter(([, { format }]) => format === "cidr")
        .map(([name]) => [operation.operationId as OperationId, { [name]: "10.0.0.0" }, "address/prefix"] as const),
);

const rows = [
    ...Object.entries(invalid).flatMap(([id, changes]) =>
        changes.map(([change, message]) => [id as OperationId, change, message] as const),
    ),
    ...networks,
];

it.each(rows)("the emulator rejects %s with %j and names the problem: %s", async (id, change, message) => {
    const { sends, body } = exercises[id];
    const world = await startClient();
    const { emulator, project } = world;
    const fill = filling(project, await prepare(id, world));
    const [method = "", path = ""] = fill(sends).split(" ");
    const before = emulator.snapshot();
    const answer = await emulator.handle({
        method,
        path: `/v1${path}`,
        headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
        body: JSON.stringify({ ...(fill(body) as object), ...change }),
    });
    const refusal = JSON.parse(answer.body) as Refusal;
    expect([answer.status, refusal.message]).toEqual([400, expect.stringContaining(message)]);
    expect(emulator.snapshot()).toEqual(before);
});
