import { untypedLifecycles } from "../../support/lifecycles";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import { entriesOf } from "../../../provider/inputs/fields";
import { unknown } from "../../../provider/inputs/unknown";
import { untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { simulate } from "../../support/simulation";

const urn = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/clouddb:Thing::${name}`;

test("the plan has a step for each input that can be updated", async () => {
    const world = await simulate();
    const ids: Partial<Record<ResourceType, string>> = {};
    const missing: string[] = [];
    for (const type of resourceTypes) {
        const lifecycle = untypedLifecycles[type];
        const given = { projectId: world.emulator.projectId, __urn: urn(type) };
        const inputs = { ...given, ...untypedKinds[type].inputs(refsTo(ids), 0) };
        const { id, state } = await lifecycle.create(inputs, world.run());
        ids[type] = id;
        const updated = entriesOf(lifecycle.resource.fields).filter(([, { onChange }]) => onChange === "update");
        for (const [name] of updated) {
            const plan = lifecycle.plan(state, { ...inputs, [name]: unknown });
            if (!plan.steps.some(({ sets, affects }) => name in { ...sets, ...affects })) {
                missing.push(`${type}.${name}`);
            }
        }
    }
    expect(missing).toEqual([]);
});
