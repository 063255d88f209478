import { secretNames } from "../../../provider/model/outputs";
import { resources, resourceTypes, type ResourceType } from "../../../provider/resources";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { hosts, type Entry } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// A preview knows an output of an unchanged resource only if the state has it, in every language.
test.each(hosts)("the state has each output of each kind on %s, null if it has no value", async (_, hostIn) => {
    const world = await simulate({ peerings: "immediate" });
    const host = hostIn(world);
    const ids: Partial<Record<ResourceType, string>> = {};
    const entries: [ResourceType, Entry][] = [];
    for (const type of resourceTypes) {
        const { entry } = await host.up(type, { ...untypedKinds[type].inputs(refsTo(ids), 0) });
        ids[type] = entry.id;
        entries.push([type, entry]);
    }
    entries.push(["Service", (await host.up("Service", { existingId: ids.Service })).entry]);
    for (const [type, entry] of entries) {
        for (const { outputs } of [entry, await host.refresh(type, entry)]) {
            const missing = Object.keys(resources[type].outputs).filter((name) => !(name in outputs));
            expect([type, ...missing]).toEqual([type]);
        }
    }
});

test("the password and the values that contain it are always secret", () => {
    expect([...new Set(secretNames(resources.Service))].sort()).toEqual([
        ...["connectionString", "currentPassword", "initialPassword"],
        ...["password", "poolerConnectionString", "vpcConnectionString"],
    ]);
});
