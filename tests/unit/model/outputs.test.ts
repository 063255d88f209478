import { byVisibility, outputsWhere, secretNames } from "../../../provider/model/outputs";
import { resources, resourceTypes, type ResourceType } from "../../../provider/resources";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { hosts, type Entry, type TestHost } from "../../support/hosts";
import type { Values } from "../../support/cases/property";
import { simulate } from "../../support/simulation";

/** An entry of each kind, with its inputs, and an adopted service. */
async function createAll(host: TestHost) {
    const ids: Partial<Record<ResourceType, string>> = {};
    const entries: (readonly [ResourceType, Values, Entry])[] = [];
    for (const type of resourceTypes) {
        const inputs = { ...untypedKinds[type].inputs(refsTo(ids), 0) };
        const { entry } = await host.up(type, inputs);
        ids[type] = entry.id;
        entries.push([type, inputs, entry]);
    }
    const adopting = { existingId: ids.Service };
    return [...entries, ["Service", adopting, (await host.up("Service", adopting)).entry] as const];
}

// A preview knows an output of an unchanged resource only if the state has it, in every language.
test.each(hosts)("the state has each output of each kind on %s, null if it has no value", async (_, hostIn) => {
    const host = hostIn(await simulate({ peerings: "immediate" }));
    for (const [type, , entry] of await createAll(host)) {
        for (const { outputs } of [entry, await host.refresh(type, entry)]) {
            const missing = Object.keys(resources[type].outputs).filter((name) => !(name in outputs));
            expect([type, ...missing]).toEqual([type]);
        }
    }
});

/** Each check resolves it, so that each state has it. */
const deletionProtection = undefined;

test.each(hosts)(
    "a state of an older version without one of the outputs that are optional or have a default shows no change on %s",
    async (_, hostIn) => {
        const host = hostIn(await simulate({ peerings: "immediate" }));
        for (const [type, inputs, { id, outputs }] of await createAll(host)) {
            const added = outputsWhere(resources[type].outputs, (one) => one.optional || "byDefault" in one);
            for (const name of added.filter((one) => !(one in { ...inputs, deletionProtection }))) {
                const older = {
                    id,
                    outputs: Object.fromEntries(Object.entries(outputs).filter(([one]) => one !== name)),
                };
                const { operation, lines } = await host.preview(type, inputs, older);
                expect([type, name, operation, lines]).toEqual([type, name, "same", []]);
            }
        }
    },
);

test("the password and the values that contain it are always secret", () => {
    expect([...new Set(secretNames(resources.Service))].sort()).toEqual([
        ...["connectionString", "currentPassword", "initialPassword"],
        ...["password", "poolerConnectionString", "vpcConnectionString"],
    ]);
});

test("values are those that a read shows, and those that only the state holds", () => {
    const values = { password: "long-enough", initialPassword: undefined, host: "moved" };
    const { shown, held } = byVisibility(resources.Service.outputs, values);
    expect(Object.keys(shown)).toEqual(["host"]);
    expect(Object.keys(held)).toEqual(["password", "initialPassword"]);
});
