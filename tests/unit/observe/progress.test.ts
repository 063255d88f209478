import { lifecycles } from "../../support/lifecycles";
import { service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

/** The steps that status lines name, in order. */
function stepsIn(lines: readonly string[]): string[] {
    const steps = lines.flatMap((line) => /step \d+ of \d+|^\d+\/\d+/.exec(line) ?? []);
    return steps.filter((step, index) => step !== steps[index - 1]);
}

describe("step numbers", () => {
    const declared = service({ connectionPooler: true, replicaCount: 2, syncReplicaCount: 1, paused: true });

    it("the steps of a run have the numbers of the preview, with the creation as the first step", async () => {
        const world = await simulate();
        const lines = Service.describeCreation(declared);
        expect(lines).toHaveLength(4);
        await Service.create(declared, world.run());
        expect(stepsIn(world.statusLines)).toEqual(["step 1 of 4", "step 2 of 4", "step 3 of 4", "step 4 of 4"]);
        expect(world.statusLines).toContainEqual(`step 1 of 4: ${lines[0] ?? ""}`);
        expect(world.statusLines).toContainEqual(`step 2 of 4: ${lines[1] ?? ""}`);
    });

    it("the steps of an update have the numbers of the preview, with the first change as the first step", async () => {
        const { world, id, state } = await withService();
        world.statusLines.length = 0;
        await Service.update(id, state, declared, world.run());
        expect(stepsIn(world.statusLines)).toEqual(["1/3", "2/3", "3/3"]);
    });
});
