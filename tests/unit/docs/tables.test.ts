import { maxNodes, maxReplicas, maxSyncReplicas } from "../../../emulator/world/rules";
import { knownRegionValues } from "../../../provider/api/wire.gen";
import type { OutputField } from "../../../provider/model/outputs";
import { computed, valueOf } from "../../../provider/base/fields";
import type { CheckContext, Declared } from "../../../provider/model/resource";
import { valuesAfter } from "../../../provider/model/step";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { steps } from "../../../provider/resources/service/plan";
import { filesBelow, read, refusedCases, wholeRowsIn } from "../../support/documents";

// The tables of the resources are generated. These tests compare their cells with the plans and the checks, which they come from.

const pages = filesBelow("docs/resources", ".md").map((page) => read(page));

/** The section of a resource. The page of one resource has its name as title. */
function textOf(type: ResourceType): string {
    const [section = ""] = pages.flatMap((page) =>
        page.startsWith(`# ${type}\n`) ? [page] : page.split(/^## /m).filter((one) => one.startsWith(`${type}\n`)),
    );
    return section;
}

/** The row of an input, as cells: values, default, a change, wait, calls. */
const rowOf = (type: ResourceType, name: string): string[] =>
    wholeRowsIn(textOf(type))
        .find(([first]) => first === `\`${name}\``)
        ?.slice(1) ?? [];

const changesOf = (type: ResourceType, name: string) => rowOf(type, name)[2] ?? "";

test.each(resourceTypes)("the page of %s has a row for each input, with the effect of its change", (type) => {
    const words = {
        replace: /\*\*(new (empty )?database.*|replaced)\*\*/,
        update: /in place/,
        stateOnly: /state only/,
        await: /waits for this state/,
        ignore: /no effect/,
    };
    const wrong = Object.entries(untypedResources[type].fields).flatMap(([name, { onChange }]) => {
        const cell = changesOf(type, name);
        const says = cell === "" ? "has no row on the page" : `is ${onChange}, and the page says: ${cell}`;
        return words[onChange].test(cell) ? [] : [`${name} ${says}. Run \`npm run docs\`.`];
    });
    expect(wrong).toEqual([]);
});

const withPooler = { connectionPooler: true, host: "h", poolerHost: "p", record: { declared: [], defaults: {} } };

test.each([
    ["set", {}, { vpcId: "41" }],
    ["another", { vpcId: "41", vpcHost: "v" }, { vpcId: "42" }],
    ["removed", { vpcId: "41", vpcHost: "v" }, {}],
] as const)("vpcId %s: the page names each host that the plan leaves unknown or removes", (when, state, declared) => {
    const before = { ...withPooler, ...state };
    const plan = steps(before as never, { connectionPooler: true, ...declared });
    const after = Object.entries(valuesAfter(plan)).filter(([name]) => /host$/i.test(name));
    const cell = changesOf("Service", "vpcId").split(/ ?(set|another|removed): /);
    const effects = cell[cell.indexOf(when) + 1]?.split(", ") ?? [];
    const [inPlace, changed, ofVpc = ""] = effects.filter((one) => !one.startsWith("**"));
    const named = (list = "") => [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);

    expect(inPlace).toBe("in place");
    expect(named(changed)).toEqual(
        after
            .filter(([name, value]) => value === computed && valueOf(before, name) !== undefined)
            .map(([name]) => name)
            .sort(),
    );
    expect(changed).toMatch(/ can change$/);
    expect(ofVpc).toBe({ set: "`vpcHost` added", another: "", removed: "`vpcHost` removed" }[when]);
    expect(effects.includes("**only its network and peers connect**")).toBe(when === "set");
});

test("the inputs whose steps write the password change it for new logins", () => {
    const found = Object.keys(untypedResources.Service.fields).filter((name) =>
        changesOf("Service", name).includes("for new logins"),
    );
    expect(found.sort()).toEqual(["password", "passwordVersion"]);
});

test.each([
    ["Service", "replicaCount", maxReplicas],
    ["Service", "syncReplicaCount", maxSyncReplicas],
    ["ReadReplicaSet", "nodes", maxNodes],
] as const)("the highest documented number of %s.%s is the one that the emulator accepts", (type, name, most) => {
    const [values = ""] = rowOf(type, name);
    expect(values.match(/\d+/g)?.map(Number).at(-1)).toBe(most);
});

test.each(["Service", "ReadReplicaSet"] as const)(
    "the documented sizes of %s are all that cause no warning",
    (type) => {
        const sizes = (rowOf(type, "cpuMillis")[0]?.match(/\d+/g) ?? []).map(Number);
        const surroundings: CheckContext<object> = { others: () => [], referred: () => [], now: 0 };
        const { warnings: [warning = ""] = [] } =
            untypedResources[type].validate?.({ cpuMillis: 1 } as Declared, surroundings) ?? {};
        expect(sizes.map(String)).toEqual(/sizes ([\d, ]+);/.exec(warning)?.[1]?.split(", "));
    },
);

test("the row of the region of a service has all documented ones", () => {
    expect(rowOf("Service", "regionCode")[0]?.match(/\w+-\w+-\d/g)).toEqual([...knownRegionValues]);
});

test.each(resourceTypes)("the table of the outputs of %s has each of them, and says which are secret", (type) => {
    const rows = wholeRowsIn(
        textOf(type)
            .replace(/[^]*^(?=\| outputs )/m, "")
            .split("\n\n")[0] ?? "",
    ).slice(2);
    const named = rows
        .filter(([, when]) => when !== undefined)
        .flatMap(([names = "", , secret]) =>
            [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => `${name}${secret === "yes" ? " secret" : ""}`),
        );
    const outputs = Object.entries<OutputField>(untypedResources[type].outputs).map(
        ([name, { secret }]) => `${name}${secret ? " secret" : ""}`,
    );
    expect(named.sort()).toEqual(outputs.sort());
});

test("a resource that deletes nothing has no timeout of a deletion", () => {
    const timesOf = (type: ResourceType) => /^\[Timeouts\].*$/m.exec(textOf(type))?.[0] ?? "";
    const withDeletion = resourceTypes.filter((type) => timesOf(type).includes("deletion"));
    expect(withDeletion).toEqual(
        resourceTypes.filter((type) => untypedResources[type].operations.delete !== undefined),
    );
});

test("each case of docs/protection.md is executed by tests/languages", () => {
    expect(refusedCases.length).toBeGreaterThan(20);
    const source = read("tests/languages/refusedRuns.test.ts");
    expect(refusedCases.filter(([name]) => !source.includes(JSON.stringify(name)))).toEqual([]);
});
