import { network, projectId } from "../../support/fixtures";
import { hosts, sessionsOn } from "../../support/hosts";
import { EngineCalls, lifecycles, untypedLifecycles } from "../../support/lifecycles";
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
    const moved = (index: number, from: string, to: string) => [
        `resource "db-${index}" is also renamed, "${from}" -> "${to}". Keys of a list have probably moved: each ${noun} ` +
            "would get the name of another (node_modules/pulumi-clouddb/docs/changes.md)",
    ];

    it.each<{
        reason: string;
        before: readonly string[];
        after: readonly string[];
        warnings: readonly (readonly string[])[];
    }>([
        {
            reason: "the first entry of a list is removed",
            before: ["alpha", "beta", "gamma"],
            after: ["beta", "gamma"],
            warnings: [[], moved(0, "alpha", "beta")],
        },
        {
            reason: "an entry is inserted",
            before: ["alpha", "beta"],
            after: ["omega", "alpha", "beta"],
            warnings: [[], moved(0, "alpha", "omega")],
        },
        { reason: "names are new", before: ["alpha", "beta"], after: ["gamma", "delta"], warnings: [[], []] },
        { reason: "only one is renamed", before: ["alpha", "beta"], after: ["alpha", "gamma"], warnings: [[], []] },
    ])("say that keys have moved, or not: $reason", async ({ before, after, warnings }) => {
        const { startSession } = sessionsOn(await simulate());
        const calls = new EngineCalls(untypedLifecycles[type], startSession());
        const plans = after.slice(0, before.length).map((name, index) => {
            const declare = (declared: string | undefined) => ({
                ...rest,
                __urn: urnOf(index),
                projectId,
                name: declared,
            });
            const state = { ...declare(before[index]), record: { declared: Object.keys(declare(name)), defaults: {} } };
            const { inputs } = calls.check(declare(name), state);
            return calls
                .diff(`id-${index}`, state as never, inputs)
                .notices.filter(({ severity }) => severity === "warn");
        });
        expect(plans.map((notices) => notices.map(({ text }) => text))).toEqual(warnings);
    });
});
