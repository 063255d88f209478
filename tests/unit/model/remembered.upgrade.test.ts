import { outputsWhere } from "../../../provider/model/outputs";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { changeOf, propertiesOf, untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import type { Values } from "../../support/cases/property";
import { operations } from "../../support/fixtures";
import { hosts, type Entry } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// An upgrade alone changes nothing: what the version that wrote a state did not know stays as it is found, until a program declares it.

/** The inputs whose removal restores a default. */
const rows = hosts.flatMap(([name, hostIn]) =>
    resourceTypes.flatMap((type) => {
        const withDefault = outputsWhere(untypedResources[type].outputs, (one) => "byDefault" in one);
        const changed = propertiesOf(type).filter(([input, one]) => withDefault.includes(input) && one.announced);
        return changed.map(([input, one]) => ({ type, input, one, name, hostIn }));
    }),
);

/** The entry as a version that does not know this output stores it. */
const without = (output: string, { id, outputs }: Entry): Entry => ({
    id,
    outputs: Object.fromEntries(Object.entries(outputs).filter(([name]) => name !== output)),
});

test.each(rows)(
    "what somebody has set by hand outlives the upgrade to a version that knows $input of a $type, on $name",
    async ({ type, input, one, hostIn }) => {
        const world = await simulate({ peerings: "immediate" });
        const host = hostIn(world);
        const ids: Partial<Record<ResourceType, string>> = {};
        for (const other of resourceTypes.slice(0, resourceTypes.indexOf(type))) {
            ids[other] = (await host.up(other, { ...untypedKinds[other].inputs(refsTo(ids), 0) })).entry.id;
        }
        const refs = refsTo(ids);
        const [, { [input]: value, ...beside }] = changeOf(input, one, refs);
        const inputs: Values = { ...untypedKinds[type].inputs(refs, 0), ...beside };
        const declaring: Values = { ...inputs, [input]: value };
        const { entry } = await host.up(type, inputs);
        const { outputs: byHand } = await host.up(type, declaring, entry);
        world.changes();

        const older = without(input, entry);
        const run = async (program: Values, before: Entry) => (await host.up(type, program, before)).entry;
        const same = await run(inputs, older);
        const refreshed = await host.refresh(type, await run({ ...inputs, deletionProtection: true }, same));
        const kept = await run(inputs, refreshed);
        const { entry: after, outputs } = await host.up(type, inputs, await host.refresh(type, kept));
        expect(operations(world)).toEqual([]);
        expect(outputs[input]).toEqual(byHand[input]);

        const declared = await run(declaring, after);
        expect(operations(world)).toEqual([]);
        await run(inputs, await host.refresh(type, declared));
        expect(operations(world)).not.toEqual([]);
    },
);

test.each(rows.filter(({ type }) => type === "Service"))(
    "what somebody sets by hand later is drift, also of what was absent: $input of a $type, on $name",
    async ({ type, input, one, hostIn }) => {
        const world = await simulate();
        const host = hostIn(world);
        const refs = refsTo({ Vpc: (await host.up("Vpc", { ...untypedKinds.Vpc.inputs(refsTo({}), 0) })).entry.id });
        const [, { [input]: value, ...beside }] = changeOf(input, one, refs);
        const inputs: Values = { ...untypedKinds[type].inputs(refs, 0), ...beside };
        const { entry } = await host.up(type, inputs);
        await host.up(type, { ...inputs, [input]: value }, entry);
        world.changes();
        await host.up(type, inputs, await host.refresh(type, entry));
        expect(operations(world)).not.toEqual([]);
    },
);

it("an update after an upgrade finds what somebody has set by hand, and changes only what the program does", async () => {
    const world = await simulate();
    const [, [, dynamicHostIn]] = hosts;
    const host = dynamicHostIn(world);
    const { entry } = await host.up("Service", {});
    world.emulator.updateService(entry.id, { pooler: true, environment: "PROD" });
    const older = without("connectionPooler", entry);
    const { entry: updated, lines } = await host.up("Service", { cpuMillis: 2000 }, older);
    expect(lines.join()).not.toContain("connection pooler");
    expect(lines.join()).toContain("the next `pulumi up` will: environment");
    const { lines: next } = await host.up("Service", { cpuMillis: 2000, environment: "PROD" }, updated);
    expect(next.join()).not.toContain("connection pooler");
    expect(operations(world)).toEqual(["createService", "resizeService"]);
});
