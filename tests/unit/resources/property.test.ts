import { outputsIn, withDefaults } from "../../../provider/model/outputs";
import { emptyRecord } from "../../../provider/model/state";
import { lineOf } from "../../../provider/model/step";
import { propertySteps } from "../../../provider/resources/property";
import { show } from "../../../provider/base/fields";

/** A kind with an input whose default is 0. */
const { withDefault } = outputsIn<{ readonly timeout?: number }>();
const rows = {
    timeout: withDefault<number>(0, (item) => item.timeout, {
        set: (timeout) => ({ operation: "renameVpc", body: { name: String(timeout) } }),
        title: (from, to) => `timeout ${show(from)} -> ${show(to)}`,
        needs: "running",
    }),
};

const planned = (state: object, declared: object, defaults = {}) => {
    const known = withDefaults(rows, { ...state, record: { ...emptyRecord, defaults } });
    return propertySteps(rows, known as never, declared);
};

const change = (from: unknown, to: unknown) => [[`timeout ${show(from)} -> ${show(to)}`, "running"]];

it.each([
    ["nothing, if an older state does not have the output", {}, {}, {}, []],
    ["the default after the input was removed", { timeout: 30 }, {}, {}, change(30, 0)],
    ["what an adoption has found after the input was removed", { timeout: 30 }, {}, { timeout: 10 }, change(30, 10)],
    ["the declared value from the default", {}, { timeout: 30 }, {}, change(0, 30)],
])("a plan sets %s", (_, state, declared, defaults, expected) => {
    expect(planned(state, declared, defaults).map((step) => [lineOf(step), step.needs])).toEqual(expected);
});
