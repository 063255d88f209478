import { describeCreation } from "../../../provider/lifecycle/plan";
import { predictUpdate } from "../../../provider/hosts/native/prediction";
import { untypedResources } from "../../../provider/resources";
import { outputsIn, withDefaults } from "../../../provider/model/outputs";
import { emptyRecord } from "../../../provider/model/state";
import { lineOf } from "../../../provider/model/step";
import { propertySteps } from "../../../provider/resources/property";
import { show, computed, valueOf } from "../../../provider/base/fields";

/** A kind with an input whose default is 0, but for a fork the value of its parent. */
const { withDefault } = outputsIn<{ readonly timeout?: number }>();
const rows = {
    timeout: withDefault<number>(
        (inputs) => (valueOf(inputs, "fork") === undefined ? 0 : computed),
        (item) => item.timeout,
        {
            set: (timeout) => ({ operation: "renameVpc", body: { name: String(timeout) } }),
            title: (from, to) => `timeout ${show(from)} -> ${show(to)}`,
            needs: "running",
        },
    ),
};
const fork = { fork: {} };

describe("the default of an input", () => {
    const planned = (state: { timeout?: number }, declared: object, defaults = {}) => {
        const known = withDefaults(rows, { ...state, record: { ...emptyRecord, defaults } }, declared);
        return propertySteps(rows, known as never, declared).map((step) => [lineOf(step), step.needs]);
    };
    const change = (from: unknown, to: unknown) => [[`timeout ${show(from)} -> ${show(to)}`, "running"]];

    it.each([
        ["nothing, if an older state does not have the output", {}, {}, {}, []],
        ["nothing, if an older state of a fork does not have the output", {}, fork, {}, []],
        ["nothing for a fork, which keeps the value of its parent", { timeout: 30 }, fork, {}, []],
        ["the default after the input was removed", { timeout: 30 }, {}, {}, change(30, 0)],
        [
            "what an adoption has found after the input was removed",
            { timeout: 30 },
            {},
            { timeout: 10 },
            change(30, 10),
        ],
        ["the declared value from the default", {}, { timeout: 30 }, {}, change(0, 30)],
    ])("a plan sets %s", (_, state, declared, defaults, expected) => {
        expect(planned(state, declared, defaults)).toEqual(expected);
    });

    it("is in the preview of a creation, but not the value that a fork takes from its parent", () => {
        expect([{}, fork].map((inputs) => withDefaults(rows, {}, inputs))).toEqual([
            { timeout: 0 },
            { timeout: computed },
        ]);
    });

    it("is that of a fork in the previews of a fork", () => {
        const steps = (state: object, declared: object) => propertySteps(rows, state as never, declared);
        const kind = { ...untypedResources.Service, outputs: rows, steps } as typeof untypedResources.Service;
        const declared = { ...fork, projectId: "project001", name: "copy" };
        expect(describeCreation(kind, declared)).toHaveLength(1);
        expect(describeCreation(kind, { ...declared, timeout: 0 } as typeof declared)).toEqual([
            expect.anything(),
            `timeout ${show(computed)} -> 0`,
        ]);
        const state = { ...declared, timeout: 30, record: emptyRecord };
        expect(predictUpdate(kind, state, declared)).toMatchObject({ timeout: 30 });
    });
});

it("what a request needs can depend on the value, and is not known for a value that is not", () => {
    interface Insights {
        readonly enabled?: unknown;
    }
    const insights = outputsIn<{ readonly insights?: Insights }>().withDefault<Insights>({}, (item) => item.insights, {
        set: ({ enabled }) => ({ operation: "renameVpc", body: { name: String(enabled) } }),
        title: () => "insights",
        needs: ({ enabled }) => (enabled === true ? "running" : "rest"),
    });
    const needs = (wanted: unknown) =>
        propertySteps({ insights }, { insights: {}, record: emptyRecord }, { insights: wanted }).map(
            (step) => step.needs,
        );
    expect([{ enabled: true }, { enabled: false }, { enabled: computed }, computed].map(needs)).toEqual([
        ["running"],
        ["rest"],
        [undefined],
        [undefined],
    ]);
});
