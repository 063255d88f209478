import { hosts } from "../../../support/hosts";
import { call, loseResponse } from "../../../support/fixtures";
import { simulate } from "../../../support/simulation";

const warning = "the password in force may be one that no state has: declare password";
const password = "a-long-password";

describe.each(hosts)("a password in force that no state has, on %s", (_, hostIn) => {
    async function start() {
        const world = await simulate();
        return { world, host: hostIn(world) };
    }
    type Host = Awaited<ReturnType<typeof start>>["host"];
    type Entry = Awaited<ReturnType<Host["up"]>>["entry"];

    /** Expects the warning of each run that changes nothing, until the program declares a password. */
    async function expectWarning(host: Host, declared: Record<string, unknown>, entry: Entry): Promise<void> {
        const preview = await host.preview("Service", declared, entry);
        expect(preview).toMatchObject({ operation: "same", lines: [warning] });
        const run = await host.up("Service", declared, entry);
        expect(run).toMatchObject({ lines: [warning] });
        const known = await host.up("Service", { ...declared, password }, entry);
        expect(known.lines).not.toContain(warning);
        expect(await host.preview("Service", { ...declared, password }, known.entry)).toMatchObject({ lines: [] });
        const removed = await host.up("Service", declared, known.entry);
        expect(removed.lines).not.toContain(warning);
    }

    it("is said in each run after the answer to that of an adopted service was lost, and the program declares none", async () => {
        const { world, host } = await start();
        const { service_id } = await call(world, "createService", {}, { name: "manual" });
        world.clock.advance(600_000);
        const declared = { existingId: service_id };
        const adopted = await host.up("Service", declared);
        expect(adopted.lines).not.toContain(warning);
        expect((await host.preview("Service", declared, adopted.entry)).lines).toEqual([]);
        world.fault.at("updatePassword", loseResponse);
        const failed = await host.up("Service", { ...declared, password: "another-password" }, adopted.entry);
        expect(failed.error).toBeDefined();
        world.fault.over();
        const { entry } = await host.up("Service", declared, failed.entry);
        await expectWarning(host, declared, entry);
    });

    it("is said in each run after the creation of a service ended before the step that reads its password", async () => {
        const { world, host } = await start();
        process.env.TEST_PASSWORD = password;
        world.emulator.addFaults(["updatePassword#1+:400"]);
        const outside = { name: "orders", passwordVariable: "TEST_PASSWORD", passwordVersion: 1 };
        const failed = await host.up("Service", outside);
        expect(failed.error).toBeDefined();
        world.emulator.clearFaults();
        const declared = { name: "orders" };
        const { entry } = await host.up("Service", declared, failed.entry);
        await expectWarning(host, declared, entry);
        const complete = await host.up("Service", outside, failed.entry);
        expect((await host.preview("Service", declared, complete.entry)).lines).not.toContain(warning);
    });
});
