import type { Schemas } from "../../../provider/api/contract";
import type { ReadReplicaSetInputs } from "../../../provider/resources/readReplicaSet";
import { common, endpoints, fixed, pooler, poolerExercises, verification } from "./common";
import { message } from "./exercise";
import { symbols, type KindCase } from "./kind";

type InWorld = Schemas["ReadReplicaSet"] & { readonly service_id: string };

const resize = { resizeReplicaSet: /^resize/ };
const collection = "/projects/{project_id}/services/{service_id}/replicaSets";
const path = `${collection}/{replica_set_id}` as const;
const created = { name: "old", nodes: 1, cpu_millis: 500, memory_gbs: 2 };

const [[oneService, otherService], [oneSet, otherSet]] = [symbols.Service, symbols.ReadReplicaSet];

export const readReplicaSet: KindCase<ReadReplicaSetInputs, InWorld> = {
    name: "reports",
    inputs: ({ Service: [serviceId] }) => ({ serviceId, cpuMillis: 500 }),
    properties: {
        ...common,
        serviceId: fixed(
            ({ Service: [, other] }) => [undefined, other],
            (set) => set.service_id,
        ),
        name: fixed(["copy", "other-copy"], ({ name }) => name),
        nodes: {
            values: [1, 2],
            announced: resize,
            group: "nodes",
            shown: "number",
            wire: ({ nodes }) => nodes,
        },
        cpuMillis: {
            values: [500, 1000],
            announced: resize,
            group: "size",
            // The memory follows, because the program does not declare it.
            shows: { cpuMillis: "update", memoryGbs: "update" },
            shown: "number",
            wire: (set) => set.cpu_millis,
        },
        memoryGbs: { values: [2, 4], announced: resize, group: "size", shown: "number", wire: (set) => set.memory_gbs },
        connectionPooler: pooler("enableReplicaSetPooler", "disableReplicaSetPooler"),
        environment: {
            values: ["DEV", "PROD"],
            announced: { setReplicaSetEnvironment: /^environment/ },
            shown: "string?",
            wire: ({ metadata }) => metadata?.environment,
        },
        password: { values: ["first-password", "second-password"] },
        ...verification,
    },
    together: {
        nodes: [{}, ...[1, 2, 3, 4].map((nodes) => ({ nodes }))],
        size: [500, 1000, 2000].map((cpuMillis) => ({ cpuMillis, memoryGbs: cpuMillis / 250 })),
    },
    forms: [
        { fixed: symbols.Service.map((serviceId) => ({ name: "copy", serviceId })) },
        {
            fixed: [
                { serviceId: oneService, existingId: `${oneService}/${oneSet}` },
                { serviceId: otherService, existingId: `${otherService}/${otherSet}` },
            ],
        },
    ],
    outputs: { replicaSetId: "string", status: "string", ...endpoints },
    secrets: ["password", "connectionString", "poolerConnectionString"],
    creations: { createReplicaSet: /^create read replica set/ },
    create: async (call, { Service }, index) =>
        (await call("createReplicaSet", { service_id: Service[index] }, created)).id,
    exercises: {
        listReplicaSets: {
            sends: `GET ${collection}`,
            answers: [{ id: "{replica_set_id}", status: "active", ...created }],
        },
        createReplicaSet: {
            sends: `POST ${collection}`,
            needsRunning: true,
            body: created,
            status: 202,
            answers: { status: "creating", ...created },
            rejects: [
                [{ cpu_millis: "500", memory_gbs: "2" }, "cpu_millis"],
                [{ nodes: 0 }, "nodes"],
                [{ nodes: 11 }, "1 to 10"],
                [{ nodes: 1.5 }, "integer"],
                [{ cpu_millis: 600 }, "500/2"],
            ],
        },
        deleteReplicaSet: {
            sends: `DELETE ${path}`,
            status: 202,
        },
        resizeReplicaSet: {
            sends: `POST ${path}/resize`,
            needsRunning: true,
            body: { cpu_millis: "1000", memory_gbs: "4", nodes: 3 },
            status: 202,
            answers: message,
            through: ["resizing", "replicaSetResize"],
            rejects: [
                [{ cpu_millis: 500, memory_gbs: 2 }, "string"],
                [{ cpu_millis: "shared", memory_gbs: "shared" }, "shared"],
                [{ nodes: 20 }, "1 to 10"],
            ],
        },
        ...poolerExercises("enableReplicaSetPooler", "disableReplicaSetPooler", path),
        setReplicaSetEnvironment: {
            sends: `POST ${path}/setEnvironment`,
            body: { environment: "PROD" },
            answers: message,
        },
    },
    items: ({ services }) =>
        services.flatMap(({ service_id, read_replica_sets: sets = [] }) =>
            sets.map((set) => ({ id: set.id, status: set.status, item: { ...set, service_id } })),
        ),
    settled: () => "active",
    breaks: (emulator, id) => emulator.setReplicaSetStatus(id, "error"),
    deleteByHand: (emulator, id) => emulator.deleteReplicaSet(id),
};
