import { untypedLifecycles } from "../../support/lifecycles";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import { outputsIn } from "../../../provider/model/outputs";
import { emptyRecord } from "../../../provider/model/state";
import { lineOf } from "../../../provider/model/step";
import { property, propertySteps } from "../../../provider/resources/property";
import { entriesOf, unknown } from "../../../provider/base/fields";
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

test("a new property with a default is no change of a state that an older version has written without it", () => {
    const { maybeShown } = outputsIn<{ limit?: number }>();
    const limit = property(
        maybeShown((item) => item.limit),
        { byDefault: 0, set: () => ({ operation: "startService" }), text: "limit" },
    );
    const older = { limit: undefined, record: emptyRecord };
    expect(propertySteps({ limit }, older, {})).toEqual([]);
    expect(propertySteps({ limit }, older, { limit: 0 }).map(lineOf)).toEqual(["limit none -> 0"]);
    expect(propertySteps({ limit }, { ...older, limit: 1 }, {}).map(lineOf)).toEqual(["limit 1 -> 0"]);
});
