import { lifecycles } from "../../support/lifecycles";
import { network, withWay } from "../../support/fixtures";
import { simulate } from "../../support/simulation";

it("a VPC that was renamed without an alias names the old one and the remedy", async () => {
    const world = await simulate();
    const { id } = await lifecycles.Vpc.create({ ...network, name: "old" }, world.run());
    const renamed = lifecycles.Vpc.create({ ...network, name: "new" }, world.run());
    await expect(renamed).rejects.toThrow(id);
    await expect(renamed).rejects.toMatchObject(withWay("Renamed or moved"));
});
