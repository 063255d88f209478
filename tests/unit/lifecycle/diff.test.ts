import type { Session } from "../../../provider/lifecycle/session";
import { network, projectId } from "../../support/fixtures";
import { hosts, sessionsOn } from "../../support/hosts";
import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const orders = { name: "orders", regionCode: "us-east-1", deletionProtection: false };
const moved = { ...orders, regionCode: "eu-west-1" };
const change = 'regionCode "us-east-1" -> "eu-west-1"';

it.each(hosts)("a replacement on %s loses the data, and its preview says so", async (_, hostIn) => {
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

const required = { Service: { regionCode: "us-east-1" }, Vpc: { cidr: network.cidr, regionCode: "us-east-1" } };

/** The warnings in the plan of a rename. */
function warningsOf(
    session: Session,
    type: keyof typeof required,
    index: number,
    from: string | undefined,
    to: string,
) {
    const urn = `urn:pulumi:dev::shop::clouddb:index:${type}::db-${index}`;
    const declare = (name: string | undefined) => ({ ...required[type], __urn: urn, projectId, name });
    const state = { ...declare(from), record: { declared: Object.keys(declare(to)), defaults: {} } };
    const calls = untypedLifecycles[type].in(session);
    const { notices } = calls.diff(`id-${index}`, state, calls.check(declare(to), state).inputs);
    return notices.flatMap(({ severity, text }) => (severity === "warn" ? [text] : []));
}

describe.each([
    ["Service", "Vpc"],
    ["Vpc", "Service"],
] as const)("the plans of several renames in one run (%s)", (type, otherType) => {
    it("say nothing if a resource of another kind gets the old name", async () => {
        const session = sessionsOn(await simulate()).startSession();
        expect(warningsOf(session, otherType, 0, "beta", "alpha")).toEqual([]);
        expect(warningsOf(session, type, 1, "alpha", "beta")).toEqual([]);
    });

    it.each<[reason: string, before: string[], after: string[], moved?: string]>([
        ["the first entry of a list is removed", ["alpha", "beta", "gamma"], ["beta", "gamma"], '"alpha" -> "beta"'],
        ["an entry is inserted", ["alpha", "beta"], ["omega", "alpha", "beta"], '"alpha" -> "omega"'],
        ["names are new", ["alpha", "beta"], ["gamma", "delta"]],
        ["only one is renamed", ["alpha", "beta"], ["gamma", "beta"]],
    ])("say that keys have moved, or not: %s", async (_, before, after, moved = "") => {
        const session = sessionsOn(await simulate()).startSession();
        const renames = after.slice(0, before.length);
        const texts = renames.map((name, index) => warningsOf(session, type, index, before[index], name));
        const warning =
            `resource "db-0" is also renamed, ${moved}. Keys of a list have probably moved: each ${lifecycles[type].resource.noun} ` +
            "would get the name of another (node_modules/pulumi-clouddb/docs/changes.md)";
        expect(texts).toEqual([[], moved === "" ? [] : [warning]]);
    });
});
