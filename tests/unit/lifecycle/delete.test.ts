import type { Interceptor } from "../../../emulator";
import { CloudDbError, DeadlineError, ProjectNotFoundError } from "../../../provider/api/callErrors";
import { failureOf } from "../../support/client";
import { call, loseResponse, projectId, respond, service } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { blind } from "../../support/lostAnswers";
import { callsOfKinds, createMissing } from "../../support/missing";
import { simulate } from "../../support/simulation";
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
        await lifecycles.Service.in(session).delete(one.id, one.state);
    }
    expect(lines.filter((text) => text.startsWith("deletes at"))).toEqual([
        `deletes at ${world.emulator.url}, project ${world.emulator.projectId}`,
    ]);
});

describe("the deletion of a service", () => {
    it("says at its time limit which status the API shows", async () => {
        const { world, id, state } = await withService();
        world.fault.at("deleteService", respond(202));
        const error = await failureOf(Service.delete(id, state, world.run({ timeMs: 10_000 })), CloudDbError);
        expect(error.message).toMatch(/timed out after 10 s: deleting for 10 s \(last poll: status READY\)\./);
        expect(world.statusLines).toContainEqual(expect.stringContaining("deleting, status READY"));
    });

    it("resumes an earlier one, and succeeds if the service is already deleted", async () => {
        const { world, id, state } = await withService();
        await call(world, "deleteService", { service_id: id });
        await Service.delete(id, state, world.run());
        await Service.delete(id, state, world.run());
        expect(world.emulator.snapshot().counts.services).toEqual({ made: 1, removed: 1 });
        expect(world.warnings).toEqual([
            `Service "orders" (${id}) was not found at ${world.emulator.url} in project "${projectId}"; if this token cannot see it, it runs on in no state`,
        ]);
    });

    it("waits without another request if somebody else deletes it, while the API rejects the deletion of a busy one", async () => {
        const { world, id, state } = await withService();
        world.emulator.clearJournal();
        world.emulator.setServiceStatus(id, "OPTIMIZING");
        let reads = 0;
        const somebody: Interceptor = (_, carryOut) => {
            reads += 1;
            if (reads === 4) {
                world.emulator.setServiceStatus(id, "DELETING");
            } else if (reads === 8) {
                world.emulator.deleteService(id);
            }
            return carryOut();
        };
        world.fault.at("getService", somebody);
        world.emulator.addFaults(["deleteService#1+:409"]);
        await Service.delete(id, state, world.run());
        expect(world.emulator.changes()).toHaveLength(1);
        expect(world.warnings).toEqual([]);
    });

    it("waits as long as the API rejects it because of one change after another", async () => {
        const { world, id, state } = await withService();
        let attempts = 0;
        const busy = respond(409, '{"code":"BUSY","message":"another change"}');
        world.fault.at("deleteService", (exchange, carryOut) => {
            attempts += 1;
            if (attempts === 8) {
                return carryOut();
            }
            world.emulator.setServiceStatus(id, "OPTIMIZING", 20_000);
            return busy(exchange, carryOut);
        });
        await Service.delete(id, state, world.run({ timeMs: 1_800_000 }));
        expect(world.emulator.snapshot().services).toEqual([]);
    });

    it("does not end with a 404 of a proxy", async () => {
        const { world, id, state } = await withService();
        world.emulator.addFaults(["deleteService#1+:404,body=html"]);
        const deletion = Service.delete(id, state, world.run({ timeMs: 60_000 }));
        await expect(deletion).rejects.toThrow("timed out after");
    });

    it("deletes a service that reads do not show yet, and fails if they do not show it within the time limit", async () => {
        const { world, id, state } = await withUnseenService();
        const deletion = Service.delete(id, state, world.run({ timeMs: 3_000 }));
        await expect(deletion).rejects.toMatchObject({ cause: expect.any(DeadlineError) as unknown });
        await Service.delete(id, state, world.run());
        expect(world.emulator.snapshot().services).toEqual([]);
    });
});

describe("a deletion that finds nothing", () => {
    it("with a token that sees nothing removes each entry with a warning that has the id, the address and the project", async () => {
        const world = await simulate();
        const made = await Promise.all(
            ["orders", "bills"].map((name) => Service.create(service({ name }), world.run())),
        );
        world.emulator.addFaults([{ times: "all", effect: blind }]);
        const { lines, startSession } = sessionsOn(world);
        const services = Service.in(startSession());
        world.emulator.clearJournal();
        for (const { id, state } of made) {
            await services.delete(id, state);
            const found = `(${id}) was not found at ${world.emulator.url} in project "${projectId}"`;
            expect(lines).toContainEqual(expect.stringContaining(`${found}; if this token cannot see it, it runs on`));
        }
        // No question but the request itself, and what proves that one resource is gone.
        const asked = new Set(world.emulator.journal().map(({ operationId }) => operationId));
        expect([...asked].sort()).toEqual(["deleteService", "getService", "listServices"]);
    });

    it.each([0, 60_000])("says nothing of one deleted in %i ms by one request whose answer was lost", async (ms) => {
        const { world, id, state } = await withService(service(), { durations: { delete: ms } });
        world.emulator.clearJournal();
        world.fault.at("deleteService", loseResponse, 1);
        await Service.delete(id, state, world.run());
        expect(world.warnings).toEqual([]);
        expect(world.emulator.changes()).toHaveLength(1);
    });
});
