import { getService, getServices, Service } from "../../sdk/nodejs";
import { host, startStack, typeToken } from "../support/engine";

test("a refresh finds nothing when the usage of a service has changed, which only functions return and no state has", async () => {
    let aheadMs = 0;
    const stack = await startStack({ clock: { now: () => Date.now() + aheadMs } });
    const { emulator } = stack;
    await stack.setConfig("clouddb:baseUrl", emulator.url);
    await stack.setConfig("clouddb:projectId", emulator.projectId);
    await stack.setConfig("clouddb:accessToken", emulator.token, true);
    const { id: existingId } = await emulator.createService({ name: "manual" });
    const usage = () => emulator.snapshot().services.map(({ metrics }) => metrics?.storage_mb);
    const found: unknown[] = [];
    const program = async () => {
        new Service("orders", { name: "orders", cpuMillis: 500 });
        new Service("adopted", { name: "manual", existingId });
        Service.get("same", existingId);
        const one = await getService({ serviceId: existingId });
        const [other] = (await getServices()).filter(({ name }) => name === "manual");
        found.push(one.usage?.storageMb, one.volumeType, other?.usage?.storageMb, other?.volumeType);
    };
    await stack.up(program);
    const [storageMb] = usage();
    expect(found.splice(0)).toEqual([storageMb, "gp3", storageMb, "gp3"]);
    if (host === "native") {
        await stack.importResources([{ type: typeToken("Service"), name: "imported", id: existingId }]);
        await stack.pulumi("state", "unprotect", "--all", "--yes");
    }
    const before = usage();
    aheadMs = 3_600_000;
    expect(usage().filter((one, index) => one === before[index])).toEqual([]);

    const { operations } = await stack.refresh();

    expect(new Set(Object.values(operations))).toEqual(new Set(["same"]));
    expect(await stack.exported()).not.toMatch(/usage|metrics|storage|volume_?type|gp3/i);
    const preview = await stack.preview(program);
    expect({ ...preview.operations, imported: "same" }).toEqual({
        orders: "same",
        adopted: "same",
        same: "read",
        imported: "same",
    });
    expect(found).toEqual([Number(storageMb) + 60, "gp3", Number(storageMb) + 60, "gp3"]);
});
