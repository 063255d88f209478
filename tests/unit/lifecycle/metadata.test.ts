import { lifecycles } from "../../support/lifecycles";
import { operations, service } from "../../support/fixtures";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

const password = "a-password";

it.each([
    ["a password that was removed", service({ password }), service(), ["password"]],
    ["a password that was added", service(), service({ password }), ["password"]],
    ["an input that was added with its default", service(), service({ replicaCount: 0 }), ["replicaCount"]],
    ["timeouts that were added", service(), { ...service(), __timeouts: { delete: "1h" } }, ["customTimeouts"]],
    ["timeouts that were removed", { ...service(), __timeouts: { delete: "1h" } }, service(), ["customTimeouts"]],
])("the recorded inputs change with %s", async (_, before, after, stateChanges) => {
    const { state, update } = await withService(before);
    expect(Service.plan(state, after)).toMatchObject({ replace: [], stateChanges });
    const next = await update(after);
    expect(Service.plan(next, after)).toEqual({ replace: [], steps: [], stateChanges: [] });
});

it("the recorded inputs do not change in a state of version 0.1.0 that lists them, in any order", async () => {
    const inputs = service({ password, replicaCount: 1 });
    const { state } = await withService(inputs);
    const old = { ...state, record: { ...state.record, declared: [...state.record.declared].reverse() } };
    expect(Service.plan(old, inputs)).toEqual({ replace: [], steps: [], stateChanges: [] });
});

it("the recorded inputs do not contain a removed password, and do not set it again if it is added again", async () => {
    const { world, id, update } = await withService(service({ password }));
    const without = await update(service());
    expect((await Service.read(id, without, world.run()))?.inputs).not.toHaveProperty("password");
    const again = await update(service({ password }), { from: without });
    expect(operations(world)).toEqual([]);
    expect(again.record.declared).toContain("password");
});
