import { DeadlineError, ProjectNotFoundError } from "../../../provider/api/callErrors";
import { WaitTimeoutError } from "../../../provider/observe/wait";
import { failureOf } from "../../support/client";
import { call, service } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { EngineCalls, lifecycles } from "../../support/lifecycles";
import { callsOfKinds, createMissing } from "../../support/missing";
import { withService, withUnseenService } from "../../support/withService";

const { Service } = lifecycles;

describe.each(callsOfKinds)("the deletion of a $kind", ({ kind, reads, lists, deletes }) => {
    it("deletes it although the request fails with 404 once", async () => {
        const { remove, exists, return404 } = await createMissing(kind);
        return404([deletes], 1);
        await remove();
        expect(exists()).toBe(false);
    });

    it("fails if the project disappears meanwhile", async () => {
        const { remove, return404 } = await createMissing(kind);
        return404([reads, lists, "listVpcs", "listServices", "listProjects"]);
        await failureOf(remove(), ProjectNotFoundError);
    });
});

it("the first deletion of a process in a project says where it deletes", async () => {
    const { world, id, state } = await withService();
    const other = await Service.create(service({ name: "bills" }), world.run());
    const { lines, startSession } = sessionsOn(world);
    const session = startSession();
    for (const one of [{ id, state }, other]) {
        await new EngineCalls(lifecycles.Service, session).delete(one.id, one.state);
    }
    expect(lines.filter((text) => text.startsWith("deletes at"))).toEqual([
        `deletes at ${world.emulator.url}, project ${world.emulator.projectId}`,
    ]);
});

describe("the deletion of a service", () => {
    it("resumes an earlier one, and succeeds if the service is already deleted", async () => {
        const { world, id, state } = await withService();
        await call(world, "deleteService", { service_id: id });
        await Service.delete(id, state, world.run());
        await Service.delete(id, state, world.run());
        expect(world.emulator.snapshot().counts.services).toEqual({ made: 1, removed: 1 });
    });

    it("does not end with a 404 of a proxy", async () => {
        const { world, id, state } = await withService();
        world.emulator.addFaults(["deleteService#1+:404,body=html"]);
        const deletion = Service.delete(id, state, world.run({ timeMs: 60_000 }));
        await expect(deletion).rejects.toThrow(WaitTimeoutError);
    });

    it("deletes a service that reads do not show yet, and fails if they do not show it within the time limit", async () => {
        const { world, id, state } = await withUnseenService();
        const deletion = Service.delete(id, state, world.run({ timeMs: 3_000 }));
        await expect(deletion).rejects.toMatchObject({ cause: expect.any(DeadlineError) as unknown });
        await Service.delete(id, state, world.run());
        expect(world.emulator.snapshot().services).toEqual([]);
    });

    it("does not come before a replacement whose password cannot be read", async () => {
        const { world, id, state } = await withService();
        const services = new EngineCalls(Service, sessionsOn(world).startSession());
        // As with --replace, no check has the state.
        services.check({ ...service(), passwordVariable: "UNSET", passwordVersion: 1 }, {});
        await expect(services.delete(id, state)).rejects.toThrow(/UNSET/);
        expect(world.changes()).toEqual([]);
    });
});
