import { service } from "../../../support/fixtures";
import { lifecycles } from "../../../support/lifecycles";
import { simulate } from "../../../support/simulation";

it.each(["constructor", "toString", "__proto__"])("a service with the unknown status %s is pending", async (status) => {
    const world = await simulate();
    world.emulator.addFaults([`createService:status,status=${status},ms=20000`]);
    const { state } = await lifecycles.Service.create(service(), world.run());
    expect(state).toMatchObject({ status: "READY" });
    expect(world.statusLines.join("\n")).toContain(status);
});
