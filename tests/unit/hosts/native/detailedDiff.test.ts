import { PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import { detailedDiff } from "../../../../provider/hosts/native/detailedDiff";
import { computed } from "../../../../provider/base/fields";

const { Kind } = PropertyDiff;
const none = { replace: [], steps: [], stateChanges: [] };
const inputs = ["name", "vpcId", "environment"];

/** A state whose program declared these inputs. */
const stateWith = (values: object, declared: readonly string[] = []) => ({
    projectId: "emulator01",
    ...values,
    record: { declared, defaults: {} },
});

test.each([
    ["a changed property", { name: "a" }, { name: "b" }, { name: "b" }, { name: Kind.UPDATE }],
    ["a property that had no value", {}, { vpcId: "1" }, { vpcId: "1" }, { vpcId: Kind.ADD }],
    ["a property that loses its value", { vpcId: "1" }, {}, { vpcId: undefined }, { vpcId: Kind.DELETE }],
    ["a property with an unknown value", { vpcId: "1" }, {}, { vpcId: computed }, { vpcId: Kind.UPDATE }],
    ["only inputs", { name: "a" }, {}, { name: "b", poolerHost: computed }, { name: Kind.UPDATE }],
])("a step shows %s", (_, state, declared, changes, expected) => {
    const found = detailedDiff(inputs, stateWith(state), declared, { ...none, steps: [{ sets: changes }] });
    expect(Object.fromEntries([...found].map(([name, change]) => [name, change.getKind()]))).toEqual(expected);
});

test("a property that the last step returns to its old value is not shown", () => {
    const steps = [{ sets: { environment: "DEV" } }, { sets: { name: "a", environment: "PROD" } }];
    expect(detailedDiff(inputs, stateWith({ name: "a", environment: "PROD" }), {}, { ...none, steps })).toEqual(
        new Map(),
    );
});

test("a replacement shows the properties that require it", () => {
    const replace = [
        { property: "name", from: "a", to: "b" },
        { property: "vpcId", from: undefined, to: "1" },
    ];
    expect(detailedDiff(inputs, stateWith({}), {}, { ...none, replace })).toEqual(
        new Map([
            ["name", new PropertyDiff().setKind(Kind.UPDATE_REPLACE)],
            ["vpcId", new PropertyDiff().setKind(Kind.ADD_REPLACE)],
        ]),
    );
});

test.each([
    ["declares the current value", [], { environment: "DEV" }, Kind.ADD],
    ["declares another value", [], { environment: "PROD" }, Kind.UPDATE],
    ["no longer declares it", ["environment"], {}, Kind.DELETE],
])("a change of the state alone shows that the program %s", (_, before, declared, kind) => {
    const state = stateWith({ environment: "DEV" }, before);
    const found = detailedDiff(inputs, state, declared, { ...none, stateChanges: ["environment", "customTimeouts"] });
    expect(found).toEqual(new Map([["environment", new PropertyDiff().setKind(kind).setInputdiff(true)]]));
});
