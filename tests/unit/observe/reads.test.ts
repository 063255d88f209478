import { ProjectNotFoundError } from "../../../provider/api/callErrors";
import { failureOf } from "../../support/client";
import { addFaults } from "../../support/effects";
import { call, failure, network, projectId, service, timed } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { callsOfKinds, createMissing } from "../../support/missing";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service, Vpc } = lifecycles;

describe.each(callsOfKinds)("a missing $kind", ({ kind, reads }) => {
    it("stays in the state when a refresh gets a single 404, and is updated although the first read gets one", async () => {
        const { return404, state, read, update } = await createMissing(kind);
        return404([reads], 1);
        expect((await read())?.state).toEqual(state);
        return404([reads], 1);
        await update();
    });

    it("is removed from the state by a refresh and by a deletion once it is deleted", async () => {
        const { remove, read, exists } = await createMissing(kind);
        await remove();
        expect(exists()).toBe(false);
        expect(await read()).toBeUndefined();
        await remove();
    });

    it("stays in the state if the API returns 404 for everything, or its project no longer exists", async () => {
        const { world, return404, state, read, update, remove, exists, id } = await createMissing(kind);
        const elsewhere = { ...state, projectId: "nowhere000" };
        await failureOf(read(elsewhere), ProjectNotFoundError);
        await failureOf(remove(elsewhere), ProjectNotFoundError);
        return404("all");
        for (const work of [read(), remove()]) {
            const error = await failureOf(work, ProjectNotFoundError);
            expect(error.message).toContain(`project ${projectId} does not exist at ${world.emulator.url}`);
        }
        const failed = await failure(update());
        expect(failed).toMatchObject({ id, cause: expect.any(ProjectNotFoundError) as unknown });
        expect(exists()).toBe(true);
    });
});

describe.each(["Service", "Vpc"] as const)("reads that show nothing of a %s for 9 s", (kind) => {
    it("leave it in the state, the row says what a refresh does, and it can be updated", async () => {
        const { world, hide, state, read, update } = await createMissing(kind);
        hide(9_000);
        expect((await read())?.state).toEqual(state);
        expect(world.statusLines.join()).toContain("not found, reading again for 10 s");
        hide(9_000);
        await update();
    });
});

it("a resource that this run has not deleted is gone after 10 s", async () => {
    const { world, hide, read } = await createMissing("Vpc");
    hide(60_000);
    const { error, tookMs } = await timed(world, async () => expect(await read()).toBeUndefined());
    expect(error).toBeUndefined();
    expect(tookMs).toBeGreaterThanOrEqual(10_000);
    expect(tookMs).toBeLessThan(11_000);
});

describe("a refresh", () => {
    it("keeps a service that the list contains, although a read returns 404", async () => {
        const { return404, state, read } = await createMissing("Service");
        return404(["getService"]);
        expect((await read())?.state).toEqual(state);
    });

    it("keeps a replica set that one list omits, or whose list is not found although its service exists", async () => {
        const { world, return404, state, read } = await createMissing("ReadReplicaSet");
        world.emulator.addFaults(["listReplicaSets#1:omit"]);
        expect((await read())?.state).toEqual(state);
        return404(["listReplicaSets"]);
        const error = { name: "InvalidResponseError", operation: "listReplicaSets", status: 404 };
        await expect(read()).rejects.toMatchObject(error);
    });

    it("removes a peering with its VPC", async () => {
        const { world, read, remove, state } = await createMissing("Peering");
        await remove();
        await call(world, "deleteVpc", { vpc_id: (state as unknown as { vpcId: string }).vpcId });
        expect(await read()).toBeUndefined();
    });
});

it("a read and a wait whose response describes another object are repeated, and the other object is never stored", async () => {
    const world = await simulate();
    await Service.create({ ...service({ name: "older" }), __urn: "older" }, world.run());
    await Vpc.create({ ...network, __urn: "older", cidr: "10.9.0.0/16" }, world.run());
    const net = await Vpc.create(network, world.run());
    addFaults(world.emulator, ["getService#1x3:otherObject"]);
    const { id, state } = await Service.create(service(), world.run());
    expect(state).toMatchObject({ serviceId: id, status: "READY" });
    addFaults(world.emulator, ["getService#1x2:otherObject", "getVpc:otherObject"]);
    expect((await Service.read(id, state, world.run()))?.state).toMatchObject({ serviceId: id, name: state.name });
    expect((await Vpc.read(net.id, net.state, world.run()))?.state).toMatchObject({ vpcId: net.id });
});

it("a read fails if each response describes another object", async () => {
    const { world, id, state } = await withService();
    const other = await Service.create({ ...service({ name: "other" }), __urn: "other" }, world.run());
    addFaults(world.emulator, ["getService#1+:otherObject"]);
    await expect(Service.read(id, state, world.run())).rejects.toThrow(other.id);
});
