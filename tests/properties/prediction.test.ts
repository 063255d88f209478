import fc from "fast-check";
import { computed, valueOf, type Field } from "../../provider/base/fields";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { propertiesOf, untypedKinds } from "../support/cases";
import { symbols } from "../support/cases/kind";
import { changeOf, type Values } from "../support/cases/property";
import { dialects } from "../support/dialects";
import { hosts, nativeHostIn, type Entry, type TestHost } from "../support/hosts";
import { createScene, expectExactPreview, type PreviewedStack } from "../support/previewChecks";
import { changesOf, forms, propertyRuns, type Change } from "../support/random";
import { simulate, type Simulation } from "../support/simulation";

/** Longer than any operation of the emulator. */
const settledMs = 3_600_000;
/** After the first hourly and daily snapshots. */
const oldMs = 2 * 86_400_000;

describe.each(hosts)("previews on %s", (_, hostIn) => {
    it.each(forms.map(({ type, form }, index) => [type, index, form] as const))(
        "every known output is the result of the update, and every step a request in order: %s (%s)",
        async (type, _index, form) => {
            let accepted = 0;
            await fc.assert(
                fc.asyncProperty(changesOf(type, form), dialects, async (change, dialect) => {
                    accepted += Number(await previewIn(dialect, hostIn, type, change));
                }),
                { numRuns: Math.ceil(propertyRuns / 4), seed: Number(process.env.CLOUDDB_SEED ?? 1) },
            );
            expect(accepted).not.toBe(0);
        },
    );
});

/** The changes in place of one property, from a program that declares it only if it must. */
const changes = resourceTypes.flatMap((type) =>
    propertiesOf(type)
        .filter(([, { announced }]) => announced !== undefined)
        .map(([name, one]) => {
            const { [name]: value, ...others } = untypedKinds[type].inputs(symbols, 0) as Values;
            const { required } = valueOf(untypedResources[type].fields, name) as Field;
            const from = required ? { ...others, [name]: value } : others;
            return [type, name, { from, between: { ...from, ...changeOf(name, one, symbols)[1] } }] as const;
        }),
);

test.each(changes)("the outputs of a %s whose change of %s is cut, and then taken back", async (type, _, change) => {
    const cut = { ...change, to: change.from, event: "cutUpdate", fails: "", unknowns: [] } as const;
    expect(await previewIn("", nativeHostIn, type, cut)).toBe(true);
});

async function previewIn(dialect: string, hostIn: (world: Simulation) => TestHost, type: ResourceType, change: Change) {
    const world = await simulate({ peerings: "immediate", movingEndpoints: true, dialect });
    const scene = await createScene(world.client, world.emulator, () => world.clock.advance(settledMs));
    world.clock.advance(oldMs);
    return expectExactPreview(type, change, scene, stackOf(world, hostIn(world)));
}

/** The values without the one at this path, as far as one outside of it is not unknown. */
function withUnknown<T>(values: T, [first, ...rest]: readonly string[]): T {
    if (first === undefined || (values as unknown) === computed) {
        return computed as T;
    }
    const copy = (Array.isArray(values) ? [...(values as unknown[])] : { ...values }) as object;
    return Object.assign(copy, { [first]: withUnknown(valueOf(copy, first), rest) }) as T;
}

/** A stack whose state is in memory. */
function stackOf(world: Simulation, host: TestHost): PreviewedStack {
    let entry: Entry | undefined;
    return {
        emulator: world.emulator,
        entry: () => Promise.resolve(entry),
        preview: (type, inputs, hidden) =>
            host.preview(
                type,
                hidden.reduce((known, path) => withUnknown(known, path.split(".")), inputs),
                entry,
            ),
        up: async (type, inputs) => {
            const updated = await host.up(type, inputs, entry);
            entry = updated.entry;
            return updated;
        },
        refresh: async (type) => {
            entry = entry && (await host.refresh(type, entry));
        },
        changes: () => world.changes().map((line) => line.split(" ")[0] ?? ""),
    };
}
