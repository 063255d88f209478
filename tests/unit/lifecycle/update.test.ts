import { lifecycles } from "../../support/lifecycles";
import { failure, linesOf, loseResponse, network, operations, refuse, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service, Vpc } = lifecycles;

describe("updates", () => {
    it("an update that fails in the middle keeps the completed steps, and the next one sends the rest", async () => {
        const { world, id, state } = await withService();
        const declared = service({
            password: "new-password",
            cpuMillis: 1000,
            memoryGbs: 4,
            replicaCount: 1,
            environment: "PROD",
        });
        world.changes();
        world.fault.at("setHA", refuse);
        const failed = await failure(Service.update(id, state, declared, world.run()));
        expect(failed).toMatchObject({ cause: { failure: { status: 400 } } });
        expect(failed.id).toBe(id);
        expect(failed.state).toMatchObject({
            cpuMillis: 1000,
            replicaCount: 0,
            environment: "DEV",
            password: "new-password",
        });
        expect(operations(world)).toEqual(["updatePassword", "resizeService"]);

        world.fault.over();
        expect(linesOf(Service.plan(failed.state as never, declared))).toEqual([
            "HA replicas none -> 1 async",
            "environment DEV -> PROD",
        ]);
        await Service.update(id, failed.state as never, declared, world.run());
        expect(operations(world)).toEqual(["setHA", "setEnvironment"]);
    });

    it.each([
        "renameService",
        "resizeService",
        "setHA",
        "attachToVPC",
        "setEnvironment",
        "enablePooler",
        "stopService",
        "updatePassword",
    ])("an update whose response to %s is lost checks whether it was carried out, and continues", async (operation) => {
        const world = await simulate();
        const net = await Vpc.create(network, world.run());
        const { id, state } = await Service.create(service(), world.run());
        const declared = service({
            name: "new",
            cpuMillis: 1000,
            memoryGbs: 4,
            replicaCount: 1,
            vpcId: net.id,
            environment: "PROD",
            connectionPooler: true,
            password: "new-password",
            paused: true,
        });
        world.fault.at(operation, loseResponse, 1);
        const next = await Service.update(id, state, declared, world.run());
        expect(linesOf(Service.plan(next, declared))).toEqual([]);
        expect(world.emulator.passwordMatches(id, "new-password")).toBe(true);
    });

    it("an update does not send a step again whose response was lost and whose effect shows", async () => {
        const { world, id, state } = await withService();
        world.fault.at("renameService", loseResponse, 1);
        await Service.update(id, state, service({ name: "new" }), world.run());
        expect(world.emulator.journal().filter(({ operationId }) => operationId === "renameService")).toHaveLength(1);
    });
});
