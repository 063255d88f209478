import { activation, failure, network, peering, timed, withWay } from "../../support/fixtures";
import { hosts } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const { Peering, PeeringActivation, Vpc } = lifecycles;

it("an activation waits until the other account has accepted the peering, and its deletion deletes nothing", async () => {
    const world = await simulate({ peerings: "acceptance" });
    const net = await Vpc.create(network, world.run());
    const peer = peering(net.id);
    const { id, state } = await Peering.create({ ...peer, waitFor: "provisioned" }, world.run());
    expect(state.provisionedId).toBeDefined();
    await failure(Peering.update(id, state, peer, world.run({ timeMs: 5_000 })));
    expect(world.statusLines.join("\n")).toContain(state.provisionedId);

    world.emulator.acceptPeering(state.peeringId);
    const active = await PeeringActivation.create(activation(net.id, state.peeringId), world.run());
    expect(active.state).toMatchObject({ status: "active" });
    await PeeringActivation.delete(active.id, active.state, world.run());
    expect(world.emulator.snapshot().peerings).toHaveLength(1);
});

it("an activation fails within a minute if the peering can never become active", async () => {
    const world = await simulate({ peerings: "acceptance" });
    const net = await Vpc.create(network, world.run());
    const { state } = await Peering.create({ ...peering(net.id), waitFor: "provisioned" }, world.run());
    world.emulator.failPeering(state.peeringId, "no", "rejected");
    const { error, tookMs } = await timed(world, () =>
        PeeringActivation.create(activation(net.id, state.peeringId), world.run()),
    );
    expect(error).toMatchObject({ cause: { lastStatus: "rejected", ...withWay("Create a new one") } });
    expect(tookMs).toBeLessThan(60_000);
});

it.each(hosts)(
    "the preview of an activation on %s says what to do about a peering that has failed",
    async (_, hostIn) => {
        const world = await simulate({ peerings: "acceptance" });
        const host = hostIn(world);
        const { outputs: net } = await host.up("Vpc", network);
        const { outputs } = await host.up("Peering", { ...peering(String(net.vpcId)), waitFor: "provisioned" });
        const declared = { vpcId: net.vpcId, peeringId: outputs.peeringId };
        world.emulator.failPeering(String(outputs.peeringId), "no route");
        const { entry } = await host.up("PeeringActivation", declared);
        const { lines } = await host.preview("PeeringActivation", declared, entry);
        expect(lines.join()).toContain(String(outputs.peeringId));
    },
);
