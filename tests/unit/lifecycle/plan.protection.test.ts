import { unknown } from "../../../provider/base/fields";
import { hosts, sessionsOn } from "../../support/hosts";
import { network } from "../../support/fixtures";
import { EngineCalls, lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const protectionOff = "deletion protection off: a later run can delete this database";

const on = { name: "orders", regionCode: "us-east-1", deletionProtection: true };
const off = { ...on, deletionProtection: false };

describe.each(hosts)("the protection in previews on %s", (_, hostIn) => {
    it("has one line for each change, before the steps, and none without a change", async () => {
        const host = hostIn(await simulate());
        const { entry } = await host.up("Service", on);
        expect((await host.preview("Service", on, entry)).lines).toEqual([]);
        expect((await host.preview("Service", { ...off, environment: "PROD" }, entry)).lines).toEqual([
            protectionOff,
            "1 environment DEV -> PROD",
        ]);
        const permitted = await host.up("Service", off, entry);
        expect((await host.preview("Service", off, permitted.entry)).lines).toEqual([]);
        expect((await host.preview("Service", on, permitted.entry)).lines).toEqual(["deletion protection on"]);

        const vpc = { cidr: "10.0.0.0/16", regionCode: "us-east-1" };
        const { entry: net } = await host.up("Vpc", { ...vpc, deletionProtection: true });
        const withoutData = "deletion protection off: a later run can delete this VPC";
        expect((await host.preview("Vpc", vpc, net)).lines).toEqual([withoutData]);
    });

    it("is mentioned for an unprotected replacement, and not for another creation", async () => {
        const host = hostIn(await simulate());
        const remark = "the new service is not protected: a later run can delete it";
        expect((await host.preview("Service", off)).lines).not.toContain(remark);
        const { entry } = await host.up("Service", off);
        const { lines } = await host.preview("Service", { ...off, regionCode: "eu-west-1" }, entry);
        expect(lines.slice(-2)).toEqual([expect.stringMatching(/^1/), remark]);
    });
});

it("an update prints the line of its change of the protection, also for a service whose state has no value", async () => {
    const world = await simulate();
    const { lines, startSession } = sessionsOn(world);
    const services = () => new EngineCalls(lifecycles.Service, startSession());
    const inputs = { ...on, __urn: network.__urn };
    const { id, state } = await services().create(services().check(inputs, {}).inputs);
    const permitting = { ...inputs, deletionProtection: false };
    for (const before of [state, { ...state, deletionProtection: undefined }]) {
        lines.length = 0;
        const permitted = await services().update(id, before, services().check(permitting, { ...before }).inputs);
        expect(lines).toEqual([protectionOff]);
        await services().update(id, permitted.state, services().check(inputs, { ...permitted.state }).inputs);
        expect(lines).toEqual([protectionOff, "deletion protection on"]);
    }
});

it("a preview that does not know the new value says that the protection may change", async () => {
    const { startSession } = sessionsOn(await simulate());
    const services = new EngineCalls(lifecycles.Service, startSession());
    const inputs = services.check({ ...on, __urn: network.__urn }, {}).inputs;
    const { id, state } = await services.create(inputs);
    const changed = services.check({ ...on, __urn: network.__urn, deletionProtection: unknown }, { ...state }).inputs;
    const { notices } = services.diff(id, state, changed);
    expect(notices).toEqual([{ severity: "warn", text: "deletion protection may change (known after apply)" }]);
});
