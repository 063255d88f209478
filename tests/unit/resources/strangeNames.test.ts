import { lifecycles } from "../../support/lifecycles";
import { checkFields } from "../../../provider/inputs/fields";
import { replicaSet, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

const { ReadReplicaSet, Service } = lifecycles;

describe("a status with the name of a member of every object", () => {
    it.each(["constructor", "toString", "__proto__"])("the status %s counts as pending", async (status) => {
        const world = await simulate();
        world.emulator.addFaults([`createService:status,status=${status},ms=20000`]);
        const db = await Service.create(service(), world.run());
        expect(db.state).toMatchObject({ status: "READY" });
        world.emulator.addFaults([`createReplicaSet:status,status=${status},ms=20000`]);
        const set = await ReadReplicaSet.create(replicaSet(db.id), world.run());
        expect(set.state).toMatchObject({ status: "active" });
        expect(world.statusLines.join("\n")).toContain(status);
    });
});

it.each(["constructor", "toString"])("an input named %s is not a property of a resource", (name) => {
    const [problem] = checkFields({ [name]: "a" }, Service.resource.fields);
    expect(problem).toMatch(`${name} is not a property of this resource`);
});
