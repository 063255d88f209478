import * as clouddb from "../../../sdk/nodejs";
import { failureOf } from "../../support/client";
import { startConnected, type TestWorld } from "../../support/emulator";

let world: TestWorld;

beforeEach(async () => {
    world = await startConnected({ peerings: "immediate" });
});

test("getVpcs and getVpc return VPCs with the names of the resource's outputs", async () => {
    const vpc = await world.vpc({ cidr: "10.1.0.0/16" });
    const expected = {
        projectId: world.emulator.projectId,
        vpcId: vpc.id,
        name: "net",
        cidr: "10.1.0.0/16",
        regionCode: "us-east-1",
    };
    await expect(clouddb.getVpcs()).resolves.toMatchObject([expected]);
    await expect(clouddb.getVpc({ vpcId: vpc.id })).resolves.toMatchObject(expected);
});

test("getPeerings and getPeering return peerings with their VPC", async () => {
    const { id: vpcId } = await world.vpc();
    const body = { peer_account_id: "123456789012", peer_region_code: "us-east-1", peer_vpc_id: "vpc-1" };
    const { body: made } = await world.api<{ id: string }>("POST", `${world.project}/vpcs/${vpcId}/peerings`, body);
    const [found] = await clouddb.getPeerings({ vpcId });
    expect(found).toMatchObject({ vpcId, peeringId: made.id, peerVpcId: "vpc-1", status: "active" });
    await expect(clouddb.getPeering({ vpcId, peeringId: made.id })).resolves.toEqual(found);
});

test("getPeerings throws an error if the VPC does not exist", async () => {
    const error = await failureOf(clouddb.getPeerings({ vpcId: "999999" }), clouddb.ApiError);
    expect(error).toMatchObject({ status: 404, operation: "listPeerings" });
});

test("getService returns the outputs of the resource, without a password", async () => {
    const size = { cpu_millis: "1000", memory_gbs: "4" };
    const created = await world.readyService({ ...size, replica_count: 1 });
    const { service_id: serviceId, initial_password: password = "" } = created;
    const found = await clouddb.getService({ serviceId });
    expect(found).toMatchObject({
        projectId: world.emulator.projectId,
        serviceId,
        name: "db",
        status: "READY",
        cpuMillis: 1000,
        memoryGbs: 4,
        replicaCount: 1,
        connectionPooler: false,
        paused: false,
    });
    expect(found.host).toMatch(/./);
    expect(password).not.toBe("");
    expect(JSON.stringify(found)).not.toContain(password);
    await expect(clouddb.getServices()).resolves.toEqual([found]);
});

describe("what only getService and getServices return", () => {
    const both = async (shown: object) => {
        world = await startConnected({
            intercept: async ({ operationId }, carryOut) => {
                const answer = await carryOut();
                const [service = {}] = [JSON.parse(answer.body || "[]") as object | object[]].flat();
                const changed = { ...service, ...shown };
                const body = operationId === "listServices" ? [changed] : changed;
                return /^(get|list)Services?$/.test(operationId) ? { ...answer, body: JSON.stringify(body) } : answer;
            },
        });
        const { service_id: serviceId } = await world.readyService();
        const one = await clouddb.getService({ serviceId });
        await expect(clouddb.getServices()).resolves.toEqual([one]);
        return one;
    };

    test.each<[object, clouddb.GetServiceResult["usage"]]>([
        [
            { milli_cpu: 20, memory_mb: 400.6, storage_mb: 0 },
            { cpuMillis: 20, memoryMb: 401, storageMb: 0 },
        ],
        [{ milli_cpu: null, storage_mb: 64 }, { storageMb: 64 }],
    ])("the usage is in whole numbers, without those that the API does not say: %j", async (metrics, usage) => {
        expect((await both({ metrics })).usage).toEqual(usage);
    });

    test.each([null, undefined, {}, { milli_cpu: null, memory_mb: null, storage_mb: null }])(
        "there is no usage if the API says %j",
        async (metrics) => {
            expect(await both({ metrics })).not.toHaveProperty("usage");
        },
    );

    test.each<[object[], string | undefined]>([
        [[{ spec: { volume_type: "gp3" } }, { spec: { volume_type: "io2" } }], "gp3"],
        [[{ spec: { volume_type: "" } }], undefined],
        [[{ spec: { volume_type: null } }], undefined],
        [[{}], undefined],
        [[], undefined],
    ])("the type of the volume is that of the first node: %j", async (resources, type) => {
        const { volumeType, ...others } = await both({ resources });
        expect(volumeType).toBe(type);
        expect("volumeType" in others).toBe(false);
    });
});

test("getService finds a service by its name", async () => {
    const { service_id: serviceId } = await world.readyService({ name: "orders" });
    await world.readyService({ name: "other" });
    const expected = await clouddb.getService({ serviceId });
    await expect(clouddb.getService({ name: "orders" })).resolves.toEqual(expected);
    // The API may keep the name of the program in small letters.
    await expect(clouddb.getService({ name: "Orders" })).resolves.toEqual(expected);
    const { service_id: exact } = await world.readyService({ name: "Orders" });
    await expect(clouddb.getService({ name: "Orders" })).resolves.toMatchObject({ serviceId: exact });
});

const required = "getService requires either serviceId or name.\nContinue: set";

test.each<[string, clouddb.GetServiceArgs]>([
    [
        'Project emulator01 has no service with the name "absent".\n' +
            "If this program creates it: set serviceId to the id of the resource instead",
        { name: "absent" },
    ],
    ['Project emulator01 has 2 services with the name "2".\nContinue: set serviceId to IDS instead', { name: "2" }],
    [`${required} serviceId or name to a non-empty string`, {}],
    [`${required} serviceId or name to a non-empty string`, { name: "" }],
    [`${required} one of them, not both`, { name: "db", serviceId: "x" }],
])("%s", async (message, args) => {
    const ids = [await world.readyService({ name: "2" }), await world.readyService({ name: "2" })];
    const expected = message.replace("IDS", ids.map(({ service_id: id }) => id).join(" or "));
    await expect(failureOf(clouddb.getService(args), Error)).resolves.toMatchObject({ message: expected });
});

test("getReadReplicaSets returns the sets of a service, and getServices leaves them out", async () => {
    world = await startConnected({ dialect: "standbys-listed" });
    const { service_id: serviceId } = await world.readyService();
    const { id: replicaSetId } = await world.activeReplicaSet(serviceId);
    await expect(clouddb.getReadReplicaSets({ serviceId })).resolves.toEqual([
        expect.objectContaining({ serviceId, replicaSetId, nodes: 1, cpuMillis: 500, status: "active" }),
    ]);
    await expect(clouddb.getServices()).resolves.toHaveLength(1);
    const error = await failureOf(clouddb.getService({ serviceId: replicaSetId }), clouddb.FunctionError);
    expect(error.message).toContain("is a read replica set");
});
