import { lifecycles } from "../../../support/lifecycles";
import { operations, service } from "../../../support/fixtures";
import { withService } from "../../../support/withService";

const { Service } = lifecycles;

const old = service({ name: "old" });

describe("changed names of services", () => {
    it("a changed name of a service is one request, and the next plan is empty", async () => {
        const { world, id, state } = await withService(old);
        expect(Service.plan(state, service({ name: "new" }))).toMatchObject({
            replace: [],
            steps: [{ title: 'rename "old" -> "new"' }],
            stateChanges: [],
        });
        const next = await Service.update(id, state, service({ name: "new" }), world.run());
        expect(world.changes()).toEqual(['renameService {"name":"new"}']);
        expect(next).toMatchObject({ name: "new", serviceId: id });
        expect(Service.plan(next, service({ name: "new" }))).toEqual({
            replace: [],
            steps: [],
            stateChanges: [],
        });
        expect(world.warnings).toEqual([]);
    });

    it("a changed name is not sent again if a killed run has sent it", async () => {
        const { world, id, state } = await withService(old);
        world.emulator.updateService(id, { name: "new" });
        const next = await Service.update(id, state, service({ name: "new" }), world.run());
        expect(operations(world)).toEqual([]);
        expect(next.name).toBe("new");
    });

    it("adding or removing a name in the program changes nothing while the name is the same", async () => {
        const { world, id, state } = await withService(old);
        const removed = await Service.update(id, state, service(), world.run());
        expect(removed.name).toBe("old");
        const added = await Service.update(id, removed, service({ name: "old" }), world.run());
        expect(added.name).toBe("old");
        expect(world.changes()).toEqual([]);
    });

    it("a changed name is a step of an adoption", async () => {
        const { world, id } = await withService(old);
        const declared = service({ existingId: id, name: "new" });
        expect(await Service.describeAdoption(id, declared, world.run())).toEqual([
            `adopt service "${id}"; its connection strings have no password, because the program declares none`,
            'rename "old" -> "new"',
        ]);
        expect((await Service.create(declared, world.run())).state.name).toBe("new");
        expect(world.changes()).toEqual(['renameService {"name":"new"}']);
    });
});
