import { log, runtime } from "@pulumi/pulumi";
import * as clouddb from "../../../sdk/nodejs";
import { startConnected, startWorld, type TestWorld } from "../../support/emulator";
import { failureOf } from "../../support/client";

let world: TestWorld;

beforeEach(async () => {
    world = await startConnected();
});

afterEach(() => {
    runtime.setAllConfig({});
});

test("a list with a malformed entry is returned without that entry, with a warning", async () => {
    world = await startConnected({
        intercept: async (_, carryOut) => {
            const response = await carryOut();
            return { ...response, body: JSON.stringify([{}, ...(JSON.parse(response.body) as unknown[])]) };
        },
    });
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
    ["clouddb:projectID", "clouddb:projectID is not a setting of this package; did you mean clouddb:projectId?"],
    [
        "clouddb:region",
        "; the settings are clouddb:accessToken, clouddb:accessTokenFile, clouddb:projectId, clouddb:baseUrl, ",
    ],
])("the misspelt setting %s is rejected", async (key, message) => {
    runtime.setAllConfig({ [key]: "other00001" });
    expect((await failureOf(clouddb.getVpcs(), Error)).message).toContain(message);
    expect(() => new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" })).toThrow(message);
});

test("the argument projectId has priority over the settings", async () => {
    const error = await failureOf(clouddb.getVpcs({ projectId: "unknown000" }), Error);
    expect(error).toMatchObject({ path: "/projects/unknown000/vpcs" });
});

test("the error for a missing variable names it and the setting, and no request is sent", async () => {
    Reflect.deleteProperty(process.env, "CLOUDDB_PROJECT_ID");
    const error = await failureOf(clouddb.getServices(), clouddb.ConfigError);
    expect(error).toHaveProperty("setting", "clouddb:projectId");
    expect(error.message).toContain("CLOUDDB_PROJECT_ID");
    expect(world.emulator.journal()).toEqual([]);
});

test("an error that the program does not catch ends it with the message and without a stack trace", async () => {
    const error = await failureOf(clouddb.getService({ serviceId: "absent0000" }), Error);
    expect(error).toMatchObject({ status: 404 });
    // Pulumi prints no stack trace for an error with this property.
    expect((error as { __pulumiRunError?: unknown }).__pulumiRunError).toBe(true);
    expect(JSON.stringify(error)).not.toContain("__pulumiRunError");
});

test("the error for a missing argument names the argument", async () => {
    const error = await failureOf(clouddb.getVpc({} as clouddb.GetVpcArgs), Error);
    expect(error).toMatchObject({
        message: "getVpc requires the argument vpcId.\nContinue: set vpcId to a non-empty string",
    });
});
