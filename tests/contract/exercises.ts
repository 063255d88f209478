import { type Client, readOptions } from "../../provider/api/client";
import type { OperationId, QueryOf } from "../../provider/api/contract";
import { aPeering, aReplicaSet, aVpc, pathOf, type Ids, type Need, type World } from "./world";

/** The test of one operation. */
export interface Exercise {
    readonly needs: Need;
    /** Prepares the call. */
    readonly first?: (world: World, ids: Ids) => Promise<unknown>;
    readonly query?: QueryOf<"getServiceLogs">;
    /** The expected request, below the base URL. `{vpc}` and similar parts are placeholders for ids. */
    readonly sends: `${"GET" | "POST" | "DELETE"} /${string}`;
    readonly body?: unknown;
    readonly status: number;
    /** A part of the expected result. */
    readonly answers: unknown;
}

const ofProject = "/projects/{project}";
const ofVpc = `${ofProject}/vpcs/{vpc}` as const;
const ofService = `${ofProject}/services/{service}` as const;
const ofSet = `${ofService}/replicaSets/{set}` as const;
const size = { cpu_millis: "1000", memory_gbs: "4" };
const text = expect.any(String) as string;
const message = { message: text };

/** Written by hand from the reference, so that the test finds errors in the contract and in generated code. */
export const exercises: Readonly<Record<OperationId, Exercise>> = {
    getAuthInfo: {
        needs: "nothing",
        sends: "GET /auth/info",
        status: 200,
        answers: { type: "apiKey", api_key: { public_key: "emulator" } },
    },
    listProjects: {
        needs: "nothing",
        sends: "GET /projects",
        status: 200,
        answers: [{ id: "{project}" }],
    },
    listVpcs: {
        needs: "vpc",
        sends: `GET ${ofProject}/vpcs`,
        status: 200,
        answers: [{ id: "{vpc}", ...aVpc }],
    },
    createVpc: {
        needs: "nothing",
        sends: `POST ${ofProject}/vpcs`,
        body: aVpc,
        status: 201,
        answers: aVpc,
    },
    getVpc: {
        needs: "vpc",
        sends: `GET ${ofVpc}`,
        status: 200,
        answers: { id: "{vpc}", ...aVpc },
    },
    deleteVpc: {
        needs: "vpc",
        sends: `DELETE ${ofVpc}`,
        status: 204,
        answers: undefined,
    },
    renameVpc: {
        needs: "vpc",
        sends: `POST ${ofVpc}/rename`,
        body: { name: "other" },
        status: 200,
        answers: message,
    },
    listPeerings: {
        needs: "peering",
        sends: `GET ${ofVpc}/peerings`,
        status: 200,
        answers: [{ id: "{peering}", ...aPeering }],
    },
    createPeering: {
        needs: "vpc",
        sends: `POST ${ofVpc}/peerings`,
        body: aPeering,
        status: 201,
        answers: aPeering,
    },
    getPeering: {
        needs: "peering",
        sends: `GET ${ofVpc}/peerings/{peering}`,
        status: 200,
        answers: { id: "{peering}", status: "active", ...aPeering },
    },
    deletePeering: {
        needs: "peering",
        sends: `DELETE ${ofVpc}/peerings/{peering}`,
        status: 204,
        answers: undefined,
    },
    listServices: {
        needs: "service",
        sends: `GET ${ofProject}/services`,
        status: 200,
        answers: [{ service_id: "{service}", status: "READY" }],
    },
    createService: {
        needs: "nothing",
        sends: `POST ${ofProject}/services`,
        body: { name: "db", replica_count: 1, addons: ["ai"], environment_tag: "PROD", ...size },
        status: 202,
        answers: { name: "db", status: "QUEUED", metadata: { environment: "PROD" }, initial_password: text },
    },
    getService: {
        needs: "service",
        sends: `GET ${ofService}`,
        status: 200,
        answers: { service_id: "{service}", project_id: "{project}", status: "READY" },
    },
    deleteService: {
        needs: "service",
        sends: `DELETE ${ofService}`,
        status: 202,
        answers: undefined,
    },
    startService: {
        needs: "service",
        first: async ({ client, project, finish }, ids) => {
            await callOperation("stopService", client, project, ids);
            finish();
        },
        sends: `POST ${ofService}/start`,
        status: 202,
        answers: { service_id: "{service}" },
    },
    stopService: {
        needs: "service",
        sends: `POST ${ofService}/stop`,
        status: 202,
        answers: { service_id: "{service}" },
    },
    attachToVPC: {
        needs: "vpc and service",
        sends: `POST ${ofService}/attachToVPC`,
        body: { vpc_id: "{vpc}" },
        status: 202,
        answers: message,
    },
    detachFromVPC: {
        needs: "vpc and service",
        first: async ({ client, project, finish }, ids) => {
            await callOperation("attachToVPC", client, project, ids);
            finish();
        },
        sends: `POST ${ofService}/detachFromVPC`,
        body: { vpc_id: "{vpc}" },
        status: 202,
        answers: message,
    },
    resizeService: {
        needs: "service",
        sends: `POST ${ofService}/resize`,
        body: size,
        status: 202,
        answers: { service_id: "{service}" },
    },
    enablePooler: {
        needs: "service",
        sends: `POST ${ofService}/enablePooler`,
        status: 200,
        answers: message,
    },
    disablePooler: {
        needs: "service",
        first: ({ client, project }, ids) => callOperation("enablePooler", client, project, ids),
        sends: `POST ${ofService}/disablePooler`,
        status: 200,
        answers: message,
    },
    forkService: {
        needs: "service",
        sends: `POST ${ofService}/forkService`,
        body: { fork_strategy: "NOW", name: "copy", environment_tag: "PROD", ...size },
        status: 202,
        answers: {
            name: "copy",
            metadata: { environment: "PROD" },
            forked_from: { service_id: "{service}" },
            resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
            initial_password: text,
        },
    },
    updatePassword: {
        needs: "service",
        sends: `POST ${ofService}/updatePassword`,
        body: { password: "new pass word" },
        status: 204,
        answers: undefined,
    },
    setEnvironment: {
        needs: "service",
        sends: `POST ${ofService}/setEnvironment`,
        body: { environment: "PROD" },
        status: 200,
        answers: message,
    },
    renameService: {
        needs: "service",
        sends: `POST ${ofService}/rename`,
        body: { name: "other" },
        status: 200,
        answers: { service_id: "{service}", name: "other", status: "READY" },
    },
    getServiceLogs: {
        needs: "service",
        query: { search: "ready" },
        sends: `GET ${ofService}/logs?search=ready`,
        status: 200,
        answers: { logs: expect.any(Array) as unknown[], entries: expect.any(Array) as unknown[] },
    },
    setHA: {
        needs: "service",
        sends: `POST ${ofService}/setHA`,
        body: { replica_count: 2, sync_replica_count: 1 },
        status: 202,
        answers: { service_id: "{service}" },
    },
    listReplicaSets: {
        needs: "set",
        sends: `GET ${ofService}/replicaSets`,
        status: 200,
        answers: [{ id: "{set}", status: "active", ...aReplicaSet }],
    },
    createReplicaSet: {
        needs: "service",
        sends: `POST ${ofService}/replicaSets`,
        body: aReplicaSet,
        status: 202,
        answers: { status: "creating", ...aReplicaSet },
    },
    deleteReplicaSet: {
        needs: "set",
        sends: `DELETE ${ofSet}`,
        status: 202,
        answers: undefined,
    },
    resizeReplicaSet: {
        needs: "set",
        sends: `POST ${ofSet}/resize`,
        body: { ...size, nodes: 3 },
        status: 202,
        answers: message,
    },
    enableReplicaSetPooler: {
        needs: "set",
        sends: `POST ${ofSet}/enablePooler`,
        status: 200,
        answers: message,
    },
    disableReplicaSetPooler: {
        needs: "set",
        first: ({ client, project }, ids) => callOperation("enableReplicaSetPooler", client, project, ids),
        sends: `POST ${ofSet}/disablePooler`,
        status: 200,
        answers: message,
    },
    setReplicaSetEnvironment: {
        needs: "set",
        sends: `POST ${ofSet}/setEnvironment`,
        body: { environment: "PROD" },
        status: 200,
        answers: message,
    },
};

/** Calls an operation, by default with the body of its exercise. Each call takes the path parameters that it has. */
export function callOperation(
    id: OperationId,
    client: Client,
    project: string,
    ids: Ids,
    body = filling(project, ids)(exercises[id].body),
): Promise<unknown> {
    return client.call<OperationId>(
        id,
        { path: pathOf(project, ids), query: exercises[id].query, body } as object,
        readOptions,
    );
}

/** Replaces placeholders by the ids of a test. */
export function filling(project: string, ids: Ids): <T>(value: T) => T {
    const known: Record<string, string> = { project, ...ids };
    const fill = (value: unknown): unknown => {
        if (typeof value === "string") {
            return value.replace(/\{(\w+)\}/g, (placeholder, name: string) => known[name] ?? unknownName(placeholder));
        }
        if (Array.isArray(value)) {
            return value.map(fill);
        }
        if (typeof value !== "object" || value === null || "asymmetricMatch" in value) {
            return value;
        }
        return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fill(field)]));
    };
    return fill as <T>(value: T) => T;
}

function unknownName(placeholder: string): never {
    throw new Error(`No id is known for ${placeholder}.`);
}
