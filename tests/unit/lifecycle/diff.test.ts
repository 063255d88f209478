import type { Entry } from "../../../provider/model/registry";
import { emptyRecord } from "../../../provider/model/state";
import { network, projectId } from "../../support/fixtures";
import { hosts, sessionsOn } from "../../support/hosts";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const orders = { name: "orders", regionCode: "us-east-1", deletionProtection: false };
const moved = { ...orders, regionCode: "eu-west-1" };
const change = 'regionCode "us-east-1" -> "eu-west-1"';

describe.each(hosts)("a replacement on %s", (_, hostIn) => {
    it("loses the data, and its preview says so", async () => {
        const world = await simulate();
        const host = hostIn(world);
        const { entry } = await host.up("Service", orders);
        const { lines, operation } = await host.preview("Service", moved, entry);
        expect(operation).toBe("replace");
        expect(lines).toContain(
            `is replaced (${change}): the old service ${entry.id} is deleted, and its data will be lost, unless retainOnDelete keeps it`,
        );
        const replaced = await host.up("Service", moved, entry);
        expect(world.emulator.snapshot().services).toMatchObject([{ service_id: replaced.entry.id }]);
    });
});

describe.each([
    ["Service", { regionCode: "us-east-1" }],
    ["Vpc", { cidr: network.cidr, regionCode: network.regionCode }],
] as const)("the plans of several renames in one run (%s)", (type, rest) => {
    const urnOf = (index: number) => `urn:pulumi:dev::shop::clouddb:index:${type}::db-${index}`;
    const noun = lifecycles[type].resource.noun;

    it("say nothing if a resource of another kind gets the old name", async () => {
        const { startSession } = sessionsOn(await simulate());
        const session = startSession();
        const other = type === "Vpc" ? "Service" : "Vpc";
        const ref = { type: other, projectId, id: "other" };
        const rename = { call: { operation: "renameVpc" }, title: "rename", sets: { name: "alpha" } } as const;
        session.registry.update("urn::other", {
            declared: { type: other, inputs: {}, identity: undefined },
            phase: {
                is: "existing",
                entry: { name: "beta", record: emptyRecord } as Entry,
                diff: { ref, steps: [rename] },
            },
        });
        const given = { ...rest, __urn: urnOf(0), projectId };
        const state = { ...given, name: "alpha", record: { declared: ["name"], defaults: {} } };
        const calls = untypedLifecycles[type].in(session);
        const { inputs } = calls.check({ ...given, name: "beta" }, state);
        expect(calls.diff("id-0", state as never, inputs).notices.map(({ severity }) => severity)).not.toContain(
            "warn",
        );
    });

    it.each<[reason: string, before: string[], after: string[], moved?: string]>([
        ["the first entry of a list is removed", ["alpha", "beta", "gamma"], ["beta", "gamma"], '"alpha" -> "beta"'],
        ["an entry is inserted", ["alpha", "beta"], ["omega", "alpha", "beta"], '"alpha" -> "omega"'],
        ["names are new", ["alpha", "beta"], ["gamma", "delta"]],
        ["only one is renamed", ["alpha", "beta"], ["alpha", "gamma"]],
    ])("say that keys have moved, or not: %s", async (_, before, after, moved = "") => {
        const { startSession } = sessionsOn(await simulate());
        const calls = untypedLifecycles[type].in(startSession());
        const plans = after.slice(0, before.length).map((name, index) => {
            const given = { ...rest, __urn: urnOf(index), projectId };
            const declare = (declared: string | undefined) => ({ ...given, name: declared });
            const state = { ...declare(before[index]), record: { declared: Object.keys(declare(name)), defaults: {} } };
            const { inputs } = calls.check(declare(name), state);
            return calls
                .diff(`id-${index}`, state as never, inputs)
                .notices.filter(({ severity }) => severity === "warn");
        });
        const warning =
            `resource "db-0" is also renamed, ${moved}. Keys of a list have probably moved: each ${noun} ` +
            "would get the name of another (node_modules/pulumi-clouddb/docs/changes.md)";
        const texts = plans.map((notices) => notices.map(({ text }) => text));
        expect(texts).toEqual([[], moved === "" ? [] : [warning]]);
    });
});
