import { activation, failure, network, peering, timed, withWay } from "../../support/fixtures";
import { hosts, recordOf } from "../../support/hosts";
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
    expect(error).toMatchObject({ cause: withWay("Create a new one") });
    expect(String(error)).toContain("failed (rejected)");
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

it.each(hosts)(
    "an activation on %s that was interrupted while the API showed no status is still incomplete after a refresh",
    async (_, hostIn) => {
        const cancellation = new AbortController();
        const world = await simulate({
            peerings: "acceptance",
            intercept: async ({ operationId }, carryOut) => {
                const { body, ...answer } = await carryOut();
                const shown = operationId === "getPeering" ? withoutStatus(body) : body;
                if (shown !== body && world.clock.now() > startedAt + 10_000) {
                    cancellation.abort(new Error("cancelled"));
                }
                return { ...answer, body: shown };
            },
        });
        const host = hostIn(world);
        const { outputs: net } = await host.up("Vpc", network);
        const peer = { ...peering(String(net.vpcId)), waitFor: "provisioned" };
        const startedAt = world.clock.now();
        const { peeringId } = (await host.up("Peering", peer)).outputs;
        const declared = { vpcId: net.vpcId, peeringId };
        const interrupted = await hostIn(world, cancellation.signal).up("PeeringActivation", declared);
        expect(recordOf(interrupted.entry)).toMatchObject({ interruption: "creation" });
        const refreshed = await host.refresh("PeeringActivation", interrupted.entry);
        expect(recordOf(refreshed)).toMatchObject({ interruption: "creation" });
        expect((await host.preview("PeeringActivation", declared, refreshed)).operation).toBe("update");
    },
);

/** A peering as an API shows it that has no status of it yet. */
function withoutStatus(body: string): string {
    return JSON.stringify({ ...(JSON.parse(body) as object), status: undefined });
}
