import { hosts } from "../../../support/hosts";
import { call, loseResponse } from "../../../support/fixtures";
import { simulate } from "../../../support/simulation";

const warning = "the password in force may be one that no state has: declare password";
const password = "a-long-password";

test.each(hosts)(
    "on %s, a password in force that no state has, because the answer to that of an adopted service was lost, is said in each run that changes nothing, until the program declares one",
    async (_, hostIn) => {
        const world = await simulate();
        const host = hostIn(world);
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
        const preview = await host.preview("Service", declared, entry);
        expect(preview).toMatchObject({ operation: "same", lines: [warning] });
        expect(await host.up("Service", declared, entry)).toMatchObject({ lines: [warning] });
        const known = await host.up("Service", { ...declared, password }, entry);
        expect(known.lines).not.toContain(warning);
        expect(await host.preview("Service", { ...declared, password }, known.entry)).toMatchObject({ lines: [] });
        expect((await host.up("Service", declared, known.entry)).lines).not.toContain(warning);
    },
);
