import { found } from "../../../emulator/world/find";
import type { World } from "../../../emulator/world/world";

it.each([
    ["foreign-servers", "foreign_server_id"],
    ["replicaSets", "replica_set_id"],
    ["policies", "policy_id"],
])("a resource of %s is found by %s of its path", (name, param) => {
    const record = { id: "12", projectId: "p", visibleAt: 0 };
    const world = { now: 0, parentOf: () => undefined, childrenOf: () => [], records: () => new Map([["12", record]]) };
    const kind = { name, noun: "thing", parent: "project" };
    const params = { project_id: "p", [param]: "12" };
    expect(found(kind, { world: world as unknown as World, params })).toBe(record);
});
