import { lifecycles } from "../../support/lifecycles";
import { operations, service } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

const password = "a-password";

describe("the inputs that the state records", () => {
    it.each([
        ["a password that was removed", service({ password }), service(), ["password"]],
        ["a password that was added", service(), service({ password }), ["password"]],
        ["an input that was added with its default", service(), service({ replicaCount: 0 }), ["replicaCount"]],
        ["timeouts that were added", service(), { ...service(), __timeouts: { delete: "1h" } }, ["customTimeouts"]],
        ["timeouts that were removed", { ...service(), __timeouts: { delete: "1h" } }, service(), ["customTimeouts"]],
    ])("the recorded inputs change with %s", async (_, before, after, stateChanges) => {
        const { world, id, state } = await withService(before);
        expect(Service.plan(state, after)).toMatchObject({ replace: [], stateChanges });
        const next = await Service.update(id, state, after, world.run());
        expect(Service.plan(next, after)).toEqual({ replace: [], steps: [], stateChanges: [] });
    });

    it("the recorded inputs do not change in a state of version 0.1.0 that lists them, in any order", async () => {
        const inputs = service({ password, replicaCount: 1 });
        const { state } = await withService(inputs);
        const old = { ...state, record: { ...state.record, declared: [...state.record.declared].reverse() } };
        expect(Service.plan(old, inputs)).toEqual({ replace: [], steps: [], stateChanges: [] });
    });

    it("the recorded inputs do not set a password again that was removed and added again", async () => {
        const { world, id, state } = await withService(service({ password }));
        const without = await Service.update(id, state, service(), world.run());
        world.changes();
        const again = await Service.update(id, without, service({ password }), world.run());
        expect(operations(world)).toEqual([]);
        expect(again.record.declared).toContain("password");
    });

    it("the recorded inputs do not contain a removed password after a read", async () => {
        const { world, id, state } = await withService(service({ password }));
        const next = await Service.update(id, state, service(), world.run());
        expect((await Service.read(id, next, world.run()))?.inputs).not.toHaveProperty("password");
    });
});
