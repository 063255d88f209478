import { ProjectNotFoundError } from "../../../provider/api/callErrors";
import type { State } from "../../../provider/model/resource";
import { failureOf } from "../../support/client";
import { call, failure, projectId } from "../../support/fixtures";
import { callsOfKinds, createMissing } from "../../support/missing";

describe.each(callsOfKinds)("a missing $kind", ({ kind, reads }) => {
    it(`a ${kind} stays in the state when a refresh gets a single 404`, async () => {
        const { return404, state, read } = await createMissing(kind);
        return404([reads], 1);
        expect((await read())?.state).toEqual(state);
    });

    it(`a ${kind} is updated although the first read gets a 404`, async () => {
        const { return404, update } = await createMissing(kind);
        return404([reads], 1);
        await expect(update()).resolves.toBeDefined();
    });

    it(`a deleted ${kind} is removed from the state by a refresh and by a deletion`, async () => {
        const { remove, read, exists } = await createMissing(kind);
        await remove();
        expect(exists()).toBe(false);
        expect(await read()).toBeUndefined();
        await remove();
    });

    it(`a ${kind} stays in the state if the API returns 404 for everything, with an error that names base URL and project`, async () => {
        const { world, return404, read, update, remove, exists, id } = await createMissing(kind);
        return404("all");
        for (const work of [read(), remove()]) {
            const error = await failureOf(work, ProjectNotFoundError);
            expect(error).toMatchObject({ projectId, baseUrl: world.emulator.url });
        }
        const failed = await failure(update());
        expect(failed).toMatchObject({ id, cause: expect.any(ProjectNotFoundError) as unknown });
        expect(exists()).toBe(true);
    });

    it(`a ${kind} stays in the state if its project no longer exists`, async () => {
        const { read, remove, state } = await createMissing(kind);
        const elsewhere = { ...state, projectId: "nowhere000" };
        await failureOf(read(elsewhere), ProjectNotFoundError);
        await failureOf(remove(elsewhere), ProjectNotFoundError);
    });
});

describe("reads that show nothing for 9 s", () => {
    it("a database stays in the state, and the row says what a refresh does", async () => {
        const { world, hide, state, read } = await createMissing("Service");
        hide(9_000);
        expect((await read())?.state).toEqual(state);
        expect(world.statusLines.join()).toContain("10");
    });

    it("a database is updated", async () => {
        const { hide, update } = await createMissing("Service");
        hide(9_000);
        await expect(update()).resolves.toBeDefined();
    });

    it("what has no data is removed from the state sooner, because a new one loses nothing", async () => {
        const { hide, read } = await createMissing("Vpc");
        hide(9_000);
        expect(await read()).toBeUndefined();
    });
});

describe("refreshes", () => {
    it("a refresh keeps a service that the list contains, although a read returns 404", async () => {
        const { return404, state, read } = await createMissing("Service");
        return404(["getService"]);
        expect((await read())?.state).toEqual(state);
    });

    it("a refresh keeps a replica set that one list omits", async () => {
        const { world, state, read } = await createMissing("ReadReplicaSet");
        world.emulator.addFaults(["listReplicaSets#1:omit"]);
        expect((await read())?.state).toEqual(state);
    });

    it("a refresh keeps a replica set whose list is not found although its service exists", async () => {
        const { return404, read } = await createMissing("ReadReplicaSet");
        return404(["listReplicaSets"]);
        const error = { name: "InvalidResponseError", operation: "listReplicaSets", status: 404 };
        await expect(read()).rejects.toMatchObject(error);
    });

    it("a refresh removes a peering with its VPC", async () => {
        const { world, read, remove, state } = await createMissing("Peering");
        await remove();
        const { vpcId } = state as State & { vpcId: string };
        await call(world, "deleteVpc", { vpc_id: vpcId });
        expect(await read()).toBeUndefined();
    });
});
