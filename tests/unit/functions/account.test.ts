import * as clouddb from "../../../sdk/nodejs";
import { startConnected, type TestWorld } from "../../support/emulator";

let world: TestWorld;

beforeEach(async () => {
    world = await startConnected();
});

test("getAuthInfo returns a personal access token with its project and without its secret", async () => {
    const info = await clouddb.getAuthInfo();
    expect(info).toMatchObject({ type: "apiKey", apiKey: { project: { id: world.emulator.projectId } } });
    expect(JSON.stringify(info)).not.toContain(world.emulator.token);
    expect(JSON.stringify(info)).not.toMatch(/_/);
    expect(Object.keys(info.apiKey ?? {}).sort()).toEqual(["created", "issuingUser", "name", "project", "publicKey"]);
    expect(Object.keys(info.apiKey?.project ?? {}).sort()).toEqual(["id", "name", "planType"]);
});

test("getProjects returns ids under the name of the argument projectId", async () => {
    await expect(clouddb.getProjects()).resolves.toEqual([
        { projectId: world.emulator.projectId, name: expect.any(String) as string },
    ]);
});
