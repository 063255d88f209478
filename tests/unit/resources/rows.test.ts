import { rowTitle } from "../../../provider/hosts/engine";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import { changeOf, propertiesOf, untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import { untypedLifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

// Each step of an update has a row, whose title is a type in a URN: it is cut, and must still show the new value.

const newValueIn = (title: string): string | undefined => title.split(" -> ").slice(1).at(-1);

/** The longest prefix of an update with several steps. */
const numbered = (title: string): string => `10/12 ${title}`;

it("the rows of all changes of each kind show the new value", async () => {
    const world = await simulate({ peerings: "immediate" });
    const ids: Partial<Record<ResourceType, string>> = {};
    const rows: [title: string, row: string][] = [];
    for (const type of resourceTypes) {
        const lifecycle = untypedLifecycles[type];
        const refs = refsTo(ids);
        const base = {
            projectId: world.emulator.projectId,
            deletionProtection: false,
            ...untypedKinds[type].inputs(refs, 0),
        };
        const { id, state } = await lifecycle.create({ ...base, __urn: `urn::${type}` }, world.run());
        ids[type] = id;
        for (const [name, one] of propertiesOf(type)) {
            const [before, after] = changeOf(name, one, refs);
            for (const [from, to] of [
                [before, after],
                [after, before],
            ] as const) {
                const { steps } = lifecycle.plan({ ...state, ...from }, { ...base, ...to });
                rows.push(...steps.map(({ title }) => [title, rowTitle(numbered(title))] as [string, string]));
            }
        }
    }
    expect(rows.filter(([title]) => newValueIn(title) !== undefined).length).toBeGreaterThan(10);
    expect(rows.filter(([, row]) => row.length > 38 || /[:$]/.test(row))).toEqual([]);
    const shown = (text: string) => rowTitle(text).replace("…", "").slice(0, 8);
    expect(rows.filter(([title, row]) => !row.includes(shown(newValueIn(title) ?? "")))).toEqual([]);
});

it.each([
    ['rename "orders" -> "a:b"', 'rename "orders" -> "a∶b"'],
    [`rename "${"x".repeat(50)}" -> "${"y".repeat(50)}"`, 'rename "xxxxxxx… -> "yyyyyyyyyyyyyyyy…'],
    [`rename "${"x".repeat(50)}" -> "new"`, 'rename "xxxxxxxxxxxxxxxxxxxx… -> "new"'],
    ['retention {"days":7} -> {"days":30,"level":"all"}', 'retention {days… -> {days=30,level="a…'],
    ['routes [] -> ["10.0.0.0/8"]', 'routes [] -> ["10.0.0.0/8"]'],
    ["password $ecret", "password ﹩ecret"],
])("the row of %s is %s", (title, row) => {
    expect(rowTitle(title)).toBe(row);
});
