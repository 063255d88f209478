import { log, runtime } from "@pulumi/pulumi";
import * as clouddb from "../../../sdk/nodejs";
import { listingStandbys } from "../../support/apiVariants";
import { longMs, startWorld, type TestWorld } from "../../support/emulator";

let world: TestWorld;

beforeEach(async () => {
    world = await startWorld({ peerings: "immediate" });
    settings({ CLOUDDB_BASE_URL: world.emulator.url, CLOUDDB_ACCESS_TOKEN: world.emulator.token });
    process.env.CLOUDDB_PROJECT_ID = world.emulator.projectId;
});

afterEach(() => {
    settings({ CLOUDDB_BASE_URL: undefined, CLOUDDB_ACCESS_TOKEN: undefined, CLOUDDB_PROJECT_ID: undefined });
    runtime.setAllConfig({});
});

function settings(values: Record<string, string | undefined>): void {
    for (const [name, value] of Object.entries(values)) {
        if (value === undefined) {
            Reflect.deleteProperty(process.env, name);
        } else {
            process.env[name] = value;
        }
    }
}

async function rejection(promise: Promise<unknown>): Promise<Error> {
    return promise.then(
        () => Promise.reject(new Error("It did not fail.")),
        (error: unknown) => error as Error,
    );
}

describe("getAuthInfo and getProjects", () => {
    test("getAuthInfo returns a personal access token with its project and without its secret", async () => {
        const info = await clouddb.getAuthInfo();
        expect(info).toMatchObject({ type: "apiKey", apiKey: { project: { id: world.emulator.projectId } } });
        expect(JSON.stringify(info)).not.toContain(world.emulator.token);
        expect(JSON.stringify(info)).not.toMatch(/_/);
    });

    test("getProjects returns ids under the name of the argument projectId", async () => {
        await expect(clouddb.getProjects()).resolves.toEqual([
            { projectId: world.emulator.projectId, name: expect.any(String) as string },
        ]);
    });
});

test("a list with a malformed entry is returned without that entry, with a warning", async () => {
    world = await startWorld({
        intercept: async (_, carryOut) => {
            const response = await carryOut();
            return { ...response, body: JSON.stringify([{}, ...(JSON.parse(response.body) as unknown[])]) };
        },
    });
    settings({ CLOUDDB_BASE_URL: world.emulator.url });
    const warn = jest.spyOn(log, "warn").mockResolvedValue();
    await expect(clouddb.getServices()).resolves.toEqual([]);
    await expect(clouddb.getVpcs()).resolves.toEqual([]);
    await expect(clouddb.getProjects()).resolves.toHaveLength(1);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
        expect.stringContaining("listServices"),
        expect.stringContaining("listVpcs"),
        expect.stringContaining("listProjects"),
    ]);
    warn.mockRestore();
});

describe("networks", () => {
    test("getVpcs and getVpc return VPCs with the names of the resource's outputs", async () => {
        const vpc = await world.vpc({ cidr: "10.1.0.0/16" });
        const expected = {
            projectId: world.emulator.projectId,
            vpcId: vpc.id,
            name: "net",
            cidr: "10.1.0.0/16",
            regionCode: "us-east-1",
        };
        await expect(clouddb.getVpcs()).resolves.toEqual([expected]);
        await expect(clouddb.getVpc({ vpcId: vpc.id })).resolves.toEqual(expected);
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
        const error = await rejection(clouddb.getPeerings({ vpcId: "999999" }));
        expect(error).toBeInstanceOf(clouddb.ApiError);
        expect(error).toMatchObject({ status: 404, operation: "listPeerings" });
    });
});

describe("services", () => {
    test("getService returns the outputs of the resource, without a password", async () => {
        const { service_id: serviceId, initial_password: password = "" } = await world.readyService({
            cpu_millis: "1000",
            memory_gbs: "4",
            replica_count: 1,
        });
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

    test("getService finds a service by its name", async () => {
        const { service_id: serviceId } = await world.readyService({ name: "orders" });
        await world.readyService({ name: "other" });
        await expect(clouddb.getService({ name: "orders" })).resolves.toEqual(await clouddb.getService({ serviceId }));
    });

    test.each<[string, clouddb.GetServiceArgs]>([
        ['Project emulator01 has no service with the name "absent".', { name: "absent" }],
        [
            'Project emulator01 has 2 services with the name "twice".\nContinue: set serviceId to IDS instead',
            { name: "twice" },
        ],
        ["getService requires either serviceId or name.\nContinue: set it to a non-empty string", {}],
        ["getService requires either serviceId or name.\nContinue: set it to a non-empty string", { name: "" }],
        [
            "getService requires either serviceId or name.\nContinue: set one of them, not both",
            { name: "db", serviceId: "x" },
        ],
    ])("%s", async (message, args) => {
        world = await startWorld({
            intercept: async (_, carryOut) => {
                const response = await carryOut();
                return { ...response, body: response.body.replace("2nd", "twice") };
            },
        });
        settings({ CLOUDDB_BASE_URL: world.emulator.url });
        const ids = [await world.readyService({ name: "twice" }), await world.readyService({ name: "2nd" })];
        const expected = message.replace("IDS", ids.map(({ service_id: id }) => id).join(" or "));
        await expect(rejection(clouddb.getService(args))).resolves.toMatchObject({ message: expected });
    });

    test("getReadReplicaSets returns the sets of a service, and getServices leaves them out", async () => {
        world = await startWorld({ intercept: listingStandbys });
        settings({ CLOUDDB_BASE_URL: world.emulator.url });
        const { service_id: serviceId } = await world.readyService();
        const { id: replicaSetId } = await world.activeReplicaSet(serviceId);
        await expect(clouddb.getReadReplicaSets({ serviceId })).resolves.toEqual([
            expect.objectContaining({ serviceId, replicaSetId, nodes: 1, cpuMillis: 500, status: "active" }),
        ]);
        await expect(clouddb.getServices()).resolves.toHaveLength(1);
        const error = await rejection(clouddb.getService({ serviceId: replicaSetId }));
        expect(error).toBeInstanceOf(clouddb.FunctionError);
        expect(error.message).toContain("is a read replica set");
    });
});

test("the deprecated names are aliases", () => {
    const { LookupError } = clouddb as Readonly<Record<string, unknown>>;
    expect(LookupError).toBe(clouddb.FunctionError);
});

describe("logs", () => {
    const read = async (args: Omit<clouddb.GetServiceLogsArgs, "serviceId"> & { serviceId: string }) => {
        const entries: clouddb.LogEntry[] = [];
        for await (const entry of clouddb.getServiceLogs(args)) {
            entries.push(entry);
        }
        return entries;
    };
    const requests = () =>
        world.emulator.journal().filter(({ operationId }) => operationId === "getServiceLogs").length;

    test("getServiceLogs reads all pages and returns each entry once, newest first", async () => {
        const { service_id: serviceId } = await world.readyService();
        world.emulator.fillLogs(serviceId, 1200);
        const entries = await read({ serviceId });
        expect(entries.length).toBeGreaterThanOrEqual(1200);
        const times = entries.map(({ timestamp = "" }) => timestamp);
        expect(times).toEqual([...times].sort().reverse());
        expect(requests()).toBe(Math.ceil(entries.length / 500));
    });

    test("getServiceLogs requests a page only when the caller reaches it", async () => {
        const { service_id: serviceId } = await world.readyService();
        world.emulator.fillLogs(serviceId, 1200);
        await expect(read({ serviceId, limit: 501 })).resolves.toHaveLength(501);
        expect(requests()).toBe(2);
        for await (const entry of clouddb.getServiceLogs({ serviceId })) {
            expect(entry.message).toMatch(/./);
            break;
        }
        expect(requests()).toBe(3);
        await expect(read({ serviceId, limit: 0 })).resolves.toEqual([]);
        expect(requests()).toBe(3);
    });

    test("getServiceLogs passes its filters to the API", async () => {
        const { service_id: serviceId } = await world.readyService({ replica_count: 1 });
        world.emulator.fillLogs(serviceId, 50);
        const errors = await read({ serviceId, severities: ["ERROR", "WARNING"] });
        expect(errors.length).toBeGreaterThan(0);
        expect(errors.every(({ severity = "" }) => ["ERROR", "WARNING"].includes(severity))).toBe(true);
        const ready = await read({ serviceId, search: "ready to accept" });
        expect(ready.map(({ message }) => message)).toEqual(["database system is ready to accept connections"]);
        world.clock.advance(longMs);
        const since = new Date(world.clock.now()).toISOString();
        world.emulator.fillLogs(serviceId, 10);
        const recent = await read({ serviceId, since });
        expect(recent.length).toBeGreaterThan(0);
        await expect(read({ serviceId, until: since })).resolves.toHaveLength(
            (await read({ serviceId })).length - recent.length,
        );
        expect((await read({ serviceId, node: "1" })).length).toBeLessThan((await read({ serviceId })).length);
    });
});

describe("settings", () => {
    test("the stack configuration has priority over the environment", async () => {
        const other = await startWorld({ projectId: "other00001", token: "other-token" });
        await other.vpc({ name: "elsewhere" });
        runtime.setAllConfig({
            "clouddb:baseUrl": other.emulator.url,
            "clouddb:projectId": "other00001",
            "clouddb:accessToken": "other-token",
        });
        await expect(clouddb.getVpcs()).resolves.toEqual([expect.objectContaining({ name: "elsewhere" })]);
    });

    test.each([
        ["clouddb:projectID", "clouddb:projectID is not a setting of this package. Did you mean clouddb:projectId?"],
        [
            "clouddb:region",
            "The settings are accessToken, accessTokenFile, projectId, baseUrl, allowInsecure, deletionProtection.",
        ],
    ])("the misspelt setting %s is rejected", async (key, message) => {
        runtime.setAllConfig({ [key]: "other00001" });
        expect((await rejection(clouddb.getVpcs())).message).toContain(message);
        expect(() => new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" })).toThrow(message);
    });

    test("the argument projectId has priority over the settings", async () => {
        const error = await rejection(clouddb.getVpcs({ projectId: "unknown000" }));
        expect(error).toMatchObject({ path: "/projects/unknown000/vpcs" });
    });

    test.each([
        ["CLOUDDB_ACCESS_TOKEN", "clouddb:accessToken"],
        ["CLOUDDB_BASE_URL", "clouddb:baseUrl"],
        ["CLOUDDB_PROJECT_ID", "clouddb:projectId"],
    ])("the error for a missing %s names the setting, and no request is sent", async (variable, setting) => {
        settings({ [variable]: undefined });
        const error = await rejection(clouddb.getServices());
        expect(error).toBeInstanceOf(clouddb.ConfigError);
        expect(error.message).toContain(setting);
        expect(error.message).toContain(variable);
        expect(world.emulator.journal()).toEqual([]);
    });

    test("an error that the program does not catch ends it with the message and without a stack trace", async () => {
        const error = await rejection(clouddb.getService({ serviceId: "absent0000" }));
        expect(error).toMatchObject({ status: 404 });
        // Pulumi prints no stack trace for an error with this property.
        expect((error as { __pulumiRunError?: unknown }).__pulumiRunError).toBe(true);
        expect(JSON.stringify(error)).not.toContain("__pulumiRunError");
    });

    test("the error for a missing argument names the argument", async () => {
        const error = await rejection(clouddb.getVpc({} as clouddb.GetVpcArgs));
        expect(error).toMatchObject({
            message: "getVpc requires the argument vpcId.\nContinue: set it to a non-empty string",
        });
    });
});
