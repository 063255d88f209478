import { type Client, readOptions } from "../../provider/api/client";
import type { OperationId } from "../../provider/api/contract";
import { aPeering, aReplicaSet, aVpc, type Ids, type Need, type World } from "./world";

/** The test of one operation. */
export interface Exercise {
    readonly needs: Need;
    /** Prepares the call. */
    readonly first?: (world: World, ids: Ids) => Promise<unknown>;
    readonly call: (client: Client, project: string, ids: Ids) => Promise<unknown>;
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
const message = { message: expect.any(String) as string };

/** Written by hand from the reference, so that the test finds errors in the contract and in generated code. */
export const exercises: Readonly<Record<OperationId, Exercise>> = {
    getAuthInfo: {
        needs: "nothing",
        call: (client) => client.getAuthInfo(readOptions),
        sends: "GET /auth/info",
        status: 200,
        answers: { type: "apiKey", api_key: { public_key: "emulator" } },
    },
    listProjects: {
        needs: "nothing",
        call: (client) => client.listProjects(readOptions),
        sends: "GET /projects",
        status: 200,
        answers: [{ id: "{project}" }],
    },
    listVpcs: {
        needs: "vpc",
        call: (client, project) => client.listVpcs(project, readOptions),
        sends: `GET ${ofProject}/vpcs`,
        status: 200,
        answers: [{ id: "{vpc}", ...aVpc }],
    },
    createVpc: {
        needs: "nothing",
        call: (client, project) => client.createVpc(project, aVpc, readOptions),
        sends: `POST ${ofProject}/vpcs`,
        body: aVpc,
        status: 201,
        answers: aVpc,
    },
    getVpc: {
        needs: "vpc",
        call: (client, project, { vpc }) => client.getVpc(project, vpc, readOptions),
        sends: `GET ${ofVpc}`,
        status: 200,
        answers: { id: "{vpc}", ...aVpc },
    },
    deleteVpc: {
        needs: "vpc",
        call: (client, project, { vpc }) => client.deleteVpc(project, vpc, readOptions),
        sends: `DELETE ${ofVpc}`,
        status: 204,
        answers: undefined,
    },
    renameVpc: {
        needs: "vpc",
        call: (client, project, { vpc }) => client.renameVpc(project, vpc, { name: "other" }, readOptions),
        sends: `POST ${ofVpc}/rename`,
        body: { name: "other" },
        status: 200,
        answers: message,
    },
    listPeerings: {
        needs: "peering",
        call: (client, project, { vpc }) => client.listPeerings(project, vpc, readOptions),
        sends: `GET ${ofVpc}/peerings`,
        status: 200,
        answers: [{ id: "{peering}", ...aPeering }],
    },
    createPeering: {
        needs: "vpc",
        call: (client, project, { vpc }) => client.createPeering(project, vpc, aPeering, readOptions),
        sends: `POST ${ofVpc}/peerings`,
        body: aPeering,
        status: 201,
        answers: aPeering,
    },
    getPeering: {
        needs: "peering",
        call: (client, project, { vpc, peering }) => client.getPeering(project, vpc, peering, readOptions),
        sends: `GET ${ofVpc}/peerings/{peering}`,
        status: 200,
        answers: { id: "{peering}", status: "active", ...aPeering },
    },
    deletePeering: {
        needs: "peering",
        call: (client, project, { vpc, peering }) => client.deletePeering(project, vpc, peering, readOptions),
        sends: `DELETE ${ofVpc}/peerings/{peering}`,
        status: 204,
        answers: undefined,
    },
    listServices: {
        needs: "service",
        call: (client, project) => client.listServices(project, readOptions),
        sends: `GET ${ofProject}/services`,
        status: 200,
        answers: [{ service_id: "{service}", status: "READY" }],
    },
    createService: {
        needs: "nothing",
        call: (client, project) =>
            client.createService(project, { name: "db", replica_count: 1, addons: ["ai"], ...size }, readOptions),
        sends: `POST ${ofProject}/services`,
        body: { name: "db", replica_count: 1, addons: ["ai"], ...size },
        status: 202,
        answers: { name: "db", status: "QUEUED", initial_password: expect.any(String) as string },
    },
    getService: {
        needs: "service",
        call: (client, project, { service }) => client.getService(project, service, readOptions),
        sends: `GET ${ofService}`,
        status: 200,
        answers: { service_id: "{service}", project_id: "{project}", status: "READY" },
    },
    deleteService: {
        needs: "service",
        call: (client, project, { service }) => client.deleteService(project, service, readOptions),
        sends: `DELETE ${ofService}`,
        status: 202,
        answers: undefined,
    },
    startService: {
        needs: "service",
        first: async ({ client, project, finish }, { service }) => {
            await client.stopService(project, service, readOptions);
            finish();
        },
        call: (client, project, { service }) => client.startService(project, service, readOptions),
        sends: `POST ${ofService}/start`,
        status: 202,
        answers: { service_id: "{service}" },
    },
    stopService: {
        needs: "service",
        call: (client, project, { service }) => client.stopService(project, service, readOptions),
        sends: `POST ${ofService}/stop`,
        status: 202,
        answers: { service_id: "{service}" },
    },
    attachToVPC: {
        needs: "vpc and service",
        call: (client, project, { service, vpc }) => client.attachToVPC(project, service, { vpc_id: vpc }, readOptions),
        sends: `POST ${ofService}/attachToVPC`,
        body: { vpc_id: "{vpc}" },
        status: 202,
        answers: message,
    },
    detachFromVPC: {
        needs: "vpc and service",
        first: async ({ client, project, finish }, { service, vpc }) => {
            await client.attachToVPC(project, service, { vpc_id: vpc }, readOptions);
            finish();
        },
        call: (client, project, { service, vpc }) =>
            client.detachFromVPC(project, service, { vpc_id: vpc }, readOptions),
        sends: `POST ${ofService}/detachFromVPC`,
        body: { vpc_id: "{vpc}" },
        status: 202,
        answers: message,
    },
    resizeService: {
        needs: "service",
        call: (client, project, { service }) => client.resizeService(project, service, size, readOptions),
        sends: `POST ${ofService}/resize`,
        body: size,
        status: 202,
        answers: { service_id: "{service}" },
    },
    enablePooler: {
        needs: "service",
        call: (client, project, { service }) => client.enablePooler(project, service, readOptions),
        sends: `POST ${ofService}/enablePooler`,
        status: 200,
        answers: message,
    },
    disablePooler: {
        needs: "service",
        first: ({ client, project }, { service }) => client.enablePooler(project, service, readOptions),
        call: (client, project, { service }) => client.disablePooler(project, service, readOptions),
        sends: `POST ${ofService}/disablePooler`,
        status: 200,
        answers: message,
    },
    forkService: {
        needs: "service",
        call: (client, project, { service }) =>
            client.forkService(
                project,
                service,
                { fork_strategy: "NOW", name: "copy", environment_tag: "PROD" },
                readOptions,
            ),
        sends: `POST ${ofService}/forkService`,
        body: { fork_strategy: "NOW", name: "copy", environment_tag: "PROD" },
        status: 202,
        answers: {
            name: "copy",
            forked_from: { service_id: "{service}" },
            initial_password: expect.any(String) as string,
        },
    },
    updatePassword: {
        needs: "service",
        call: (client, project, { service }) =>
            client.updatePassword(project, service, { password: "new pass word" }, readOptions),
        sends: `POST ${ofService}/updatePassword`,
        body: { password: "new pass word" },
        status: 204,
        answers: undefined,
    },
    setEnvironment: {
        needs: "service",
        call: (client, project, { service }) =>
            client.setEnvironment(project, service, { environment: "PROD" }, readOptions),
        sends: `POST ${ofService}/setEnvironment`,
        body: { environment: "PROD" },
        status: 200,
        answers: message,
    },
    renameService: {
        needs: "service",
        call: (client, project, { service }) => client.renameService(project, service, { name: "other" }, readOptions),
        sends: `POST ${ofService}/rename`,
        body: { name: "other" },
        status: 200,
        answers: { service_id: "{service}", name: "other", status: "READY" },
    },
    getServiceLogs: {
        needs: "service",
        call: (client, project, { service }) =>
            client.getServiceLogs(project, service, { search: "ready" }, readOptions),
        sends: `GET ${ofService}/logs?search=ready`,
        status: 200,
        answers: { logs: expect.any(Array) as unknown[], entries: expect.any(Array) as unknown[] },
    },
    setHA: {
        needs: "service",
        call: (client, project, { service }) =>
            client.setHA(project, service, { replica_count: 2, sync_replica_count: 1 }, readOptions),
        sends: `POST ${ofService}/setHA`,
        body: { replica_count: 2, sync_replica_count: 1 },
        status: 202,
        answers: { service_id: "{service}" },
    },
    listReplicaSets: {
        needs: "set",
        call: (client, project, { service }) => client.listReplicaSets(project, service, readOptions),
        sends: `GET ${ofService}/replicaSets`,
        status: 200,
        answers: [{ id: "{set}", status: "active", ...aReplicaSet }],
    },
    createReplicaSet: {
        needs: "service",
        call: (client, project, { service }) => client.createReplicaSet(project, service, aReplicaSet, readOptions),
        sends: `POST ${ofService}/replicaSets`,
        body: aReplicaSet,
        status: 202,
        answers: { status: "creating", ...aReplicaSet },
    },
    deleteReplicaSet: {
        needs: "set",
        call: (client, project, { service, set }) => client.deleteReplicaSet(project, service, set, readOptions),
        sends: `DELETE ${ofSet}`,
        status: 202,
        answers: undefined,
    },
    resizeReplicaSet: {
        needs: "set",
        call: (client, project, { service, set }) =>
            client.resizeReplicaSet(project, service, set, { ...size, nodes: 3 }, readOptions),
        sends: `POST ${ofSet}/resize`,
        body: { ...size, nodes: 3 },
        status: 202,
        answers: message,
    },
    enableReplicaSetPooler: {
        needs: "set",
        call: (client, project, { service, set }) => client.enableReplicaSetPooler(project, service, set, readOptions),
        sends: `POST ${ofSet}/enablePooler`,
        status: 200,
        answers: message,
    },
    disableReplicaSetPooler: {
        needs: "set",
        first: ({ client, project }, { service, set }) =>
            client.enableReplicaSetPooler(project, service, set, readOptions),
        call: (client, project, { service, set }) => client.disableReplicaSetPooler(project, service, set, readOptions),
        sends: `POST ${ofSet}/disablePooler`,
        status: 200,
        answers: message,
    },
    setReplicaSetEnvironment: {
        needs: "set",
        call: (client, project, { service, set }) =>
            client.setReplicaSetEnvironment(project, service, set, { environment: "PROD" }, readOptions),
        sends: `POST ${ofSet}/setEnvironment`,
        body: { environment: "PROD" },
        status: 200,
        answers: message,
    },
};
