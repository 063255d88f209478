import { Peering, PeeringActivation, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: what it stores after a failure, and which call of the next run resumes. Unit tests have the
// other failures.

test("a creation that times out keeps the service in the state, and the next run resumes it", async () => {
    const stack = await startStack({ durations: { create: 250_000 } });
    const program = (create: string) => () => {
        const args = { name: "orders", connectionPooler: true };
        const { initialPassword } = new Service("orders", args, { customTimeouts: { create } });
        return { initialPassword };
    };
    await failed(stack.up(program("2s")));
    const { id } = await stack.state("orders");
    expect(id).toBe(stack.emulator.snapshot().services[0]?.service_id);

    await stack.up(program("1m"));
    expect(stack.calls()).toEqual(["createService", "enablePooler"]);
    expect(stack.emulator.snapshot().services).toMatchObject([{ service_id: id, status: "READY" }]);
    const { initialPassword } = (await stack.outputs()) as { initialPassword: string };
    expect(stack.emulator.passwordMatches(id, initialPassword)).toBe(true);
});

test("a failed peering is replaced by the next run, and one that failed during its activation after a refresh, together with the activation", async () => {
    const stack = await startStack();
    const program = () => {
        const { vpcId } = new Vpc("network", { name: "network", cidr: "10.0.0.0/24", regionCode: "us-east-1" });
        const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
        const { peeringId } = new Peering("office", { vpcId, ...peer, waitFor: "provisioned" });
        new PeeringActivation("accepted", { vpcId, peeringId });
    };
    const failPeering = ({ emulator }: TestStack) =>
        emulator.snapshot().peerings.forEach(({ id }) => emulator.failPeering(id, "no route"));
    stack.emulator.addFaults([{ operation: "createPeering", effect: { kind: "peeringFails", message: "no route" } }]);
    await failed(stack.up(program));
    stack.emulator.clearFaults();
    stack.emulator.setPeeringFate("acceptance");
    stack.calls();

    const { operations, messages } = await stack.preview();
    expect(operations).toMatchObject({ office: "replace", accepted: "create" });
    expect(messages.office?.join()).toContain("no route");
    const waiting = failed(stack.up());
    await polls(stack, 3);
    failPeering(stack);
    expect((await waiting).errors).toHaveLength(1);
    expect(stack.calls()).toEqual(["deletePeering", "createPeering"]);

    stack.emulator.setPeeringFate("immediate");
    const replaced = await stack.up(undefined, { refresh: true });
    expect(replaced.operations).toEqual({ network: "same", office: "replace", accepted: "replace" });
    expect(stack.calls()).toEqual(["deletePeering", "createPeering"]);
    expect((await stack.preview()).operations).toEqual({ network: "same", office: "same", accepted: "same" });
});

/** Resolves when the peering was polled this number of times. */
async function polls({ emulator }: TestStack, count: number): Promise<void> {
    while (emulator.journal().filter(({ operationId }) => operationId === "getPeering").length < count) {
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
