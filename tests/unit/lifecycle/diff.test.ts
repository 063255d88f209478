import { computed } from "../../../provider/base/fields";
import { service } from "../../support/fixtures";
import { hosts } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const { Service } = lifecycles;

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

it("a replacement may be an update only if all values that require it are unknown", async () => {
    const world = await simulate();
    const declared = service({ ...orders, addons: [] });
    const { id, state } = await Service.create(declared, world.run());
    const mayReplace = (change: object) => Service.diff(id, state, { ...declared, ...change }).mayReplace;
    expect(mayReplace({ regionCode: computed })).toBe(true);
    expect(mayReplace({ regionCode: "eu-west-1" })).toBe(false);
    expect(mayReplace({ regionCode: computed, addons: ["ai"] })).toBe(false);
});
