import { isSecretValue } from "../../support/properties";
import { valueOf, type Field } from "../../../provider/base/fields";
import { secretNames } from "../../../provider/model/outputs";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import { changeOf, propertiesOf, untypedKinds } from "../../support/cases";
import { refsTo } from "../../support/cases/program";
import type { Values } from "../../support/cases/property";
import { loseResponse } from "../../support/fixtures";
import { hosts, type Entry } from "../../support/hosts";
import { simulate } from "../../support/simulation";

// A secret of any kind is in force after each step, and in nothing that is printed or stored in plain text.

/** The secret inputs that requests contain. */
const rows = resourceTypes.flatMap((type) =>
    propertiesOf(type)
        .filter(([name, { announced }]) => announced && (valueOf(untypedResources[type].fields, name) as Field).secret)
        .flatMap(([name, one]) => hosts.map(([host, hostIn]) => ({ type, name, one, host, hostIn }))),
);

/** What a state file shows of an entry: what is marked as a secret is encrypted there. */
const plainIn = ({ outputs }: Entry): Values =>
    Object.fromEntries(Object.entries(outputs).filter(([, value]) => !isSecretValue(value)));

test.each(rows)(
    "$name of a $type is in force after a creation, a change, a lost answer and what follows it, and never shown, on $host",
    async ({ type, name, one, hostIn }) => {
        const world = await simulate({ peerings: "immediate" });
        const { emulator, fault } = world;
        const host = hostIn(world);
        const ids: Partial<Record<ResourceType, string>> = {};
        for (const other of resourceTypes.slice(0, resourceTypes.indexOf(type))) {
            ids[other] = (await host.up(other, { ...untypedKinds[other].inputs(refsTo(ids), 0) })).entry.id;
        }
        const refs = refsTo(ids);
        const [first = "", second = ""] = changeOf(name, one, refs).map((inputs) => String(inputs[name]));
        const program = (value: string): Values => ({ ...untypedKinds[type].inputs(refs, 0), [name]: value });
        const shown: unknown[] = [];
        const up = async (value: string, entry?: Entry) => {
            const before = await host.preview(type, program(value), entry);
            const run = await host.up(type, program(value), entry);
            const error = run.error instanceof Error ? run.error.message : "";
            shown.push([before.lines, run.lines, run.statuses, error, plainIn(run.entry)]);
            return run;
        };
        const isInForce = ({ id }: Entry, value: string) =>
            one.isInForce?.(emulator, id.split("/").at(-1) ?? "", value);
        const expectInForce = (entry: Entry, value: string) =>
            expect([first, second].map((each) => isInForce(entry, each))).toEqual([value === first, value === second]);

        const { entry: created } = await up(first);
        expectInForce(created, first);
        const { entry: changed } = await up(second, created);
        expectInForce(changed, second);
        expectInForce((await up(second, await host.refresh(type, changed))).entry, second);

        const [operation = ""] = Object.keys(one.announced ?? {});
        fault.at(operation, loseResponse);
        const { entry: cut } = await up(first, changed);
        fault.over();
        // The program is reverted, which changes nothing as far as the state knows.
        const { entry: reverted } = await up(second, cut);
        expectInForce(reverted, second);
        expectInForce((await up(first, cut)).entry, first);

        const texts = JSON.stringify([shown, emulator.journal(), emulator.snapshot()]);
        expect([first, second].filter((value) => texts.includes(value))).toEqual([]);
    },
);

test.each(resourceTypes)("the test cases of a %s name each of its secrets", (type) => {
    const { secrets = [] } = untypedKinds[type];
    expect([...secrets].sort()).toEqual([...new Set(secretNames(untypedResources[type]))].sort());
});
